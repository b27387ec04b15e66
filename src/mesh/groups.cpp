#include "brisance/mesh/groups.hpp"

#include <algorithm>
#include <set>

namespace brisance::mesh {

bool has_name(const Groups& groups, std::int32_t group, std::string_view name) {
  if (group == kNoGroup) return false;
  const auto& names = groups.names[static_cast<std::size_t>(group)];
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> names_in_use(const Groups& groups, std::span<const std::int32_t> in_use) {
  const std::set<std::int32_t> numbers(in_use.begin(), in_use.end());
  std::set<std::string> names;
  for (const std::int32_t group : numbers)
    if (group != kNoGroup) names.insert(groups.names[group].begin(), groups.names[group].end());
  return {names.begin(), names.end()};
}

std::string to_text(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "\n") + name;
  return text;
}

std::vector<std::string> names_of_text(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

bool are_groups(const Groups& groups, std::span<const std::int32_t> numbers) {
  const auto count = static_cast<std::int64_t>(groups.names.size());
  return std::ranges::all_of(numbers, [&](std::int32_t group) { return group >= kNoGroup && group < count; });
}

GroupNumbers::GroupNumbers(Groups& groups) : groups_(groups) {
  for (std::size_t g = 0; g < groups.names.size(); ++g) known_.emplace(groups.names[g], static_cast<std::int32_t>(g));
}

std::int32_t GroupNumbers::number(std::vector<std::string> names) {
  if (names.empty()) return kNoGroup;
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  const auto [known, is_new] = known_.try_emplace(names, static_cast<std::int32_t>(groups_.names.size()));
  if (is_new) groups_.names.push_back(std::move(names));
  return known->second;
}

std::vector<std::int32_t> join(Groups& whole, const Groups& part, std::int32_t first_source) {
  if (part.empty()) return {};
  GroupNumbers numbers(whole);
  std::vector<std::int32_t> number;
  for (const auto& names : part.names) number.push_back(numbers.number(names));
  whole.of_source.resize(static_cast<std::size_t>(first_source), kNoGroup);
  for (const std::int32_t group : part.of_source)
    whole.of_source.push_back(group == kNoGroup ? kNoGroup : number[static_cast<std::size_t>(group)]);
  return number;
}

}  // namespace brisance::mesh
