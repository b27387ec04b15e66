#include "mesh/group_lines.hpp"

#include <algorithm>

#include <spdlog/spdlog.h>

namespace brisance::mesh {
namespace {

constexpr std::size_t kLongestName = kLongestGroupNames / 5, kLongestList = 3 * kLongestName;

void require_short(const TextReader& text, std::size_t length, std::size_t longest) {
  if (length > longest)
    text.fail(fmt::format("a name of {} bytes, where {} are the most. Shorten it.", length, longest));
}

}  // namespace

std::string group_name(const TextReader& text, std::string_view words) {
  constexpr std::string_view kBlank = " \t\r\v\f";
  words.remove_prefix(std::min(words.find_first_not_of(kBlank), words.size()));
  words = words.substr(0, words.find_last_not_of(kBlank) + 1);
  require_short(text, words.size(), kLongestName);
  std::string name(words);
  std::ranges::replace_if(
      name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }, '?');
  return name;
}

std::vector<std::string> group_names(TextReader& text) {
  std::vector<std::string> names;
  require_short(text, text.rest_of_line().size(), kLongestList);
  for (auto word = text.word(); !word.empty(); word = text.word()) names.push_back(group_name(text, word));
  return names;
}

void keep_within_limits(Groups& groups, const std::filesystem::path& file) {
  if (groups.names.size() <= kMostGroups) return;
  spdlog::warn("{}: {} groups of faces or tets have names of their own, where {} are the most; all names are left out.",
               file.string(), groups.names.size(), kMostGroups);
  groups = {};
}

}  // namespace brisance::mesh
