#include "brisance/contact/forces/overlap_contact.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/contact/search/contact_layer.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/core/words.hpp"
#include "brisance/la/sums.hpp"

#include "contact/array_vec.hpp"
#include "contact/restitution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::contact {

namespace {

/// κ over λ + 2μ for a stiffness scale of 1. Two undamped bars that meet face to face at the longest step keep their
/// energy to 0.2 % at 0.15, to 0.6 % at 0.3 and to 2.6 % at 0.4; at 0.5 they blow up.
constexpr double kShareOfModulus = 0.15;
/// The same for node_penetration: such bars keep their energy to 0.8 % if nodes meet nodes, else to 0.2 %; with 0.15 to
/// 5.5 and 0.7 %.
constexpr double kShareOfModulusByNodes = 0.06;

/// Largest square of a tet's contact frequency, over 1/Δt²; a node meets several tets. Bars separate as they should
/// from 0.07 on; pieces of a spalled bar (VALIDATION D1) gain energy from 0.12 on.
constexpr double kMostStiffness = 0.1;

/// Verlet skin over the mean edge; no result depends on it.
constexpr double kOverlapSkinShare = 0.1;

/// Overlap over the smaller tet's volume at which the tets around the two begin to take part, and below which they
/// cease to.
constexpr double kDeep = 0.01, kStaysDeep = 0.5 * kDeep;

/// Friction sweeps in a step; each leaves about a fifth of the slip of sticking pairs.
constexpr int kSweeps = 8;

/// Share of a tet that may lie inside others at the start.
constexpr double kMostAtStart = 0.9;

/// Mean edge of these tets, taken as regular; the largest mean of all ranks [m]. Collective.
double mean_edge(const dist::Mesh& mesh, std::span<const LocalElement> tets) {
  double sum = 0;
  for (const LocalElement e : tets) sum += regular_edge(mesh.own_volume(e));
  return mesh.comm().max(tets.empty() ? 0.0 : sum / static_cast<double>(tets.size()));
}

}  // namespace

OverlapContact::OverlapContact(const DeformableParameters& parameters)
    : parameters_(parameters), damping_ratio_(damping_ratio(parameters.restitution)) {}

void OverlapContact::gather(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion) {
  const ContactLayer layer = contact_layer(mesh, parameters_.criterion);
  const double skin_m = kOverlapSkinShare * mean_edge(mesh, layer.tets);
  tets_ = ContactTets(mesh, motion, layer, skin_m);
  nodes_.assign(tets_.num_nodes(), {});
  position_.assign(tets_.num_nodes(), Vec3::Zero());
  update_nodes(mesh, motion);
  candidates_ = TetCandidates(tets_.tets(), position_, skin_m, parameters_.self);
  is_stale_ = false;
}

void OverlapContact::update_nodes(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion) {
  for (const std::int32_t slot : tets_.owned_nodes()) {
    const auto i = static_cast<std::size_t>(slot);
    const double *x = motion[i].position, *v = motion[i].velocity;
    nodes_[i] = {.position = {x[0], x[1], x[2]},
                 .velocity = {v[0], v[1], v[2]},
                 .expected_velocity = {v[0], v[1], v[2]},
                 .mass = mesh.mass[LocalNode(slot)],
                 .num_pairs = 0};
    position_[i] = Vec3(x);
  }
  tets_.halo().update_ghosts(std::span(nodes_));
  for (std::size_t i = tets_.first_foreign(); i < nodes_.size(); ++i) position_[i] = vec(nodes_[i].position);
}

void OverlapContact::detect(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion) {
  if (!is_stale_) {
    update_nodes(mesh, motion);
    is_stale_ = candidates_.is_outdated(mesh.comm(), position_);
  }
  if (is_stale_) gather(mesh, motion);
  const std::vector<PlacedTet> placed = placed_tets(tets_.tets(), position_);
  pairs_ = find_overlaps(tets_.tets(), placed, parameters_.criterion, candidates_.pairs());
  touching_ = touching_tets(tets_.tets(), pairs_);
  bound_stiffness();
}

// A tet's energy has the second derivative κ/V₀ (∂S/∂x)(∂S/∂x)ᵀ, of rank one: its frequency is known.
void OverlapContact::bound_stiffness() {
  if (!(stiffness_step_s_ > 0)) return;
  struct Term {
    std::int32_t tet;
    GlobalNode node;
    double mass;
    Vec3 gradient;
  };
  std::vector<Term> terms;
  for (const PairOverlap& pair : pairs_)
    for (const auto& [place, counts] : {std::pair(pair.a, pair.counts_for_a), std::pair(pair.b, pair.counts_for_b)}) {
      if (!counts || tet(place).is_ghost()) continue;
      for (std::size_t k = 0; k < 8; ++k) {
        const ContactTet& corner_of = tet(k < 4 ? pair.a : pair.b);
        terms.push_back({place, corner_of.node[k % 4], nodes_[static_cast<std::size_t>(corner_of.number[k % 4])].mass,
                         pair.overlap.gradient[k]});
      }
    }
  std::ranges::stable_sort(terms, {}, [](const Term& term) { return std::pair(term.tet, term.node); });
  for (std::size_t first = 0, end = 0; first < terms.size(); first = end) {
    double sum = 0;  // Σ |∂S/∂x|²/m
    const std::int32_t place = terms[first].tet;
    while (end < terms.size() && terms[end].tet == place) {
      const Term& node = terms[end];
      Vec3 gradient = Vec3::Zero();
      for (; end < terms.size() && terms[end].tet == place && terms[end].node == node.node; ++end)
        gradient += terms[end].gradient;
      sum += gradient.squaredNorm() / node.mass;
    }
    if (sum > 0)
      touching_[static_cast<std::size_t>(place)].stiffness_bound =
          kMostStiffness * tet(place).volume / (sum * stiffness_step_s_ * stiffness_step_s_);
  }
}

