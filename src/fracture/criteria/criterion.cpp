#include "brisance/fracture/criteria/criterion.hpp"

#include "brisance/dist/mesh_fields.hpp"
#include "brisance/fracture/criteria/tip_field.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/fracture/fronts.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include "fracture/criteria/directional_strength.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Eigenvalues>

namespace brisance::fracture {

namespace {

constexpr double kSoundPassages = 2;  ///< wave passages for which a node without tension is not evaluated again
constexpr double kMostGrowth = 2;     ///< largest growth of the bound without a new evaluation
constexpr double kTwoOverSqrt3 = 1.1547005383792517;

Vec3 position_of(const dist::Mesh& mesh, LocalNode n) { return Vec3(mesh.motion[n].position); }

int corner_index(const dist::Mesh& mesh, LocalElement e, LocalNode n) {
  const auto corners = mesh.corners(e);
  return static_cast<int>(std::find(corners.begin(), corners.end(), n) - corners.begin());
}

/// Area vectors shrink at most by the smallest singular value of the cofactor of F, 1 − ‖ε‖ to first order. The further
/// reduction covers elements that turn differently and the growth of strain until the next check of strains. A node
/// whose strain grows more within so few steps is found at the next evaluation: later, but on any number of ranks
/// alike.
double area_left(double strain) { return std::max(0.0, 0.9 - 1.5 * strain); }

float area_left_at(const dist::Mesh& mesh, LocalNode n, std::span<const float> strain) {
  float largest = 0;
  for (std::int32_t e : mesh.star(n)) largest = std::max(largest, strain[e]);
  return static_cast<float>(area_left(largest));
}

/// Strength over K_Ic/√h, h being the spacing of a regular grid (VALIDATION C9's c₁); the mean edge h_0 of a tet of
/// such a grid is (3 + 2√2 + √3)/6 = 1.26 h.
constexpr double kFrontShare = 0.55, kEdgeOfSpacing = 1.2600745;

/// Does it break where there is no front?
bool has_strength(const material::Material& m) { return m.toughness > 0 && std::isfinite(m.toughness); }

/// Strength of a material at a node: a force in newton, or a stress.
struct Bearing {
  double limit;
  bool is_stress;
  std::size_t material;
};

/// Calls `visit(Bearing)` for each breakable material in the node's star, at least once each.
template <class Visit>
void for_each_bearing(const dist::Mesh& mesh, LocalNode n, const Parameters& parameters, const Visit& visit) {
  const bool is_on_front = mesh.field(kFront)[n] != 0;
  const auto visit_one = [&](std::size_t k, double factor) {
    const material::Material& m = mesh.materials[k];
    if (const double tough = is_on_front ? tip_toughness(parameters, k, m) : 0; tough > 0)
      visit(Bearing{front_strength(tough, mesh.field(dist::kUncutEdgeLength)[n]) * factor, true, k});
    else if (has_strength(m))
      visit(Bearing{m.toughness * factor, m.toughness_mode == material::ToughnessMode::stress, k});
  };
  if (const auto* factor = mesh.find_field(dist::kStrengthFactor)) {
    for (const std::int32_t slot : mesh.star(n)) {
      const LocalElement e(slot);
      visit_one(mesh.material_of[e], (*factor)[e]);
    }
    return;
  }
  if (mesh.materials.size() == 1) {
    visit_one(0, 1.0);
    return;
  }
  std::int32_t last = -1;  // neighbours are mostly of one material, and a second visit is harmless
  for (const std::int32_t e : mesh.star(n)) {
    const material::Index m = mesh.material_of[LocalElement(e)];
    if (m != last) visit_one(m, 1.0);
    last = m;
  }
}

}  // namespace

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

double projected_area(const dist::Mesh& mesh, LocalNode n, const Vec3& normal) {
  double sum = 0;
  for (std::int32_t slot : mesh.star(n)) {
    const LocalElement e(slot);
    const auto& f = mesh::kFaceCorners[corner_index(mesh, e, n)];
    const Vec3 a = position_of(mesh, mesh.corner(e, f[0])), b = position_of(mesh, mesh.corner(e, f[1])),
               c = position_of(mesh, mesh.corner(e, f[2]));
    sum += std::abs((b - a).cross(c - a).dot(normal));
  }
  return sum / 12;
}

double least_projected_area(const dist::Mesh& mesh, LocalNode n) {
  Mat3 sum = Mat3::Zero();
  for (std::int32_t slot : mesh.star(n)) {
    const LocalElement e(slot);
    const auto& f = mesh::kFaceCorners[corner_index(mesh, e, n)];
    const Vec3 &a = mesh.rest[mesh.corner(e, f[0])], &b = mesh.rest[mesh.corner(e, f[1])],
               &c = mesh.rest[mesh.corner(e, f[2])];
    const Vec3 doubled_area = (b - a).cross(c - a);  // V ∇b = −a_f/3, so ½ V ∇b ∇bᵀ/|∇b| = a_f a_fᵀ/(6 |a_f|)
    sum += doubled_area * doubled_area.transpose() / (12 * doubled_area.norm());
  }
  return std::max(0.0, Eigen::SelfAdjointEigenSolver<Mat3>(sum, Eigen::EigenvaluesOnly).eigenvalues()[0]);
}

/// A_n(n) = (1/6) Σ |a_f·n| over the faces opposite the node; the mean of |a·n| over directions is |a|/2.
void note_uncut_areas(dist::Mesh& mesh) {
  auto& area = mesh.field(kUncutArea);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    area[n] = 0;
    for (const std::int32_t slot : mesh.star(n)) {
      const LocalElement e(slot);
      const auto& f = mesh::kFaceCorners[corner_index(mesh, e, n)];
      const Vec3 &a = mesh.rest[mesh.corner(e, f[0])], &b = mesh.rest[mesh.corner(e, f[1])],
                 &c = mesh.rest[mesh.corner(e, f[2])];
      area[n] += 0.5 * (b - a).cross(c - a).norm() / 12;
    }
  }
  mesh.update_ghost_fields();
}

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

