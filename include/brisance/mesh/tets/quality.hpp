/// Quality of the tets of a mesh: altitudes limit the time step, angles the accuracy.
#pragma once

#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/tet_mesh.hpp"

namespace brisance::mesh {

struct Quality {
  double volume_m3 = 0;
  double smallest_tet_volume_m3 = 0;
  double smallest_dihedral_rad = 0, largest_dihedral_rad = 0;
  double smallest_altitude_m = 0, mean_altitude_m = 0;  ///< corner to opposite face; the mean is over all corners
  /// Percentiles: one tet in a hundred has a smaller least angle, a larger largest angle, a smaller least altitude.
  double percent_least_dihedral_rad = 0, percent_largest_dihedral_rad = 0, percent_altitude_m = 0;
  double thin_share = 0;  ///< share of the tets with an altitude below a tenth of the mean edge
  double shortest_edge_m = 0, mean_edge_m = 0, longest_edge_m = 0;  ///< each edge of the mesh counts once
};

/// The six angles between the faces of a tet [rad], at the edges ab, ac, ad, bc, bd, cd.
[[nodiscard]] std::array<double, 6> dihedral_angles(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
/// Distances of the four corners from the planes of their opposite faces [m]: 3 V / A.
[[nodiscard]] std::array<double, 4> altitudes(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Smallest distance of a triangle's corner from its opposite edge [m]; infinite for a surface without triangles.
[[nodiscard]] double smallest_altitude_m(const Surface& surface);

/// Quality of a mesh; zeros for a mesh without tets. Does not throw.
[[nodiscard]] Quality measure_quality(const TetMesh& mesh);

}  // namespace brisance::mesh
