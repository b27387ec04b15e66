/// Converts surfaces to and from CGAL's half-edge meshes. Only for sources of this module, so that CGAL is hidden from
/// others.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cassert>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>

namespace brisance::mesh::solids {

using CgalKernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using CgalMesh = CGAL::Surface_mesh<CgalKernel::Point_3>;

/// Converts a manifold surface; vertices and triangles keep their numbers.
[[nodiscard]] inline CgalMesh as_cgal(const Surface& surface) {
  CgalMesh mesh;
  for (const Vec3& x : surface.vertices) mesh.add_vertex(CgalKernel::Point_3(x.x(), x.y(), x.z()));
  using Vertex = CgalMesh::Vertex_index;
  for (const auto& [a, b, c] : surface.triangles) {
    [[maybe_unused]] const auto face = mesh.add_face(Vertex(a), Vertex(b), Vertex(c));
    assert(face != CgalMesh::null_face());
  }
  return mesh;
}

/// Converts a mesh without removed elements; source_face is left empty.
[[nodiscard]] inline Surface as_surface(const CgalMesh& mesh) {
  Surface surface;
  for (const auto v : mesh.vertices()) {
    const auto& p = mesh.point(v);
    surface.vertices.emplace_back(p.x(), p.y(), p.z());
  }
  for (const auto f : mesh.faces()) {
    std::array<std::int32_t, 3> triangle{};
    int corner = 0;
    for (const auto v : mesh.vertices_around_face(mesh.halfedge(f))) triangle[corner++] = static_cast<std::int32_t>(v);
    surface.triangles.push_back(triangle);
  }
  return surface;
}

}  // namespace brisance::mesh::solids