Criterion::Criterion(const dist::Mesh& mesh, const Parameters& parameters, const ConstrainedRegions& held,
                     CornerForceFunction corner_forces)
    : parameters_(parameters), held_(held), star_forces_(std::move(corner_forces)) {
  any_direction_ = std::ranges::any_of(mesh.materials, material::has_directional_strength);
  for (const auto& m : mesh.materials) fastest_wave_ = std::max(fastest_wave_, material::pressure_wave_speed(m));
  std::vector<LocalNode> owned;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) owned.emplace_back(i);
  refresh(mesh, owned);
}

void Criterion::refresh(const dist::Mesh& mesh, std::span<const LocalNode> nodes) {
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

void Criterion::note_strain(dist::Mesh& mesh, std::span<const float> strain) {
  auto& left = mesh.field(kAreaLeft);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) left[n] = area_left_at(mesh, n, strain);
}

void Criterion::note_strain(dist::Mesh& mesh, std::span<const LocalNode> nodes, std::span<const float> strain) {
  auto& left = mesh.field(kAreaLeft);
  for (LocalNode n : nodes) left[n] = area_left_at(mesh, n, strain);
}

bool Criterion::can_fail(const dist::Mesh& mesh, LocalNode n) const {
  return !held_.constrain_all(mesh.field(dist::kRegions)[n]) && mesh.star(n).size() > 1;
}

bool Criterion::may_fail(const dist::Mesh& mesh, LocalNode n, double time_s) const {
  return mesh.field(kReadyTime)[n] <= time_s && can_fail(mesh, n);
}

