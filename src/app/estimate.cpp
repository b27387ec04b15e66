#include "app/estimate.hpp"

#include <cmath>
#include <numbers>

namespace brisance::app {

namespace {

constexpr std::int64_t kDefaultTets = 20000;

double cubed(double x) { return x * x * x; }

}  // namespace

double shape_volume_m3(const mesh::Request& r) {
  using enum mesh::ShapeKind;
  using std::numbers::pi;
  const double inner_m = r.radius_m - r.thickness_m;
  switch (r.shape) {
    case bowl:
      return 2 * pi / 3 * (cubed(r.radius_m) - cubed(inner_m)) * (1 - std::cos(r.opening_angle_rad));
    case hollow_ball:
      return 4 * pi / 3 * (cubed(r.radius_m) - cubed(inner_m));
    case solid_cylinder:
      return pi * r.radius_m * r.radius_m * r.length_m;
    case hollow_cylinder:
      return pi * (r.radius_m * r.radius_m - inner_m * inner_m) * r.length_m;
    case torus:
      return 2 * pi * pi * r.radius_m * r.tube_radius_m * r.tube_radius_m;
    default:
      return r.size.prod();
  }
}

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
  estimate.smallest_altitude_m = 0.35 * edge_m;
  return estimate;
}

double stable_step_s(const material::Material& material, double altitude_m) {
  const double omega = 2 * material::pressure_wave_speed(material) * 2 / altitude_m;
  const double zeta = omega * material::damping_time(material) / 2;
  return 2 / omega * (std::sqrt(1 + zeta * zeta) - zeta);
}

}  // namespace brisance::app
