/// Surface triangles of a wanted size, whatever the input's were.
#pragma once

#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

inline constexpr double kNoFeatures =
    180;  ///< a feature angle: no edge is sharper, all are remeshed alike and so rounded

struct RemeshOptions {
  double edge_length_m = 0;
  /// Edges at which two triangles turn by more than that are creases: they stay edges, as polylines sampled at the
  /// edge length, their corners where they were. Not held are those that such triangles cannot follow: nearer to a
  /// longer one than half an edge, branches shorter than one, nets that span less than four, and what makes needles.
  double feature_angle_deg = kNoFeatures;
  bool round_all = false;  ///< creases are looked for, and reported, but none is held
  /// Triangles of the input that are as wanted, with all around them (fits_wanted), stay, bit for bit.
  bool keep_triangles = false;
};

/// A triangle is as wanted if its edges are that long over the wanted length there and no angle of it is smaller.
inline constexpr double kShortestKept = 2.0 / 3, kLongestKept = 4.0 / 3, kLeastKeptAngleDeg = 30;

inline constexpr double kMissed = 0.2;  ///< of the edge length: a sharp edge farther from the new surface is missed

/// What became of the creases.
struct RemeshReport {
  double crease_m = 0, kept_crease_m = 0;  ///< length of the input's sharp edges, and of those that were kept
  double keeping_edge_m = 0;               ///< about the edge length that would keep most; infinite if this one does
  /// The largest distance of the kept polylines from the new ones, or of those from them; sampled.
  double crease_distance_m = 0;
  double sharp_distance_m = 0;  ///< the largest one of any sharp edge, kept or not, from the new surface; sampled
  double kept_share = 0;        ///< of the input's area, whose triangles are kept
  double missed_share = 0;      ///< of their length, that is farther from it than kMissed edges; sampled
};

/// Isotropic remeshing of a closed, manifold surface to a wanted edge length, shorter (down to 0.3 of it) where such
/// edges would miss the input. New vertices lie on the input surface, and where it is sharp at the size of the
/// triangles on its ridges and corners, whether these are creases or not; source_face carries on from the input
/// triangle nearest to the middle of each new one. Crossings that remeshing made are repaired where CGAL can; where the
/// body is thinner than an edge some may stay: check. Deterministic. Local.
[[nodiscard]] Surface remesh(const Surface& surface, const RemeshOptions& options, RemeshReport& report);
[[nodiscard]] Surface remesh(const Surface& surface, const RemeshOptions& options);

/// Hausdorff distance of two surfaces [m]: the largest one of a point of either from the other. Points are the corners
/// of the triangles and of parts of them no longer than the spacing. Local.
[[nodiscard]] double hausdorff_distance_m(const Surface& a, const Surface& b, double spacing_m);

}  // namespace brisance::mesh