double Criterion::least_limit(const dist::Mesh& mesh, LocalNode n) const {
  const Limits& limits = limits_[n.value];
  if (!std::isfinite(limits.strength)) return limits.toughness;
  double area = limits.area * mesh.field(kAreaLeft)[n];
  if (mesh.field(kCut)[n] != 0) area = std::max(area, parameters_.least_area_share * mesh.field(kUncutArea)[n]);
  return std::min(limits.strength * area, limits.toughness);
}

std::optional<Vec3> Criterion::hoop_normal(const dist::Mesh& mesh, LocalNode n) const {
  const std::optional<Front> front = present_front(mesh, n);
  if (!front) return std::nullopt;
  const Vec3 ahead = front->growth, across = front->tangent.cross(front->growth), tip = position_of(mesh, n);
  std::vector<TipSample> samples;
  for (const std::int32_t slot : mesh.star(n)) {
    const auto [stress, volume] = star_forces_.stress(LocalElement(slot));
    Vec3 middle = -tip;
    for (const LocalNode c : mesh.corners(LocalElement(slot))) middle += 0.25 * position_of(mesh, c);
    const Mat3 full = full_matrix(stress);
    samples.push_back({middle.dot(ahead), middle.dot(across), ahead.dot(full * ahead), across.dot(full * across),
                       ahead.dot(full * across), volume});
  }
  const auto [cosine, sine] = hoop_direction(fit_tip_field(samples));
  return cosine * across - sine * ahead;
}

std::vector<LocalNode> Criterion::candidates(dist::Mesh& mesh, std::span<const dist::NodeForce> forces,
                                             double time_s) const {
  std::vector<LocalNode> result;
  const auto& sound_until = mesh.field(kSoundUntil);
  auto& calm_below = mesh.field(kEvaluateAbove);
  const auto* push = std::as_const(mesh).find_field(kContactAcceleration);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    if (compares_stress()) {
      if (std::isfinite(limits_[n.value].strength) && sound_until[n] <= time_s && may_fail(mesh, n, time_s))
        result.push_back(n);
      continue;
    }
    const auto& f = forces[i].force;
    const double net = push != nullptr ? (Vec3(f) + contact_push(mesh, push, n)).norm()
                                       : std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    const double bound = 0.5 * (f[3] + kTwoOverSqrt3 * net);
    const bool below = bound <= least_limit(mesh, n);  // false for NaN, so that it is evaluated and reported, too
    if (below || (sound_until[n] > time_s && bound <= calm_below[n]) || !may_fail(mesh, n, time_s)) continue;
    calm_below[n] = static_cast<float>(bound);
    result.push_back(n);
  }
  return result;
}

Criterion::Pull Criterion::pull_on(const dist::Mesh& mesh, LocalNode n) const {
  if (!compares_stress()) return {star_forces_.separation_tensor(mesh, n), least_limit(mesh, n)};
  if (parameters_.principal_stress_of == StressOf::element) return hardest_pulled_element(mesh, n);
  return {star_forces_.mean_stress(mesh, n), limits_[n.value].strength};
}

