/// Makes a tet mesh from a request: reads or generates the surface, cleans, checks, remeshes, fills and orders it.
#pragma once

#include "brisance/mesh/request.hpp"
#include "brisance/mesh/surface/clean.hpp"
#include "brisance/mesh/surface/remesh.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/mesh/tets/quality.hpp"

#include <string>
#include <vector>

namespace brisance::mesh {

/// The mesh made, compared with the request.
struct MeshReport {
  std::int64_t target_tets = 0;  ///< 0 if an edge length was requested
  std::int64_t num_tets = 0, num_nodes = 0;
  double edge_length_m = 0;  ///< edge length of the surface that was filled
  /// Volume of the ideal shape or of the file's surface; for a wrapped surface that of the input with its holes closed,
  /// or of the wrap where the former is undefined (a note says so).
  double reference_volume_m3 = 0;
  double volume_error = 0;  ///< relative error of the tets' volume against it, signed
  Quality quality;
  int num_tries = 0;                  ///< calls of TetGen
  CleanReport cleaned;                ///< files only
  bool repaired = false;              ///< the file's surface was wrapped
  double cage_offset_m = 0;           ///< cage_method = offset: distance of the level set from the surface
  RemeshReport remeshed;              ///< files and shapes of several parts, unless in a cage
  double surface_distance_m = 0;      ///< Hausdorff distance of the mesh from the file's surface; files only, no cages
  std::vector<std::string> notes;     ///< sentences for the user: an active limit, a target not met
  std::vector<std::string> warnings;  ///< sentences: lost volume, tets much too thin (mesh_bounds.hpp)
};

/// Meshes a request. Searches the edge length until the number of tets is within 5 % of the target and no dihedral
/// angle is below 6° (at most 6 tries, failed ones not counted; the best one is returned). A miss above 10 % is noted
/// in the report and is no error; lost volume and tets much too thin are a warning, or an error beyond the bounds of
/// the request. Files are cleaned, must then be closed, manifold and free of self-intersections (or are wrapped, with
/// `repair`), and are remeshed to the edge length. face_source holds the 0-based face of the file, for shapes the
/// triangle of the generated surface. Local and deterministic: the same request gives the same bits. Throws core::Error
/// on everything the user can correct, and the errors of require_programs.
[[nodiscard]] TetMesh generate(const Request& request, MeshReport& report);

/// Throws core::MissingProgram unless the programs that `generate` would start exist: TetGen's, and for files, cages
/// and shapes of several parts brisance-solids. Local.
void require_programs(const Request& request);

/// Volume of the body that a request would fill [m³]. A file is read, checked, and wrapped where the request allows it,
/// as in `generate`. Local; throws the same errors.
[[nodiscard]] double body_volume_m3(const Request& request);

}  // namespace brisance::mesh
