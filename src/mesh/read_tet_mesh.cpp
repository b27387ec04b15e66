#include "brisance/mesh/read_tet_mesh.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/out_of_memory.hpp"

#include "mesh/file_bytes.hpp"
#include "mesh/tet_soup.hpp"

#include <spdlog/spdlog.h>

namespace brisance::mesh {

namespace {

TetMesh read_by_extension(const std::filesystem::path& file, TetReadReport& report) {
  const std::string extension = lower_extension(file);
  if (extension == ".node" || extension == ".ele") return read_tetgen(file, report);
  if (extension == ".msh") return read_gmsh(file, report);
  if (extension == ".vtu") return read_vtu(file, report);
  throw core::Error(
      fmt::format("{}: not a tetrahedral format known here. Convert it to TetGen .node and .ele, Gmsh .msh or "
                  ".vtu.",
                  file.string()));
}

}  // namespace

TetMesh read_tet_mesh(const std::filesystem::path& file, TetReadReport& report) {
  TetMesh mesh;
  core::naming_what_needs_memory("reading " + file.string(), [&] { mesh = read_by_extension(file, report); });
  return mesh;
}

TetMesh read_tet_mesh(const std::filesystem::path& file) {
  TetReadReport report;
  TetMesh mesh = read_tet_mesh(file, report);
  if (report.num_degenerate + report.num_unused_nodes > 0)
    spdlog::warn("{}: dropped {} tets without volume and {} unused nodes.", file.string(), report.num_degenerate,
                 report.num_unused_nodes);
  return mesh;
}

}  // namespace brisance::mesh
