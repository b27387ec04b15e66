#include "brisance/mesh/generate/generate.hpp"

#include "brisance/core/child_process.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/failed_meshing.hpp"
#include "brisance/core/out_of_memory.hpp"
#include "brisance/core/words.hpp"
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/meshers/tetgen_child.hpp"
#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/remesh.hpp"
#include "brisance/mesh/surface/repair.hpp"
#include "brisance/mesh/tets/mesh_bounds.hpp"
#include "brisance/mesh/tets/name_cavities.hpp"
#include "brisance/mesh/tets/ordering.hpp"

#include "mesh/generate/fill_body.hpp"
#include "mesh/generate/inner_surface.hpp"
#include "mesh/generate/make_reference.hpp"
#include "mesh/generate/mesh_report.hpp"
#include "mesh/generate/remeshed_surface.hpp"
#include "mesh/meshers/solids_child.hpp"
#include "mesh/shapes/compound_shapes.hpp"
#include "mesh/shapes/dimensions.hpp"
#include "mesh/surface/offset_cage.hpp"
#include "mesh/surface/touching_parts.hpp"
#include "mesh/tetgen/exchange.hpp"
#include "mesh/tets/shell_groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace brisance::mesh {
namespace {

using core::Error;

constexpr std::int64_t kDefaultTets = 20000;
constexpr int kMostTries = 6, kMostFailures = 4;
constexpr double kShareOfThickness = 0.5;  // altitude over thickness above which a thin body's tets are accepted
constexpr double kAfterFailure = 0.85;     // factor on the edge length after a failure
constexpr double kGoodEnough = 0.05, kTolerance = 0.10;  // relative error of the count: search ends; noted above
constexpr double kNudge = 0.98;                      // factor on the edge length, to avoid a sliver at the right count
constexpr std::array kWrapFractions{40, 20, 10, 5};  // diagonal over alpha of the wrap, ever coarser
constexpr double kWrapOffset = 1.0 / 450;            // over the diagonal
constexpr double kLeastWrapRatio = 0.8;
constexpr double kLargestCageAlpha = 0.2;  // over the diagonal: a coarser cage is a box
constexpr double kCageClearance = 0.1;     // over the cage's edge: clear of the body, with little to cut away later
constexpr double kTetsPerCubedRemeshedEdge = 7.9;  // first guess: remeshed surfaces have shorter edges in places
constexpr double kFarTooMany = 10;       // count over the target above which the estimate by the surface is dropped
constexpr double kMostPartsAlong = 100;  // length over edge of a compound shape's reference, unless its mesh is finer
constexpr double kNoAltitude = std::numeric_limits<double>::min();  // over the mean altitude: refuses nothing
constexpr double kMarchedShare = 0.4;  // triangles of a head before remeshing, over the edge

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

/// Notes the change of volume by the wrap: against the input's own volume where that is defined, else against the
/// wrap's.
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

/// Wraps a surface so that the wrap stays outside: where it enters through a hole of an open surface, tries coarser
/// ones.
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

/// Notes the cavities found, so that hollow or not is never decided silently.
void note_shells(const CleanReport& cleaned, const std::filesystem::path& file, MeshReport& report) {
  if (cleaned.num_cavities > 0)
    report.notes.push_back(fmt::format(
        "{}: {} the other way than the outer one: the body is "
        "hollow there.",
        file.string(),
        core::counted(cleaned.num_cavities, "closed shell inside it faces", "closed shells inside it face")));
  if (cleaned.num_swallowed > 0)
    report.notes.push_back(fmt::format(
        "{}: {} as the outer one does: the body is solid there. Left out; turned inward, each makes a cavity.",
        file.string(),
        core::counted(cleaned.num_swallowed, "closed shell inside it faces", "closed shells inside it face")));
}

/// The file's surface, checked; wrapped if it has faults and the request allows it (a cage is a wrap anyway).
Surface meshable_surface(const Request& request, MeshReport& report) {
  const Surface as_read = read_scaled(request);
  Surface surface = clean(as_read, report.cleaned);
  if (!surface.vertices.empty() && is_level(surface))
    report.notes.push_back(request.file.string() +
                           ": lies in one plane. `brisance modes --plane` breaks it as a flat body.");
  note_shells(report.cleaned, request.file, report);
  SurfaceReport findings = check_surface(surface);
  const TouchingParts touching = findings.meshable() ? TouchingParts{} : find_touching_parts(as_read);
  if (!findings.meshable() && (request.repair || request.cage)) {
    if (touching.num_pairs > 0)
      report.notes.push_back(
          fmt::format("{}: {}; the wrap makes one body of them.", request.file.string(), sentence_on(touching)));
    Groups groups = std::move(surface.groups);
    surface = wrapped_surface(surface, request.file, report);
    surface.groups = std::move(groups);  // the wrap's triangles name the nearest faces of the file
    findings = check_surface(surface);
  }
  require_solid(findings, touching, request.file);
  return with_cavity(std::move(surface), request);
}

/// The first edge length of the search.
double first_guess(const Body& body, double target) {
  const double edge = std::cbrt(body.tets_per_cubed_edge * body.size.volume_m3 / target);
  const bool is_plausible = estimated_tets(body.size, edge) <= kFarTooMany * target;
  return std::min(is_plausible ? edge : estimated_edge_m(body.size, target), body.largest_edge_m);
}

/// Makes the reference of a compound shape and remeshes from it, so that the mesh lies on the surface onto which
/// refinement projects nodes.
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

/// Exponent of the count in 1/edge: 3 in solid bodies, 2 in thin ones; estimated from the last two tries.
double growth(double edge, double count, double last_edge, double last_count) {
  if (last_edge == 0 || edge == last_edge) return 3;
  return std::clamp(std::log(count / last_count) / std::log(last_edge / edge), 1.5, 4.5);
}

/// One try of the search: deviation from the wanted count, and thickness of the thinnest tet.
struct Try {
  double miss = std::numeric_limits<double>::infinity();  ///< |count / target − 1|
  bool is_allowed = false;                                ///< within the allowed losses of the body
  Quality quality;

