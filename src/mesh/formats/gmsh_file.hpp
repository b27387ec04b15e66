/// A Gmsh file while it is read: what its sections share.
#pragma once

#include "brisance/core/types.hpp"

#include "mesh/formats/group_lines.hpp"
#include "mesh/formats/tet_soup.hpp"
#include "mesh/formats/text_reader.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace brisance::mesh::gmsh {

/// Kind of elements read from a file: tets with the physical volumes, or triangles with the physical surfaces.
struct Wanted {
  std::int64_t type;  // Gmsh's number of the element
  int dimension, num_corners;
  const char* name;
};
inline constexpr Wanted kTets{4, 3, 4, "tet"}, kTriangles{2, 2, 3, "triangle"};

/// The first-order elements.
struct ElementKind {
  const char* name;
  int dimension;
};
/// By Gmsh's number of the element.
[[nodiscard]] const std::map<std::int64_t, ElementKind>& element_kinds();

/// True for a wanted element type, false for one of lower dimension, which is skipped; throws core::Error for others.
[[nodiscard]] bool keep_type(const TextReader& text, const Wanted& wanted, std::int64_t type);

using Tags = std::vector<std::int64_t>;

/// Dimension and number of an entity or a physical group.
using Numbered = std::pair<int, std::int64_t>;

/// The state of reading one file.
struct GmshFile {
  TextReader text;
  Wanted wanted;
  TetSoup& soup;  // a triangle has the fourth corner −1
  std::span<const std::string> scalars;
  GroupNumbers numbers;
  NameReader names = {};
  std::string section = {};  // the section being read, with its dollar sign
  std::unordered_map<std::int64_t, std::int64_t> node_of_tag = {}, element_of_tag = {};  // element_of_tag if fields are
  std::map<Numbered, Tags> tags_of_entity = {};    // 4.1: physical groups of an entity
  std::map<Numbered, std::string> name_of = {};    // of physical groups
  std::map<Numbered, std::int32_t> group_of = {};  // of a single tag, found before
  bool has_version = false, is_version_4 = false;

  /// The next line of the section; an error if the file ends first.
  void next_line() { text.require_filled_line(section, '\0'); }
  /// Calls `read` at the beginning of each of the next `count` lines of the section.
  template <class Read>
  void for_lines(std::int64_t count, Read read) {
    for (std::int64_t i = 0; i < count; ++i) {
      next_line();
      read();
    }
  }
  void add_node(std::int64_t tag, const Vec3& point);
  /// The names of physical groups; a group without a name gets its number.
  [[nodiscard]] std::vector<std::string> names_of(int dimension, const Tags& tags) const;
  /// The group of an element with these physical groups.
  std::int32_t group(int dimension, const Tags& tags);
  /// Reads the corners of a wanted element, which come next.
  void add_element(std::int64_t number, std::int32_t region, std::int32_t group);
  /// Reads the corners of a triangle among tets: kept where it has a physical group.
  void add_triangle(std::int32_t group);
  [[nodiscard]] std::int32_t to_region(const Tags& tags) const;
};

}  // namespace brisance::mesh::gmsh
