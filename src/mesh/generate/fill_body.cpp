#include "mesh/generate/fill_body.hpp"

#include "brisance/core/failed_meshing.hpp"
#include "brisance/mesh/meshers/tetgen_child.hpp"
#include "brisance/mesh/tets/mesh_bounds.hpp"

#include "mesh/generate/prism.hpp"
#include "mesh/generate/remeshed_surface.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace brisance::mesh {
namespace {

// Bound on a tet's volume over the cube of the surface's edge: with it inner edges are about as long as the surface's.
constexpr double kVolumePerCubedEdge = 0.25;
constexpr double kThin = 0.5;               // thickness over the edge length: creases.cpp keeps no two nearer rims
constexpr double kGentler = 0.5;            // factor on the feature angle
constexpr double kWorthKeeping = 0.5;       // share of the smallest altitude that a better volume may cost
constexpr double kWorthChanging = 2.0 / 3;  // ratio of the volume errors below which a later method is preferred

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

/// Tries several methods of filling a body at one edge length, and keeps the best result.
class Attempts {
public:
  Attempts(const Body& body, double edge_m, const Request& request, MeshReport& report)
      : body_(body), edge_m_(edge_m), request_(request), report_(report) {}

  /// Fills the surface that `make` returns, if any; a failure is kept for the message.
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
    } catch (const core::FailedMeshing& failure) {
      if (!failure_) failure_ = failure;
    }
  }

  [[nodiscard]] bool is_faithful() const { return best_ && mesh::is_faithful(*best_, body_); }
  [[nodiscard]] bool is_allowed() const { return best_ && mesh::is_allowed(*best_, body_, request_); }
  [[nodiscard]] bool failed() const { return !best_; }

  Filled take() {
    if (!best_) throw core::FailedMeshing(*failure_);
    report_.remeshed = best_->remeshed;
    return *std::move(best_);
  }

private:
  /// 0: more is lost than is allowed; 1: allowed by the request; 2: allowed by default.
  [[nodiscard]] int rank(const Filled& filled) const {
    if (!mesh::is_allowed(filled, body_, request_)) return 0;
    return std::abs(filled.volume_error) <= Request().allowed_volume_error ? 2 : 1;
  }

  /// Of two results that lose little, the better volume is preferred unless its tets are much thinner.
  [[nodiscard]] bool is_better(const Filled& filled) const {
    const int now = rank(filled), before = rank(*best_);
    if (now != before) return now > before;
    const bool is_as_thick = filled.quality.smallest_altitude_m >= kWorthKeeping * best_->quality.smallest_altitude_m;
    return (is_as_thick || now < 2) && std::abs(filled.volume_error) < kWorthChanging * std::abs(best_->volume_error);
  }

  const Body& body_;
  double edge_m_;
  const Request& request_;
  MeshReport& report_;
  std::optional<Filled> best_;
  std::optional<core::FailedMeshing> failure_;
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
  // Remeshing would keep only one of the rims of a thinner plate.
  const bool is_thin = !body.input.triangles.empty() && body.size.thickness_m() < kThin * edge_m;
  if (is_thin) attempts.attempt(as_prism);
  if (attempts.is_faithful()) return attempts.take();
  attempts.attempt([&] { return std::optional(body.surface(edge_m)); });
  if (body.input.triangles.empty() || attempts.is_faithful()) return attempts.take();
  const bool lost_creases = attempts.failed() || report.remeshed.kept_crease_m < report.remeshed.crease_m;
  if (!is_thin) attempts.attempt(as_prism);
  const auto creased = [&](double share_of_angle) {
    Request gentler = request;
    gentler.feature_angle_deg = share_of_angle * request.feature_angle_deg;
    attempts.attempt([&] { return creased_surface(body.input, edge_m, gentler, report.remeshed); });
  };
  if (!attempts.is_faithful() && lost_creases) creased(1);
  // A bevel below the feature angle may be as wide as the body is thick.
  const bool is_narrow = body.size.thickness_m() < edge_m;
  if (!attempts.is_faithful() && (is_narrow || !attempts.is_allowed())) creased(kGentler);
  if (!attempts.is_allowed())
    attempts.attempt([&] { return divided_surface(body.input, edge_m, request, report.remeshed); });
  return attempts.take();
}

}  // namespace brisance::mesh