double OverlapContact::stiffness(const dist::Mesh& mesh, LocalElement e, double bound) const {
  const material::Material& material = mesh.material(e);
  const double share =
      parameters_.criterion == ContactCriterion::node_penetration ? kShareOfModulusByNodes : kShareOfModulus;
  const double known = mesh.field(kContactStiffness)[e];
  const double now =
      parameters_.stiffness_scale * std::min(share * (material.lame_lambda + 2 * material.lame_mu), bound);
  return known > 0 ? std::min(known, now) : now;
}

template <class OffsetOf>
void OverlapContact::press(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion,
                           const OffsetOf& offset_of) {
  detect(mesh, motion);
  const auto &offset = mesh.field(kOverlapOffset), &pressed = mesh.field(kPressedShare);
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const ContactTet& at = tets_.tets()[i];
    TouchingTet& touching = touching_[i];
    if (at.is_ghost() || touching.num_pairs == 0) continue;
    const LocalElement e = at.element;
    const double share = touching.overlap / at.volume;
    touching.offset = offset_of(share, offset[e], pressed[e]);
    touching.pressing = {.pressed = std::max(0.0, share - touching.offset),
                         .stiffness = stiffness(mesh, e, touching.stiffness_bound)};
  }
  exchange(mesh.comm(), tets_, touching_);
}

void OverlapContact::store(dist::Mesh& mesh) const {
  auto &offset = mesh.field(kOverlapOffset), &pressed = mesh.field(kPressedShare),
       &known_stiffness = mesh.field(kContactStiffness);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    offset[LocalElement(i)] = pressed[LocalElement(i)] = known_stiffness[LocalElement(i)] = 0;
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const LocalElement e = tets_.tets()[i].element;
    if (!e.valid()) continue;
    offset[e] = touching_[i].offset;
    pressed[e] = touching_[i].pressing.pressed;
    known_stiffness[e] = touching_[i].pressing.stiffness;
  }
}

void OverlapContact::find(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion) {
  press(mesh, motion, [](double share, double offset, double) { return std::min(offset, share); });
}

void OverlapContact::find_for_step(dist::Mesh& mesh) {
  find(mesh, mesh.motion.span());
  store(mesh);
  if (parameters_.criterion == ContactCriterion::overlap_volume) note_deep_tets(mesh);
}

void OverlapContact::find_after_changes(dist::Mesh& mesh) {
  if (!has_changed_) return;
  press(mesh, mesh.motion.span(),
        [](double share, double offset, double pressed) { return std::max(std::min(offset, share), share - pressed); });
  store(mesh);
  has_changed_ = false;
}

void OverlapContact::note_deep_tets(dist::Mesh& mesh) {
  auto& shares_much = mesh.field(kSharesMuch);
  std::vector<std::uint8_t> now(static_cast<std::size_t>(mesh.num_element_slots()), 0);
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const LocalElement e = tets_.tets()[i].element;
    if (e.valid() && touching_[i].deepest > (shares_much[e] != 0 ? kStaysDeep : kDeep))
      now[static_cast<std::size_t>(e.value)] = 1;
  }
  bool differ = false;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    std::uint8_t& known = shares_much[LocalElement(i)];
    differ = differ || known != now[static_cast<std::size_t>(i)];
    known = now[static_cast<std::size_t>(i)];
  }
  if (mesh.comm().any(differ)) note_cuts();
}

void OverlapContact::take_start(dist::Mesh& mesh) {
  DeformableParameters by_volume = parameters_;  // the nodes' depths do not tell how much of a tet others occupy
  by_volume.criterion = ContactCriterion::overlap_volume;
  OverlapContact whole(by_volume);
  whole.find(mesh, mesh.motion.span());
  Shares shares;
  for (std::size_t i = 0; i < whole.touching_.size(); ++i)
    if (const ContactTet& at = whole.tets_.tets()[i]; at.is_home && whole.touching_[i].num_pairs > 0)
      shares.emplace_back(at.id, whole.touching_[i].overlap / at.volume);
  report_start(mesh, shares);
  press(mesh, mesh.motion.span(), [](double share, double, double) { return share; });
  store(mesh);
}

