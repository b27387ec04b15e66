/// Estimates the cost of meshing a body before the mesher is started.
#pragma once

#include <string>

namespace brisance::mesh {

/// Size of a body before it is meshed.
struct BodySize {
  double volume_m3 = 0, area_m2 = 0;  ///< surface area; a lower bound where it is not known
  double length_m = 0;                ///< longest side of its bounding box; 0 where it is not known

  /// Thickness of a plate; half the width of a bar [m].
  [[nodiscard]] double thickness_m() const { return 2 * volume_m3 / area_m2; }
};

/// Surface area of the ball of that volume, the least of any body [m²].
[[nodiscard]] double least_area_m2(double volume_m3);

/// Estimated number of tets of an edge length in a body: by its volume, or three for two triangles of its surface.
[[nodiscard]] double estimated_tets(const BodySize& body, double edge_m);

/// The edge length with that estimated number of tets [m].
[[nodiscard]] double estimated_edge_m(const BodySize& body, double num_tets);

/// Throws core::BadInput, with advice, if tets of the edge length are more than can be numbered or fit into memory, or
/// if the body is so much thinner than the edge or than it is long that the mesher would fail. Local.
/// @param name  a file or a shape, for the message
void require_feasible(const BodySize& body, double edge_m, const std::string& name);

/// The same for the triangles of a flat body.
/// @param area_m2, outline_m  of the body, and the length of its outline
void require_feasible_plane(double area_m2, double outline_m, double edge_m, const std::string& name);

}  // namespace brisance::mesh
