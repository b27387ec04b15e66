/// Numbers in words for the user: "1 piece", "2 pieces", "0.0246 s".
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace brisance::core {

/// A count and the word for what is counted, in the singular for 1. Local.
/// @param one   the word for one of them
/// @param many  the word for several; empty: `one` with an s
template <std::integral Count>
[[nodiscard]] std::string counted(Count count, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(count) + ' ';
  if (count == 1) return text.append(one);
  return many.empty() ? text.append(one).append("s") : text.append(many);
}

/// A time within a longer span, with enough digits to resolve a hundred-thousandth of the span [s]: "0.02460" of 0.1.
/// Local.
[[nodiscard]] std::string time_text(double time_s, double span_s);

}  // namespace brisance::core
