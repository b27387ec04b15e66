#include "mesh/surface_readers.hpp"
#include "mesh/tet_soup.hpp"
#include "mesh/text_reader.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

/// What is read from a file: tets with the physical volumes, or triangles with the physical surfaces.
struct Wanted {
  std::int64_t type;  // Gmsh's number of the element
  int dimension, num_corners;
  const char* name;
};
constexpr Wanted kTets{4, 3, 4, "tet"}, kTriangles{2, 2, 3, "triangle"};

/// The first-order elements.
struct ElementKind {
  const char* name;
  int dimension;
};
const std::map<std::int64_t, ElementKind> kKinds{{1, {"line", 1}},    {2, {"triangle", 2}},   {3, {"quadrangle", 2}},
                                                 {4, {"tet", 3}},     {5, {"hexahedron", 3}}, {6, {"prism", 3}},
                                                 {7, {"pyramid", 3}}, {15, {"point", 0}}};

/// Whether elements of a type are wanted (true) or of lower dimension, to be skipped; else an error.
bool keep_type(const TextReader& text, const Wanted& wanted, std::int64_t type) {
  const auto kind = kKinds.find(type);
  if (kind == kKinds.end())
    text.fail(fmt::format("element type {} is not a linear one. Save the mesh with order 1.", type));
  if (kind->second.dimension >= wanted.dimension && type != wanted.type)
    text.fail(fmt::format("a {} stands among the elements; only {}s are read. Mesh the {} with {}s only.",
                          kind->second.name, wanted.name, wanted.dimension == 3 ? "volume" : "surface", wanted.name));
  return type == wanted.type;
}

/// The state of reading one file.
struct GmshFile {
  TextReader text;
  Wanted wanted;
  std::string section = {};  // the one being read, with its dollar sign
  TetSoup soup = {};         // a triangle has three corners and −1
  std::unordered_map<std::int64_t, std::int64_t> node_of_tag = {};
  std::map<std::int64_t, std::int32_t> region_of_entity = {};  // 4.1: entity to physical group
  bool has_version = false, is_version_4 = false;

  /// The next line of the section; an error if the file ends first.
  void next_line() { text.require_filled_line(section, '\0'); }
  /// Calls `read` at the beginning of each of the section's next `count` lines.
  template <class Read>
  void for_lines(std::int64_t count, Read read) {
    for (std::int64_t i = 0; i < count; ++i) {
      next_line();
      read();
    }
  }
  void add_node(std::int64_t tag, const Vec3& point) {
    if (!node_of_tag.emplace(tag, static_cast<std::int64_t>(soup.nodes.size())).second)
      text.fail(fmt::format("node {} occurs twice. Export the file again.", tag));
    soup.nodes.push_back(point);
  }
  void add_element(std::int32_t region) {
    std::array<std::int64_t, 4> element{-1, -1, -1, -1};
    for (int k = 0; k < wanted.num_corners; ++k) {
      const std::int64_t tag = text.integer(fmt::format("a corner of a {}", wanted.name));
      const auto found = node_of_tag.find(tag);
      if (found == node_of_tag.end())
        text.fail(fmt::format("a {} has corner {}, which is not a node of the file. Export the file again.",
                              wanted.name, tag));
      element[k] = found->second;
    }
    soup.tets.push_back(element);
    soup.places.push_back(text.line_number());
    soup.region.push_back(region);
  }
};

