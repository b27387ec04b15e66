#include "app/modes/mode_progress.hpp"

#include "brisance/core/timer.hpp"
#include "brisance/core/words.hpp"

#include "app/cli/progress.hpp"

#include <string>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

ModeProgress::ModeProgress(std::int32_t total, int each) : total_(total), each_(each), last_s_(core::wall_seconds()) {
  searching_.emplace("searching for the first mode");
}

std::string ModeProgress::name_of(std::int32_t number) const {
  const int last = each_ * number;
  return each_ == 1 ? fmt::format("mode {}", last) : fmt::format("modes {}-{}", last - each_ + 1, last);
}

void ModeProgress::print(const modes::ModeSet& set) {
  const double now_s = core::wall_seconds();
  const double took_s = now_s - last_s_;
  last_s_ = now_s;
  each_ = set.displacements();                              // known once the search has begun
  pace_s_ = pace_s_ > 0 ? (pace_s_ + took_s) / 2 : took_s;  // later modes take longer: weighs recent ones
  const auto found = static_cast<std::int32_t>(set.modes.size());
  const bool by_axis = each_ > 1 && !set.same_along_all_axes();  // the cost of a field depends on the axis
  const auto name = [&](std::int32_t number) { return by_axis ? fmt::format("field {}", number) : name_of(number); };
  const std::string which = name(found);
  const modes::Mode& mode = set.modes.back();
  const std::string strain =
      mode.corner_value.empty() ? "" : fmt::format("  {:.2g} of it strain", mode.strain_energy / mode.energy);
  spdlog::info("{:3}%  {} of {}  energy {:.6g}{}  {:.3g} s  left {}", 100 * found / total_, which,
               by_axis ? total_ : each_ * total_, mode.energy, strain, took_s,
               duration_words((total_ - found) * pace_s_));
  spdlog::debug("{}: relative gap {:.0e} after {}", which, mode.relative_gap,
                core::counted(mode.convex_energies.size(), "convex step"));
  if (!mode.settled)
    spdlog::warn("{} had not converged after {} convex steps: valid, but not a local minimum", which,
                 mode.convex_energies.size());
  searching_.reset();
  if (found < total_) searching_.emplace("searching for " + name(found + 1));
}

}  // namespace brisance::app
