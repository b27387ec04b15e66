#include "brisance/mesh/generate.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/check.hpp"
#include "brisance/mesh/ordering.hpp"
#include "brisance/mesh/read_surface.hpp"
#include "brisance/mesh/remesh.hpp"
#include "brisance/mesh/repair.hpp"
#include "brisance/mesh/shapes.hpp"
#include "brisance/mesh/tetgen_child.hpp"

#include "mesh/cavities.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

namespace brisance::mesh {
namespace {

using core::Error;

constexpr std::int64_t kDefaultTets = 20000;
constexpr int kMostTries = 6;
constexpr double kGoodEnough = 0.05, kTolerance = 0.10;  // relative deviation of the count: stop there; complain above
// Bound on a tet's volume over the cube of the surface's edge: with it inner edges come out as long as the surface's.
constexpr double kVolumePerCubedEdge = 0.25;
constexpr double kTetsPerCubedEdge = 7.4;  // tets in a cube of that edge length, roughly: only the first guess

/// A body that can be asked for its surface at any edge length.
struct Body {
  std::function<Surface(double edge_m)> surface;
  double volume_m3;
  double largest_edge_m = std::numeric_limits<double>::infinity();
};

void require_valid_resolution(const Request& request) {
  if (request.target_tets < 0 || !(request.edge_length_m >= 0) || !std::isfinite(request.edge_length_m))
    throw Error(
        "mesh.target_tets and mesh.edge_length_m must not be negative. Give one of them, or neither for about 20 000 "
        "tets.");
  if (request.target_tets > 0 && request.edge_length_m > 0)
    throw Error("mesh.target_tets and mesh.edge_length_m are both given, and one follows from the other. Remove one.");
  if (!(request.quality >= 1.1))
    throw Error(fmt::format("mesh.quality = {:g} must be at least 1.1: TetGen may not end below. 1.414 is usual.",
                            request.quality));
  if (request.layers < 1) throw Error(fmt::format("mesh.layers = {} must be at least 1.", request.layers));
}

Body shape_body(const Request& request) {
  require_valid_shape(request);
  return {[request](double edge) { return make_shape(request, edge); }, shape_volume_m3(request),
          largest_edge_m(request)};
}

Surface read_scaled(const Request& request) {
  if (!(request.scale > 0) || !std::isfinite(request.scale))
    throw Error(
        fmt::format("mesh.scale = {:g} must be positive and finite (0.001 for a file in millimetres).", request.scale));
  Surface surface = read_surface(request.file);
  for (Vec3& x : surface.vertices) x *= request.scale;
  return surface;
}

/// The file's surface, fit to be filled; wrapped if it is not and the request allows it.
Surface meshable_surface(const Request& request, MeshReport& report) {
  Surface surface = clean(read_scaled(request), report.cleaned);
  SurfaceReport findings = check_surface(surface);
  if (!findings.meshable() && request.repair) {
    WrapReport wrapped;
    surface = wrap(surface, 1.0 / 40, 1.0 / 450, wrapped);
    findings = check_surface(surface);
    report.repaired = true;
    report.notes.push_back(fmt::format("{}: wrapped; its volume is {:.3g} of the {}'s.", request.file.string(),
                                       wrapped.volume_ratio,
                                       wrapped.input_closed ? "input" : "wrap with twice the alpha"));
  }
  require_meshable(findings, request.file);
  return surface;
}

/// Remeshing can make thin parts cross themselves; a somewhat shorter edge usually does not.
Surface remeshed_surface(const Surface& surface, double edge, const std::filesystem::path& file) {
  for (const double factor : {1.0, 0.93, 0.85, 0.75, 0.6}) {
    Surface made = remesh(surface, factor * edge);
    if (check_surface(made).meshable()) return made;
  }
  throw Error(
      fmt::format("{}: triangles of {:.3g} m cross each other where the body is thin. Ask for more tets or a "
                  "shorter edge.",
                  file.string(), edge));
}

Body file_body(const Request& request, MeshReport& report) {
  const Surface surface = meshable_surface(request, report);
  const double volume = enclosed_volume_m3(surface);
  return {[surface, file = request.file](double edge) { return remeshed_surface(surface, edge, file); }, volume};
}

TetMesh fill(const Body& body, double edge, const Request& request) {
  const Surface surface = body.surface(edge);
  TetgenOptions options;
  options.quality = request.quality;
  options.largest_volume_m3 = kVolumePerCubedEdge * edge * edge * edge;
  TetMesh mesh = tetrahedralize(surface, options);
  for (auto& tags : mesh.face_source)
    for (auto& tag : tags)
      if (tag != kNoSourceTriangle) tag = surface.source_face[tag];
  return mesh;
}

/// How the count grows with 1/edge: cubic in solid bodies, square in thin ones; learnt from the last two tries.
double growth(double edge, double count, double last_edge, double last_count) {
  if (last_edge == 0 || edge == last_edge) return 3;
  return std::clamp(std::log(count / last_count) / std::log(last_edge / edge), 1.5, 4.5);
}

/// Tries edge lengths until the number of tets is near the target; keeps the nearest.
TetMesh search(const Body& body, const Request& request, MeshReport& report) {
  const auto target = static_cast<double>(report.target_tets);
  TetMesh best;
  double best_miss = std::numeric_limits<double>::infinity(), last_edge = 0, last_count = 0;
  double edge = std::min(std::cbrt(kTetsPerCubedEdge * body.volume_m3 / target), body.largest_edge_m);
  while (best_miss > kGoodEnough && report.num_tries < kMostTries) {
    TetMesh mesh = fill(body, edge, request);
    ++report.num_tries;
    const auto count = static_cast<double>(mesh.tets.size());
    const double miss = std::abs(std::log(count / target));
    if (miss < best_miss) best = std::move(mesh), best_miss = miss, report.edge_length_m = edge;
    const double next = edge * std::pow(count / target, 1 / growth(edge, count, last_edge, last_count));
    last_edge = edge, last_count = count;
    edge = std::min(next, body.largest_edge_m);
    if (edge == last_edge) break;
  }
  return best;
}

void describe(const TetMesh& mesh, const Body& body, MeshReport& report) {
  report.num_tets = static_cast<std::int64_t>(mesh.tets.size());
  report.num_nodes = static_cast<std::int64_t>(mesh.nodes.size());
  report.quality = measure_quality(mesh);
  report.reference_volume_m3 = body.volume_m3;
  report.volume_error = report.quality.volume_m3 / body.volume_m3 - 1;
  if (report.edge_length_m == body.largest_edge_m)
    report.notes.push_back(fmt::format(
        "The edge length is held at {:.3g} m by the layers or the curvature of the shape.", body.largest_edge_m));
  const auto deviation = static_cast<double>(std::abs(report.num_tets - report.target_tets));
  if (report.target_tets > 0 && deviation > kTolerance * static_cast<double>(report.target_tets))
    report.notes.push_back(
        fmt::format("{} tets were asked for, {} is the nearest found.", report.target_tets, report.num_tets));
}

}  // namespace

TetMesh generate(const Request& request, MeshReport& report) {
  report = {};
  require_valid_resolution(request);
  const Body body = request.shape == ShapeKind::file ? file_body(request, report) : shape_body(request);

  TetMesh mesh;
  if (request.edge_length_m > 0) {
    report.edge_length_m = std::min(request.edge_length_m, body.largest_edge_m);
    report.num_tries = 1;
    mesh = fill(body, report.edge_length_m, request);
  } else {
    report.target_tets = request.target_tets > 0 ? request.target_tets : kDefaultTets;
    mesh = search(body, request, report);
  }
  order_for_locality(mesh);
  describe(mesh, body, report);
  return mesh;
}

}  // namespace brisance::mesh
