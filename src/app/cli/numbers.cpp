#include "app/cli/numbers.hpp"

#include "brisance/core/error.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

std::vector<double> numbers(std::string_view text, const std::string& option) {
  std::vector<double> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const char* last = text.data() + end;
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data() + begin, last, value);
    if (error != std::errc() || stop != last)
      throw core::BadInput(fmt::format("{} {}: '{}' is not a number.", option, text, text.substr(begin, end - begin)));
    values.push_back(value);
    begin = end + 1;
  }
  return values;
}

std::vector<double> numbers(std::string_view text, std::size_t count, const std::string& option) {
  std::vector<double> values = numbers(text, option);
  if (values.size() != count)
    throw core::BadInput(
        fmt::format("{} {}: {} numbers are needed, with commas between them and no spaces.", option, text, count));
  for (const double value : values)
    if (!std::isfinite(value)) throw core::BadInput(fmt::format("{} {}: every number must be finite.", option, text));
  return values;
}

double seconds(const std::string& text, const std::string& option) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit(end);
  double length = -1;
  if (end != text.c_str() && (unit.empty() || unit == "s")) length = number;
  if (end != text.c_str() && unit == "min") length = 60 * number;
  if (end != text.c_str() && unit == "h") length = 3600 * number;
  if (!(length > 0) || !std::isfinite(length))
    throw core::BadInput(option + " " + text + ": not a length of time. Write it as 90s, 10min or 2h.");
  return length;
}

}  // namespace brisance::app
