/// Creases of a surface: its sharp edges as polylines, as far as triangles of a wanted size can follow them.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace brisance::mesh {

inline constexpr double kKeepsAtAnySize = std::numeric_limits<double>::infinity();

/// The edges at which two triangles turn by more than the feature angle, and what becomes of them.
struct CreaseNet {
  std::vector<std::array<std::int32_t, 2>> edges;  ///< vertices of the surface
  std::vector<double> length_m, turn_deg;          ///< of each edge
  std::vector<bool> is_kept;
  /// Of an edge that is not kept about the longest wanted edge that would keep it [m]; kKeepsAtAnySize otherwise.
  std::vector<double> keeping_edge_m;
  std::vector<std::int32_t> corners;  ///< vertices at which kept polylines turn: they must stay where they are
};

/// Chooses among the sharp edges of a closed, manifold surface those that triangles of a wanted edge length can follow:
/// polylines that are not too near to each other (the longer one stays), with branches no shorter than the edge, in
/// nets that span several edges. So the noise of a scan makes no creases where the wanted triangles are coarser than
/// its own. Deterministic. Local; does not throw.
[[nodiscard]] CreaseNet find_creases(const Surface& surface, double edge_length_m, double feature_angle_deg);

/// All sharp edges, however near to each other, but short branches that end freely: for bodies as thin as their rims
/// are near. Deterministic. Local; does not throw.
[[nodiscard]] CreaseNet find_all_creases(const Surface& surface, double edge_length_m, double feature_angle_deg);

/// Gives up what lies near some points, because remeshing made needles there, and what can no longer stay without it.
/// @param turn_deg  only edges that turn by less are given up
void drop_creases_near(CreaseNet& net, const Surface& surface, double edge_length_m, std::span<const Vec3> points,
                       double turn_deg);

/// Keeps none: at that edge length they make needles wherever they are.
void drop_all(CreaseNet& net, double edge_length_m);

/// About the longest wanted edge at which this share of the net's length would be kept [m]; infinite if it is kept now.
[[nodiscard]] double edge_that_keeps_m(const CreaseNet& net, double share);

}  // namespace brisance::mesh
