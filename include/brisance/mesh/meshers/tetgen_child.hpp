/// Tetrahedra inside a closed surface, by TetGen in a separate process.
#pragma once

#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <chrono>
#include <filesystem>

namespace brisance::mesh {

struct TetgenOptions {
  double quality = 1.414;        ///< largest ratio of circumradius to shortest edge (-q)
  double largest_volume_m3 = 0;  ///< bound on a tet's volume (-a); 0: none. May silently be violated on thin bodies
  bool keep_surface = true;      ///< no new vertices on the surface (-Y)
  bool keep_cavities = true;     ///< components that face inward stay empty; otherwise everything is filled
  std::chrono::duration<double> time_limit{1800};
  std::int64_t memory_bound_byte = 0;  ///< memory bound of the child; 0: nine tenths of the machine's free memory
  std::filesystem::path program;       ///< path of the child program; empty: brisance-tetgen beside the running program
};

/// Fills a closed surface without self-intersections; components that face inward are cavities and stay empty. Open
/// sheets inside are allowed, and become faces of tets. face_source holds indices of the surface's triangles. With
/// keep_surface the surface's vertices come first, bit for bit. Bounding boxes of any size are handled (TetGen gets the
/// body at unit size).
///
/// TetGen runs in a child process (core/child_process.hpp), so it is safe in an MPI rank: no communication. Local. The
/// child ends when this process ends, for whatever reason. Throws core::FailedMeshing when the child crashes, gives up
/// or makes no tets; core::Error when a signal from outside ends it (the text names the signal), or when it exceeds its
/// memory or time.
[[nodiscard]] TetMesh tetrahedralize(const Surface& surface, const TetgenOptions& options);

}  // namespace brisance::mesh
