/// A tet that cracks divide without cutting it: its vertices are partitioned into blocks, and each block has the
/// material around its vertices (Molino, Bao and Fedkiw 2004). Volumes, centroids and surfaces follow from the
/// partition and from the points at which edges are cut; they never depend on the order of vertices or on the side
/// from which a neighbour sees a face.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::elements {

/// Vertices of the six edges of a tet.
inline constexpr std::array<std::array<int, 2>, 6> kTetEdges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
/// Edge between two vertices; −1 on the diagonal.
inline constexpr std::array<std::array<int, 4>, 4> kTetEdgeOf{
    {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}}};
/// Bits of the three edges of the face opposite each vertex.
inline constexpr std::array<std::uint8_t, 4> kFaceEdges{0b111000, 0b100110, 0b010101, 0b001011};

/// Smallest and largest place of a cut along an edge [–]: every block keeps a part of each of its edges.
inline constexpr double kLeastCut = 0.1, kMostCut = 0.9;

/// The place of a cut, limited to [kLeastCut, kMostCut] and rounded so that 1 − t is exact: both ends of an edge see
/// the same point.
[[nodiscard]] double rounded_cut(double t);

/// Trivially copyable: the state of a tet in messages and files.
struct Partition {
  std::array<std::uint8_t, 4> block{0, 0, 0, 0};  ///< of each vertex: the lowest vertex of its block
  std::uint8_t first = 0;                         ///< bits: edges that were cut when the tet was cut first; 0: whole
  std::array<std::uint8_t, 4> face_first{};       ///< the same for the faces opposite each vertex, by both tets there
  std::uint8_t placed = 0;                        ///< bits: edges whose cut_at is fixed, by any tet around them
  std::array<std::uint8_t, 6> padding{};          ///< without it bytes of no value would be compared and written
  /// Where each placed edge is cut: (1 − t) x_i + t x_j between its vertices i < j, a value of rounded_cut [–].
  std::array<double, 6> cut_at{0.5, 0.5, 0.5, 0.5, 0.5, 0.5};

  [[nodiscard]] bool is_whole() const { return first == 0; }
  [[nodiscard]] bool separates(int edge) const {
    return block[static_cast<std::size_t>(kTetEdges[static_cast<std::size_t>(edge)][0])] !=
           block[static_cast<std::size_t>(kTetEdges[static_cast<std::size_t>(edge)][1])];
  }
  /// Bits of the separated edges.
  [[nodiscard]] std::uint8_t separated() const;
};

/// Weights of the four vertices, sum 1.
using Barycentric = std::array<double, 4>;

/// Points from which the material of a partition is built: on an edge, on the face opposite a vertex (the mean of the
/// points on its edges that were cut first), and inside (the same for the tet).
[[nodiscard]] Barycentric edge_point(const Partition& partition, int edge);
[[nodiscard]] Barycentric face_point(const Partition& partition, int opposite);
[[nodiscard]] Barycentric centre(const Partition& partition);

/// Material of one block.
struct BlockMaterial {
  double share = 0;        ///< of the tet's volume [–]
  Barycentric centroid{};  ///< zero where the share is zero
};

/// Material of the block of each vertex that is the lowest of its block; zero for other vertices. The shares add up
/// to 1.
[[nodiscard]] std::array<BlockMaterial, 4> block_materials(const Partition& partition);

/// A triangle of a block's surface, counter-clockwise seen from outside the material.
using SurfaceTriangle = std::array<Barycentric, 3>;

/// The crack faces of a block inside the tet: two triangles (edge point, face point, centre) for each separated edge
/// that ends in the block. Appended to `triangles`.
void append_crack_faces(const Partition& partition, int block, std::vector<SurfaceTriangle>& triangles);

/// The part of the face opposite a vertex that a block's material has: all of it for a whole tet. Appended.
void append_face(const Partition& partition, int block, int opposite, std::vector<SurfaceTriangle>& triangles);

/// A triangle of a block's surface, with a number that stays the triangle's as long as it exists.
struct NumberedTriangle {
  int number;  ///< below kMostTriangles; of the outside below kFirstInside
  SurfaceTriangle corners;
};
inline constexpr int kMostTriangles = 32, kFirstInside = 12;  ///< of one block

/// The same surface with few triangles, without points on edges that are whole, and without points of faces and centres
/// that lie inside an edge or a plane of the surface: the part that the block has of the faces opposite the vertices
/// `outside` (bits), and its crack faces. Appended in ascending number.
void append_surface(const Partition& partition, int block, std::uint8_t outside,
                    std::vector<NumberedTriangle>& triangles);

/// Divides a block: the vertices of `second` (bits, a proper subset of the block's) leave it. The caller places the
/// edges that this separates, and sets `first` and `face_first` where they are 0.
[[nodiscard]] Partition divided(const Partition& partition, int block, std::uint8_t second);

}  // namespace brisance::elements
