/// Remeshing of a surface to triangles of a wanted size.
#pragma once

#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

inline constexpr double kNoFeatures =
    180;  ///< feature angle above any edge's: no crease is kept, and sharp edges become rounded

struct RemeshOptions {
  double edge_length_m = 0;
  /// Edges at which two triangles turn by more are creases: they are kept as polylines sampled at the edge length, with
  /// their corners in place. Creases that such triangles cannot follow are not kept: creases nearer to a longer one
  /// than half an edge, branches shorter than an edge, nets that span less than four, and creases that make needles.
  double feature_angle_deg = kNoFeatures;
  bool round_all = false;  ///< creases are detected and reported, but none is kept
  /// Keeps, bit for bit, triangles of the input that fit the wanted size together with all around them (fits_wanted).
  bool keep_triangles = false;
};

/// A triangle fits if its edges over the wanted length there are within these bounds and no angle is smaller.
inline constexpr double kShortestKept = 2.0 / 3, kLongestKept = 4.0 / 3, kLeastKeptAngleDeg = 30;

inline constexpr double kMissed = 0.2;  ///< over the edge length: a sharp edge farther from the new surface is missed

/// What the remeshing kept of the creases and the triangles.
struct RemeshReport {
  double crease_m = 0, kept_crease_m = 0;  ///< length of the input's sharp edges, and of those that were kept
  double keeping_edge_m = 0;               ///< estimated edge length that would keep most; infinite if this one does
  /// Largest distance between the kept polylines and the new ones, in either direction; sampled.
  double crease_distance_m = 0;
  double sharp_distance_m = 0;  ///< largest distance of any sharp edge, kept or not, from the new surface; sampled
  double kept_share = 0;        ///< share of the input's area whose triangles are kept
  double missed_share = 0;      ///< share of the sharp edges' length farther from it than kMissed edges; sampled
};

/// Isotropic remeshing of a closed, manifold surface to a wanted edge length, shorter (down to 0.3 of it) where such
/// edges would miss the input. New vertices lie on the input surface; where it is sharp at the size of the triangles,
/// they lie on its ridges and corners, whether these are creases or not. source_face is taken from the input triangle
/// nearest to the middle of each new one. Self-intersections caused by remeshing are repaired where CGAL can; where the
/// body is thinner than an edge some may remain: check. Deterministic. Local.
[[nodiscard]] Surface remesh(const Surface& surface, const RemeshOptions& options, RemeshReport& report);
[[nodiscard]] Surface remesh(const Surface& surface, const RemeshOptions& options);

/// Hausdorff distance of two surfaces [m]: the largest distance of a point of either from the other. Sampled at the
/// corners of the triangles, after these are divided into parts no longer than the spacing. Local.
[[nodiscard]] double hausdorff_distance_m(const Surface& a, const Surface& b, double spacing_m);

}  // namespace brisance::mesh
