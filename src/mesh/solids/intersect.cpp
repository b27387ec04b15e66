#include "brisance/core/error.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include "mesh/solids/corefinement.hpp"
#include "mesh/solids/operations.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <CGAL/Polygon_mesh_processing/orientation.h>
#include <spdlog/fmt/fmt.h>

namespace brisance::mesh::solids {
namespace {

namespace pmp = CGAL::Polygon_mesh_processing;
using Kernel = CgalKernel;
using SurfaceMesh = CgalMesh;

SurfaceMesh to_mesh(const Surface& surface, bool is_body) {
  SurfaceMesh mesh;
  std::vector<bool> is_used(surface.vertices.size());  // CGAL requires a face at each vertex
  for (const auto& triangle : surface.triangles)
    for (const std::int32_t v : triangle) is_used[static_cast<std::size_t>(v)] = true;
  std::vector<SurfaceMesh::Vertex_index> vertices(surface.vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const Vec3& x = surface.vertices[v];
    if (is_used[v]) vertices[v] = mesh.add_vertex(Kernel::Point_3(x[0], x[1], x[2]));
  }
  OriginMap origin = origins(mesh);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto& [a, b, c] = surface.triangles[t];
    const auto face = mesh.add_face(vertices[static_cast<std::size_t>(a)], vertices[static_cast<std::size_t>(b)],
                                    vertices[static_cast<std::size_t>(c)]);
    if (face == SurfaceMesh::null_face())
      throw core::Error(fmt::format("Triangle {} makes the surface non-manifold. Clean the surface first.", t));
    origin[face] = {is_body, static_cast<std::int32_t>(t)};
  }
  return mesh;
}

/// The triangles of one solid of the result, with their origins.
class Collected {
public:
  Collected(const SurfaceMesh& mesh, const PieceSurface& piece, const Surface& body)
      : mesh_(mesh), piece_(piece), body_(body), number_(mesh.number_of_vertices(), -1) {
    result_.label = piece.label;
  }

  void add(SurfaceMesh::Face_index face, const Origin& origin) {
    std::array<std::int32_t, 3> triangle{};
    int corner = 0;
    for (const auto vertex : mesh_.vertices_around_face(mesh_.halfedge(face))) triangle[corner++] = number(vertex);
    result_.surface.triangles.push_back(triangle);
    result_.surface.source_face.push_back(origin.from_body ? body_.source_face[origin.triangle] : kNoSourceTriangle);
    result_.neighbour.push_back(origin.from_body ? kNoNeighbour : piece_.neighbour[origin.triangle]);
  }
  [[nodiscard]] PieceSurface take() && { return std::move(result_); }

private:
  std::int32_t number(SurfaceMesh::Vertex_index vertex) {
    std::int32_t& n = number_[vertex.idx()];
    if (n < 0) {
      n = static_cast<std::int32_t>(result_.surface.vertices.size());
      const auto& point = mesh_.point(vertex);
      result_.surface.vertices.emplace_back(point.x(), point.y(), point.z());
    }
    return n;
  }

  const SurfaceMesh& mesh_;
  const PieceSurface& piece_;
  const Surface& body_;
  std::vector<std::int32_t> number_;
  PieceSurface result_;
};

void require_contained(const PieceSurface& piece, const Origin& origin, bool has_patches) {
  if (has_patches || origin.from_body || piece.neighbour[origin.triangle] != kNoNeighbour) return;
  const Vec3& x = piece.surface.vertices[piece.surface.triangles[origin.triangle][0]];
  throw core::Error(
      fmt::format("The body sticks out of its cage near ({:.6g}, {:.6g}, {:.6g}). Compute the modes on a "
                  "cage that contains it: brisance mesh BODY --set cage=true.",
                  x[0], x[1], x[2]));
}

}  // namespace

std::vector<PieceSurface> intersect(const PieceSurface& piece, const Surface& body) {
  std::optional<CgalMesh> found = common_part(to_mesh(piece.surface, false), to_mesh(body, true));
  if (!found)
    throw core::Error(
        "A piece touches itself on the surface of the body. Smooth the cracks (--smooth) or smooth more.");
  SurfaceMesh& common = *found;
  if (common.number_of_faces() == 0) return {};
  auto solid = common.add_property_map<SurfaceMesh::Face_index, std::size_t>("f:solid").first;
  const std::size_t num_solids = pmp::volume_connected_components(common, solid);
  std::vector<Collected> collected(num_solids, Collected(common, piece, body));
  const OriginMap origin = origins(common);
  const bool has_patches = std::ranges::find(body.source_face, kNoSourceTriangle) != body.source_face.end();
  for (const auto face : common.faces()) {
    require_contained(piece, origin[face], has_patches);
    collected[solid[face]].add(face, origin[face]);
  }
  std::vector<PieceSurface> pieces;
  for (Collected& c : collected) pieces.push_back(std::move(c).take());
  return pieces;
}

}  // namespace brisance::mesh::solids