Severity Criterion::severity_of_stress(const dist::Mesh& mesh, LocalNode n, const SymMat3& stress) const {
  Severity most;
  for_each_bearing(mesh, n, parameters_, [&](const Bearing& bearing) {
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

// Of elements equally near to their strength it takes the first in the star.
Criterion::Pull Criterion::hardest_pulled_element(const dist::Mesh& mesh, LocalNode n) const {
  Pull hardest{SymMat3::Zero(), std::numeric_limits<double>::infinity()};
  double largest = -std::numeric_limits<double>::infinity();
  const auto* factor = mesh.find_field(dist::kStrengthFactor);
  for (const std::int32_t slot : mesh.star(n)) {
    const LocalElement e(slot);
    const material::Material& m = mesh.material(e);
    if (!has_strength(m)) continue;
    const double strength = m.toughness * (factor ? (*factor)[e] : 1.0);
    SymMat3 stress = star_forces_.stress(e).first;
    if (!stress.allFinite()) return {stress, strength};
    if (material::has_directional_strength(m)) {
      const Mat3 scale = strength_scale(m, rotation_of_element(mesh, e));
      stress = symmetric_part(scale * full_matrix(stress) * scale);
    }
    double share = largest_eigenvalue_from_above(stress) / strength;
    if (share > 1) share = principal_separation(full_matrix(stress)).force / strength;
    if (!(share > largest)) continue;
    largest = share;
    hardest = {stress, strength};
  }
  return hardest;
}

Severity Criterion::severity_by(const dist::Mesh& mesh, LocalNode n, const Pull& pull) const {
  const NodeSeparation s{n, full_matrix(pull.tensor), principal_separation(full_matrix(pull.tensor))};
  Severity found{s.principal.force / pull.limit, s.principal.normal};
  if (!compares_stress())
    found = severity_of(mesh, s, parameters_);
  else if (any_direction_ && parameters_.principal_stress_of == StressOf::star)
    found = severity_of_stress(mesh, n, pull.tensor);
  if (parameters_.direction == Direction::hoop) found.normal = hoop_normal(mesh, n).value_or(found.normal);
  return found;
}

std::vector<Severity> Criterion::severities(const dist::Mesh& mesh, std::span<const LocalNode> nodes) {
  star_forces_.evaluate(mesh, nodes, wanted());
  std::vector<Severity> result;
  for (const LocalNode n : nodes) {
    result.push_back(severity_by(mesh, n, pull_on(mesh, n)));
    double& share = result.back().share;
    if (!can_fail(mesh, n) || share < 0) share = 0;
  }
  return result;
}

std::vector<Failure> Criterion::failures(dist::Mesh& mesh, std::span<const LocalNode> nodes, double time_s) {
  std::vector<LocalNode> able;
  for (LocalNode n : nodes)
    if (may_fail(mesh, n, time_s)) able.push_back(n);
  if (able.empty()) return {};

  star_forces_.evaluate(mesh, able, wanted());
  evaluations_.resize(mesh.node_id.size(), 0);
  for (LocalNode n : able) ++evaluations_[static_cast<std::size_t>(n.value)];
  const auto leave_alone = [&](LocalNode n, double share) {
    if (parameters_.evaluate_interval_share == 0) return;
    const double passage_s = mesh.field(dist::kUncutEdgeLength)[n] / fastest_wave_;
    mesh.field(kSoundUntil)[n] = time_s + kSoundPassages * (1 - share) * passage_s;
    // Half of the growth that would make it fail.
    mesh.field(kEvaluateAbove)[n] *= static_cast<float>(std::min(kMostGrowth, 0.5 * (1 + 1 / share)));
  };
  const double refused_cosine = std::cos(parameters_.refusal_angle_rad);
  const auto is_refused = [&](const Vec3& refused, double how_far, const Vec3& normal) {
    const double growth = parameters_.refusal_growth;
    if (growth == 0) return std::abs(refused.dot(normal)) > refused_cosine;  // same plane as refused before
    const double severity = refused.norm();
    return std::abs(refused.dot(normal)) > refused_cosine * severity && how_far < growth * severity;
  };
  std::vector<Failure> result;
  for (LocalNode n : able) {
    const Pull pull = pull_on(mesh, n);
    if (!pull.tensor.allFinite()) {
      result.push_back({n, std::numeric_limits<double>::quiet_NaN(), Vec3::Zero()});
      continue;
    }
    const double from_above = largest_eigenvalue_from_above(pull.tensor);
    if (!(from_above > pull.limit)) {
      leave_alone(n, std::max(0.0, from_above / pull.limit));
      continue;
    }
    const auto [how_far, normal] = severity_by(mesh, n, pull);
    if (!(how_far > 1)) {
      leave_alone(n, how_far);
      continue;
    }
    if (is_refused(Vec3(mesh.field(kRefusal)[n].data()), how_far, normal)) {
      leave_alone(n, 0);
      continue;
    }
    result.push_back({n, how_far, normal});
  }
  return result;
}

}  // namespace brisance::fracture
