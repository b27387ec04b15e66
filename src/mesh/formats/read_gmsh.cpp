#include "mesh/formats/gmsh_data.hpp"
#include "mesh/formats/gmsh_file.hpp"
#include "mesh/formats/gmsh_version_2.hpp"
#include "mesh/formats/gmsh_version_4.hpp"
#include "mesh/formats/surface_readers.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::mesh {
namespace gmsh {
namespace {

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
  require_scalars(gmsh);
  gmsh.names.note_shortened(file);
  return soup;
}

}  // namespace
}  // namespace gmsh

TetMesh read_gmsh(const std::filesystem::path& file, TetReadReport& report, std::span<const std::string> scalars) {
  const std::string bytes = read_whole_file(file);
  return to_tet_mesh(
      gmsh::read_file(file, bytes, gmsh::kTets, scalars), file,
      [&](std::int64_t line, std::string_view message) { fail_at_line(file, line, message); }, report);
}

Surface read_gmsh_triangles(const std::filesystem::path& file, std::vector<std::int32_t>& region) {
  const std::string bytes = read_whole_file(file);
  TetSoup triangles = gmsh::read_file(file, bytes, gmsh::kTriangles);
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
