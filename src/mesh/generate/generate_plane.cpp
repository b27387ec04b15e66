#include "brisance/mesh/generate/generate_plane.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/shapes/shapes.hpp"

#include "mesh/formats/file_bytes.hpp"
#include "mesh/formats/surface_readers.hpp"
#include "mesh/generate/size_estimate.hpp"
#include "mesh/shapes/dimensions.hpp"
#include "mesh/surface/fill_outline.hpp"
#include "mesh/surface/surface_edges.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

constexpr std::int64_t kDefaultTriangles = 5000;
constexpr int kMostTries = 6;
constexpr double kGoodEnough = 0.05;  // relative deviation of the count

using OutlineAt = std::function<Outline(double edge_length_m)>;

std::vector<Vec2> circle(double radius, double edge) {
  const auto count = std::max<std::int64_t>(12, std::llround(2 * std::numbers::pi * radius / edge));
  std::vector<Vec2> loop;
  for (std::int64_t i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
    loop.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  return loop;
}

/// The section of a shape with the plane z = 0.
Outline section(const Request& request, double edge) {
  const double a = request.size.x() / 2, b = request.size.y() / 2, half_mouth = request.notch_width_m / 2;
  Outline outline;
  switch (request.shape) {
    case ShapeKind::box:
    case ShapeKind::slab:
    case ShapeKind::sheet:
      outline.add_loop({{-a, -b}, {a, -b}, {a, b}, {-a, b}});
      break;
    case ShapeKind::notched_block:
      outline.add_loop(
          {{-a, -b}, {a, -b}, {a, b}, {half_mouth, b}, {0, b - request.notch_depth_m}, {-half_mouth, b}, {-a, b}});
      break;
    case ShapeKind::solid_cylinder:
      outline.add_loop(circle(request.radius_m, edge));
      break;
    case ShapeKind::hollow_cylinder:
      outline.add_loop(circle(request.radius_m, edge));
      outline.add_loop(circle(request.radius_m - request.thickness_m, edge));
      break;
    default:
      throw core::BadInput(fmt::format(
          "--shape {} has no section to take with --plane. There are box, slab, sheet (size_m x and y), notched_block, "
          "solid_cylinder (a disc) and hollow_cylinder (a ring); other outlines come from a file.",
          shape_name(request.shape)));
  }
  return outline;
}

Outline outline_of(const PlaneMesh& plane) {
  Outline outline;
  std::vector<std::int32_t> number(plane.surface.vertices.size(), -1);
  const auto point = [&](std::int32_t vertex) {
    if (number[vertex] < 0) {
      number[vertex] = static_cast<std::int32_t>(outline.points.size());
      outline.points.emplace_back(plane.surface.vertices[vertex].head<2>());
    }
    return number[vertex];
  };
  const auto sides = edge_sides(plane.surface);
  for_each_edge(sides, [&](std::span<const EdgeSide> edge) {
    if (edge.size() == 1) outline.segments.push_back({point(edge[0].low), point(edge[0].high)});
  });
  return outline;
}

PlaneMesh read_plane(const Request& request) {
  Surface surface;
  std::vector<std::int32_t> region;
  if (lower_extension(request.file) == ".msh")
    surface = read_gmsh_triangles(request.file, region);
  else
    surface = read_surface(request.file);
  scale(surface, request);
  return plane_mesh(std::move(surface), std::move(region), request.file.string());
}

double outline_length_m(const Outline& outline) {
  double sum = 0;
  for (const auto& [a, b] : outline.segments) sum += (outline.points[b] - outline.points[a]).norm();
  return sum;
}

/// Fills at the requested edge length, or searches one that gives about the target; the best of some tries.
Surface filled(const OutlineAt& outline, double area, double z, const Request& request, PlaneReport& report) {
  const std::string name = request.shape == ShapeKind::file ? request.file.string() : shape_name(request.shape);
  const double length = outline_length_m(outline(std::sqrt(area)));
  const auto fill = [&](double edge) {
    require_feasible_plane(area, length, edge, name);
    return fill_outline(outline(edge), edge, z);
  };
  if (request.edge_length_m > 0) return fill(request.edge_length_m);
  report.target_triangles = request.target_tets > 0 ? request.target_tets : kDefaultTriangles;
  const auto target = static_cast<double>(report.target_triangles);
  Surface best;
  double best_miss = HUGE_VAL;
  double edge = std::sqrt(4 / std::sqrt(3.0) * area / target);  // equilateral triangles
  for (int tried = 0; tried < kMostTries && best_miss > kGoodEnough; ++tried) {
    Surface made = fill(edge);
    const double share = static_cast<double>(made.triangles.size()) / target;
    if (std::abs(share - 1) < best_miss) best_miss = std::abs(share - 1), best = std::move(made);
    edge *= std::sqrt(share);
  }
  return best;
}

void describe(const PlaneMesh& plane, PlaneReport& report) {
  const auto& x = plane.surface.vertices;
  report.num_triangles = static_cast<std::int64_t>(plane.surface.triangles.size());
  report.num_nodes = static_cast<std::int64_t>(x.size());
  report.area_m2 = area_m2(plane.surface);
  report.z_m = x[0].z();
  report.smallest_angle_rad = std::numbers::pi;
  double sum = 0;
  for (const auto& triangle : plane.surface.triangles)
    for (int k = 0; k < 3; ++k) {
      const Vec3 u = x[triangle[(k + 1) % 3]] - x[triangle[k]], v = x[triangle[(k + 2) % 3]] - x[triangle[k]];
      report.smallest_angle_rad = std::min(report.smallest_angle_rad, std::atan2(u.cross(v).norm(), u.dot(v)));
      sum += u.norm();
    }
  report.mean_edge_m = sum / static_cast<double>(3 * report.num_triangles);
}

double area_of_shape(const Request& request) {
  Request slice = request;
  slice.size.z() = slice.length_m = 1;
  return shape_volume_m3(slice);
}

PlaneMesh from_shape(const Request& request, PlaneReport& report) {
  const OutlineAt outline = [&](double edge) { return section(request, edge); };
  (void)section(request, request.radius_m);  // throws for shapes without one
  require_valid_shape(request);
  return {filled(outline, area_of_shape(request), 0, request, report), {}};
}

PlaneMesh from_file(const Request& request, PlaneReport& report) {
  PlaneMesh plane = read_plane(request);
  if (request.edge_length_m <= 0 && request.target_tets <= 0) return plane;
  if (!plane.region.empty())
    throw core::BadInput(fmt::format(
        "{} has regions, which would be lost if its outline were meshed anew: leave out --triangles and --edge.",
        request.file.string()));
  const Outline outline = outline_of(plane);
  return {
      filled([&](double) { return outline; }, area_m2(plane.surface), plane.surface.vertices[0].z(), request, report),
      {}};
}

}  // namespace

PlaneMesh generate_plane(const Request& request, PlaneReport& report) {
  report = {};
  if (request.cage)
    throw core::BadInput("A flat body needs no cage: leave out cage=true, or --plane to break a solid.");
  PlaneMesh plane = request.shape == ShapeKind::file ? from_file(request, report) : from_shape(request, report);
  describe(plane, report);
  return plane;
}

}  // namespace brisance::mesh
