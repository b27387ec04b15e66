#include "mesh/fill_body.hpp"

#include "brisance/core/failed_attempt.hpp"
#include "brisance/mesh/mesh_bounds.hpp"
#include "brisance/mesh/tetgen_child.hpp"

#include "mesh/prism.hpp"
#include "mesh/remeshed_surface.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace brisance::mesh {
namespace {

// Bound on a tet's volume over the cube of the surface's edge: with it inner edges come out as long as the surface's.
constexpr double kVolumePerCubedEdge = 0.25;
constexpr double kThin = 0.5;               // thickness over the edge length: creases.cpp holds no two nearer rims
constexpr double kGentler = 0.5;            // of the feature angle
constexpr double kWorthKeeping = 0.5;       // of the smallest altitude
constexpr double kWorthChanging = 2.0 / 3;  // of the volume's error, that a later way must come to

TetMesh filled_surface(const Surface& surface, double edge_m, const Request& request) {
  TetgenOptions options;
  options.quality = request.quality;
  options.largest_volume_m3 = kVolumePerCubedEdge * edge_m * edge_m * edge_m;
  TetMesh mesh = tetrahedralize(surface, options);
  for (auto& tags : mesh.face_source)
    for (auto& tag : tags)
      if (tag != kNoSourceTriangle) tag = surface.source_face[tag];
  return mesh;
}

/// The ways to fill a body at one edge length, and the best so far.
class Attempts {
public:
  Attempts(const Body& body, double edge_m, const Request& request, MeshReport& report)
      : body_(body), edge_m_(edge_m), request_(request), report_(report) {}

  /// Fills what `make` makes, if anything; a failure is kept for the message.
  void attempt(const std::function<std::optional<Surface>()>& make) {
    try {
      const std::optional<Surface> surface = make();
      if (!surface) return;
      Filled filled;
      filled.mesh = filled_surface(*surface, edge_m_, request_);
      filled.quality = measure_quality(filled.mesh);
      filled.volume_error = filled.quality.volume_m3 / body_.size.volume_m3 - 1;
      filled.remeshed = report_.remeshed;
      if (!best_ || is_better(filled)) best_ = std::move(filled);
    } catch (const core::FailedAttempt& failure) {
      if (!failure_) failure_ = failure;
    }
  }

  [[nodiscard]] bool is_faithful() const { return best_ && mesh::is_faithful(*best_, body_); }
  [[nodiscard]] bool is_allowed() const { return best_ && mesh::is_allowed(*best_, body_, request_); }
  [[nodiscard]] bool failed() const { return !best_; }

  Filled take() {
    if (!best_) throw core::FailedAttempt(*failure_);
    report_.remeshed = best_->remeshed;
    return *std::move(best_);
  }

private:
  /// Where nothing is lost that is not allowed, a little volume is not worth tets that are much thinner.
  [[nodiscard]] bool is_better(const Filled& filled) const {
    const bool is_allowed_now = mesh::is_allowed(filled, body_, request_);
    if (is_allowed_now != is_allowed()) return is_allowed_now;
    const bool is_as_thick = filled.quality.smallest_altitude_m >= kWorthKeeping * best_->quality.smallest_altitude_m;
    return (is_as_thick || !is_allowed_now) &&
           std::abs(filled.volume_error) < kWorthChanging * std::abs(best_->volume_error);
  }

  const Body& body_;
  double edge_m_;
  const Request& request_;
  MeshReport& report_;
  std::optional<Filled> best_;
  std::optional<core::FailedAttempt> failure_;
};

}  // namespace

bool is_faithful(const Filled& filled, const Body& body) {
  return body.input.triangles.empty() ||
         (std::abs(filled.volume_error) <= kWarnedVolumeError &&
          filled.quality.smallest_altitude_m >= kWarnedAltitude * filled.quality.mean_altitude_m);
}

bool is_allowed(const Filled& filled, const Body& body, const Request& request) {
  return body.input.triangles.empty() ||
         (std::abs(filled.volume_error) <= request.allowed_volume_error &&
          filled.quality.smallest_altitude_m >= request.least_altitude * filled.quality.mean_altitude_m);
}

Filled fill(const Body& body, double edge_m, const Request& request, MeshReport& report) {
  require_feasible(body.size, edge_m, name_of(request));
  Attempts attempts(body, edge_m, request, report);
  const auto as_prism = [&] { return prism_surface(body.input, edge_m, request.feature_angle_deg, report.remeshed); };
  // Of the rims of a thinner plate remeshing would hold one.
  const bool is_thin = !body.input.triangles.empty() && body.size.thickness_m() < kThin * edge_m;
  if (is_thin) attempts.attempt(as_prism);
  if (attempts.is_faithful()) return attempts.take();
  attempts.attempt([&] { return std::optional(body.surface(edge_m)); });
  if (body.input.triangles.empty() || attempts.is_faithful()) return attempts.take();
  const bool lost_creases = attempts.failed() || report.remeshed.kept_crease_m < report.remeshed.crease_m;
  if (!is_thin) attempts.attempt(as_prism);
  if (!attempts.is_faithful() && lost_creases)
    attempts.attempt([&] { return creased_surface(body.input, edge_m, request, report.remeshed); });
  const bool is_narrow = body.size.thickness_m() < edge_m;
  if (!attempts.is_faithful() && (is_narrow || !attempts.is_allowed())) {
    Request gentler = request;  // a bevel that turns by less than the angle is as wide as the body is thick
    gentler.feature_angle_deg = kGentler * request.feature_angle_deg;
    attempts.attempt([&] { return creased_surface(body.input, edge_m, gentler, report.remeshed); });
  }
  if (!attempts.is_allowed())
    attempts.attempt([&] { return divided_surface(body.input, edge_m, request, report.remeshed); });
  return attempts.take();
}

}  // namespace brisance::mesh
