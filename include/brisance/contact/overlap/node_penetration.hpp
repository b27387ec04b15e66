/// Nodes of a tetrahedron inside another one: how deep they lie below the surface of the body that the other is part
/// of, and the derivative of that depth by the corners of both.
#pragma once

#include "brisance/contact/overlap/tet_overlap.hpp"

#include <array>
#include <cstddef>

namespace brisance::contact {

/// Depth below the surface, at rest, as a function in a tet: linear between its corners, plus for each edge, each face
/// and the tet itself a polynomial that vanishes on all edges and faces that do not contain its middle,
///
///   φ = Σ λ_j D_j + Σ_edges 4 λ_i λ_j D_ij + Σ_faces 27 λ_i λ_j λ_k D_ijk + 256 λ_0 λ_1 λ_2 λ_3 D
///
/// It is zero on the surface. Tets that share an edge or a face have the same values there, so a node's depth is
/// continuous from tet to tet. Within a tet it is smooth: forces that jump would excite vibrations and add energy.
struct TetDepths {
  /// By bit mask of corners: 1 bit: depth of a corner; 2, 3 and 4 bits: what the middle of an edge, of a face and of
  /// the tet adds [m].
  std::array<double, 16> depth{};
  std::array<double, 4> node_mass{};  ///< masses of its corners, from all tets around each [kg]
  double area = 0;                    ///< area that each of its corners represents [m²]
  bool operator==(const TetDepths&) const = default;
};

/// Is the point in the tet? Decided by signs of determinants in exact arithmetic, for the point moved by an
/// infinitesimal (1, ε, ε²): of tets that fill a space between them, exactly one contains any point. Local; does not
/// throw.
/// @param tet  of positive volume
[[nodiscard]] bool holds(const PlacedTet& tet, const Vec3& point);

/// Largest slope of the polynomial of an edge, a face or a tet, of 2, 3 or 4 corners, if it is 1 at the middle and the
/// height above the opposite face is 1 [–].
[[nodiscard]] double middle_slope(std::size_t num_corners);

/// Depth at barycentric coordinates, and its derivative by each of them. Local; does not throw.
struct Depth {
  double depth = 0;                  ///< [m]
  std::array<double, 4> gradient{};  ///< [m]
};
[[nodiscard]] Depth depth_at(const TetDepths& tet, const std::array<double, 4>& coordinates);

/// A's nodes in B, as a volume: each counts its depth φ times the area that it represents,
///
///   M = Σ a φ(λ) / √(1 + m Σ λ_j / m_j)
///
/// reduced where it meets lighter nodes, with m its own mass and m_j those of B's corners, since the contact stiffness
/// must not exceed what these bear. M depends on the barycentric coordinates λ in B alone: its gradient is some g on
/// the node and −λ_j g on B's corners, so that it has neither a net force nor a net moment. `centroid` is the mean of
/// the nodes weighted by their terms. All is zero where no node of A is in B. Local; does not throw.
/// @param a, b  of positive volume, without a common node
[[nodiscard]] TetOverlap nodes_inside(const PlacedTet& a, const TetDepths& of_a, const PlacedTet& b,
                                      const TetDepths& of_b);

}  // namespace brisance::contact
