/// Parses lists of numbers in options that may be given several times.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::app {

/// Numbers between commas. Throws core::BadInput that names the option.
[[nodiscard]] std::vector<double> numbers(std::string_view text, const std::string& option);

/// The same with exactly `count` numbers, all finite.
[[nodiscard]] std::vector<double> numbers(std::string_view text, std::size_t count, const std::string& option);

/// A duration as in "90s", "10min", "1.5h" or a number of seconds, positive [s]. Throws core::BadInput that names the
/// option.
[[nodiscard]] double seconds(const std::string& text, const std::string& option);

}  // namespace brisance::app