void OverlapContact::report_start(const dist::Mesh& mesh, const Shares& shares) const {
  const core::Comm& comm = mesh.comm();
  const std::int64_t count = comm.sum(static_cast<std::int64_t>(shares.size()));
  if (count == 0) return;
  std::int64_t deepest = std::numeric_limits<std::int64_t>::max();
  double most = 0;
  for (const auto& [id, share] : shares) most = std::max(most, share);
  most = comm.max(most);
  for (const auto& [id, share] : shares)
    if (share == most) deepest = std::min(deepest, id.value);
  deepest = comm.min(deepest);
  Vec3 at = Vec3::Zero();
  if (const LocalElement e = mesh.find(GlobalElement(deepest)); e.valid() && mesh.is_home(e))
    for (const LocalNode n : mesh.corners(e)) at += 0.25 * Vec3(mesh.motion[n].position);
  la::sum_over_ranks(comm, std::span<double>(at.data(), 3));  // not zero on one rank alone
  const std::string what =
      fmt::format("{} others at the start, the worst with {:.3g} % of its volume, at ({:.4g}, {:.4g}, {:.4g}) m",
                  core::counted(count, "tet overlaps", "tets overlap"), 100 * most, at.x(), at.y(), at.z());
  if (most > kMostAtStart)
    throw core::BadInput(what +
                         ". Nothing says which way is out: move the objects apart (object.translation_m), or let "
                         "them pass through each other with contact.enabled = \"off\".");
  if (comm.is_root()) spdlog::warn("{}; contact takes this as its zero and only opposes more.", what);
}

std::vector<OverlapForce> OverlapContact::forces_for_step(const dist::Mesh& mesh,
                                                          std::span<const dist::NodeForce> forces,
                                                          const OverlapStep& step) {
  expect_velocities(mesh, forces, step);
  const PairForceLaw law = law_of(step.dt_s);
  PairForces found(tets_.tets(), pairs_, tets_.first_foreign());
  found.press(touching_, nodes_, law);
  if (!(law.friction > 0) || !mesh.comm().any(!pairs_.empty())) return found.sums();
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    if (sweep > 0) tets_.halo().update_ghosts(std::span(nodes_));
    found.add_friction(nodes_, law);
  }
  return found.sums();
}

PairForceLaw OverlapContact::law_of(double dt_s) const {
  return {.damping_ratio = damping_ratio_, .friction = parameters_.friction, .dt_s = dt_s};
}

// Sets expected velocities of owned nodes in pairs; all pairs of such a node are known here.
void OverlapContact::expect_velocities(const dist::Mesh& mesh, std::span<const dist::NodeForce> forces,
                                       const OverlapStep& step) {
  std::vector<std::int32_t> slots;
  for (const PairOverlap& pair : pairs_)
    for (const std::int32_t place : {pair.a, pair.b})
      for (const std::int32_t number : tet(place).number)
        if (static_cast<std::size_t>(number) < tets_.first_foreign()) {
          double& count = nodes_[static_cast<std::size_t>(number)].num_pairs;
          if (count == 0) slots.push_back(number);
          ++count;
        }
  for (const std::int32_t slot : slots) {
    OverlapNode& node = nodes_[static_cast<std::size_t>(slot)];
    const Vec3 acceleration =
        mesh.inverse_mass[LocalNode(slot)] * Vec3(forces[static_cast<std::size_t>(slot)].force) + step.gravity;
    const double own_step_s = (step.shares ? step.shares(slot).now : 1) * step.dt_s;
    node.expected_velocity = numbers(vec(node.velocity) + own_step_s * acceleration);
  }
  tets_.halo().update_ghosts(std::span(nodes_));
}

OverlapForces OverlapContact::end_forces(double dt_s, const PairLimits& limits) const {
  return contact::end_forces(tets_, pairs_, touching_, nodes_, law_of(dt_s), limits);
}

DeformableReport OverlapContact::report() const {
  DeformableReport report;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const PairOverlap& pair = pairs_[i];
    if (!tet(pair.a).is_home) continue;
    const bool is_second = i > 0 && pairs_[i - 1].a == pair.a && pairs_[i - 1].b == pair.b;  // the entry of b's nodes
    if (!is_second) ++report.pairs;
    if (!is_second && tet(pair.b).is_ghost()) ++report.across;
    const double smaller = regular_edge(std::min(tet(pair.a).volume, tet(pair.b).volume));
    const double share = pair.overlap.depth() / smaller;
    if (share > kDeepShare) ++report.deep;
    const Vec3& place = pair.overlap.centroid;
    const auto order = [](double depth_share, double edge_m, const Vec3& x) {  // the order of over_ranks
      return std::tuple(-depth_share, edge_m, x[0], x[1], x[2]);
    };
    if (order(share, smaller, place) >= order(report.deepest, report.deepest_edge_m, report.deepest_place)) continue;
    report.deepest = share;
    report.deepest_edge_m = smaller;
    report.deepest_place = place;
  }
  return report;
}

std::size_t OverlapContact::memory_bytes() const {
  return tets_.memory_bytes() + candidates_.memory_bytes() + core::bytes_of(nodes_, position_, pairs_, touching_);
}

}  // namespace brisance::contact
