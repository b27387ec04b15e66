#include "app/commands/allowed_size.hpp"

#include "brisance/core/error.hpp"

#include <limits>
#include <system_error>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

std::string size_text(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.3g} MB", 1e-6 * bytes) : fmt::format("{:.3g} GB", 1e-9 * bytes);
}

std::string description(const breaking::PlannedOutput& planned) {
  std::string text = fmt::format("{} snapshots of {}", planned.num_snapshots,
                                 size_text(static_cast<double>(planned.bytes_a_snapshot)));
  if (planned.num_keyframes > 0)
    text += fmt::format(" and an animation of {} keyframes, {}", planned.num_keyframes,
                        size_text(static_cast<double>(planned.animation_bytes)));
  return text;
}

/// Free space of the disk for a path; infinite where it is not known [bytes].
double free_space(std::filesystem::path path) {
  std::error_code failed;
  path = std::filesystem::absolute(path, failed);
  while (path.has_relative_path() && !std::filesystem::exists(path, failed)) path = path.parent_path();
  const auto space = std::filesystem::space(path, failed);
  return failed ? std::numeric_limits<double>::infinity() : static_cast<double>(space.available);
}

}  // namespace

void refuse_large_output(const breaking::PlannedOutput& planned, double allowed_gb, const std::filesystem::path& out,
                         const std::string& advice) {
  const double bytes = planned.bytes(), room = free_space(out);
  if (bytes > 1e9 * allowed_gb)
    throw core::BadInput(
        fmt::format("It would write about {}, {}; --max-size is {:g} GB. {}, or allow it with "
                    "--max-size {:.2g}.",
                    size_text(bytes), description(planned), allowed_gb, advice, 1.05e-9 * bytes));
  if (planned.animation_bytes > std::numeric_limits<std::uint32_t>::max())
    throw core::BadInput(
        fmt::format("The animation would have {}, and a GLB holds less than 4.29 GB. {}, or leave it "
                    "out with --no-glb.",
                    size_text(static_cast<double>(planned.animation_bytes)), advice));
  if (bytes > room)
    throw core::BadInput(
        fmt::format("It would write about {}, {}, and the disk of {} has {} left. {}, or free some space.",
                    size_text(bytes), description(planned), out.string(), size_text(room), advice));
  spdlog::info("will write {}: about {}", description(planned), size_text(bytes));
}

}  // namespace brisance::app
