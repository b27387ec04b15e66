#include "brisance/mesh/generate.hpp"

#include "brisance/core/child_process.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/out_of_memory.hpp"
#include "brisance/mesh/check.hpp"
#include "brisance/mesh/name_cavities.hpp"
#include "brisance/mesh/ordering.hpp"
#include "brisance/mesh/plane_mesh.hpp"
#include "brisance/mesh/read_surface.hpp"
#include "brisance/mesh/remesh.hpp"
#include "brisance/mesh/repair.hpp"
#include "brisance/mesh/shapes.hpp"
#include "brisance/mesh/tetgen_child.hpp"

#include "mesh/compound_shapes.hpp"
#include "mesh/dimensions.hpp"
#include "mesh/inner_surface.hpp"
#include "mesh/make_reference.hpp"
#include "mesh/mesh_report.hpp"
#include "mesh/offset_cage.hpp"
#include "mesh/shell_groups.hpp"
#include "mesh/size_estimate.hpp"
#include "mesh/solids_child.hpp"
#include "mesh/tetgen/exchange.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace brisance::mesh {
namespace {

using core::Error;

constexpr std::int64_t kDefaultTets = 20000;
constexpr int kMostTries = 6;
constexpr double kGoodEnough = 0.05, kTolerance = 0.10;  // relative deviation of the count: stop there; complain above
// Bound on a tet's volume over the cube of the surface's edge: with it inner edges come out as long as the surface's.
constexpr double kVolumePerCubedEdge = 0.25;
constexpr double kLeastSurfaceAltitude = 0.02;                    // of a remeshed triangle, over the wanted edge
constexpr double kLeastDihedralRad = 6 * std::numbers::pi / 180;  // below: another edge length is tried
constexpr double kNudge = 0.98;                      // of the edge length, where the count is right but a sliver is not
constexpr std::array kWrapFractions{40, 20, 10, 5};  // of the body's diagonal: alpha of the wrap, coarser by turns
constexpr double kWrapOffset = 1.0 / 450;            // of the diagonal
constexpr double kLeastWrapRatio = 0.8;
constexpr double kLargestCageAlpha = 0.2;  // of the diagonal: a coarser cage is a box
constexpr double kCageClearance = 0.1;     // of the cage's edge: room for the body, and little to be cut away later
// Tets in a cube of that edge length, roughly: only the first guess. Remeshed surfaces have shorter edges in places.
constexpr double kTetsPerCubedEdge = 7.4, kTetsPerCubedRemeshedEdge = 7.9;
constexpr double kFarTooMany = 10;       // times the target: there the surface of a thin body rules, not its volume
constexpr double kMostPartsAlong = 100;  // of a compound shape: no finer, unless its mesh is, is what that follows
constexpr double kMarchedShare = 0.4;    // of an edge: triangles of a head before it is remeshed

/// A body that can be asked for its surface at any edge length.
struct Body {
  std::function<Surface(double edge_m)> surface;
  BodySize size;
  double largest_edge_m = std::numeric_limits<double>::infinity();
  double least_dihedral_rad = kLeastDihedralRad;  ///< no other edge length is tried for thinner tets than that
  double tets_per_cubed_edge = kTetsPerCubedEdge;
  Surface input = {};  ///< what the mesh's surface is compared with; empty for shapes and cages
  Groups groups = {};  ///< of the file's faces
  Surface ideal = {};  ///< what stands for a shape of several parts that is to be refined
};

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

Surface read_scaled(const Request& request) {
  Surface surface = read_surface(request.file);
  scale(surface, request);
  return surface;
}

/// What the wrap did to the volume: against the input's own where that can be told, not against the wrap's.
void note_change(const WrapReport& wrapped, const std::filesystem::path& file, MeshReport& report) {
  if (!wrapped.input_volume_m3) {
    report.notes.push_back(file.string() +
                           ": how much the wrap changed its volume cannot be told, since it crosses itself or has no "
                           "consistent outside; volumes are compared with the wrap's.");
    return;
  }
  report.reference_volume_m3 = *wrapped.input_volume_m3;
  report.notes.push_back(
      fmt::format("{}: the wrap has {:+.2g} % of volume against the surface itself, its holes closed.", file.string(),
                  100 * (wrapped.volume_m3 / *wrapped.input_volume_m3 - 1)));
}

/// A wrap that stays outside: where it went in through a hole of an open surface, a coarser one follows.
Surface wrapped_surface(const Surface& surface, const std::filesystem::path& file, MeshReport& report) {
  Surface made;
  for (const int fraction : kWrapFractions) {
    WrapReport wrapped;
    made = wrap(surface, 1.0 / fraction, kWrapOffset, wrapped);
    const bool went_in = !wrapped.input_closed && wrapped.volume_ratio < kLeastWrapRatio;
    report.notes.push_back(fmt::format(
        "{}: wrapped with an alpha of 1/{} of the diagonal; its volume is {:.3g} of the {}.{}", file.string(), fraction,
        wrapped.volume_ratio, wrapped.input_closed ? "input's" : "volume with twice the alpha",
        went_in ? " It went in through a hole." : ""));
    if (went_in) continue;
    note_change(wrapped, file, report);
    break;
  }
  report.repaired = true;
  return made;
}

/// Hollow or not is never decided in silence.
void note_shells(const CleanReport& cleaned, const std::filesystem::path& file, MeshReport& report) {
  if (cleaned.num_cavities > 0)
    report.notes.push_back(
        fmt::format("{}: {} closed shell(s) inside it face the other way than the outer one: the body is "
                    "hollow there.",
                    file.string(), cleaned.num_cavities));
  if (cleaned.num_swallowed > 0)
    report.notes.push_back(
        fmt::format("{}: {} closed shell(s) inside it face as the outer one does: the body is solid "
                    "there, and they were left out. Turn them inward to make cavities.",
                    file.string(), cleaned.num_swallowed));
}

/// The file's surface, fit to be filled; wrapped if it is not and the request allows it (a cage is a wrap anyway).
Surface meshable_surface(const Request& request, MeshReport& report) {
  Surface surface = clean(read_scaled(request), report.cleaned);
  if (!surface.vertices.empty() && is_level(surface))
    report.notes.push_back(request.file.string() +
                           ": lies in one plane. `brisance modes --plane` breaks it as a flat body.");
  note_shells(report.cleaned, request.file, report);
  SurfaceReport findings = check_surface(surface);
  if (!findings.meshable() && (request.repair || request.cage)) {
    Groups groups = std::move(surface.groups);
    surface = wrapped_surface(surface, request.file, report);
    surface.groups = std::move(groups);  // the wrap's triangles name the faces of the file that are nearest
    findings = check_surface(surface);
  }
  require_meshable(findings, request.file);
  return with_cavity(std::move(surface), request);
}

std::string name_of(const Request& request) {
  return request.shape == ShapeKind::file ? request.file.string() : shape_name(request.shape);
}

/// Creases that leave needles even so, which would become slivers, are rounded.
Surface remeshed_well(const Surface& surface, double edge, const Request& request, RemeshReport& report) {
  RemeshOptions options{edge, request.shape == ShapeKind::head ? kNoFeatures : request.feature_angle_deg};
  options.keep_triangles = request.keep_triangles && request.shape == ShapeKind::file;
  Surface kept = remesh(surface, options, report);
  const bool kept_is_meshable = check_surface(kept).meshable();
  if (kept_is_meshable && smallest_altitude_m(kept) >= kLeastSurfaceAltitude * edge) return kept;
  RemeshReport report_without;
  options.round_all = true;
  Surface without = remesh(surface, options, report_without);
  if (!check_surface(without).meshable()) return kept;
  if (kept_is_meshable && smallest_altitude_m(kept) >= smallest_altitude_m(without)) return kept;
  report = report_without;
  return without;
}

/// Remeshing can make thin parts cross themselves; a somewhat shorter edge usually does not.
Surface remeshed_surface(const Surface& surface, double edge, const Request& request, RemeshReport& report) {
  for (const double factor : {1.0, 0.93, 0.85, 0.75, 0.6}) {
    Surface made = remeshed_well(surface, factor * edge, request, report);
    if (check_surface(made).meshable()) return made;
  }
  throw Error(
      fmt::format("{}: triangles of {:.3g} m cross each other where the body is thin. Ask for more tets or a "
                  "shorter edge.",
                  name_of(request), edge));
}

/// The edge length to begin with.
double first_guess(const Body& body, double target) {
  const double edge = std::cbrt(body.tets_per_cubed_edge * body.size.volume_m3 / target);
  const bool is_plausible = estimated_tets(body.size, edge) <= kFarTooMany * target;
  return std::min(is_plausible ? edge : estimated_edge_m(body.size, target), body.largest_edge_m);
}

/// So that what is remeshed lies where nodes will be put once it is refined.
void remesh_finer_parts(Body& body, const Request& request, MeshReport& report) {
  const double edge =
      request.edge_length_m > 0
          ? std::min(request.edge_length_m, body.largest_edge_m)
          : first_guess(body, static_cast<double>(request.target_tets > 0 ? request.target_tets : kDefaultTets));
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

/// A surface around the body, its triangles about as large as the edge and everywhere clear of the body by a part of
/// it.
Surface cage_surface(const Surface& body, double edge) {
  Vec3 lower = body.vertices[0], upper = lower;
  for (const Vec3& x : body.vertices) lower = lower.cwiseMin(x), upper = upper.cwiseMax(x);
  const double diagonal = (upper - lower).norm();
  const double alpha = std::min(edge, kLargestCageAlpha * diagonal);
  return wrap(body, alpha / diagonal, kCageClearance * alpha / diagonal);
}

/// The cage of [S22] around the file's surface as it is, open or not.
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

/// Not remeshed: a remeshed cage would cut corners, and then the body sticks out.
Body cage_body(const Request& request, MeshReport& report) {
  if (request.cage_method == CageMethod::offset) return offset_cage_body(request, report);
  const Surface surface = meshable_surface(request, report);
  const double volume = enclosed_volume_m3(surface);
  Body body{[surface](double edge) { return cage_surface(surface, edge); }, {volume, least_area_m2(volume)}};
  body.groups = surface.groups;
  return body;
}

TetMesh fill(const Body& body, double edge, const Request& request) {
  require_feasible(body.size, edge, name_of(request));
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

/// One try of the search: how far from the wanted count, and how thin its thinnest tet is.
struct Try {
  double miss = std::numeric_limits<double>::infinity();  ///< |count / target − 1|
  Quality quality;

  [[nodiscard]] bool good_enough(const Body& body) const {
    return miss <= kGoodEnough && quality.smallest_dihedral_rad >= body.least_dihedral_rad;
  }
  /// Among those within the tolerance the thicker tets win, otherwise the nearer count.
  [[nodiscard]] bool better_than(const Try& other) const {
    if (miss > kTolerance || other.miss > kTolerance) return miss < other.miss;
    return quality.smallest_altitude_m > other.quality.smallest_altitude_m;
  }
};

/// Tries edge lengths until the number of tets is near the target and none is a sliver; keeps the best.
TetMesh search(const Body& body, const Request& request, MeshReport& report) {
  const auto target = static_cast<double>(report.target_tets);
  TetMesh best_mesh;
  Try best;
  MeshReport best_report = report;
  double last_edge = 0, last_count = 0;
  double edge = first_guess(body, target);
  while (!best.good_enough(body) && report.num_tries < kMostTries) {
    TetMesh mesh = fill(body, edge, request);
    ++report.num_tries;
    const auto count = static_cast<double>(mesh.tets.size());
    const Try made{std::abs(count / target - 1), measure_quality(mesh)};
    if (made.better_than(best)) {
      best = made, best_mesh = std::move(mesh);
      report.edge_length_m = edge, best_report = report;
    }
    const double next = made.miss <= kGoodEnough
                            ? kNudge * edge
                            : edge * std::pow(count / target, 1 / growth(edge, count, last_edge, last_count));
    last_edge = edge, last_count = count;
    edge = std::min(next, body.largest_edge_m);
    if (edge == last_edge) break;
  }
  best_report.num_tries = report.num_tries;
  report = best_report;
  return best_mesh;
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
        "The edge length is held at {:.3g} m by the layers or the curvature of the shape.", body.largest_edge_m));
  const auto deviation = static_cast<double>(std::abs(report.num_tets - report.target_tets));
  if (report.target_tets > 0 && deviation > kTolerance * static_cast<double>(report.target_tets))
    report.notes.push_back(
        fmt::format("{} tets were asked for, {} is the nearest found.", report.target_tets, report.num_tets));
}

Body body_of(const Request& request, MeshReport& report) {
  if (request.shape != ShapeKind::file) return shape_body(request, report);
  return request.cage ? cage_body(request, report) : file_body(request, report);
}

/// What the mesh stands for.
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
  mesh.groups = body.groups;
  name_tets(mesh);
  name_cavities(mesh);
  describe(mesh, body, report);
  if (is_followed(request)) mesh.references.push_back(reference_of(request, body, mesh, report));
  if (!body.input.triangles.empty()) describe_shape(mesh, body.input, request.feature_angle_deg, report);
  return mesh;
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
