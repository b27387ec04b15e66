#include "brisance/mesh/generate/grown_mesh.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/failed_meshing.hpp"
#include "brisance/mesh/generate/closed_surface.hpp"
#include "brisance/mesh/meshers/tetgen_child.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/repair.hpp"
#include "brisance/mesh/tets/boundary_faces.hpp"
#include "brisance/mesh/tets/quality.hpp"

#include "mesh/surface/cavities.hpp"
#include "mesh/surface/nearest_on_triangles.hpp"
#include "mesh/surface/self_intersections.hpp"

#include <algorithm>
#include <utility>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace brisance::mesh {
namespace {

constexpr double kAlpha = 1, kOffset = 0.25;  // parameters of the wrap around mesh and body, over the mean edge
constexpr double kLeastAlpha = 2e-3;          // over the diagonal

/// The boundary faces of a mesh, with their nodes and tets.
struct Outside {
  Surface surface;
  std::vector<std::int32_t> node, tet;
};

Outside outside_with_tets(const TetMesh& mesh) {
  Outside outside;
  std::vector<std::int32_t> number(mesh.nodes.size(), -1);
  const auto vertex = [&](std::int32_t node) {
    if (number[node] < 0) {
      number[node] = static_cast<std::int32_t>(outside.node.size());
      outside.node.push_back(node);
      outside.surface.vertices.push_back(mesh.nodes[node]);
    }
    return number[node];
  };
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (int f = 0; f < 4; ++f) {
      if (mesh.face_source[t][f] == kNoSourceTriangle) continue;
      const auto& [a, b, c] = kFaceCorners[f];
      outside.surface.source_face.push_back(static_cast<std::int32_t>(outside.tet.size()));
      outside.surface.triangles.push_back({vertex(mesh.tets[t][a]), vertex(mesh.tets[t][b]), vertex(mesh.tets[t][c])});
      outside.tet.push_back(static_cast<std::int32_t>(t));
    }
  return outside;
}

/// Both surfaces in one, the second one's vertices and triangles last.
Surface joined(Surface one, const Surface& other, bool turn_other) {
  const auto first = static_cast<std::int32_t>(one.vertices.size());
  one.vertices.insert(one.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& [a, b, c] : other.triangles)
    one.triangles.push_back({first + a, first + (turn_other ? c : b), first + (turn_other ? b : c)});
  one.source_face.resize(one.triangles.size(), 0);
  return one;
}

/// One vertex of each connected part of a surface.
std::vector<Vec3> vertex_of_each_part(const Surface& surface) {
  const auto component = triangle_components(surface);
  std::vector<Vec3> vertices;
  for (std::size_t t = 0; t < component.size(); ++t)
    if (component[t] == t) vertices.push_back(surface.vertices[surface.triangles[t][0]]);
  return vertices;
}

bool is_inside(const Surface& outside, const Surface& body) {
  const auto num_outside = static_cast<std::int32_t>(outside.triangles.size());
  for (const auto& [s, t] : intersecting_pairs(joined(outside, body, false)))
    if (s < num_outside && t >= num_outside) return false;
  const auto body_parts = vertex_of_each_part(body), walls = vertex_of_each_part(outside);
  return std::ranges::all_of(body_parts, [&](const Vec3& x) { return winding_number(outside, x) > 0.5; }) &&
         std::ranges::none_of(walls, [&](const Vec3& x) { return winding_number(body, x) > 0.5; });
}

[[noreturn]] void refuse(const std::string& why) {
  throw core::BadInput("The body sticks out of its mesh" + why +
                       ". Compute the modes on a cage that contains it: brisance modes BODY --set cage=true.");
}

void require_near(const Surface& outside, const Surface& body, double edge_m) {
  const TriangleTree tree(outside.vertices, outside.triangles);
  for (const Vec3& x : body.vertices)
    if (const double away = (tree.nearest(x).point - x).norm(); away > edge_m && winding_number(outside, x) < 0.5)
      refuse(fmt::format(" by {:.3g} m near ({:.6g}, {:.6g}, {:.6g}), more than an edge", away, x[0], x[1], x[2]));
}

/// Fills the space between the outside of a mesh and a wrap around it and the body, and its cavities; the wrap's
/// vertices come first, then those of the outside.
TetMesh filled_shell(const Surface& outside, const Surface& body, double edge_m, std::size_t& num_wrap) {
  const Surface both = joined(outside, body, false);
  Eigen::AlignedBox3d box;
  for (const Vec3& x : both.vertices) box.extend(x);
  const double diagonal = box.diagonal().norm(), alpha = std::max(kAlpha * edge_m / diagonal, kLeastAlpha);
  const Surface around = wrap(both, alpha, kOffset * alpha);
  num_wrap = around.vertices.size();
  const Surface shell = joined(around, outside, true);
  if (!check_surface(shell).meshable()) refuse(", and the outside of that mesh touches itself");
  try {
    return tetrahedralize(shell, {});
  } catch (const core::FailedMeshing&) {
    refuse(", and no tets could be put around that mesh");
  }
}

}  // namespace

bool contains(const TetMesh& mesh, const Surface& body) { return is_inside(outside_with_tets(mesh).surface, body); }

GrownMesh grown_around(const TetMesh& mesh, const Surface& body) {
  const Outside outside = outside_with_tets(mesh);
  const double edge_m = measure_quality(mesh).mean_edge_m;
  require_near(outside.surface, body, edge_m);
  std::size_t num_wrap = 0;
  const TetMesh shell = filled_shell(outside.surface, body, edge_m, num_wrap);

  GrownMesh grown;
  grown.mesh.nodes = mesh.nodes;
  grown.mesh.tets = mesh.tets;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) grown.of_tet.push_back(static_cast<std::int32_t>(t));
  std::vector<std::int32_t> number;
  for (std::size_t n = 0; n < shell.nodes.size(); ++n) {
    const bool is_old = n >= num_wrap && n < num_wrap + outside.node.size();
    number.push_back(is_old ? outside.node[n - num_wrap] : static_cast<std::int32_t>(grown.mesh.nodes.size()));
    if (!is_old) grown.mesh.nodes.push_back(shell.nodes[n]);
  }
  const TriangleTree tree(outside.surface.vertices, outside.surface.triangles);
  for (const auto& [a, b, c, d] : shell.tets) {
    grown.mesh.tets.push_back({number[a], number[b], number[c], number[d]});
    const auto& x = shell.nodes;
    grown.of_tet.push_back(outside.tet[tree.nearest((x[a] + x[b] + x[c] + x[d]) / 4).triangle]);
  }
  (void)number_boundary(grown.mesh);
  return grown;
}

}  // namespace brisance::mesh
