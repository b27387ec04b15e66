#include "brisance/fracture/criteria/failure_search.hpp"

#include "brisance/dist/mesh_fields.hpp"
#include "brisance/fracture/criteria/separation_tensor.hpp"
#include "brisance/fracture/fields.hpp"

#include "fracture/criteria/hoop_normal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace brisance::fracture {

namespace {

constexpr double kSoundPassages = 2;  ///< wave passages for which a node without tension is not evaluated again
constexpr double kMostGrowth = 2;     ///< largest growth of the bound without a new evaluation
constexpr double kTwoOverSqrt3 = 1.1547005383792517;

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

}  // namespace

FailureSearch::FailureSearch(const dist::Mesh& mesh, const Parameters& parameters, const ConstrainedRegions& held,
                             CornerForceFunction corner_forces)
    : parameters_(parameters),
      held_(held),
      criterion_(make_criterion(parameters)),
      star_forces_(std::move(corner_forces)),
      limits_(parameters) {
  for (const auto& m : mesh.materials) fastest_wave_ = std::max(fastest_wave_, material::pressure_wave_speed(m));
  std::vector<LocalNode> owned;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) owned.emplace_back(i);
  refresh(mesh, owned);
}

void FailureSearch::note_strain(dist::Mesh& mesh, std::span<const float> strain) {
  auto& left = mesh.field(kAreaLeft);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) left[n] = area_left_at(mesh, n, strain);
}

void FailureSearch::note_strain(dist::Mesh& mesh, std::span<const LocalNode> nodes, std::span<const float> strain) {
  auto& left = mesh.field(kAreaLeft);
  for (LocalNode n : nodes) left[n] = area_left_at(mesh, n, strain);
}

bool FailureSearch::can_fail(const dist::Mesh& mesh, LocalNode n) const {
  return !held_.constrain_all(mesh.field(dist::kRegions)[n]) && mesh.star(n).size() > 1;
}

bool FailureSearch::may_fail(const dist::Mesh& mesh, LocalNode n, double time_s) const {
  return mesh.field(kReadyTime)[n] <= time_s && can_fail(mesh, n);
}

StarForces::Wanted FailureSearch::wanted() const {
  return parameters_.direction == Direction::hoop ? StarForces::Wanted::stresses : criterion_->traits().wanted;
}

std::vector<LocalNode> FailureSearch::candidates(dist::Mesh& mesh, std::span<const dist::NodeForce> forces,
                                                 double time_s) const {
  return criterion_->traits().is_bounded ? nodes_above_bound(mesh, forces, time_s) : due_nodes(mesh, time_s);
}

std::vector<LocalNode> FailureSearch::nodes_above_bound(dist::Mesh& mesh, std::span<const dist::NodeForce> forces,
                                                        double time_s) const {
  std::vector<LocalNode> result;
  const auto& sound_until = mesh.field(kSoundUntil);
  auto& evaluate_above = mesh.field(kEvaluateAbove);
  const auto* push = std::as_const(mesh).find_field(kContactAcceleration);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    const auto& f = forces[i].force;
    const double net = push != nullptr ? (Vec3(f) + contact_force(mesh, push, n)).norm()
                                       : std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    const double bound = 0.5 * (f[3] + kTwoOverSqrt3 * net);
    const bool below = bound <= limits_.least_force(mesh, n);  // false for NaN: evaluated, and reported
    if (below || (sound_until[n] > time_s && bound <= evaluate_above[n]) || !may_fail(mesh, n, time_s)) continue;
    evaluate_above[n] = static_cast<float>(bound);
    result.push_back(n);
  }
  return result;
}

std::vector<LocalNode> FailureSearch::due_nodes(const dist::Mesh& mesh, double time_s) const {
  std::vector<LocalNode> result;
  const auto& sound_until = mesh.field(kSoundUntil);
  const bool is_stress = criterion_->traits().is_stress;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    const double limit = is_stress ? limits_.least_strength(n) : limits_.least_force(mesh, n);
    if (std::isfinite(limit) && sound_until[n] <= time_s && may_fail(mesh, n, time_s)) result.push_back(n);
  }
  return result;
}

