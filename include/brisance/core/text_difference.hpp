/// Compares two texts.
#pragma once

#include <string>

namespace brisance::core {

/// The first line in which two texts differ, in words: "there: a = 1; now: a = 2". Local.
[[nodiscard]] std::string first_difference(const std::string& before, const std::string& now);

}  // namespace brisance::core
