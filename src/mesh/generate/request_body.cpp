#include "mesh/generate/request_body.hpp"

#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/surface/repair.hpp"

#include "mesh/generate/inner_surface.hpp"
#include "mesh/generate/make_reference.hpp"
#include "mesh/generate/meshable_surface.hpp"
#include "mesh/generate/remeshed_surface.hpp"
#include "mesh/shapes/compound_shapes.hpp"
#include "mesh/shapes/dimensions.hpp"
#include "mesh/surface/offset_cage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brisance::mesh {
namespace {

constexpr double kLargestCageAlpha = 0.2;  // over the diagonal: a coarser cage is a box
constexpr double kCageClearance = 0.1;     // over the cage's edge: clear of the body, with little to cut away later
constexpr double kTetsPerCubedRemeshedEdge = 7.9;  // first guess: remeshed surfaces have shorter edges in places
constexpr double kFarTooMany = 10;       // count over the target above which the estimate by the surface is dropped
constexpr double kMostPartsAlong = 100;  // length over edge of a compound shape's reference, unless its mesh is finer
constexpr double kMarchedShare = 0.4;    // triangles of a head before remeshing, over the edge

/// Makes the reference of a compound shape and remeshes from it, so that the mesh lies on the surface onto which
/// refinement projects nodes.
void remesh_finer_parts(Body& body, const Request& request, MeshReport& report) {
  const double edge =
      request.edge_length_m > 0
          ? std::min(request.edge_length_m, body.largest_edge_m)
          : first_guess_m(body, static_cast<double>(request.target_tets > 0 ? request.target_tets : kDefaultTets));
  const double fine_enough = std::min(edge, body.size.length_m / kMostPartsAlong);
  double finest = std::max(std::ldexp(edge, -request.refine), fine_enough);
  if (request.shape == ShapeKind::head) finest = std::min(edge, finest / kMarchedShare);
  body.ideal = with_cavity(compound_surface(request, finest), request);
  body.surface = [surface = body.ideal, request, &report](double wanted) {
    return remeshed_surface(surface, wanted, request, report.remeshed);
  };
}

Body shape_body(const Request& request, MeshReport& report) {
  require_valid_shape(request);
  const double volume = shape_volume_m3(request);
  Body body{[request](double edge) { return make_shape(request, edge); },
            {volume, std::max(shape_area_m2(request), least_area_m2(volume)), shape_length_m(request)},
            largest_edge_m(request)};
  if (is_compound(request.shape) && is_followed(request))
    remesh_finer_parts(body, request, report);
  else if (is_compound(request.shape))
    body.surface = [request, &report](double edge) {
      return remeshed_surface(with_cavity(compound_surface(request, edge), request), edge, request, report.remeshed);
    };
  else if (request.cavity_scale > 0)
    body.surface = [request](double edge) {
      return with_cavity(make_shape(request, edge),
                         scaled_inside(make_shape(request, edge / request.cavity_scale), request));
    };
  else if (!request.cavity_file.empty())
    body.surface = [request](double edge) { return with_cavity(make_shape(request, edge), request); };
  if (has_cavity(request)) body.size = less_cavity(body.size, request);
  return body;
}

double length_m(const Surface& surface) {
  Eigen::AlignedBox3d box;
  for (const Vec3& x : surface.vertices) box.extend(x);
  return box.sizes().maxCoeff();
}

Body file_body(const Request& request, MeshReport& report) {
  const Surface surface = meshable_surface(request, report);
  return {
      [surface, request, &report](double edge) { return remeshed_surface(surface, edge, request, report.remeshed); },
      {enclosed_volume_m3(surface), area_m2(surface), length_m(surface)},
      std::numeric_limits<double>::infinity(),
      kLeastDihedralRad,
      kTetsPerCubedRemeshedEdge,
      surface,
      surface.groups};
}

/// A surface around the body, its triangles about as large as the edge, and everywhere clear of the body by a fraction
/// of it.
Surface cage_surface(const Surface& body, double edge) {
  Vec3 lower = body.vertices[0], upper = lower;
  for (const Vec3& x : body.vertices) lower = lower.cwiseMin(x), upper = upper.cwiseMax(x);
  const double diagonal = (upper - lower).norm();
  const double alpha = std::min(edge, kLargestCageAlpha * diagonal);
  return wrap(body, alpha / diagonal, kCageClearance * alpha / diagonal);
}

/// The cage of [S22] around the file's surface, open or closed.
Body offset_cage_body(const Request& request, MeshReport& report) {
  const Surface meshable = meshable_surface(request, report);
  const double volume = enclosed_volume_m3(meshable);
  CleanReport ignored;
  Body body{[surface = clean(read_scaled(request), ignored), &report](double edge) {
              OffsetCageReport search;
              Surface cage = offset_cage(surface, edge, search);
              report.cage_offset_m = search.offset_m;
              return cage;
            },
            {volume, least_area_m2(volume)},
            std::numeric_limits<double>::infinity(),
            0};
  body.groups = meshable.groups;
  return body;
}

/// A cage is not remeshed: that would cut corners, and the body would stick out.
Body cage_body(const Request& request, MeshReport& report) {
  if (request.cage_method == CageMethod::offset) return offset_cage_body(request, report);
  const Surface surface = meshable_surface(request, report);
  const double volume = enclosed_volume_m3(surface);
  Body body{[surface](double edge) { return cage_surface(surface, edge); }, {volume, least_area_m2(volume)}};
  body.groups = surface.groups;
  return body;
}

}  // namespace

Body body_of(const Request& request, MeshReport& report) {
  if (request.shape != ShapeKind::file) return shape_body(request, report);
  return request.cage ? cage_body(request, report) : file_body(request, report);
}

double first_guess_m(const Body& body, double num_tets) {
  const double edge = std::cbrt(body.tets_per_cubed_edge * body.size.volume_m3 / num_tets);
  const bool is_plausible = estimated_tets(body.size, edge) <= kFarTooMany * num_tets;
  return std::min(is_plausible ? edge : estimated_edge_m(body.size, num_tets), body.largest_edge_m);
}

}  // namespace brisance::mesh
