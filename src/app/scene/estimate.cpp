#include "app/scene/estimate.hpp"

#include "brisance/elements/law.hpp"

#include <cmath>
#include <numbers>

namespace brisance::app {

namespace {

constexpr std::int64_t kDefaultTets = 20000;

double cubed(double x) { return x * x * x; }

}  // namespace

MeshEstimate estimate_mesh(const mesh::Request& request, double volume_m3) {
  const double regular_tet = 1 / (6 * std::numbers::sqrt2);  // of edge 1
  MeshEstimate estimate;
  double edge_m = request.edge_length_m;
  if (edge_m > 0) {
    estimate.tets = std::llround(volume_m3 / (regular_tet * cubed(edge_m)));
  } else {
    estimate.tets = request.target_tets > 0 ? request.target_tets : kDefaultTets;
    edge_m = std::cbrt(volume_m3 / (regular_tet * static_cast<double>(estimate.tets)));
  }
  estimate.edge_m = edge_m;
  return estimate;
}

StepRange stable_step_range(const material::Material& material, double edge_m) {
  const auto step = [&](double altitude_m) {  // ω ≤ 2 c_p √(Σ 1/hᵢ²), four equal altitudes
    return elements::stable_step(4 * material::pressure_wave_speed(material) / altitude_m,
                                 material::damping_time(material));
  };
  return {step(kWorstAltitude.shortest * edge_m), step(kWorstAltitude.longest * edge_m)};
}

}  // namespace brisance::app