Severity FailureSearch::severity_at(const EvaluatedNode& at, const NodeLoad& load) const {
  Severity found = criterion_->severity(at, load);
  if (parameters_.direction == Direction::hoop)
    found.normal = hoop_normal(at.mesh, at.node, at.stars).value_or(found.normal);
  return found;
}

std::vector<Severity> FailureSearch::severities(const dist::Mesh& mesh, std::span<const LocalNode> nodes) {
  star_forces_.evaluate(mesh, nodes, wanted());
  std::vector<Severity> result;
  for (const LocalNode n : nodes) {
    const EvaluatedNode at{mesh, n, star_forces_, limits_};
    result.push_back(severity_at(at, criterion_->load(at)));
    double& share = result.back().share;
    if (!can_fail(mesh, n) || share < 0) share = 0;
  }
  return result;
}

void FailureSearch::delay_evaluation(dist::Mesh& mesh, LocalNode n, double share, double time_s) const {
  if (parameters_.evaluate_interval_share == 0) return;
  const double passage_s = mesh.field(dist::kUncutEdgeLength)[n] / fastest_wave_;
  mesh.field(kSoundUntil)[n] = time_s + kSoundPassages * (1 - share) * passage_s;
  // Half of the growth that would make it fail.
  mesh.field(kEvaluateAbove)[n] *= static_cast<float>(std::min(kMostGrowth, 0.5 * (1 + 1 / share)));
}

bool FailureSearch::is_refused(const dist::Mesh& mesh, LocalNode n, const Severity& found) const {
  const Vec3 refused(mesh.field(kRefusal)[n].data());
  const double cosine = std::cos(parameters_.refusal_angle_rad), growth = parameters_.refusal_growth;
  if (growth == 0) return std::abs(refused.dot(found.normal)) > cosine;  // same plane as refused before
  const double severity = refused.norm();
  return std::abs(refused.dot(found.normal)) > cosine * severity && found.share < growth * severity;
}

std::optional<Failure> FailureSearch::failure_of(dist::Mesh& mesh, LocalNode n, double time_s) const {
  const EvaluatedNode at{mesh, n, star_forces_, limits_};
  const NodeLoad load = criterion_->load(at);
  if (!load.tensor.allFinite()) return Failure{n, std::numeric_limits<double>::quiet_NaN(), Vec3::Zero()};
  const double from_above = largest_eigenvalue_from_above(load.tensor);
  if (!(from_above > load.limit)) {
    delay_evaluation(mesh, n, std::max(0.0, from_above / load.limit), time_s);
    return std::nullopt;
  }
  const Severity found = severity_at(at, load);
  if (!(found.share > 1)) {
    delay_evaluation(mesh, n, found.share, time_s);
    return std::nullopt;
  }
  if (is_refused(mesh, n, found)) {
    delay_evaluation(mesh, n, 0, time_s);
    return std::nullopt;
  }
  return Failure{n, found.share, found.normal};
}

std::vector<Failure> FailureSearch::failures(dist::Mesh& mesh, std::span<const LocalNode> nodes, double time_s) {
  std::vector<LocalNode> able;
  for (LocalNode n : nodes)
    if (may_fail(mesh, n, time_s)) able.push_back(n);
  if (able.empty()) return {};

  star_forces_.evaluate(mesh, able, wanted());
  evaluations_.resize(mesh.node_id.size(), 0);
  for (LocalNode n : able) ++evaluations_[static_cast<std::size_t>(n.value)];
  std::vector<Failure> result;
  for (LocalNode n : able)
    if (const std::optional<Failure> failure = failure_of(mesh, n, time_s)) result.push_back(*failure);
  return result;
}

}  // namespace brisance::fracture
