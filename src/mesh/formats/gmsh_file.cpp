#include "mesh/formats/gmsh_file.hpp"

#include <array>
#include <cstdlib>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh::gmsh {

namespace {

constexpr std::int64_t kMostTag = 1'000'000'000;

}  // namespace

const std::map<std::int64_t, ElementKind>& element_kinds() {
  static const std::map<std::int64_t, ElementKind> kinds{
      {1, {"line", 1}},       {2, {"triangle", 2}}, {3, {"quadrangle", 2}}, {4, {"tet", 3}},
      {5, {"hexahedron", 3}}, {6, {"prism", 3}},    {7, {"pyramid", 3}},    {15, {"point", 0}}};
  return kinds;
}

bool keep_type(const TextReader& text, const Wanted& wanted, std::int64_t type) {
  const auto kind = element_kinds().find(type);
  if (kind == element_kinds().end())
    text.fail(fmt::format("element type {} is not a linear one. Save the mesh with order 1.", type));
  if (kind->second.dimension >= wanted.dimension && type != wanted.type)
    text.fail(fmt::format("a {} stands among the elements; only {}s are read. Mesh the {} with {}s only.",
                          kind->second.name, wanted.name, wanted.dimension == 3 ? "volume" : "surface", wanted.name));
  return type == wanted.type;
}

void GmshFile::add_node(std::int64_t tag, const Vec3& point) {
  if (!node_of_tag.emplace(tag, static_cast<std::int64_t>(soup.nodes.size())).second)
    text.fail(fmt::format("node {} occurs twice. Export the file again.", tag));
  soup.nodes.push_back(point);
}

std::vector<std::string> GmshFile::names_of(int dimension, const Tags& tags) const {
  std::vector<std::string> found;
  for (const std::int64_t tag : tags) {
    if (tag == 0) continue;
    const std::int64_t number = tag < -kMostTag ? kMostTag : std::abs(tag);  // negative: the group reversed
    const auto named = name_of.find({dimension, number});
    found.push_back(named == name_of.end() ? std::to_string(number) : named->second);
  }
  keep_short(found);
  return found;
}

std::int32_t GmshFile::group(int dimension, const Tags& tags) {
  if (tags.size() == 1)
    if (const auto found = group_of.find({dimension, tags[0]}); found != group_of.end()) return found->second;
  const std::int32_t number = numbers.number(names_of(dimension, tags));
  if (tags.size() == 1) group_of[{dimension, tags[0]}] = number;
  return number;
}

void GmshFile::add_element(std::int64_t number, std::int32_t region, std::int32_t group) {
  if (!scalars.empty()) element_of_tag.emplace(number, static_cast<std::int64_t>(soup.tets.size()));
  std::array<std::int64_t, 4> element{-1, -1, -1, -1};
  for (int k = 0; k < wanted.num_corners; ++k) {
    const std::int64_t tag = text.integer(fmt::format("a corner of a {}", wanted.name));
    const auto found = node_of_tag.find(tag);
    if (found == node_of_tag.end())
      text.fail(
          fmt::format("a {} has corner {}, which is not a node of the file. Export the file again.", wanted.name, tag));
    element[k] = found->second;
  }
  soup.tets.push_back(element);
  soup.places.push_back(text.line_number());
  soup.region.push_back(region);
  soup.group.push_back(group);
}

void GmshFile::add_triangle(std::int32_t group) {
  if (group == kNoGroup) return;
  std::array<std::int64_t, 3> triangle{};
  for (auto& corner : triangle) {
    const auto found = node_of_tag.find(text.integer("a corner of a triangle"));
    corner = found == node_of_tag.end() ? -1 : found->second;
  }
  soup.triangles.push_back(triangle);
  soup.triangle_group.push_back(group);
}

std::int32_t GmshFile::to_region(const Tags& tags) const {
  if (tags.empty()) return 0;
  if (tags[0] < 0 || tags[0] > kMostTag) text.fail("a physical group has a number below 0 or above 1e9. Renumber it.");
  return static_cast<std::int32_t>(tags[0]);
}

}  // namespace brisance::mesh::gmsh
