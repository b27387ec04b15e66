// The largest principal Cauchy stress around a node against the strength: of the star's mean, or of the
// tet that is nearest to its strength.
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/fracture/criteria/separation_tensor.hpp"

#include "fracture/criteria/bearing.hpp"
#include "fracture/criteria/directional_strength.hpp"
#include "fracture/criteria/kinds.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace brisance::fracture {

namespace {

Severity principal_share(const NodeLoad& load) {
  const PrincipalSeparation principal = principal_separation(full_matrix(load.tensor));
  return {principal.force / load.limit, principal.normal};
}

/// Of the mean stress of a star, where a material's strength depends on the direction.
Severity directional_severity(const dist::Mesh& mesh, LocalNode n, const SymMat3& stress,
                              const Parameters& parameters) {
  Severity most;
  for_each_bearing(mesh, n, parameters, [&](const Bearing& bearing) {
    const material::Material& m = mesh.materials[bearing.material];
    Mat3 scaled = full_matrix(stress);
    if (material::has_directional_strength(m)) {
      const Mat3 scale = strength_scale(m, rotation_of_star(mesh, n, bearing.material));
      scaled = scale * scaled * scale;
    }
    const PrincipalSeparation principal = principal_separation(scaled);
    if (principal.force > most.share * bearing.limit) most = {principal.force / bearing.limit, principal.normal};
  });
  return most;
}

class StressOfStar : public Criterion {
public:
  explicit StressOfStar(const Parameters& parameters)
      : Criterion({.quantity = "largest principal stress", .is_stress = true, .wanted = StarForces::Wanted::stresses}),
        parameters_(parameters) {}

  [[nodiscard]] NodeLoad load(const EvaluatedNode& at) const override {
    return {at.stars.mean_stress(at.mesh, at.node), at.limits.least_strength(at.node)};
  }
  [[nodiscard]] Severity severity(const EvaluatedNode& at, const NodeLoad& load) const override {
    if (std::ranges::any_of(at.mesh.materials, material::has_directional_strength))
      return directional_severity(at.mesh, at.node, load.tensor, parameters_);
    return principal_share(load);
  }

private:
  Parameters parameters_;
};

class StressOfElement : public Criterion {
public:
  StressOfElement()
      : Criterion({.quantity = "largest principal stress of a tet",
                   .is_stress = true,
                   .wanted = StarForces::Wanted::stresses}) {}

  /// Of elements equally near to their strength it takes the first in the star.
  [[nodiscard]] NodeLoad load(const EvaluatedNode& at) const override {
    NodeLoad hardest{SymMat3::Zero(), std::numeric_limits<double>::infinity()};
    double largest = -std::numeric_limits<double>::infinity();
    const auto* factor = at.mesh.find_field(dist::kStrengthFactor);
    for (const std::int32_t slot : at.mesh.star(at.node)) {
      const LocalElement e(slot);
      const material::Material& m = at.mesh.material(e);
      if (!has_strength(m)) continue;
      const double strength = m.toughness * (factor != nullptr ? (*factor)[e] : 1.0);
      const SymMat3 stress = scaled_stress(at, e);
      if (!stress.allFinite()) return {stress, strength};
      double share = largest_eigenvalue_from_above(stress) / strength;
      if (share > 1) share = principal_separation(full_matrix(stress)).force / strength;
      if (!(share > largest)) continue;
      largest = share;
      hardest = {stress, strength};
    }
    return hardest;
  }
  [[nodiscard]] Severity severity(const EvaluatedNode& /*at*/, const NodeLoad& load) const override {
    return principal_share(load);
  }

private:
  /// Stress of an element, scaled so that its strength is the same in all directions.
  [[nodiscard]] static SymMat3 scaled_stress(const EvaluatedNode& at, LocalElement e) {
    SymMat3 stress = at.stars.stress(e).first;
    const material::Material& m = at.mesh.material(e);
    if (!stress.allFinite() || !material::has_directional_strength(m)) return stress;
    const Mat3 scale = strength_scale(m, rotation_of_element(at.mesh, e));
    return symmetric_part(scale * full_matrix(stress) * scale);
  }
};

std::unique_ptr<Criterion> make_principal_stress(const Parameters& parameters) {
  if (parameters.principal_stress_of == StressOf::element) return std::make_unique<StressOfElement>();
  return std::make_unique<StressOfStar>(parameters);
}

constexpr std::array<std::string_view, 1> kPrincipalStressKeys{"principal_stress_of"};

}  // namespace

const CriterionKind kPrincipalStress{
    .name = "principal_stress",
    .sentence =
        "the largest principal Cauchy stress around the node, beyond strength_pa, which evaluates every node: "
        "with explicit steps give evaluate_interval_share as well",
    .keys = kPrincipalStressKeys,
    .make = make_principal_stress};

}  // namespace brisance::fracture
