#include "brisance/core/text_difference.hpp"

#include <sstream>

#include <fmt/format.h>

namespace brisance::core {

std::string first_difference(const std::string& before, const std::string& now) {
  std::istringstream a(before), b(now);
  std::string line_a, line_b;
  while (true) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a)), more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a) line_a = "nothing more";
    if (!more_b) line_b = "nothing more";
    if (line_a != line_b || !more_a || !more_b) return fmt::format("there: {}; now: {}", line_a, line_b);
  }
}

}  // namespace brisance::core