std::int32_t to_region(const TextReader& text, std::int64_t tag) {
  if (tag < 0 || tag > 1'000'000'000) text.fail("a physical group has a number below 0 or above 1e9. Renumber it.");
  return static_cast<std::int32_t>(tag);
}

void read_format(GmshFile& gmsh) {
  gmsh.next_line();
  const double version = gmsh.text.real("the version");
  if (gmsh.text.integer("the file type") != 0)
    gmsh.text.fail("binary .msh is not read. Save it as text: gmsh -save -format msh41 -setnumber Mesh.Binary 0.");
  gmsh.has_version = true;
  gmsh.is_version_4 = version >= 4.1 && version < 5;
  if (!gmsh.is_version_4 && (version < 2 || version >= 3))
    gmsh.text.fail(fmt::format("version {} is not read, only 2.2 and 4.1. Save it with -format msh41.", version));
}

void read_nodes_2(GmshFile& gmsh) {
  auto& text = gmsh.text;
  gmsh.next_line();
  gmsh.for_lines(text.count("the number of nodes"), [&] {
    const std::int64_t tag = text.integer("the number of a node");
    gmsh.add_node(tag, text.point());
  });
}

void read_elements_2(GmshFile& gmsh) {
  auto& text = gmsh.text;
  gmsh.next_line();
  gmsh.for_lines(text.count("the number of elements"), [&] {
    (void)text.integer("the number of an element");
    if (!keep_type(text, gmsh.wanted, text.integer("the type of an element"))) return;
    const std::int64_t num_tags = text.integer("the number of tags");
    std::int32_t region = 0;
    for (std::int64_t tag = 0; tag < num_tags; ++tag) {
      const std::int64_t value = text.integer("a tag");
      if (tag == 0) region = to_region(text, value);  // the physical group comes first
    }
    gmsh.add_element(region);
  });
}

void read_entities_4(GmshFile& gmsh) {
  auto& text = gmsh.text;
  gmsh.next_line();
  std::array<std::int64_t, 4> counts{};
  for (auto& count : counts) count = text.count("the number of entities");
  const auto wanted = counts.begin() + gmsh.wanted.dimension;
  gmsh.for_lines(std::accumulate(counts.begin(), wanted, std::int64_t{0}), [] {});
  gmsh.for_lines(*wanted, [&] {
    const std::int64_t tag = text.integer("the number of an entity");
    for (int bound = 0; bound < 6; ++bound) (void)text.real("a bound of an entity");
    if (text.integer("the number of physical groups") > 0)
      gmsh.region_of_entity[tag] = to_region(text, text.integer("a physical group"));
  });
}

void read_nodes_4(GmshFile& gmsh) {
  auto& text = gmsh.text;
  gmsh.next_line();
  gmsh.for_lines(text.count("the number of blocks"), [&] {
    for (const char* what : {"a dimension", "an entity", "the parametric flag"}) (void)text.integer(what);
    const std::int64_t count = text.count("the number of nodes");
    std::vector<std::int64_t> tags;
    gmsh.for_lines(count, [&] { tags.push_back(text.integer("the number of a node")); });
    for (const std::int64_t tag : tags) {
      gmsh.next_line();
      gmsh.add_node(tag, text.point());
    }
  });
}

void read_elements_4(GmshFile& gmsh) {
  auto& text = gmsh.text;
  gmsh.next_line();
  gmsh.for_lines(text.count("the number of blocks"), [&] {
    (void)text.integer("the dimension");
    const std::int64_t entity = text.integer("the entity");
    const bool keep = keep_type(text, gmsh.wanted, text.integer("the type of elements"));
    const std::int64_t count = text.count("the number of elements");
    const auto region = gmsh.region_of_entity.find(entity);
    gmsh.for_lines(count, [&] {
      if (!keep) return;
      (void)text.integer("the number of an element");
      gmsh.add_element(region == gmsh.region_of_entity.end() ? 0 : region->second);
    });
  });
}

GmshFile read_file(const std::filesystem::path& file, std::string_view bytes, const Wanted& wanted) {
  GmshFile gmsh{.text = TextReader(file, bytes), .wanted = wanted};
  while (gmsh.text.next_filled_line('\0')) {
    gmsh.section = gmsh.text.word();
    const std::string& section = gmsh.section;
    if (section == "$MeshFormat")
      read_format(gmsh);
    else if (!gmsh.has_version)
      gmsh.text.fail("a .msh file begins with $MeshFormat. Save it with gmsh -format msh41.");
    else if (section == "$Entities" && gmsh.is_version_4)
      read_entities_4(gmsh);
    else if (section == "$Nodes")
      gmsh.is_version_4 ? read_nodes_4(gmsh) : read_nodes_2(gmsh);
    else if (section == "$Elements")
      gmsh.is_version_4 ? read_elements_4(gmsh) : read_elements_2(gmsh);
  }
  return gmsh;
}

}  // namespace

TetMesh read_gmsh(const std::filesystem::path& file, TetReadReport& report) {
  const std::string bytes = read_whole_file(file);
  return to_tet_mesh(
      read_file(file, bytes, kTets).soup, file,
      [&](std::int64_t line, std::string_view message) { fail_at_line(file, line, message); }, report);
}

Surface read_gmsh_triangles(const std::filesystem::path& file, std::vector<std::int32_t>& region) {
  const std::string bytes = read_whole_file(file);
  TetSoup triangles = read_file(file, bytes, kTriangles).soup;
  PolygonSoup soup;
  soup.points = std::move(triangles.nodes);
  for (std::size_t t = 0; t < triangles.tets.size(); ++t) {
    soup.corners.insert(soup.corners.end(), triangles.tets[t].begin(), triangles.tets[t].begin() + 3);
    soup.end_polygon(triangles.places[t]);
  }
  region = std::move(triangles.region);
  if (std::ranges::all_of(region, [](std::int32_t r) { return r == 0; })) region.clear();
  return to_surface(std::move(soup), file,
                    [&](std::int64_t line, std::string_view message) { fail_at_line(file, line, message); });
}

}  // namespace brisance::mesh
