#include "brisance/core/error.hpp"
#include "brisance/mesh/surface/check.hpp"

#include "mesh/solids/operations.hpp"
#include "mesh/surface/surface_edges.hpp"

#include <cmath>
#include <map>
#include <numeric>

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/alpha_wrap_3.h>
#include <spdlog/fmt/fmt.h>

namespace brisance::mesh::solids {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using SurfaceMesh = CGAL::Surface_mesh<Kernel::Point_3>;

/// A finer wrap costs hours and gigabytes.
constexpr double kLeastRelativeAlpha = 1e-3;

struct Soup {
  std::vector<Kernel::Point_3> points;
  std::vector<std::array<std::size_t, 3>> triangles;
};

Soup to_soup(const Surface& surface) {
  Soup soup;
  for (const auto& p : surface.vertices) soup.points.emplace_back(p[0], p[1], p[2]);
  for (const auto& [a, b, c] : surface.triangles)
    soup.triangles.push_back({static_cast<std::size_t>(a), static_cast<std::size_t>(b), static_cast<std::size_t>(c)});
  return soup;
}

Surface to_surface(const SurfaceMesh& mesh) {
  Surface surface;
  for (const auto v : mesh.vertices())
    surface.vertices.emplace_back(mesh.point(v).x(), mesh.point(v).y(), mesh.point(v).z());
  for (const auto face : mesh.faces()) {
    std::array<std::int32_t, 3> triangle{};
    int i = 0;
    for (const auto v : mesh.vertices_around_face(mesh.halfedge(face)))
      triangle[i++] = static_cast<std::int32_t>(v.idx());
    surface.triangles.push_back(triangle);
  }
  return surface;
}

Surface wrap_soup(const Soup& soup, double alpha_m, double offset_m) {
  SurfaceMesh wrapped;
  CGAL::alpha_wrap_3(soup.points, soup.triangles, alpha_m, offset_m, wrapped);
  return to_surface(wrapped);
}

double volume_of(const Surface& surface) {
  double volume_m3 = 0;
  const Vec3 origin = surface.vertices[0];
  for (const auto& [a, b, c] : surface.triangles)
    volume_m3 +=
        (surface.vertices[a] - origin).cross(surface.vertices[b] - origin).dot(surface.vertices[c] - origin) / 6;
  return volume_m3;
}

/// The volume of the cones that close the holes: from each open edge to the middle of all vertices of its hole.
double volume_of_lids(const Surface& surface, const Vec3& origin) {
  std::vector<std::int32_t> hole(surface.vertices.size());
  std::iota(hole.begin(), hole.end(), 0);
  const auto root = [&](std::int32_t v) {
    while (hole[v] != v) v = hole[v] = hole[hole[v]];
    return v;
  };
  std::vector<EdgeSide> open;
  const auto sides = edge_sides(surface);
  for_each_edge(sides, [&](std::span<const EdgeSide> edge) {
    if (edge.size() != 1) return;
    open.push_back(edge[0]);
    hole[root(edge[0].high)] = root(edge[0].low);
  });
  std::map<std::int32_t, std::pair<Vec3, double>> sum_of;  // sum and number of the ends of a hole's edges
  for (const EdgeSide& edge : open) {
    auto& [sum, count] = sum_of.try_emplace(root(edge.low), Vec3::Zero(), 0.0).first->second;
    sum += surface.vertices[edge.low] + surface.vertices[edge.high];
    count += 2;
  }
  double six_volumes = 0;
  for (const EdgeSide& edge : open) {
    const auto& [sum, count] = sum_of.at(root(edge.low));
    const Vec3 a = surface.vertices[edge.forward ? edge.high : edge.low] - origin;  // reverse to the triangle
    const Vec3 b = surface.vertices[edge.forward ? edge.low : edge.high] - origin;
    six_volumes += a.cross(b).dot(sum / count - origin);
  }
  return six_volumes / 6;
}

std::optional<double> own_volume(const Surface& surface, const SurfaceReport& report) {
  if (report.num_nonmanifold_edges > 0 || !report.oriented() || report.num_self_intersections > 0) return std::nullopt;
  const double volume_m3 = report.volume_m3 + volume_of_lids(surface, (report.lower + report.upper) / 2);
  const double least_m3 = 1e-12 * std::pow((report.upper - report.lower).norm(), 3);
  return volume_m3 > least_m3 ? std::optional(volume_m3) : std::nullopt;
}

/// For each triangle of the wrap, the file's face that is nearest to its middle.
std::vector<std::int32_t> nearest_faces(const Surface& wrapped, const Surface& input, const Soup& soup) {
  using Primitive = CGAL::AABB_triangle_primitive<Kernel, std::vector<Kernel::Triangle_3>::const_iterator>;
  std::vector<Kernel::Triangle_3> triangles;
  for (const auto& [a, b, c] : soup.triangles) triangles.emplace_back(soup.points[a], soup.points[b], soup.points[c]);
  const CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>> tree(triangles.cbegin(), triangles.cend());
  std::vector<std::int32_t> faces;
  for (const auto& [a, b, c] : wrapped.triangles) {
    const Vec3 middle = (wrapped.vertices[a] + wrapped.vertices[b] + wrapped.vertices[c]) / 3;
    const auto nearest = tree.closest_point_and_primitive({middle[0], middle[1], middle[2]}).second;
    faces.push_back(input.source_face[static_cast<std::size_t>(nearest - triangles.cbegin())]);
  }
  return faces;
}

}  // namespace

Surface wrap(const Surface& surface, double relative_alpha, double relative_offset, WrapReport& report) {
  if (!(relative_alpha >= kLeastRelativeAlpha && relative_alpha <= 1 && relative_offset > 0 && relative_offset <= 1))
    throw core::Error(
        fmt::format("wrap: alpha {:g} and offset {:g} of the body's diagonal: alpha must lie between {:g} and "
                    "1, offset above 0 and up to 1. Try 0.025 and 0.002.",
                    relative_alpha, relative_offset, kLeastRelativeAlpha));
  const SurfaceReport input = check_surface(surface);
  const double diagonal_m = (input.upper - input.lower).norm();
  if (surface.triangles.empty() || !(diagonal_m > 0))
    throw core::Error("wrap: the surface has no triangle with an area. Export a surface with faces.");

  const Soup soup = to_soup(surface);
  Surface wrapped = wrap_soup(soup, relative_alpha * diagonal_m, relative_offset * diagonal_m);
  if (wrapped.triangles.empty())
    throw core::Error(
        fmt::format("wrap: nothing is left with alpha {:g} of the body's diagonal. Try a larger one.", relative_alpha));
  wrapped.source_face = nearest_faces(wrapped, surface, soup);

  report.volume_m3 = volume_of(wrapped);
  report.input_volume_m3 = own_volume(surface, input);
  report.input_closed = input.closed() && input.manifold() && input.oriented() && input.has_volume();
  const double compared_m3 =
      report.input_closed ? input.volume_m3
                          : volume_of(wrap_soup(soup, 2 * relative_alpha * diagonal_m, relative_offset * diagonal_m));
  report.volume_ratio = report.volume_m3 / compared_m3;
  return wrapped;
}

}  // namespace brisance::mesh::solids