  [[nodiscard]] bool good_enough(const Body& body) const {
    return miss <= kGoodEnough && (is_thick(body) || !is_allowed);
  }
  /// Are its tets as thick as wanted, or as a thin body itself?
  [[nodiscard]] bool is_thick(const Body& body) const {
    return quality.smallest_dihedral_rad >= body.least_dihedral_rad ||
           (!body.input.triangles.empty() &&
            quality.smallest_altitude_m >= kShareOfThickness * body.size.thickness_m());
  }
  /// Order: first the allowed ones; among those within the tolerance the one with thicker tets, otherwise the nearer
  /// count.
  [[nodiscard]] bool better_than(const Try& other) const {
    if (is_allowed != other.is_allowed) return is_allowed;
    if (miss > kTolerance || other.miss > kTolerance) return miss < other.miss;
    return quality.smallest_altitude_m > other.quality.smallest_altitude_m;
  }
};

/// Tries edge lengths until the number of tets is near the target and none is a sliver; keeps the best.
class Search {
public:
  Search(const Body& body, const Request& request, MeshReport& report)
      : body_(body), request_(request), report_(report), target_(static_cast<double>(report.target_tets)) {}

  Filled best() {
    double edge = first_guess(body_, target_);
    while (!best_.good_enough(body_) && report_.num_tries < kMostTries + num_failures_ &&
           num_failures_ < kMostFailures) {
      const double tried = edge;
      edge = std::min(next_after(tried), body_.largest_edge_m);
      if (edge == tried) break;
    }
    if (filled_.mesh.tets.empty()) throw core::FailedMeshing(*failure_);
    best_report_.num_tries = report_.num_tries;
    report_ = best_report_;
    return std::move(filled_);
  }

private:
  /// Fills at an edge length; a failure does not exclude other edge lengths.
  /// @return the edge length to try next
  double next_after(double edge) {
    ++report_.num_tries;
    try {
      Filled made = fill(body_, edge, request_, report_);
      const auto count = static_cast<double>(made.mesh.tets.size());
      keep_if_better(std::move(made), count, edge);
      return next_edge(edge, count);
    } catch (const core::FailedMeshing& failure) {
      if (!failure_) failure_ = failure;
      ++num_failures_;
      return kAfterFailure * edge;
    }
  }

  void keep_if_better(Filled made, double count, double edge) {
    const Try now{std::abs(count / target_ - 1), is_allowed(made, body_, request_), made.quality};
    last_miss_ = now.miss;
    if (!now.better_than(best_)) return;
    best_ = now, filled_ = std::move(made);
    report_.edge_length_m = edge, best_report_ = report_;
  }

  double next_edge(double edge, double count) {
    const double next = last_miss_ <= kGoodEnough
                            ? kNudge * edge
                            : edge * std::pow(count / target_, 1 / growth(edge, count, last_edge_, last_count_));
    last_edge_ = edge, last_count_ = count;
    return next;
  }

  const Body& body_;
  const Request& request_;
  MeshReport& report_;
  double target_;
  Try best_;
  Filled filled_;
  MeshReport best_report_;
  double last_edge_ = 0, last_count_ = 0, last_miss_ = 0;
  int num_failures_ = 0;
  std::optional<core::FailedMeshing> failure_;
};

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
  if (report.target_tets > 0 && deviation > kTolerance * static_cast<double>(report.target_tets))
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

Body body_of(const Request& request, MeshReport& report) {
  if (request.shape != ShapeKind::file) return shape_body(request, report);
  return request.cage ? cage_body(request, report) : file_body(request, report);
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
    filled = Search(body, request, report).best();
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
