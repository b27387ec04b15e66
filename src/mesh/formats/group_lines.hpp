/// Names of groups as they stand in text files.
#pragma once

#include "brisance/mesh/groups.hpp"

#include "mesh/formats/text_reader.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::mesh {

/// Takes the names out of lines: without blanks around them, control characters as "?", in UTF-8 (bytes that are not
/// are taken as Latin-1). One longer than a fifth of kLongestGroupNames keeps its beginning and its end; of a list
/// longer than three fifths the last names are left out.
class NameReader {
public:
  [[nodiscard]] std::string one(std::string_view words);
  /// Every word of the rest of the line as a name.
  [[nodiscard]] std::vector<std::string> list(TextReader& text);
  /// Says in the log how many names were shortened or left out, if any were.
  void note_shortened(const std::filesystem::path& file) const;

private:
  std::int64_t num_shortened_ = 0, num_left_out_ = 0;
  std::string first_;  ///< of the shortened, as it is now
};

/// Leaves out the last names of a group where together they are longer than kLongestGroupNames.
void keep_short(std::vector<std::string>& names);

/// Leaves all groups out, and says so in the log, where a file has more than kMostGroups.
void keep_within_limits(Groups& groups, const std::filesystem::path& file);

}  // namespace brisance::mesh
