#include "mesh/creases.hpp"
#include "mesh/solids/cgal_mesh.hpp"
#include "mesh/solids/operations.hpp"
#include "mesh/solids/shape_distance.hpp"

#include <algorithm>
#include <cmath>

#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Polygon_mesh_processing/remesh.h>
#include <CGAL/Polygon_mesh_processing/repair_self_intersections.h>

namespace brisance::mesh::solids {
namespace {

namespace processing = CGAL::Polygon_mesh_processing;
using Mesh = CgalMesh;
using Point = CgalKernel::Point_3;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<CgalKernel, CGAL::AABB_face_graph_triangle_primitive<Mesh>>>;

constexpr unsigned kPasses = 4;
constexpr int kMostRounds = 3;  // of remeshing, each without the creases that made needles in the last one
// Altitude of a triangle over the wanted edge: shallow creases are given up sooner than sharp ones.
constexpr double kNeedle = 0.1, kShallowNeedle = 0.16;
constexpr double kShallowDeg = 60;
constexpr double kSampleSpacing = 0.2;  // of the points by which distances are measured, over the wanted edge
constexpr double kMostKept = 0.9;       // share of the creases' length that a suggested edge length keeps

using EdgeFlags = Mesh::Property_map<Mesh::Edge_index, bool>;
using VertexFlags = Mesh::Property_map<Mesh::Vertex_index, bool>;

Vec3 as_vec3(const Point& p) { return {p.x(), p.y(), p.z()}; }

/// Marks the creases and returns them.
std::vector<Mesh::Edge_index> mark(const CreaseNet& net, const Mesh& mesh, EdgeFlags& sharp, VertexFlags& corner) {
  std::vector<Mesh::Edge_index> creases;
  for (std::size_t e = 0; e < net.edges.size(); ++e) {
    if (!net.is_kept[e]) continue;
    const auto [a, b] = net.edges[e];
    creases.push_back(mesh.edge(mesh.halfedge(Mesh::Vertex_index(a), Mesh::Vertex_index(b))));
    sharp[creases.back()] = true;
  }
  for (const auto v : net.corners) corner[Mesh::Vertex_index(v)] = true;
  return creases;
}

/// @return the creases afterwards
Segments remesh_in_place(Mesh& mesh, double edge_length, const CreaseNet& net) {
  auto sharp = mesh.add_property_map<Mesh::Edge_index, bool>("e:sharp", false).first;
  auto corner = mesh.add_property_map<Mesh::Vertex_index, bool>("v:corner", false).first;
  const auto creases = mark(net, mesh, sharp, corner);
  // Creases much longer than the wanted edge are cut first, as the remesher asks.
  processing::split_long_edges(creases, edge_length, mesh, processing::parameters::edge_is_constrained_map(sharp));
  processing::isotropic_remeshing(
      mesh.faces(), edge_length, mesh,
      processing::parameters::number_of_iterations(kPasses).edge_is_constrained_map(sharp).vertex_is_constrained_map(
          corner));
  // Creases of a noisy scan hold vertices where relaxation would part them: the few crossings are cut out and refilled.
  processing::experimental::remove_self_intersections(mesh, processing::parameters::preserve_genus(true));
  mesh.collect_garbage();
  Segments polylines;
  for (const auto edge : mesh.edges())
    if (sharp[edge])
      polylines.push_back({as_vec3(mesh.point(mesh.vertex(edge, 0))), as_vec3(mesh.point(mesh.vertex(edge, 1)))});
  return polylines;
}

/// Middles of triangles lower than an altitude.
std::vector<Vec3> needles(const Surface& surface, double altitude_m) {
  std::vector<Vec3> middles;
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 &p = surface.vertices[a], &q = surface.vertices[b], &r = surface.vertices[c];
    const double longest = std::max({(q - p).norm(), (r - q).norm(), (p - r).norm()});
    if ((q - p).cross(r - p).norm() < altitude_m * longest) middles.emplace_back((p + q + r) / 3);
  }
  return middles;
}

double kept_length_m(const CreaseNet& net) {
  double length = 0;
  for (std::size_t e = 0; e < net.edges.size(); ++e) length += net.is_kept[e] ? net.length_m[e] : 0;
  return length;
}

struct Remeshed {
  Surface surface;
  Segments polylines;
};

void drop_creases_at_needles(CreaseNet& net, const Surface& surface, const Surface& made, double edge_length) {
  const auto worst = needles(made, kNeedle * edge_length), bad = needles(made, kShallowNeedle * edge_length);
  if (!bad.empty()) drop_creases_near(net, surface, edge_length, bad, kShallowDeg);
  if (!worst.empty()) drop_creases_near(net, surface, edge_length, worst, 180);
}

/// With fewer creases each time, until those that are left make no needles.
Remeshed remeshed(const Mesh& input, const Surface& surface, double edge_length, CreaseNet& net) {
  for (int round = 1;; ++round) {
    Mesh mesh = input;
    Segments polylines = remesh_in_place(mesh, edge_length, net);
    Surface made = as_surface(mesh);
    const double before = kept_length_m(net);
    if (round < kMostRounds) drop_creases_at_needles(net, surface, made, edge_length);
    if (kept_length_m(net) == before) return {std::move(made), std::move(polylines)};
  }
}

Segments segments_of(const CreaseNet& net, const Surface& surface, bool all) {
  Segments segments;
  for (std::size_t e = 0; e < net.edges.size(); ++e)
    if (all || net.is_kept[e])
      segments.push_back({surface.vertices[net.edges[e][0]], surface.vertices[net.edges[e][1]]});
  return segments;
}

RemeshReport report_on(const CreaseNet& net, const Surface& surface, const Remeshed& made, double edge_length) {
  const double spacing = kSampleSpacing * edge_length;
  const Segments kept = segments_of(net, surface, false);
  RemeshReport report;
  report.crease_distance_m = std::max(largest_distance_m(samples(kept, spacing), made.polylines),
                                      largest_distance_m(samples(made.polylines, spacing), kept));
  report.sharp_distance_m = largest_distance_m(samples(segments_of(net, surface, true), spacing), made.surface);
  for (const double length : net.length_m) report.crease_m += length;
  report.kept_crease_m = kept_length_m(net);
  report.keeping_edge_m = edge_that_keeps_m(net, kMostKept);
  return report;
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

Surface remesh(const Surface& surface, const RemeshOptions& options, RemeshReport& report) {
  const Mesh input = as_cgal(surface);
  CreaseNet net = find_creases(surface, options.edge_length_m, options.feature_angle_deg);
  if (options.round_all) drop_all(net, options.edge_length_m);
  Remeshed made = remeshed(input, surface, options.edge_length_m, net);
  made.surface.source_face = nearest_source(made.surface, input, surface);
  report = report_on(net, surface, made, options.edge_length_m);
  return std::move(made.surface);
}

}  // namespace brisance::mesh::solids
