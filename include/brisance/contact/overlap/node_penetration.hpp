/// Nodes of a tetrahedron inside another one: how deep they lie below the surface of the body that the other is part
/// of, and how that changes with the corners of both.
#pragma once

#include "brisance/contact/overlap/tet_overlap.hpp"

#include <array>
#include <cstddef>

namespace brisance::contact {

/// What depths below the surface, at rest, in a tet are made of: linear between its corners, and of each edge and face
/// and of the tet a polynomial that is nothing on what does not share its middle,
///
///   φ = Σ λ_j D_j + Σ_edges 4 λ_i λ_j D_ij + Σ_faces 27 λ_i λ_j λ_k D_ijk + 256 λ_0 λ_1 λ_2 λ_3 D
///
/// What lies on the surface has none; tets that share an edge or a face have the same there, so a node's depth goes on
/// from one to the next. Within a tet it is smooth: forces that jump shake what is pressed, and put energy in.
struct TetDepths {
  /// By corners, as bits: 1 that of a corner, 3 what the middle of an edge, 7 of a face, 15 of the tet adds [m].
  std::array<double, 16> depth{};
  std::array<double, 4> node_mass{};  ///< of its corners, all tets of each included [kg]
  double area = 0;                    ///< that stands for each of its corners [m²]
  bool operator==(const TetDepths&) const = default;
};

/// Is the point in the tet? By signs of determinants in exact arithmetic, of the point moved by nothing along (1, ε,
/// ε²): of tets that fill a space between them, exactly one holds a point, wherever it is. Local; does not throw.
/// @param tet  of positive volume
[[nodiscard]] bool holds(const PlacedTet& tet, const Vec3& point);

/// How steep the polynomial of an edge, a face or a tet, of 2, 3 or 4 corners, is at its steepest, where the middle has
/// 1 and the height above the face across is 1 [–].
[[nodiscard]] double middle_slope(std::size_t num_corners);

/// Depth at barycentric coordinates, and what it changes by with each of them. Local; does not throw.
struct Depth {
  double depth = 0;                  ///< [m]
  std::array<double, 4> gradient{};  ///< [m]
};
[[nodiscard]] Depth depth_at(const TetDepths& tet, const std::array<double, 4>& coordinates);

/// A's nodes in B, as a volume: each counts its depth φ times an area that stands for it,
///
///   M = Σ a φ(λ) / √(1 + m Σ λ_j / m_j)
///
/// less where it meets what is lighter, with m its own mass and m_j those of B's corners, since what presses on these
/// must not be stiffer than they bear. M depends on barycentric coordinates λ in B alone: its gradient is g on the node
/// and −λ_j g on B's corners, whatever g is, so that it has neither force nor moment. `centroid` is the mean of the
/// nodes by what they count. Nothing where no node of A is in B. Local; does not throw.
/// @param a, b  of positive volume, without a common node
[[nodiscard]] TetOverlap nodes_inside(const PlacedTet& a, const TetDepths& of_a, const PlacedTet& b,
                                      const TetDepths& of_b);

}  // namespace brisance::contact
