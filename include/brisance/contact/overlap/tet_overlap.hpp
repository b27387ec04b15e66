/// Intersection of two tetrahedra: its volume, its centroid, and their derivatives by the corners.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace brisance::contact {

/// A tetrahedron with the data for intersections: barycentric coordinate j of a point x is gradient[j]·(x − base[j]).
struct PlacedTet {
  std::array<Vec3, 4> corner;    ///< [m]
  std::array<Vec3, 4> gradient;  ///< gradients of the barycentric coordinates, from face j inwards [1/m]
  double volume = 0;             ///< signed: negative if the tet is inverted [m³]

  [[nodiscard]] const Vec3& base(std::size_t j) const { return corner[(j + 1) & 3]; }  ///< a corner of face j
  [[nodiscard]] double coordinate(std::size_t j, const Vec3& x) const { return gradient[j].dot(x - base(j)); }
  [[nodiscard]] std::array<double, 4> coordinates(const Vec3& x) const {
    return {coordinate(0, x), coordinate(1, x), coordinate(2, x), coordinate(3, x)};
  }
  /// Area of the face opposite corner j along its outward normal, F_j = −3 V ∇λ_j [m²].
  [[nodiscard]] Vec3 face_area(std::size_t j) const { return -3 * volume * gradient[j]; }
};

/// Local; does not throw. Gradients of a flat tet are not finite: test `volume` first.
[[nodiscard]] PlacedTet placed_tet(const std::array<Vec3, 4>& corner);

/// Does the plane of a face of either separate the two? Local; does not throw.
[[nodiscard]] bool are_parted(const PlacedTet& a, const PlacedTet& b);

/// Edge of the regular tet of that volume [m].
[[nodiscard]] inline double regular_edge(double volume) { return std::cbrt(6 * std::numbers::sqrt2 * volume); }

/// The common part C = A ∩ B.
struct TetOverlap {
  double volume = 0;             ///< [m³]
  Vec3 centroid = Vec3::Zero();  ///< centroid of C [m]
  /// ∂V/∂x of A's corners, then of B's: ∫ N_i n dA over the part of each tet's faces that bounds C [m²].
  std::array<Vec3, 8> gradient = zeros();
  /// Area of A's faces inside B along their outward normals: Σ over A's corners of the gradient; −Σ over B's [m²].
  [[nodiscard]] Vec3 area() const { return gradient[0] + gradient[1] + gradient[2] + gradient[3]; }

  /// Volume over area, at most the edge of the regular tet of that volume: a tet inside another has no area [m].
  [[nodiscard]] double depth() const;

  [[nodiscard]] static std::array<Vec3, 8> zeros() {
    std::array<Vec3, 8> all;
    all.fill(Vec3::Zero());
    return all;
  }
};

/// Cuts A by the planes of B's faces; volume and centroid by the divergence theorem. The gradient is exact and adds up
/// to zero, to rounding, for any position of the faces of both: a rigid motion of both does no work against it. An
/// overlap below 1e-14 of either tet, or of tets that the plane of a face separates, counts as none: all values are
/// then zero.
[[nodiscard]] TetOverlap tet_overlap(const PlacedTet& a, const PlacedTet& b);

/// Subtracts a sliver s from the overlap: V becomes φ(V), and its gradient φ'(V) ∂V/∂x,
///
///   φ = 0 up to s,   (V − s)²/4s up to 3s,   V − 2s beyond
///
/// so that a sliver counts as nothing, and the gradient of the rest belongs to its volume. Returns whether anything
/// remains.
/// @param sliver  [m³]
/// Local; does not throw.
bool take_sliver_off(TetOverlap& overlap, double sliver);

}  // namespace brisance::contact
