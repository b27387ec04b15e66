#include "mesh/generate/remeshed_surface.hpp"

#include "brisance/core/failed_meshing.hpp"
#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/tets/quality.hpp"

#include "mesh/surface/thin_remesh.hpp"

#include <fmt/format.h>

namespace brisance::mesh {
namespace {

constexpr double kLeastAltitude = 0.02;           // altitude of a remeshed triangle, over the wanted edge
constexpr double kTrianglesPerSquaredEdge = 2.3;  // equilateral triangles on a surface
constexpr double kMuchFiner = 4;                  // ratio of the input's triangles to those of the wanted edge
constexpr double kFewTriangles = 1000;            // always accepted

RemeshOptions options_of(const Request& request, double edge_m) {
  RemeshOptions options{edge_m, request.shape == ShapeKind::head ? kNoFeatures : request.feature_angle_deg};
  options.keep_triangles = request.keep_triangles && request.shape == ShapeKind::file;
  return options;
}

/// Gives up creases that leave needles, which would become slivers.
Surface remeshed_well(const Surface& surface, double edge_m, const Request& request, RemeshReport& report) {
  RemeshOptions options = options_of(request, edge_m);
  Surface kept = remesh(surface, options, report);
  const bool kept_is_meshable = check_surface(kept).meshable();
  if (kept_is_meshable && smallest_altitude_m(kept) >= kLeastAltitude * edge_m) return kept;
  RemeshReport report_without;
  options.round_all = true;
  Surface without = remesh(surface, options, report_without);
  if (!check_surface(without).meshable()) return kept;
  if (kept_is_meshable && smallest_altitude_m(kept) >= smallest_altitude_m(without)) return kept;
  report = report_without;
  return without;
}

}  // namespace

std::string name_of(const Request& request) {
  return request.shape == ShapeKind::file ? request.file.string() : shape_name(request.shape);
}

Surface remeshed_surface(const Surface& surface, double edge_m, const Request& request, RemeshReport& report) {
  for (const double factor : {1.0, 0.93, 0.85, 0.75, 0.6}) {
    Surface made = remeshed_well(surface, factor * edge_m, request, report);
    if (check_surface(made).meshable()) return made;
  }
  throw core::FailedMeshing(
      fmt::format("{}: triangles of {:.3g} m cross each other where the body is thin. Ask for more tets or a "
                  "shorter edge.",
                  name_of(request), edge_m));
}

std::optional<Surface> creased_surface(const Surface& surface, double edge_m, const Request& request,
                                       RemeshReport& report) {
  for (const double factor : {1.0, 0.85, 0.7}) {
    Surface made = remesh_with_all_creases(surface, options_of(request, factor * edge_m), report);
    if (check_surface(made).meshable()) return made;
  }
  return std::nullopt;
}

std::optional<Surface> divided_surface(const Surface& surface, double edge_m, const Request& request,
                                       RemeshReport& report) {
  const double wanted = kTrianglesPerSquaredEdge * area_m2(surface) / (edge_m * edge_m);
  const auto num_triangles = static_cast<double>(surface.triangles.size());
  if (num_triangles > kMuchFiner * wanted && num_triangles > kFewTriangles) return std::nullopt;
  Surface made = divide_triangles(surface, options_of(request, edge_m), report);
  if (!check_surface(made).meshable()) return std::nullopt;
  return made;
}

}  // namespace brisance::mesh
