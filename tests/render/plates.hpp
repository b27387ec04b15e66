/// Small closed-form snapshots: the boundary of a box, and a picture lit evenly from everywhere.
#pragma once

#include "brisance/render/render.hpp"

#include "support/kuhn.hpp"

namespace brisance::test {

/// A box of Kuhn tets as a snapshot: one piece, original surface all around.
inline io::Snapshot box_snapshot(const Vec3& centre, const Vec3& edges, int cells = 2) {
  const mesh::TetMesh mesh = kuhn_box(cells, cells, cells, edges.x(), edges.y(), edges.z());
  io::Snapshot snapshot;
  io::SnapshotPart& part = snapshot.part;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    part.node_id.push_back(static_cast<std::int64_t>(n));
    part.node_owned.push_back(1);
    part.rest_position.push_back(mesh.nodes[n] - 0.5 * edges + centre);
    part.position.push_back(part.rest_position.back());
    part.velocity.emplace_back(Vec3::Zero());
  }
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& tet = mesh.tets[e];
    part.element_id.push_back(static_cast<std::int64_t>(e));
    part.tets.push_back({tet[0], tet[1], tet[2], tet[3]});
    part.material.push_back(0);
    part.piece.push_back(0);
    part.stress.emplace_back(SymMat3::Zero());
    for (int f = 0; f < 4; ++f) {
      if (mesh.face_source[e][f] == mesh::kNoSourceTriangle) continue;
      const auto& corners = mesh::kFaceCorners[f];
      part.boundary.push_back({tet[corners[0]], tet[corners[1]], tet[corners[2]]});
      part.boundary_element.push_back(static_cast<std::int64_t>(e));
      part.source_triangle.push_back(mesh.face_source[e][f]);
    }
  }
  snapshot.header.num_pieces = 1;
  return snapshot;
}

/// Appends a second body to a snapshot, as another piece with ids of its own.
inline void append(io::Snapshot& snapshot, const io::Snapshot& other) {
  io::SnapshotPart& part = snapshot.part;
  const auto first_node = static_cast<std::int64_t>(part.position.size());
  const auto first_element = static_cast<std::int64_t>(part.tets.size());
  const io::SnapshotPart& more = other.part;
  for (std::size_t n = 0; n < more.position.size(); ++n) {
    part.node_id.push_back(first_node + more.node_id[n]);
    part.node_owned.push_back(1);
    part.rest_position.push_back(more.rest_position[n]);
    part.position.push_back(more.position[n]);
    part.velocity.push_back(more.velocity[n]);
  }
  for (std::size_t e = 0; e < more.tets.size(); ++e) {
    auto tet = more.tets[e];
    for (auto& node : tet) node += first_node;
    part.tets.push_back(tet);
    part.element_id.push_back(first_element + more.element_id[e]);
    part.material.push_back(more.material[e]);
    part.piece.push_back(snapshot.header.num_pieces);
    part.stress.push_back(more.stress[e]);
  }
  for (std::size_t t = 0; t < more.boundary.size(); ++t) {
    auto triangle = more.boundary[t];
    for (auto& node : triangle) node += first_node;
    part.boundary.push_back(triangle);
    part.boundary_element.push_back(first_element + more.boundary_element[t]);
    part.source_triangle.push_back(more.source_triangle[t]);
  }
  ++snapshot.header.num_pieces;
}

/// No sun; sky, background and surfaces of the given grey values.
inline render::Options furnace(float sky, float background, float albedo) {
  render::Options options;
  options.width = 64;
  options.height = 48;
  options.lighting.sun = render::Rgb::Zero();
  options.lighting.sky_zenith = options.lighting.sky_horizon = render::Rgb::Constant(sky);
  options.lighting.background_top = options.lighting.background_bottom = render::Rgb::Constant(background);
  options.palette.original = options.palette.crack = options.palette.collider = options.palette.ground =
      render::Rgb::Constant(albedo);
  options.palette.ground_checker = 0;
  return options;
}

}  // namespace brisance::test
