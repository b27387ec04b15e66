#include "brisance/core/out_of_memory.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/memory.hpp"

#include <filesystem>
#include <limits>
#include <new>
#include <stdexcept>
#include <system_error>

#include <spdlog/fmt/fmt.h>

namespace brisance::core {

namespace {

bool is_about_memory(const std::exception& e) {
  return dynamic_cast<const std::bad_alloc*>(&e) != nullptr || dynamic_cast<const std::length_error*>(&e) != nullptr;
}

std::string memory_now() {
  constexpr double kGibibyte = 1 << 30;
  const std::int64_t available = available_memory_bytes();
  const std::string free = available == std::numeric_limits<std::int64_t>::max()
                               ? ""
                               : fmt::format(", {:.2g} GiB are free", static_cast<double>(available) / kGibibyte);
  return fmt::format(
      "out of memory: this process has had {:.2g} GiB{}. Use a smaller or coarser input, more ranks on "
      "more machines, or a machine with more memory.",
      static_cast<double>(peak_memory_bytes()) / kGibibyte, free);
}

}  // namespace

std::string text_for_user(const std::exception& e) {
  if (is_about_memory(e)) return memory_now();
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&e); file != nullptr)
    return fmt::format("cannot read or write {}: {}. Check that it and its folder are there and permitted.",
                       file->path1().string(), file->code().message());
  if (const auto* system = dynamic_cast<const std::system_error*>(&e); system != nullptr)
    return fmt::format("the system refuses something: {}. Check files, disk and limits.", system->code().message());
  if (dynamic_cast<const std::logic_error*>(&e) != nullptr)
    return fmt::format("internal error: {}. Please report it with the input.", e.what());
  return e.what();
}

void naming_what_needs_memory(const std::string& what, const std::function<void()>& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    throw Error(what + ": " + memory_now());
  } catch (const std::length_error&) {
    throw Error(what + ": " + memory_now());
  }
}

}  // namespace brisance::core
