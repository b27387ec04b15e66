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

/// The edges at which two triangles turn by more than the feature angle, and which of them are kept.
struct CreaseNet {
  std::vector<std::array<std::int32_t, 2>> edges;  ///< vertices of the surface
  std::vector<double> length_m, turn_deg;          ///< of each edge
  std::vector<bool> is_kept;
  /// For an edge that is not kept, the estimated longest wanted edge that would keep it [m]; else kKeepsAtAnySize.
  std::vector<double> keeping_edge_m;
  std::vector<std::int32_t> corners;  ///< vertices at which kept polylines turn: they must stay in place
};

/// Selects the sharp edges of a closed, manifold surface that triangles of a wanted edge length can follow: polylines
/// that are not too near to each other (the longer one is kept), with branches no shorter than the edge, in nets that
/// span several edges. So the noise of a scan makes no creases where the wanted triangles are coarser than its own.
/// Deterministic. Local; does not throw.
[[nodiscard]] CreaseNet find_creases(const Surface& surface, double edge_length_m, double feature_angle_deg);

/// All sharp edges, however near to each other, except short branches with a free end: for thin bodies, whose rims are
/// near to each other. Deterministic. Local; does not throw.
[[nodiscard]] CreaseNet find_all_creases(const Surface& surface, double edge_length_m, double feature_angle_deg);

/// Drops creases near some points, because remeshing made needles there, and those that cannot be kept without them.
/// @param turn_deg  only edges that turn by less are dropped
void drop_creases_near(CreaseNet& net, const Surface& surface, double edge_length_m, std::span<const Vec3> points,
                       double turn_deg);

/// Drops all: at that edge length they make needles everywhere.
void drop_all(CreaseNet& net, double edge_length_m);

/// Estimated longest wanted edge at which this share of the net's length is kept [m]; infinite if it is kept now.
[[nodiscard]] double edge_that_keeps_m(const CreaseNet& net, double share);

}  // namespace brisance::mesh
