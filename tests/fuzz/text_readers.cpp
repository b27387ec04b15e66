/// Surfaces, tet meshes, samples and scenes.
#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/read_samples.hpp"
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/formats/read_tet_mesh.hpp"
#include "brisance/mesh/formats/texture.hpp"
#include "brisance/mesh/formats/write_vtu.hpp"
#include "brisance/mesh/limits.hpp"
#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/clean.hpp"

#include "app/scene/scene.hpp"
#include "fuzz/mutate_bytes.hpp"
#include "fuzz/reader.hpp"
#include "mesh/surface_files.hpp"
#include "support/kuhn.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

namespace brisance::fuzz {

namespace fs = std::filesystem;

void write_file(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string contents_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

fs::path write_damaged(Random& random, const std::vector<Seed>& seeds, const fs::path& folder) {
  const Seed& seed = random.of(seeds);
  const Seed& other = random.of(seeds);
  const std::size_t first = random.below(seed.files.size());
  for (std::size_t i = 0; i < seed.files.size(); ++i) {
    std::string bytes = seed.files[i].second;
    if (i == first || random.one_in(3))
      bytes = seed.is_text ? mutated_text(random, bytes, other.files[0].second)
                           : mutated_binary(random, bytes, other.files[0].second);
    write_file(folder / seed.files[i].first, bytes);
  }
  return folder / seed.files[0].first;
}

namespace {

/// Errors in groups of `count` things.
std::string complaint_about(const mesh::Groups& groups, const std::vector<std::int32_t>& group, std::size_t count) {
  if (!group.empty() && group.size() != count) return "some things without a group";
  if (!mesh::are_groups(groups, group) || !mesh::are_groups(groups, groups.of_source)) return "a group without a name";
  for (const auto& names : groups.names)
    if (names.empty() || !std::ranges::is_sorted(names) || mesh::to_text(names).size() > mesh::kLongestGroupNames)
      return "names that are none, in disorder or too long";
  return groups.names.size() > mesh::kMostGroups ? "too many groups" : "";
}

std::string complaint_about(const mesh::Surface& s) {
  const auto count = static_cast<std::int32_t>(s.vertices.size());
  if (s.triangles.empty()) return "a surface without triangles";
  if (s.source_face.size() != s.triangles.size()) return "triangles without a face";
  if (!std::ranges::all_of(s.vertices, mesh::is_place)) return "a vertex beyond all measure";
  for (const auto& triangle : s.triangles)
    for (const std::int32_t v : triangle)
      if (v < 0 || v >= count) return "a corner that is no vertex";
  return complaint_about(s.groups, {}, 0);
}

/// The operations on a surface before it is meshed.
std::string used(const mesh::Surface& surface) {
  mesh::CleanReport report;
  const mesh::Surface cleaned = mesh::clean(surface, report);
  if (cleaned.triangles.empty()) return "";
  (void)mesh::check_surface(cleaned);
  try {
    (void)mesh::plane_mesh(surface, {}, "flat");
  } catch (const core::Error&) {
  }
  return complaint_about(cleaned);
}

std::string read_surface_file(const fs::path& file) {
  const mesh::Surface surface = mesh::read_surface(file);
  if (const std::string complaint = complaint_about(surface); !complaint.empty()) return complaint;
  (void)mesh::Texture::read(file);
  return used(surface);
}

Reader surface_reader(const std::string& name, const std::vector<Seed>& seeds) {
  return {name,
          {},
          [seeds](Random& random, const fs::path& folder) { return write_damaged(random, seeds, folder); },
          read_surface_file,
          true};
}

std::string ply(const std::string& format) {
  const bool ascii = format == "ascii", big = format == "binary_big_endian";
  std::string text = "ply\nformat " + format +
                     " 1.0\nelement camera 1\nproperty float view\nelement vertex 4\nproperty uchar red\nproperty "
                     "double x\nproperty double y\nproperty double z\nelement face 4\nproperty list uchar int "
                     "vertex_indices\nproperty list uchar float texcoord\nend_header\n";
  const auto put = [&](auto value) { text += ascii ? std::to_string(value) + " " : test::bytes_of(value, big); };
  const auto end = [&] { text += ascii ? "\n" : ""; };
  put(1.5F), end();
  const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto& c : corners) put(std::uint8_t{200}), put(c[0]), put(c[1]), put(c[2]), end();
  const std::int32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  for (const auto& f : faces) {
    put(std::uint8_t{3});
    for (const auto v : f) put(v);
    put(std::uint8_t{1}), put(0.5F), end();
  }
  return text;
}

std::string ascii_stl() {
  return "solid left part\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 "
         "0\nendloop\nendfacet\n"
         "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
         "facet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\n"
         "facet normal 0 0 1\nouter loop\nvertex 0 1 0\nvertex 0 0 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid\n";
}

std::string complaint_about(const mesh::TetMesh& m) {
  const auto count = static_cast<std::int32_t>(m.nodes.size());
  if (m.tets.empty()) return "a mesh without tets";
  if (!std::ranges::all_of(m.nodes, mesh::is_place)) return "a node beyond all measure";
  if (m.face_source.size() != m.tets.size()) return "faces without numbers";
  if (!m.region.empty() && m.region.size() != m.tets.size()) return "tets without a region";
  for (const auto* field : {&m.displacement, &m.velocity})
    if (!field->empty() && (field->size() != m.nodes.size() || !std::ranges::all_of(*field, mesh::is_place)))
      return "a field that is no field of nodes";
  for (const auto& tet : m.tets) {
    for (const std::int32_t v : tet)
      if (v < 0 || v >= count) return "a corner that is no node";
    if (!(mesh::tet_volume(m.nodes[tet[0]], m.nodes[tet[1]], m.nodes[tet[2]], m.nodes[tet[3]]) > 0))
      return "a tet without volume";
  }
  return complaint_about(m.groups, m.group, m.tets.size());
}

Reader tet_reader(const std::string& name, const std::vector<Seed>& seeds) {
  return {name,
          {},
          [seeds](Random& random, const fs::path& folder) { return write_damaged(random, seeds, folder); },
          [](const fs::path& file) { return complaint_about(mesh::read_tet_mesh(file)); },
          true};
}

std::string node_text() {
  std::string text = "8 3 1 1\n";
  const mesh::TetMesh box = test::kuhn_box(1, 1, 1, 1, 1, 1);
  for (std::size_t i = 0; i < box.nodes.size(); ++i)
    text += fmt::format("{} {} {} {} 0.5 1\n", i, box.nodes[i].x(), box.nodes[i].y(), box.nodes[i].z());
  return text;
}

std::string ele_text() {
  std::string text = "6 4 1\n";
  const mesh::TetMesh box = test::kuhn_box(1, 1, 1, 1, 1, 1);
  for (std::size_t t = 0; t < box.tets.size(); ++t)
    text += fmt::format("{} {} {} {} {} 7\n", t, box.tets[t][0], box.tets[t][1], box.tets[t][2], box.tets[t][3]);
  return text;
}

std::string msh_2() {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 5 \"lid\"\n3 6 "
         "\"core\"\n$EndPhysicalNames\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n9 1 1 1\n$EndNodes\n"
         "$Elements\n4\n1 15 2 0 1 1\n2 2 2 5 1 1 2 3\n3 4 2 6 1 1 2 3 4\n4 4 2 7 1 2 3 4 9\n$EndElements\n";
}

/// Parametric nodes, and elements in two groups.
std::string msh_2_doubled() {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$ParametricNodes\n5\n1 0 0 0 3 1\n2 1 0 0 3 1\n3 0 1 0 3 1\n4 0 0 1 2 "
         "1 "
         "0.5 0.5\n9 1 1 1 3 1\n$EndParametricNodes\n$Elements\n5\n1 2 2 5 1 1 2 3\n2 2 2 6 1 3 1 2\n3 4 2 6 1 1 2 3 "
         "4\n4 4 2 7 1 2 1 3 4\n5 4 2 7 1 2 3 4 9\n$EndElements\n";
}

std::string msh_4_partitioned() {
  return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n3 0 0 0 1 1 1 1 6 0\n$EndEntities\n"
         "$PartitionedEntities\n2\n1\n9 1\n0 0 0 2\n4 3 3 1 1 0 0 0 1 1 1 1 6 0\n5 3 3 2 1 2 0 0 0 1 1 1 0 0\n"
         "$EndPartitionedEntities\n$Nodes\n1 5 1 9\n3 3 0 5\n1\n2\n3\n4\n9\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n"
         "$EndNodes\n$Elements\n2 2 1 2\n3 4 4 1\n1 1 2 3 4\n3 5 4 1\n2 2 3 4 9\n$EndElements\n";
}

std::string msh_4() {
  return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 1\n1 0 0 0 1 1 1 1 -5 0\n3 0 0 0 1 1 1 2 6 8 0\n"
         "$EndEntities\n$Nodes\n1 5 1 9\n3 3 0 5\n1\n2\n3\n4\n9\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n"
         "$Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 3 4 2\n2 1 2 3 4\n3 2 3 4 9\n$EndElements\n";
}

std::string vtu_text() {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
         "<UnstructuredGrid>\n<Piece NumberOfPoints=\"5\" NumberOfCells=\"2\">\n<PointData>\n<DataArray "
         "type=\"Float64\" Name=\"velocity\" NumberOfComponents=\"3\" format=\"ascii\">\n0 0 0 1 0 0 0 1 0 0 0 1 1 1 "
         "1\n</DataArray>\n<DataArray type=\"Float64\" Name=\"paint\" format=\"ascii\">\n1 2 3 4 "
         "5\n</DataArray>\n</PointData>\n<CellData>\n<DataArray type=\"Int32\" Name=\"region\" format=\"ascii\">3 "
         "4</DataArray>\n</CellData>\n<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" "
         "format=\"ascii\">\n0 0 0 1 0 0 0 1 0 0 0 1 1 1 1\n</DataArray>\n</Points>\n<Cells>\n<DataArray "
         "type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2 3 1 2 3 4</DataArray>\n<DataArray "
         "type=\"Int64\" Name=\"offsets\" format=\"ascii\">4 8</DataArray>\n<DataArray type=\"UInt8\" "
         "Name=\"types\" format=\"ascii\">10 10</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

/// Two pieces that share three points and a ghost cell, with regions by another name.
std::string vtu_pieces() {
  const auto array = [](const std::string& name, const std::string& values, int components = 1) {
    return fmt::format("<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\">{}</DataArray>\n", name,
                       components, values);
  };
  const auto piece = [&](const std::string& ids, const std::string& points, const std::string& corners) {
    return "<Piece NumberOfPoints=\"5\" NumberOfCells=\"2\">\n<PointData>" + array("GlobalNodeId", ids) +
           "</PointData>\n<CellData>" + array("vtkGhostType", "0 1") + array("gmsh:physical", "3 4") +
           "</CellData>\n<Points>" + array("p", points, 3) + "</Points>\n<Cells>" + array("connectivity", corners) +
           array("offsets", "4 8") + array("types", "10 10") + "</Cells></Piece>\n";
  };
  return "<VTKFile type=\"UnstructuredGrid\">\n<UnstructuredGrid>\n" +
         piece("0 1 2 3 4", "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1", "0 1 2 3 1 2 3 4") +
         piece("1 2 3 4 0", "1 0 0 0 1 0 0 0 1 1 1 1 0 0 0", "0 1 2 3 4 0 1 2") + "</UnstructuredGrid>\n</VTKFile>\n";
}

/// A file as brisance itself writes it: appended, compressed.
std::string vtu_packed() {
  const fs::path file = fs::temp_directory_path() / fmt::format("brisance-fuzz-{}.vtu", getpid());
  mesh::write_vtu(file, test::kuhn_box(2, 1, 1, 2, 1, 1));
  std::string bytes = contents_of(file);
  fs::remove(file);
  return bytes;
}

Reader sample_reader(const std::string& name, const std::vector<Seed>& seeds) {
  return {name,
          {},
          [seeds](Random& random, const fs::path& folder) { return write_damaged(random, seeds, folder); },
          [](const fs::path& file) -> std::string {
            const mesh::Samples samples = mesh::read_samples(file, "paint");
            if (samples.values.size() != samples.points.size()) return "a number for each point";
            if (!std::ranges::all_of(samples.points, mesh::is_place)) return "a point beyond all measure";
            if (!std::ranges::all_of(samples.values, [](double v) { return std::isfinite(v); }))
              return "a value that is no number";
            return "";
          },
          true};
}

std::string read_scene_file(const fs::path& file) {
  const std::string text = app::to_toml(app::read_scene(file));
  return app::to_toml(app::parse_scene(text, file)) == text ? "" : "a scene that does not read back as itself";
}

}  // namespace

std::vector<Reader> surface_readers() {
  const std::string ball = test::to_binary_stl(test::sphere(2));
  return {
      surface_reader("obj", {{{{"s.obj", test::cube_obj()}}},
                             {{{"s.obj",
                                "v 0 0 0 1\nv 1 0 0\nv 1 1 0.5\nv 0 1 0\nvt 0 0\nvt 1 0.5\nvn 0 0 1\no cup\ng rim "
                                "lid\nusemtl glaze\nf 1/1/1 "
                                "2/2 3//1 -1/-1\nf 1 2 2 3\nf 4 \\\n3 2 1\n"}}},
                             {{{"s.obj",
                                "o part #2\nv 0 0\\\n0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 1 0\nv 1 2 0\nv 2 2 0\n"
                                "v 2 1 0\ng caf\xE9 \\\nrim\nf 1 2 3 4 1 5 6 7 8 5\n"}}}}),
      surface_reader("off", {{{{"s.off",
                                "OFF\n4 4 0\n0 0 0\n1 0 0 # second\n0 1 0\n0 0 1\n3 0 2 1 255 0 0\n3 0 1 "
                                "3\n3 1 2 3\n3 2 0 3\n"}}},
                             {{{"s.off",
                                "COFF 4 2 0\n0 0 0 1 1 1\n1 0 0 1 1 1\n1 1 0 1 1 1\n0 1 0 1 1 1\n4 0 1 2 "
                                "3\n4 0 1 1 2\n"}}},
                             {{{"s.off", "OFF4 4 0\n0 0 0 1 0 0\n0 1 0 0 0 1 3 0 2 1\n3 0 1 3 3\n1 2 3 3 2 0 3\n"}}}}),
      surface_reader("ply", {{{{"s.ply", ply("ascii")}}},
                             {{{"s.ply", ply("binary_little_endian")}}, false},
                             {{{"s.ply", ply("binary_big_endian")}}, false}}),
      surface_reader("stl", {{{{"s.stl", ascii_stl()}}},
                             {{{"s.stl", "\xEF\xBB\xBF# by hand\nSolid x\ncolor 1 0 0\n" + ascii_stl()}}},
                             {{{"s.stl", ball}}, false}})};
}

std::vector<Reader> tet_readers() {
  return {
      tet_reader("tetgen", {{{{"m.ele", ele_text()}, {"m.node", node_text()}}}}),
      tet_reader("msh", {{{{"m.msh", msh_2()}}},
                         {{{"m.msh", msh_4()}}},
                         {{{"m.msh", msh_2_doubled()}}},
                         {{{"m.msh", msh_4_partitioned()}}}}),
      tet_reader("vtu", {{{{"m.vtu", vtu_text()}}}, {{{"m.vtu", vtu_pieces()}}}, {{{"m.vtu", vtu_packed()}}, false}}),
      sample_reader("samples",
                    {{{{"s.csv", "x,y,z,paint\n0,0,0,1\n1,0,0,2.5\n\"0\", 1 ,0,-3e2\n"}}},
                     {{{"s.vtu", vtu_text()}}},
                     {{{"s.ply",
                        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float "
                        "y\nproperty float z\nproperty float paint\nend_header\n0 0 0 1\n1 0 0 2\n0 1 0 3\n"}}}})};
}

std::vector<Reader> scene_readers() {
  std::vector<Seed> seeds;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(BRISANCE_SOURCE_DIR) / "configs"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) seeds.push_back({{{"scene.toml", contents_of(file)}}});
  return {{"toml",
           {},
           [seeds](Random& random, const fs::path& folder) { return write_damaged(random, seeds, folder); },
           read_scene_file,
           true}};
}

}  // namespace brisance::fuzz
