/// What a body would cost, said before the mesher is asked.
#pragma once

#include <string>

namespace brisance::mesh {

/// What is known of a body before it is meshed.
struct BodySize {
  double volume_m3 = 0, area_m2 = 0;  ///< of its surface; where the area is not known, any lower bound
  double length_m = 0;                ///< the longest side of its bounding box; 0 where it is not known

  /// Of a plate; of a bar half of its width [m].
  [[nodiscard]] double thickness_m() const { return 2 * volume_m3 / area_m2; }
};

/// The area of the ball of that volume: no body has less [m²].
[[nodiscard]] double least_area_m2(double volume_m3);

/// About how many tets of an edge length fill a body: what its volume holds, or three to two triangles of its surface.
[[nodiscard]] double estimated_tets(const BodySize& body, double edge_m);

/// The edge length at which that is a number of tets [m].
[[nodiscard]] double estimated_edge_m(const BodySize& body, double num_tets);

/// Throws core::BadInput, with what to ask for instead, if tets of the edge length are more than can be numbered or the
/// machine can hold, or if the body is so much thinner than the edge or than it is long that the mesher would come to
/// no good end. Local.
/// @param name  of the body, for the message: a file or a shape
void require_feasible(const BodySize& body, double edge_m, const std::string& name);

/// The same for the triangles of a flat body.
/// @param area_m2, outline_m  of the body, and the length of its outline
void require_feasible_plane(double area_m2, double outline_m, double edge_m, const std::string& name);

}  // namespace brisance::mesh
