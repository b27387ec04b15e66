// The separation tensor of [OH99] as a criterion: v⁺ against a toughness, or a strength times the area of the crack.
#include "brisance/fracture/criteria/separation.hpp"

#include "brisance/fracture/criteria/node_area.hpp"
#include "brisance/fracture/fields.hpp"

#include "fracture/criteria/bearing.hpp"
#include "fracture/criteria/directional_strength.hpp"
#include "fracture/criteria/kinds.hpp"

#include <algorithm>
#include <utility>

namespace brisance::fracture {

std::vector<NodeSeparation> separations(const dist::Mesh& mesh, std::span<const LocalNode> nodes,
                                        const CornerForceFunction& corner_forces) {
  StarForces stars(corner_forces);
  stars.evaluate(mesh, nodes);
  std::vector<NodeSeparation> result;
  result.reserve(nodes.size());
  for (LocalNode n : nodes) {
    const Mat3 zeta = full_matrix(stars.separation_tensor(mesh, n));
    result.push_back({n, zeta, principal_separation(zeta)});
  }
  return result;
}

Severity severity_of(const dist::Mesh& mesh, const NodeSeparation& separation, const Parameters& parameters) {
  const LocalNode n = separation.node;
  const auto area_across = [&](const Vec3& normal) {
    const double area = projected_area(mesh, n, normal);
    return mesh.field(kCut)[n] != 0 ? std::max(area, parameters.least_area_share * mesh.field(kUncutArea)[n]) : area;
  };
  Severity most{0, separation.principal.normal};
  double area = 0;
  PrincipalSeparation scaled;
  std::size_t scaled_for = mesh.materials.size();
  for_each_bearing(mesh, n, parameters, [&](const Bearing& bearing) {
    const material::Material& m = mesh.materials[bearing.material];
    if (material::has_directional_strength(m)) {
      if (std::exchange(scaled_for, bearing.material) != bearing.material) {
        const Mat3 scale = strength_scale(m, rotation_of_star(mesh, n, bearing.material));
        scaled = principal_separation(scale * separation.zeta * scale);
      }
      const double share = scaled.force / (bearing.limit * (bearing.is_stress ? area_across(scaled.normal) : 1));
      if (share > most.share) most = {share, scaled.normal};
      return;
    }
    double limit = bearing.limit;
    if (bearing.is_stress) {
      if (area == 0) area = area_across(separation.principal.normal);
      limit *= area;
    }
    const double share = separation.principal.force / limit;
    if (share > most.share) most = {share, separation.principal.normal};
  });
  return most;
}

namespace {

class SeparationCriterion : public Criterion {
public:
  explicit SeparationCriterion(const Parameters& parameters)
      : Criterion({.quantity = "separation tensor", .is_bounded = true, .has_front_limit = true}),
        parameters_(parameters) {}

  [[nodiscard]] NodeLoad load(const EvaluatedNode& at) const override {
    return {at.stars.separation_tensor(at.mesh, at.node), at.limits.least_force(at.mesh, at.node)};
  }
  [[nodiscard]] Severity severity(const EvaluatedNode& at, const NodeLoad& load) const override {
    const Mat3 zeta = full_matrix(load.tensor);
    return severity_of(at.mesh, {at.node, zeta, principal_separation(zeta)}, parameters_);
  }

private:
  Parameters parameters_;
};

}  // namespace

const CriterionKind kSeparation{
    .name = "separation",
    .sentence =
        "the separation tensor of the 1999 paper, beyond toughness_n, or strength_pa times the area of the "
        "crack",
    .keys = {},
    .make = [](const Parameters& p) -> std::unique_ptr<Criterion> { return std::make_unique<SeparationCriterion>(p); }};

}  // namespace brisance::fracture
