/// What tests expect of meshes whose elements cracks divide without cutting them: sound partitions, closed surfaces.
#pragma once

#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/division.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/dist/pieces.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::test {

/// Each copy has a real vertex, corners at their vertices and the partition of its tet's other copies; the shares of a
/// tet add up to 1. Collective.
inline void expect_sound_division(const dist::Mesh& mesh) {
  std::map<GlobalElement, double> shares;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e)) continue;
    const dist::Division& division = mesh.field(dist::kDivision)[e];
    const auto block = static_cast<std::size_t>(division.block);
    EXPECT_EQ(division.partition.block[block], block);
    for (int k = 0; k < 4; ++k) {
      const LocalNode n = mesh.corner(e, k);
      if (division.partition.block[static_cast<std::size_t>(k)] == block) {
        EXPECT_TRUE(dist::is_real(mesh, n));
      }
      EXPECT_EQ(mesh.rest[n], mesh.rest[mesh.find(dist::vertex_of(mesh, n))]);
    }
    const double share = mesh.field(dist::kMaterialShare)[e];
    EXPECT_NEAR(share, elements::block_materials(division.partition)[block].share, 1e-14);
    shares[dist::tet_of(mesh, e)] += share;
  }
  for (const auto& [tet, share] : shares) EXPECT_NEAR(share, 1, 1e-14);
}

/// Triangles of a copy's material surface: crack faces, and its part of the faces on the outside.
inline void append_copy_surface(const dist::Mesh& mesh, LocalElement e, std::vector<elements::SurfaceTriangle>& cracks,
                                std::vector<elements::SurfaceTriangle>& outside) {
  const dist::Division& division = mesh.field(dist::kDivision)[e];
  elements::append_crack_faces(division.partition, static_cast<int>(division.block), cracks);
  for (int f = 0; f < 4; ++f)
    if (mesh.field(dist::kFaceSource)[e][static_cast<std::size_t>(f)] >= 0)
      elements::append_face(division.partition, static_cast<int>(division.block), f, outside);
}

/// The material surface of a piece at rest.
struct PieceSurface {
  Vec3 area_vector = Vec3::Zero();  ///< [m²], zero if it is closed
  double area = 0;                  ///< [m²]
  double enclosed = 0;              ///< [m³], by the divergence theorem
  double volume = 0;                ///< [m³], of the copies' shares
};
struct DividedSurface {
  std::vector<PieceSurface> pieces;
  double crack_area = 0;  ///< [m²], of one side
};

/// Collective.
inline DividedSurface divided_surface(const dist::Mesh& mesh) {
  const dist::Pieces pieces = dist::find_pieces(mesh);
  DividedSurface result;
  result.pieces.resize(pieces.list.size());
  for (const std::int32_t i : dist::home_elements(mesh)) {
    const LocalElement e(i);
    PieceSurface& piece = result.pieces[static_cast<std::size_t>(pieces.of_node[mesh.corner(e, 0)])];
    piece.volume += mesh.volume(e);
    const auto add = [&](const std::vector<elements::SurfaceTriangle>& triangles, double crack_share) {
      for (const auto& triangle : triangles) {
        std::array<Vec3, 3> x;
        for (std::size_t k = 0; k < 3; ++k) {
          x[k].setZero();
          for (int v = 0; v < 4; ++v) x[k] += triangle[k][static_cast<std::size_t>(v)] * mesh.rest[mesh.corner(e, v)];
        }
        const Vec3 a = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]);
        piece.area_vector += a;
        piece.area += a.norm();
        piece.enclosed += a.dot(x[0]) / 3;
        result.crack_area += crack_share * a.norm();
      }
    };
    std::vector<elements::SurfaceTriangle> cracks, outside;
    append_copy_surface(mesh, e, cracks, outside);
    add(cracks, 0.5);
    add(outside, 0);
  }
  const auto over_ranks = [&](double& value) {
    core::ExactSum total;
    total.add(value);
    total.reduce(mesh.comm());
    value = total.value();
  };
  for (PieceSurface& piece : result.pieces) {
    for (double* value : {&piece.area_vector[0], &piece.area_vector[1], &piece.area_vector[2], &piece.area,
                          &piece.enclosed, &piece.volume})
      over_ranks(*value);
  }
  over_ranks(result.crack_area);
  return result;
}

/// The surface of each piece is closed and encloses the piece's material. Collective.
inline void expect_closed(const DividedSurface& surface) {
  for (const PieceSurface& piece : surface.pieces) {
    EXPECT_LT(piece.area_vector.norm(), 1e-12 * piece.area);
    EXPECT_NEAR(piece.enclosed, piece.volume, 1e-12 * piece.volume);
  }
}

/// A place on a surface: nodes (ascending id) with their weights, of which at least one is not zero.
using SurfacePoint = std::vector<std::pair<std::int64_t, double>>;

/// Places where sides of surface triangles, of a mesh on one rank, do not match sides in the opposite direction: 0 for
/// closed surfaces. The two faces of a crack have different nodes, and so are different places. Sides along an edge of
/// a tet may match in parts.
inline std::int64_t num_open_sides(const dist::Mesh& mesh) {
  std::map<std::pair<SurfacePoint, SurfacePoint>, std::int64_t> count;
  const auto add_side = [&](const SurfacePoint& from, const SurfacePoint& to) {
    SurfacePoint nodes;
    for (const SurfacePoint* point : {&from, &to})
      for (const auto& [node, weight] : *point) nodes.emplace_back(node, 0.0);
    std::ranges::sort(nodes);
    const auto repeated = std::ranges::unique(nodes);
    nodes.erase(repeated.begin(), repeated.end());
    if (nodes.size() == 2) {  // along an edge: where it starts and ends
      ++count[{nodes, from}];
      --count[{nodes, to}];
    } else {
      count[std::minmax(from, to)] += from < to ? 1 : -1;
    }
  };
  for (const std::int32_t i : dist::home_elements(mesh)) {
    const LocalElement e(i);
    const auto point_of = [&](const elements::Barycentric& weights) {
      SurfacePoint point;
      for (int v = 0; v < 4; ++v)
        if (const double w = weights[static_cast<std::size_t>(v)]; w != 0)
          point.emplace_back(mesh.node_id[mesh.corner(e, v)].value, w);
      std::ranges::sort(point);
      return point;
    };
    std::vector<elements::SurfaceTriangle> triangles;
    append_copy_surface(mesh, e, triangles, triangles);
    for (const auto& triangle : triangles)
      for (std::size_t k = 0; k < 3; ++k)
        if (const SurfacePoint from = point_of(triangle[k]), to = point_of(triangle[(k + 1) % 3]); from != to)
          add_side(from, to);
  }
  return std::ranges::count_if(count, [](const auto& side) { return side.second != 0; });
}

}  // namespace brisance::test
