#include "brisance/core/error.hpp"

#include "mesh/formats/group_lines.hpp"
#include "mesh/formats/merge_doubled.hpp"
#include "mesh/formats/surface_readers.hpp"
#include "mesh/formats/tet_soup.hpp"
#include "mesh/formats/text_reader.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <spdlog/fmt/ranges.h>
#include <spdlog/spdlog.h>

namespace brisance::mesh {
namespace {

/// Kind of elements read from a file: tets with the physical volumes, or triangles with the physical surfaces.
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

/// True for a wanted element type, false for one of lower dimension, which is skipped; an error for others.
bool keep_type(const TextReader& text, const Wanted& wanted, std::int64_t type) {
  const auto kind = kKinds.find(type);
  if (kind == kKinds.end())
    text.fail(fmt::format("element type {} is not a linear one. Save the mesh with order 1.", type));
  if (kind->second.dimension >= wanted.dimension && type != wanted.type)
    text.fail(fmt::format("a {} stands among the elements; only {}s are read. Mesh the {} with {}s only.",
                          kind->second.name, wanted.name, wanted.dimension == 3 ? "volume" : "surface", wanted.name));
  return type == wanted.type;
}

constexpr std::int64_t kMostTag = 1'000'000'000;

using Tags = std::vector<std::int64_t>;

std::string_view plural(int dimension) { return dimension == 3 ? "tets" : "triangles"; }

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
  void add_node(std::int64_t tag, const Vec3& point) {
    if (!node_of_tag.emplace(tag, static_cast<std::int64_t>(soup.nodes.size())).second)
      text.fail(fmt::format("node {} occurs twice. Export the file again.", tag));
    soup.nodes.push_back(point);
  }
  /// The names of physical groups; a group without a name gets its number.
  [[nodiscard]] std::vector<std::string> names_of(int dimension, const Tags& tags) const {
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
  /// The group of an element with these physical groups.
  std::int32_t group(int dimension, const Tags& tags) {
    if (tags.size() == 1)
      if (const auto found = group_of.find({dimension, tags[0]}); found != group_of.end()) return found->second;
    const std::int32_t number = numbers.number(names_of(dimension, tags));
    if (tags.size() == 1) group_of[{dimension, tags[0]}] = number;
    return number;
  }
  void add_element(std::int64_t number, std::int32_t region, std::int32_t group) {
    if (!scalars.empty()) element_of_tag.emplace(number, static_cast<std::int64_t>(soup.tets.size()));
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
    soup.group.push_back(group);
  }
  /// A triangle among tets: kept where it has a physical group.
  void add_triangle(std::int32_t group) {
    if (group == kNoGroup) return;
    std::array<std::int64_t, 3> triangle{};
    for (auto& corner : triangle) {
      const auto found = node_of_tag.find(text.integer("a corner of a triangle"));
      corner = found == node_of_tag.end() ? -1 : found->second;
    }
    soup.triangles.push_back(triangle);
    soup.triangle_group.push_back(group);
  }
  [[nodiscard]] std::int32_t to_region(const Tags& tags) const {
    if (tags.empty()) return 0;
    if (tags[0] < 0 || tags[0] > kMostTag)
      text.fail("a physical group has a number below 0 or above 1e9. Renumber it.");
    return static_cast<std::int32_t>(tags[0]);
  }
};

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

/// Lines of: dimension, number, "name".
void read_names(GmshFile& gmsh) {
  auto& text = gmsh.text;
  gmsh.next_line();
  gmsh.for_lines(text.count("the number of physical names"), [&] {
    const std::int64_t dimension = text.integer("the dimension of a physical group");
    const std::int64_t tag = text.integer("the number of a physical group");
    const std::string_view quoted = text.rest_of_line();
    const std::size_t begin = quoted.find('"'), end = quoted.rfind('"');
    if (begin == end) text.fail("the name of a physical group stands in quotes. Export the file again.");
    const std::string name = gmsh.names.one(quoted.substr(begin + 1, end - begin - 1));
    if (dimension >= 0 && dimension <= 3 && !name.empty()) gmsh.name_of[{static_cast<int>(dimension), tag}] = name;
  });
}

void read_nodes_2(GmshFile& gmsh) {
  auto& text = gmsh.text;
  gmsh.next_line();
  gmsh.for_lines(text.count("the number of nodes"), [&] {
    const std::int64_t tag = text.integer("the number of a node");
    gmsh.add_node(tag, text.point());
  });
}

/// Merges elements of equal corners in several groups: format 2 holds an element once for each of its physical groups.
/// The first keeps its region and gets all their names; duplicates within one group are left for the checks of the
/// mesh.
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

/// Warns about elements in several physical groups: says which one is the region.
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

void read_elements_2(GmshFile& gmsh) {
  auto& text = gmsh.text;
  gmsh.next_line();
  gmsh.for_lines(text.count("the number of elements"), [&] {
    const std::int64_t number = text.integer("the number of an element");
    const std::int64_t type = text.integer("the type of an element");
    const bool keep = keep_type(text, gmsh.wanted, type);
    if (!keep && type != kTriangles.type) return;
    const std::int64_t num_tags = text.integer("the number of tags");
    Tags tags;
    for (std::int64_t tag = 0; tag < num_tags; ++tag) {
      const std::int64_t value = text.integer("a tag");
      if (tag == 0) tags.push_back(value);  // the physical group comes first
    }
    if (keep)
      gmsh.add_element(number, gmsh.to_region(tags), gmsh.group(gmsh.wanted.dimension, tags));
    else
      gmsh.add_triangle(gmsh.group(kTriangles.dimension, tags));
  });
  merge_doubled_elements(gmsh);
  merge_doubled_triangles(gmsh);
}

/// Reads the end of an entity's line: bounds, then its physical groups.
Tags read_physical_groups(TextReader& text, int num_bounds) {
  for (int bound = 0; bound < num_bounds; ++bound) text.skip_word("a bound of an entity");
  const std::int64_t num_tags = text.integer("the number of physical groups");
  Tags tags;
  for (std::int64_t tag = 0; tag < num_tags; ++tag) tags.push_back(text.integer("a physical group"));
  return tags;
}

/// Reads the lines of the surfaces and volumes of $Entities or $PartitionedEntities, whose counts come next.
template <class Read>
void for_entities(GmshFile& gmsh, Read read) {
  gmsh.next_line();
  std::array<std::int64_t, 4> counts{};
  for (auto& count : counts) count = gmsh.text.count("the number of entities");
  gmsh.for_lines(counts[0], [] {});
  gmsh.for_lines(counts[1], [] {});
  for (int dimension = kTriangles.dimension; dimension <= gmsh.wanted.dimension; ++dimension)
    gmsh.for_lines(counts[static_cast<std::size_t>(dimension)], [&] { read(dimension); });
}

constexpr int kBounds = 6;

void read_entities_4(GmshFile& gmsh) {
  for_entities(gmsh, [&](int dimension) {
    const std::int64_t entity = gmsh.text.integer("the number of an entity");
    gmsh.tags_of_entity[{dimension, entity}] = read_physical_groups(gmsh.text, kBounds);
  });
}

/// Entities made by gmsh -part, to which elements belong. One that lists no groups has its parent's.
void read_partitioned_entities_4(GmshFile& gmsh) {
  auto& text = gmsh.text;
  gmsh.next_line();
  (void)text.integer("the number of partitions");
  gmsh.next_line();
  gmsh.for_lines(text.count("the number of ghost entities"), [] {});
  for_entities(gmsh, [&](int dimension) {
    const std::int64_t entity = text.integer("the number of an entity");
    const std::int64_t parent_dimension = text.integer("the dimension of a parent");
    const std::int64_t parent = text.integer("the number of a parent");
    const std::int64_t num_partitions = text.integer("the number of partitions");
    for (std::int64_t p = 0; p < num_partitions; ++p) text.skip_word("a partition");
    Tags tags = read_physical_groups(text, kBounds);
    const auto of_parent = gmsh.tags_of_entity.find({dimension, parent});
    if (tags.empty() && parent_dimension == dimension && of_parent != gmsh.tags_of_entity.end())
      tags = of_parent->second;
    gmsh.tags_of_entity[{dimension, entity}] = std::move(tags);
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
    const std::int64_t type = text.integer("the type of elements");
    const bool keep = keep_type(text, gmsh.wanted, type);
    const std::int64_t count = text.count("the number of elements");
    const auto found = gmsh.tags_of_entity.find({kKinds.at(type).dimension, entity});
    const Tags tags = found == gmsh.tags_of_entity.end() ? Tags{} : found->second;
    const bool is_triangle = !keep && type == kTriangles.type;
    const std::int32_t region = keep ? gmsh.to_region(tags) : 0;
    if (keep && tags.size() > 1) {
      const auto names = gmsh.names_of(kKinds.at(type).dimension, tags);
      warn_of_several_groups(gmsh, count, kKinds.at(type).dimension, fmt::format("{}", fmt::join(names, ", ")),
                             names.empty() ? "none" : names.front());
    }
    const std::int32_t group = keep || is_triangle ? gmsh.group(kKinds.at(type).dimension, tags) : kNoGroup;
    gmsh.for_lines(count, [&] {
      if (!keep && !is_triangle) return;
      const std::int64_t number = text.integer("the number of an element");
      if (keep)
        gmsh.add_element(number, region, group);
      else
        gmsh.add_triangle(group);
    });
  });
}

/// $NodeData or $ElementData: names, reals, integers (step, components, how many), then a number and a value a line.
void read_data(GmshFile& gmsh, bool on_nodes) {
  auto& text = gmsh.text;
  std::string name;
  gmsh.next_line();
  gmsh.for_lines(text.count("the number of names of the field"), [&] {
    const std::string_view quoted = text.rest_of_line();
    const std::size_t begin = quoted.find('"'), end = quoted.rfind('"');
    if (name.empty() && begin != end) name = quoted.substr(begin + 1, end - begin - 1);
  });
  if (std::ranges::find(gmsh.scalars, name) == gmsh.scalars.end()) return;
  if (std::ranges::find(gmsh.soup.scalars, name, &ScalarField::name) != gmsh.soup.scalars.end())
    text.fail(fmt::format("the field '{}' occurs twice, of several steps or of nodes and elements; leave one.", name));
  gmsh.next_line();
  gmsh.for_lines(text.count("the number of reals"), [] {});
  gmsh.next_line();
  std::vector<std::int64_t> integers;
  gmsh.for_lines(text.count("the number of integers"), [&] { integers.push_back(text.integer("an integer")); });
  if (integers.size() < 3 || integers[1] != 1)
    text.fail(fmt::format("the field '{}' does not have one number each. Save a scalar.", name));
  const auto& entry_of_tag = on_nodes ? gmsh.node_of_tag : gmsh.element_of_tag;
  const double none = std::numeric_limits<double>::quiet_NaN();
  ScalarField field{name, on_nodes, {}};
  field.values.assign(on_nodes ? gmsh.soup.nodes.size() : gmsh.soup.tets.size(), none);
  gmsh.for_lines(integers[2], [&] {
    const auto entry = entry_of_tag.find(text.integer("a number"));
    const double value = text.real("a value");
    if (entry != entry_of_tag.end()) field.values[static_cast<std::size_t>(entry->second)] = value;
  });
  if (std::ranges::any_of(field.values, [](double v) { return std::isnan(v); }))
    text.fail(fmt::format("the field '{}' leaves out some {} of the mesh, or stands before them. Save it whole.", name,
                          on_nodes ? "nodes" : "tets"));
  gmsh.soup.scalars.push_back(std::move(field));
}

void require_scalars(const GmshFile& gmsh, const std::filesystem::path& file) {
  for (const ScalarField& field : gmsh.soup.scalars)
    if (field.values.size() != (field.on_nodes ? gmsh.soup.nodes.size() : gmsh.soup.tets.size()))
      throw core::Error(fmt::format("{}: the field '{}' stands before what it belongs to. Save it behind the mesh.",
                                    file.string(), field.name));
  for (const std::string& name : gmsh.scalars)
    if (std::ranges::find(gmsh.soup.scalars, name, &ScalarField::name) == gmsh.soup.scalars.end())
      throw core::Error(
          fmt::format("{}: no $NodeData or $ElementData is called '{}'. Save the file with it.", file.string(), name));
}

TetSoup read_file(const std::filesystem::path& file, std::string_view bytes, const Wanted& wanted,
                  std::span<const std::string> scalars = {}) {
  TetSoup soup;
  GmshFile gmsh{.text = TextReader(file, bytes),
                .wanted = wanted,
                .soup = soup,
                .scalars = scalars,
                .numbers = GroupNumbers(soup.groups)};
  while (gmsh.text.next_filled_line('\0')) {
    gmsh.section = gmsh.text.word();
    const std::string& section = gmsh.section;
    if (section == "$MeshFormat")
      read_format(gmsh);
    else if (!gmsh.has_version)
      gmsh.text.fail("a .msh file begins with $MeshFormat. Save it with gmsh -format msh41.");
    else if (section == "$PhysicalNames")
      read_names(gmsh);
    else if (section == "$Entities" && gmsh.is_version_4)
      read_entities_4(gmsh);
    else if (section == "$PartitionedEntities" && gmsh.is_version_4)
      read_partitioned_entities_4(gmsh);
    else if (section == "$Nodes" || (section == "$ParametricNodes" && !gmsh.is_version_4)) {
      if (section != "$Nodes")
        spdlog::info("{}: places on the geometry are left out of its $ParametricNodes.", file.string());
      gmsh.is_version_4 ? read_nodes_4(gmsh) : read_nodes_2(gmsh);
    } else if (section == "$Elements")
      gmsh.is_version_4 ? read_elements_4(gmsh) : read_elements_2(gmsh);
    else if (section == "$NodeData" || section == "$ElementData")
      if (!scalars.empty()) read_data(gmsh, section == "$NodeData");
  }
  require_scalars(gmsh, file);
  gmsh.names.note_shortened(file);
  return soup;
}

}  // namespace

TetMesh read_gmsh(const std::filesystem::path& file, TetReadReport& report, std::span<const std::string> scalars) {
  const std::string bytes = read_whole_file(file);
  return to_tet_mesh(
      read_file(file, bytes, kTets, scalars), file,
      [&](std::int64_t line, std::string_view message) { fail_at_line(file, line, message); }, report);
}

Surface read_gmsh_triangles(const std::filesystem::path& file, std::vector<std::int32_t>& region) {
  const std::string bytes = read_whole_file(file);
  TetSoup triangles = read_file(file, bytes, kTriangles);
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
