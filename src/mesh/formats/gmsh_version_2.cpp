#include "mesh/formats/gmsh_version_2.hpp"

#include "mesh/formats/gmsh_groups.hpp"

namespace brisance::mesh::gmsh {

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

}  // namespace brisance::mesh::gmsh
