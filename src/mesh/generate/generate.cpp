#include "brisance/mesh/generate/generate.hpp"

#include "brisance/core/child_process.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/out_of_memory.hpp"
#include "brisance/mesh/meshers/tetgen_child.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/tets/mesh_bounds.hpp"
#include "brisance/mesh/tets/name_cavities.hpp"
#include "brisance/mesh/tets/ordering.hpp"

#include "mesh/generate/edge_search.hpp"
#include "mesh/generate/fill_body.hpp"
#include "mesh/generate/inner_surface.hpp"
#include "mesh/generate/make_reference.hpp"
#include "mesh/generate/mesh_report.hpp"
#include "mesh/generate/meshable_surface.hpp"
#include "mesh/generate/remeshed_surface.hpp"
#include "mesh/generate/request_body.hpp"
#include "mesh/meshers/solids_child.hpp"
#include "mesh/shapes/compound_shapes.hpp"
#include "mesh/shapes/dimensions.hpp"
#include "mesh/tetgen/exchange.hpp"
#include "mesh/tets/shell_groups.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace brisance::mesh {
namespace {

using core::Error;

constexpr double kNoAltitude = std::numeric_limits<double>::min();  // over the mean altitude: refuses nothing

void require_valid_resolution(const Request& request) {
  if (request.target_tets < 0 || !(request.edge_length_m >= 0) || !std::isfinite(request.edge_length_m))
    throw Error(
        "target_tets (--tets) and edge_length_m (--edge) must not be negative. Give one of them, or neither for about "
        "20 000 tets.");
  if (request.target_tets > 0 && request.edge_length_m > 0)
    throw Error(
        "target_tets (--tets) and edge_length_m (--edge) are both given, and one follows from the other. Remove one.");
  if (!(request.quality >= 1.1))
    throw Error(fmt::format("the mesh's quality = {:g} must be at least 1.1: TetGen may not end below. 1.414 is usual.",
                            request.quality));
  if (request.edge_length_m > 0) require_positive("edge_length_m", request.edge_length_m);
  if (request.layers < 1) throw Error(fmt::format("the mesh's layers = {} must be at least 1.", request.layers));
}

void describe(const TetMesh& mesh, const Body& body, MeshReport& report) {
  report.num_tets = static_cast<std::int64_t>(mesh.tets.size());
  report.num_nodes = static_cast<std::int64_t>(mesh.nodes.size());
  report.quality = measure_quality(mesh);
  if (report.reference_volume_m3 == 0) report.reference_volume_m3 = body.size.volume_m3;
  report.volume_error = report.quality.volume_m3 / report.reference_volume_m3 - 1;
  if (report.cage_offset_m > 0)
    report.notes.push_back(
        fmt::format("The cage is decimated from the level set {:.3g} m away from the surface, about "
                    "the smallest distance that works.",
                    report.cage_offset_m));
  if (report.edge_length_m == body.largest_edge_m)
    report.notes.push_back(fmt::format(
        "The edge length is limited to {:.3g} m by the layers or the curvature of the shape.", body.largest_edge_m));
  const auto deviation = static_cast<double>(std::abs(report.num_tets - report.target_tets));
  if (report.target_tets > 0 && deviation > kCountTolerance * static_cast<double>(report.target_tets))
    report.notes.push_back(
        fmt::format("{} tets were asked for, {} is the nearest found.", report.target_tets, report.num_tets));
}

/// Warns of lost volume and of tets that are much too thin. A file's mesh is refused beyond the bounds of the request;
/// a shape is only warned of, and a cage is larger than its body on purpose.
void judge(const Filled& filled, const Request& request, MeshReport& report) {
  const Quality& quality = filled.quality;
  const bool is_file = request.shape == ShapeKind::file;
  const double num_tets = static_cast<double>(filled.mesh.tets.size()), error = filled.volume_error;
  const double allowed =
      is_file ? request.allowed_volume_error : std::max(request.allowed_volume_error, std::abs(error));
  const double least = is_file ? request.least_altitude : std::min(request.least_altitude, kNoAltitude);
  std::optional<std::string> volume;
  if (!request.cage) volume = judge_volume(error, allowed, num_tets, name_of(request));
  const auto altitude = judge_altitude(quality.smallest_altitude_m, quality.mean_altitude_m, least, name_of(request),
                                       "Another number of tets usually makes none that thin.");
  for (const auto& warning : {volume, altitude})
    if (warning) report.warnings.push_back(*warning);
}

/// The reference surface of the mesh.
Reference reference_of(const Request& request, const Body& body, const TetMesh& mesh, const MeshReport& report) {
  const Surface& surface = body.input.triangles.empty() ? body.ideal : body.input;
  Reference reference;
  if (surface.triangles.empty()) {
    reference = turned_reference(request, report.edge_length_m);
    reference.volume_m3 = body.size.volume_m3;
  } else {
    const bool is_smooth = request.shape == ShapeKind::head;
    reference = triangle_reference(surface, is_smooth ? kNoFeatures : request.feature_angle_deg);
  }
  reference.num_tets = static_cast<std::int64_t>(mesh.tets.size());
  return reference;
}

TetMesh made(const Request& request, MeshReport& report) {
  require_valid_resolution(request);
  require_valid_cavity(request);
  const Body body = body_of(request, report);

  Filled filled;
  if (request.edge_length_m > 0) {
    report.edge_length_m = std::min(request.edge_length_m, body.largest_edge_m);
    report.num_tries = 1;
    filled = fill(body, report.edge_length_m, request, report);
  } else {
    report.target_tets = request.target_tets > 0 ? request.target_tets : kDefaultTets;
    filled = fill_with_target(body, request, report);
  }
  judge(filled, request, report);
  TetMesh& mesh = filled.mesh;
  order_for_locality(mesh);
  mesh.groups = body.groups;
  name_tets(mesh);
  name_cavities(mesh);
  describe(mesh, body, report);
  if (is_followed(request)) mesh.references.push_back(reference_of(request, body, mesh, report));
  if (!body.input.triangles.empty()) describe_shape(mesh, body.input, request.feature_angle_deg, report);
  return std::move(mesh);
}

}  // namespace

double body_volume_m3(const Request& request) {
  if (request.shape != ShapeKind::file) {
    require_valid_shape(request);
    const double volume = shape_volume_m3(request);
    return has_cavity(request) ? less_cavity({volume, 0, 0}, request).volume_m3 : volume;
  }
  MeshReport ignored;
  return enclosed_volume_m3(meshable_surface(request, ignored));
}

void require_programs(const Request& request) {
  (void)core::find_program(tetgen_child::kProgram, "Filling " + name_of(request) + " with tets");
  if (request.shape == ShapeKind::file || is_compound(request.shape))
    (void)core::find_program(kSolidsProgram, "Meshing " + name_of(request));
}

TetMesh generate(const Request& request, MeshReport& report) {
  report = {};
  require_programs(request);
  TetMesh mesh;
  core::naming_what_needs_memory("filling " + name_of(request) + " with tets", [&] { mesh = made(request, report); });
  return mesh;
}

}  // namespace brisance::mesh
