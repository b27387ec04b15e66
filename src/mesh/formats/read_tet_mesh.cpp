#include "brisance/mesh/formats/read_tet_mesh.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/out_of_memory.hpp"
#include "brisance/core/words.hpp"

#include "mesh/formats/file_bytes.hpp"
#include "mesh/formats/tet_soup.hpp"

#include <spdlog/spdlog.h>

namespace brisance::mesh {

namespace {

TetMesh read_by_extension(const std::filesystem::path& file, TetReadReport& report,
                          std::span<const std::string> scalars) {
  const std::string extension = lower_extension(file);
  if (extension == ".msh") return read_gmsh(file, report, scalars);
  if (extension == ".vtu") return read_vtu(file, report, scalars);
  if (!scalars.empty() && (extension == ".node" || extension == ".ele"))
    throw core::Error(fmt::format("{}: TetGen files name no field; \"{}\" is read from VTU and Gmsh files.",
                                  file.string(), scalars.front()));
  if (extension == ".node" || extension == ".ele") return read_tetgen(file, report);
  throw core::Error(
      fmt::format("{}: not a tetrahedral format known here. Convert it to TetGen .node and .ele, Gmsh .msh or "
                  ".vtu.",
                  file.string()));
}

}  // namespace

TetMesh read_tet_mesh(const std::filesystem::path& file, TetReadReport& report, std::span<const std::string> scalars) {
  TetMesh mesh;
  core::naming_what_needs_memory("reading " + file.string(), [&] { mesh = read_by_extension(file, report, scalars); });
  return mesh;
}

TetMesh read_tet_mesh(const std::filesystem::path& file, std::span<const std::string> scalars) {
  TetReadReport report;
  TetMesh mesh = read_tet_mesh(file, report, scalars);
  if (report.num_degenerate + report.num_unused_nodes > 0)
    spdlog::warn("{}: dropped {} without volume and {}.", file.string(), core::counted(report.num_degenerate, "tet"),
                 core::counted(report.num_unused_nodes, "unused node"));
  return mesh;
}

}  // namespace brisance::mesh
