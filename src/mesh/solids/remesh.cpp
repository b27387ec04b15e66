#include "mesh/solids/cgal_mesh.hpp"
#include "mesh/solids/operations.hpp"

#include <cmath>

#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Polygon_mesh_processing/detect_features.h>
#include <CGAL/Polygon_mesh_processing/remesh.h>
#include <CGAL/Polygon_mesh_processing/repair_self_intersections.h>

namespace brisance::mesh::solids {
namespace {

namespace processing = CGAL::Polygon_mesh_processing;
using Mesh = CgalMesh;
using Point = CgalKernel::Point_3;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<CgalKernel, CGAL::AABB_face_graph_triangle_primitive<Mesh>>>;

constexpr double kSharpEdgeDeg = 50;
constexpr unsigned kPasses = 4;
/// A crease that spans less than this many wanted edges cannot be resolved: held fast, it only makes needles.
constexpr double kLeastCreaseInEdges = 4;

using EdgeFlags = Mesh::Property_map<Mesh::Edge_index, bool>;

/// All sharp edges that hang together with the first one, which `seen` marks from now on.
std::vector<Mesh::Edge_index> crease_of(Mesh::Edge_index first, const Mesh& mesh, const EdgeFlags& sharp,
                                        std::vector<bool>& seen) {
  std::vector<Mesh::Edge_index> crease{first};
  seen[first] = true;
  for (std::size_t i = 0; i < crease.size(); ++i)
    for (const unsigned end : {0u, 1u})
      for (const auto halfedge : mesh.halfedges_around_target(mesh.halfedge(mesh.vertex(crease[i], end)))) {
        const auto edge = mesh.edge(halfedge);
        if (!sharp[edge] || seen[edge]) continue;
        crease.push_back(edge);
        seen[edge] = true;
      }
  return crease;
}

/// Diagonal of the bounding box.
double extent(const std::vector<Mesh::Edge_index>& crease, const Mesh& mesh) {
  CGAL::Bbox_3 box;
  for (const auto edge : crease)
    box += mesh.point(mesh.vertex(edge, 0)).bbox() + mesh.point(mesh.vertex(edge, 1)).bbox();
  return std::hypot(box.x_span(), box.y_span(), box.z_span());
}

/// Marks the edges to protect and returns them.
std::vector<Mesh::Edge_index> find_creases(const Mesh& mesh, double edge_length, EdgeFlags& sharp) {
  processing::detect_sharp_edges(mesh, kSharpEdgeDeg, sharp);
  std::vector<Mesh::Edge_index> creases;
  std::vector<bool> seen(mesh.number_of_edges());
  for (const auto edge : mesh.edges()) {
    if (!sharp[edge] || seen[edge]) continue;
    const auto crease = crease_of(edge, mesh, sharp, seen);
    if (extent(crease, mesh) >= kLeastCreaseInEdges * edge_length)
      creases.insert(creases.end(), crease.begin(), crease.end());
    else
      for (const auto dropped : crease) sharp[dropped] = false;
  }
  return creases;
}

void remesh_in_place(Mesh& mesh, double edge_length, Creases wanted) {
  auto sharp = mesh.add_property_map<Mesh::Edge_index, bool>("e:sharp", false).first;
  std::vector<Mesh::Edge_index> creases;
  if (wanted == Creases::kept) creases = find_creases(mesh, edge_length, sharp);
  // Creases much longer than the wanted edge are cut first, as the remesher asks.
  processing::split_long_edges(creases, edge_length, mesh, processing::parameters::edge_is_constrained_map(sharp));
  processing::isotropic_remeshing(mesh.faces(), edge_length, mesh,
                                  processing::parameters::number_of_iterations(kPasses).edge_is_constrained_map(sharp));
  // Creases of a noisy scan hold vertices where relaxation would part them: the few crossings are cut out and refilled.
  processing::experimental::remove_self_intersections(mesh, processing::parameters::preserve_genus(true));
  mesh.collect_garbage();
}

/// source[t]: the input triangle nearest to the middle of new triangle t, named as the input names it.
std::vector<std::int32_t> nearest_source(const Surface& made, const Mesh& input, const Surface& named) {
  Tree tree(faces(input).begin(), faces(input).end(), input);
  tree.accelerate_distance_queries();
  std::vector<std::int32_t> source;
  for (const auto& [a, b, c] : made.triangles) {
    const Vec3 middle = (made.vertices[a] + made.vertices[b] + made.vertices[c]) / 3;
    const auto face = tree.closest_point_and_primitive(Point(middle.x(), middle.y(), middle.z())).second;
    source.push_back(named.source_face.empty() ? static_cast<std::int32_t>(face) : named.source_face[face]);
  }
  return source;
}

}  // namespace

Surface remesh(const Surface& surface, double edge_length_m, Creases creases) {
  const Mesh input = as_cgal(surface);
  Mesh mesh = input;
  remesh_in_place(mesh, edge_length_m, creases);

  Surface result = as_surface(mesh);
  result.source_face = nearest_source(result, input, surface);
  return result;
}

}  // namespace brisance::mesh::solids
