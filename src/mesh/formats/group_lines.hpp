/// Reads names of groups from text files.
#pragma once

#include "brisance/mesh/groups.hpp"

#include "mesh/formats/text_reader.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::mesh {

/// Extracts names from lines: without blanks around them, control characters replaced by "?", in UTF-8 (other bytes are
/// taken as Latin-1). A name longer than a fifth of kLongestGroupNames keeps its beginning and its end; of a list
/// longer than three fifths the last names are dropped.
class NameReader {
public:
  [[nodiscard]] std::string one(std::string_view words);
  /// Returns every word of the rest of the line as a name.
  [[nodiscard]] std::vector<std::string> list(TextReader& text);
  /// Logs how many names were shortened or dropped, if any.
  void note_shortened(const std::filesystem::path& file) const;

private:
  std::int64_t num_shortened_ = 0, num_left_out_ = 0;
  std::string first_;  ///< first of the shortened names, in its short form
};

/// Drops the last names of a group where together they are longer than kLongestGroupNames.
void keep_short(std::vector<std::string>& names);

/// Drops all groups, with a line in the log, where a file has more than kMostGroups.
void keep_within_limits(Groups& groups, const std::filesystem::path& file);

}  // namespace brisance::mesh
