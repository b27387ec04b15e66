/// The surface of elements that cracks divide without cutting them (dist/division.hpp), as contact sees it.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::contact {

/// A corner of a triangle: a point with weights at some corners of its element, in ascending id of the nodes. Nodes
/// alone have one weight, points on edges two, on faces three, and points inside four.
struct DividedCorner {
  int count = 0;
  std::array<LocalNode, 4> node{};
  std::array<double, 4> weight{};

  [[nodiscard]] double weight_at(LocalNode n) const;
  [[nodiscard]] Vec3 rest(const dist::Mesh& mesh) const;  ///< [m]
};

struct DividedTriangle {
  std::int64_t key;  ///< ContactFacet::key
  std::array<DividedCorner, 3> corner;
  double rest_area;  ///< [m²]
  double behind_m;   ///< how far the element's material reaches behind the triangle, at rest [m]
};

/// The surface of an element held here, in ascending key. Replaces `triangles`. Local.
void find_surface(const dist::Mesh& mesh, LocalElement e, std::vector<DividedTriangle>& triangles);

}  // namespace brisance::contact
