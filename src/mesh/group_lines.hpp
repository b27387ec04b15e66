/// Names of groups as they stand in text files.
#pragma once

#include "brisance/mesh/groups.hpp"

#include "mesh/text_reader.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::mesh {

/// A name without blanks around it, what is no letter in any encoding as "?"; an error at the line if it is longer than
/// a fifth of kLongestGroupNames.
[[nodiscard]] std::string group_name(const TextReader& text, std::string_view words);

/// Every word of the rest of the line as a name; an error at the line if together they are longer than three fifths.
[[nodiscard]] std::vector<std::string> group_names(TextReader& text);

/// Leaves all groups out, and says so in the log, where a file has more than kMostGroups.
void keep_within_limits(Groups& groups, const std::filesystem::path& file);

}  // namespace brisance::mesh
