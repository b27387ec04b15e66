#include "brisance/dynamics/vector_units.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwy/highway.h>

namespace brisance::dynamics {

namespace {

std::string name_of(std::int64_t target) {
  if (target == HWY_AVX3) return "avx512";
  std::string name = hwy::TargetName(target);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

/// Compiled and supported, a bit each; Highway's better targets have the lower bits.
std::vector<std::int64_t> usable_targets() {
  std::vector<std::int64_t> targets;
  const std::int64_t usable = hwy::SupportedTargets() & HWY_TARGETS;
  for (std::int64_t bit = 1; bit != 0 && bit <= usable; bit <<= 1)
    if ((usable & bit) != 0) targets.push_back(bit);
  return targets;
}

}  // namespace

std::vector<std::string> available_vector_units() {
  hwy::SetSupportedTargetsForTest(0);  // what the processor has, whatever was chosen
  std::vector<std::string> names;
  for (const std::int64_t target : usable_targets()) names.push_back(name_of(target));
  return names;
}

std::string vector_units() { return name_of(usable_targets().front()); }

void use_vector_units(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  for (const std::int64_t target : usable_targets()) {
    if (name_of(target) != name) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    return;
  }
  throw core::Error(fmt::format("vector units \"{}\": this processor and this build have {}.", name,
                                fmt::join(available_vector_units(), ", ")));
}

}  // namespace brisance::dynamics
