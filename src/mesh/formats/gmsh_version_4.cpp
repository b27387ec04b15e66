#include "mesh/formats/gmsh_version_4.hpp"

#include "mesh/formats/gmsh_groups.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <spdlog/fmt/ranges.h>

namespace brisance::mesh::gmsh {

namespace {

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

}  // namespace

void read_entities_4(GmshFile& gmsh) {
  for_entities(gmsh, [&](int dimension) {
    const std::int64_t entity = gmsh.text.integer("the number of an entity");
    gmsh.tags_of_entity[{dimension, entity}] = read_physical_groups(gmsh.text, kBounds);
  });
}

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
    const auto found = gmsh.tags_of_entity.find({element_kinds().at(type).dimension, entity});
    const Tags tags = found == gmsh.tags_of_entity.end() ? Tags{} : found->second;
    const bool is_triangle = !keep && type == kTriangles.type;
    const std::int32_t region = keep ? gmsh.to_region(tags) : 0;
    if (keep && tags.size() > 1) {
      const auto names = gmsh.names_of(element_kinds().at(type).dimension, tags);
      warn_of_several_groups(gmsh, count, element_kinds().at(type).dimension, fmt::format("{}", fmt::join(names, ", ")),
                             names.empty() ? "none" : names.front());
    }
    const std::int32_t group = keep || is_triangle ? gmsh.group(element_kinds().at(type).dimension, tags) : kNoGroup;
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

}  // namespace brisance::mesh::gmsh
