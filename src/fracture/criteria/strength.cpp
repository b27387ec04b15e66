#include "brisance/fracture/criteria/strength.hpp"

#include "brisance/fracture/criteria/node_area.hpp"

#include "fracture/criteria/bearing.hpp"
#include "fracture/criteria/directional_strength.hpp"

namespace brisance::fracture {

namespace {

/// Strength over K_Ic/√h, h being the spacing of a regular grid (VALIDATION C9's c₁); the mean edge h_0 of a tet of
/// such a grid is (3 + 2√2 + √3)/6 = 1.26 h.
constexpr double kFrontShare = 0.55, kEdgeOfSpacing = 1.2600745;

}  // namespace

double tip_toughness(const Parameters& parameters, std::size_t k, const material::Material& m) {
  if (parameters.front_toughness != FrontToughness::energy || k >= parameters.tips.size()) return 0;
  const TipToughness& tip = parameters.tips[k];
  const double nu = material::poissons_ratio(m);
  if (tip.energy > 0) return std::sqrt(material::youngs_modulus(m) / (1 - nu * nu) * tip.energy);
  return tip.stress_intensity;
}

double fracture_energy(const Parameters& parameters, std::size_t k, const material::Material& m) {
  if (k >= parameters.tips.size()) return 0;
  const TipToughness& tip = parameters.tips[k];
  const double nu = material::poissons_ratio(m);
  if (tip.energy > 0) return tip.energy;
  return tip.stress_intensity * tip.stress_intensity * (1 - nu * nu) / material::youngs_modulus(m);
}

double front_strength(double fracture_toughness, double uncut_edge_length) {
  return kFrontShare * fracture_toughness / std::sqrt(uncut_edge_length / kEdgeOfSpacing);
}

double weakest_strength(const dist::Mesh& mesh, LocalNode n, const Parameters& parameters) {
  double least = std::numeric_limits<double>::infinity();
  for_each_bearing(mesh, n, parameters, [&](const Bearing& bearing) {
    least = std::min(least, bearing.is_stress ? bearing.limit : bearing.limit / mesh.field(kUncutArea)[n]);
  });
  if (std::isfinite(least)) return least;
  for (const std::int32_t e : mesh.star(n)) {
    const std::size_t k = mesh.material_of[LocalElement(e)];
    if (const double tough = tip_toughness(parameters, k, mesh.materials[k]); tough > 0)
      least = std::min(least, front_strength(tough, mesh.field(dist::kUncutEdgeLength)[n]));
  }
  return least;
}

void StrengthLimits::refresh(const dist::Mesh& mesh, std::span<const LocalNode> nodes) {
  limits_.resize(mesh.num_node_slots());
  for (LocalNode n : nodes) {
    Limits& limits = limits_[n.value] = {.area = least_projected_area(mesh, n)};
    for_each_bearing(mesh, n, parameters_, [&](const Bearing& bearing) {
      double& least = bearing.is_stress ? limits.strength : limits.toughness;
      const material::Material& m = mesh.materials[bearing.material];
      const double weakest = material::has_directional_strength(m) ? weakest_share(m) : 1;
      least = std::min(least, bearing.limit * weakest);
    });
  }
}

}  // namespace brisance::fracture
