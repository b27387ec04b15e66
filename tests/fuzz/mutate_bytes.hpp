/// Damage to files of text and of bytes.
#pragma once

#include "fuzz/random.hpp"

#include <string>

namespace brisance::fuzz {

/// A few random changes: bytes flipped, inserted, taken out, the end cut off; lines doubled, dropped, exchanged;
/// numbers made 0, −1, huge, not a number or no number at all. `other` lends lines and pieces.
[[nodiscard]] std::string mutated_text(Random& random, std::string text, const std::string& other);

/// The same of binary files: numbers of 1, 2, 4 or 8 bytes take values at the ends of their ranges.
[[nodiscard]] std::string mutated_binary(Random& random, std::string bytes, const std::string& other);

}  // namespace brisance::fuzz
