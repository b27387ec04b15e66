#include "mesh/formats/gmsh_groups.hpp"

#include "mesh/formats/merge_doubled.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <spdlog/fmt/ranges.h>
#include <spdlog/spdlog.h>

namespace brisance::mesh::gmsh {

namespace {

std::string_view plural(int dimension) { return dimension == 3 ? "tets" : "triangles"; }

/// Gives the first of equal elements in several groups all their names.
/// @param groups  of the elements
/// @param first   of the elements with the same corners (first_of_equal)
/// @return marks of the elements to be removed
std::vector<char> join_groups(GmshFile& gmsh, const std::vector<std::size_t>& first,
                              std::vector<std::int32_t>& groups) {
  std::vector<char> is_doubled(groups.size(), 0);
  std::map<std::size_t, std::vector<std::int32_t>> groups_of;  // of elements that occur more than once
  for (std::size_t e = 0; e < groups.size(); ++e) {
    if (first[e] == e) continue;
    auto& list = groups_of.try_emplace(first[e], 1, groups[first[e]]).first->second;
    if (std::ranges::find(list, groups[e]) != list.end()) continue;
    list.push_back(groups[e]);
    is_doubled[e] = 1;
  }
  for (const auto& [e, list] : groups_of) {
    if (list.size() == 1) continue;
    std::vector<std::string> names;
    for (const std::int32_t group : list)
      if (group != kNoGroup) {
        const auto& more = gmsh.soup.groups.names[static_cast<std::size_t>(group)];
        names.insert(names.end(), more.begin(), more.end());
      }
    keep_short(names);
    groups[e] = gmsh.numbers.number(std::move(names));
  }
  return is_doubled;
}

/// Are all equal? Then no element can be in several groups.
bool are_all_equal(const std::vector<std::int32_t>& groups) {
  return std::ranges::adjacent_find(groups, std::not_equal_to{}) == groups.end();
}

}  // namespace

void warn_of_several_groups(const GmshFile& gmsh, std::int64_t count, int dimension, const std::string& groups,
                            const std::string& first) {
  const bool has_regions = dimension == gmsh.wanted.dimension;
  spdlog::warn("{}: {} {} are in several physical groups ({}). Each is read once and has all their names{}.",
               gmsh.text.file().string(), count, plural(dimension), groups,
               has_regions ? fmt::format("; its region, which chooses the material, is the first, {}", first) : "");
}

void merge_doubled_elements(GmshFile& gmsh) {
  TetSoup& soup = gmsh.soup;
  if (are_all_equal(soup.group)) return;
  const auto first = first_of_equal(soup.tets);
  const std::vector<std::int32_t> before = soup.group;
  const std::vector<char> is_doubled = join_groups(gmsh, first, soup.group);
  const auto example = static_cast<std::size_t>(std::ranges::find(is_doubled, 1) - is_doubled.begin());
  if (example == is_doubled.size()) return;
  const auto& names = soup.groups.names;
  const std::int32_t kept = before[first[example]], all = soup.group[first[example]];
  warn_of_several_groups(
      gmsh, std::ranges::count(is_doubled, 1), gmsh.wanted.dimension,
      all == kNoGroup ? "" : fmt::format("{}", fmt::join(names[static_cast<std::size_t>(all)], ", ")),
      kept == kNoGroup ? "none" : names[static_cast<std::size_t>(kept)].front());
  std::vector<std::int64_t> new_index(soup.tets.size());
  std::int64_t count = 0;
  for (std::size_t e = 0; e < new_index.size(); ++e) new_index[e] = is_doubled[e] != 0 ? new_index[first[e]] : count++;
  for (auto& [number, element] : gmsh.element_of_tag) element = new_index[static_cast<std::size_t>(element)];
  remove_marked(soup.tets, is_doubled);
  remove_marked(soup.places, is_doubled);
  remove_marked(soup.region, is_doubled);
  remove_marked(soup.group, is_doubled);
}

void merge_doubled_triangles(GmshFile& gmsh) {
  TetSoup& soup = gmsh.soup;
  if (are_all_equal(soup.triangle_group)) return;
  const std::vector<char> is_doubled = join_groups(gmsh, first_of_equal(soup.triangles), soup.triangle_group);
  remove_marked(soup.triangles, is_doubled);
  remove_marked(soup.triangle_group, is_doubled);
}

}  // namespace brisance::mesh::gmsh
