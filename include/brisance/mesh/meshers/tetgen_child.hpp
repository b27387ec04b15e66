/// Tetrahedra inside a closed surface, by TetGen in a process of its own.
#pragma once

#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <chrono>
#include <filesystem>

namespace brisance::mesh {

struct TetgenOptions {
  double quality = 1.414;        ///< largest ratio of circumradius to shortest edge (-q)
  double largest_volume_m3 = 0;  ///< of a tet (-a); 0 sets no bound. On thin bodies it may silently not be met
  bool keep_surface = true;      ///< no new vertices on the surface (-Y)
  bool keep_cavities = true;     ///< components that face inward stay empty; otherwise all is filled
  std::chrono::duration<double> time_limit{1800};
  std::int64_t memory_bound_byte = 0;  ///< of the child; 0: nine tenths of what the machine has free
  std::filesystem::path program;       ///< the child; empty finds brisance-tetgen beside the running program
};

/// Fills a closed surface without self-intersections; components that face inward are cavities and stay empty. Within
/// it may lie open sheets, which become faces of tets. face_source holds indices of the surface's triangles. With
/// keep_surface the surface's vertices come first, bit for bit. Bounding boxes of any size are handled (TetGen sees the
/// body at unit size).
///
/// TetGen runs in a child process (core/child_process.hpp), so it is safe in an MPI rank: local, no communication. The
/// child ends when this process ends, however that comes about. Throws core::FailedMeshing when the child crashes,
/// gives up or makes no tets; core::Error when it is ended by somebody (which is said, and by which signal), or exceeds
/// its memory or time.
[[nodiscard]] TetMesh tetrahedralize(const Surface& surface, const TetgenOptions& options);

}  // namespace brisance::mesh
