#include "mesh/formats/gmsh_data.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh::gmsh {

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

void require_scalars(const GmshFile& gmsh) {
  for (const ScalarField& field : gmsh.soup.scalars)
    if (field.values.size() != (field.on_nodes ? gmsh.soup.nodes.size() : gmsh.soup.tets.size()))
      throw core::Error(fmt::format("{}: the field '{}' stands before what it belongs to. Save it behind the mesh.",
                                    gmsh.text.file().string(), field.name));
  for (const std::string& name : gmsh.scalars)
    if (std::ranges::find(gmsh.soup.scalars, name, &ScalarField::name) == gmsh.soup.scalars.end())
      throw core::Error(fmt::format("{}: no $NodeData or $ElementData is called '{}'. Save the file with it.",
                                    gmsh.text.file().string(), name));
}

}  // namespace brisance::mesh::gmsh
