/// "Did you mean …?": the known word closest to a mistyped one.
#pragma once

#include <string>
#include <vector>

namespace brisance::app {

/// Least number of insertions, deletions, replacements and swaps of neighbouring letters that turn `a` into `b`, with
/// no letter changed twice.
[[nodiscard]] std::size_t edit_distance(const std::string& a, const std::string& b);

/// The candidate with the smallest edit distance, the first of equals; empty if there is no candidate.
[[nodiscard]] std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

/// " Did you mean WORD?" with the candidate nearest to `word`, or nothing if more than a third of its letters differ
/// from all of them.
[[nodiscard]] std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace brisance::app
