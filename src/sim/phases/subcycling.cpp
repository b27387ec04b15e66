#include "brisance/sim/phases/subcycling.hpp"

#include "brisance/dynamics/mesh_spans.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace brisance::sim {

namespace {

/// Prefetches the entries of a node some nodes ahead in these arrays by slot: slots of fine nodes are scattered over
/// memory.
template <class... Arrays>
void ask_ahead(std::span<const std::int32_t> slots, std::size_t i, const Arrays*... arrays) {
  constexpr std::size_t kNodesAhead = 16;
  if (i + kNodesAhead < slots.size()) (__builtin_prefetch(arrays + slots[i + kNodesAhead]), ...);
}

}  // namespace

std::size_t Subcycling::memory_bytes() const {
  std::size_t bytes = nodes_.memory_bytes() + core::bytes_of(fine_, motion_, part_, kick_, last_, others_);
  for (const FineClass& fine : classes_) bytes += core::bytes_of(fine.slots, fine.nodes) + fine.elements.memory_bytes();
  return bytes;
}

void Subcycling::gather(const dist::Mesh& mesh, int finest_class) {
  if (!stale_) return;
  stale_ = false;
  classes_.resize(static_cast<std::size_t>(finest_class));
  for (FineClass& fine : classes_) fine.slots.clear();
  if (finest_class == 0) {
    nodes_.clear(0);
    fine_.assign(1, {});
    return;
  }
  const auto& step_class = mesh.field(dynamics::kStepClass);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); step_class[e] > 0 && mesh.is_held(e)) classes_[step_class[e] - 1U].slots.push_back(i);

  // The finest class first: its nodes are used most often.
  nodes_.clear(mesh.node_id.size());
  fine_.assign(1, {});
  for (int k = finest_class; k > 0; --k) {
    FineClass& fine = classes_[static_cast<std::size_t>(k) - 1];
    fine.elements.pack(dynamics::spans_of(mesh), fine.slots, std::ldexp(1.0, -k), nodes_);
    FineNode node{};
    node.step_class = static_cast<std::int8_t>(k);
    fine_.resize(nodes_.size(), node);
  }
  list_nodes(mesh);
}

// Fills masses, owners and halos of nodes_, whose classes are known.
void Subcycling::list_nodes(const dist::Mesh& mesh) {
  const std::span<const std::int32_t> slots = nodes_.slots();
  std::vector<dist::GhostLink> ghosts;
  for (FineClass& fine : classes_) fine.nodes.clear();
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const LocalNode n(slots[i]);
    ask_ahead(slots, i, mesh.mass.span().data(), mesh.inverse_mass.span().data(), mesh.owner.span().data());
    fine_[i].mass = mesh.mass[n];
    fine_[i].inverse_mass = mesh.inverse_mass[n];
    fine_[i].is_owned = mesh.is_owned(n);
    if (fine_[i].is_owned)
      classes_[static_cast<std::size_t>(fine_[i].step_class) - 1].nodes.push_back(static_cast<std::int32_t>(i));
    else
      ghosts.push_back(mesh.link_of(n));
  }
  motion_.assign(nodes_.size(), {});
  part_.resize(nodes_.size());
  kick_.resize(nodes_.size());
  last_.resize(nodes_.size());
  halos_.clear();
  halos_.resize(std::max<std::size_t>(1, classes_.size()));
  if (mesh.comm().size() == 1) return;
  dist::Halo& all = halos_.front();
  all = dist::Halo(mesh.comm(), ghosts, nodes_.numbers(), nodes_.size());
  std::vector<std::int8_t> class_of(nodes_.size());
  for (std::size_t i = 1; i < nodes_.size(); ++i) class_of[i] = fine_[i].step_class;
  all.update_ghosts(std::span(class_of));
  for (std::size_t k = 1; k < halos_.size(); ++k)
    halos_[k] = all.from_level(mesh.comm(), class_of, static_cast<int>(k) + 1);
}

void Subcycling::begin(const dist::Mesh& mesh, double coarse_s, std::span<dist::NodeForce> forces,
                       const dynamics::ForceOptions& options, std::span<const ForcesOnNodes::Entry> others) {
  options_ = options;
  coarse_s_ = coarse_s;
  const std::span<const std::int32_t> slots = nodes_.slots();
  for (std::size_t i = 1; i < slots.size(); ++i) {
    ask_ahead(slots, i, mesh.motion.span().data(), forces.data());
    motion_[i] = mesh.motion[LocalNode(slots[i])];
    fine_[i].start = Vec3(motion_[i].position);
    kick_[i] = {};
    last_[i] = forces[static_cast<std::size_t>(slots[i])];  // of coarse elements, once those of fine ones are taken off
  }
  others_.clear();
  for (const ForcesOnNodes::Entry& entry : others) {
    const std::int32_t i = others_.emplace_back(static_cast<std::int32_t>(nodes_.number_if_any(entry.slot)));
    for (int a = 0; a < 3; ++a) last_[i].force[a] -= entry.first[a];
  }
  int k = 0;
  for (FineClass& fine : classes_) {
    ++k;
    const dynamics::ElementSpans spans = dynamics::spans_of(mesh);
    if (!spans.plastic.empty()) fine.elements.pack(spans, fine.slots, std::ldexp(1.0, -k), nodes_);  // it has flowed
    fine.elements.internal_forces(mesh.materials, motion_, part_, options_);
    element_updates_ += static_cast<std::int64_t>(fine.elements.size());
    const double whole = std::ldexp(1.0, k);
    for (const std::int32_t i : fine.elements.corners()) {
      if (!fine_[i].is_owned) continue;
      dist::add_scaled(1 - whole, part_[i], forces[slots[i]]);
      dist::add_scaled(-whole, part_[i], last_[i]);
    }
  }
}

void Subcycling::run(dist::Mesh& mesh, std::span<dist::NodeForce> forces, std::span<const ConstrainedNode> held,
                     const Accounts& accounts, ForcesOnNodes& others) {
  if (!any()) return;
  const std::span<const std::int32_t> slots = nodes_.slots();
  for (const ConstrainedNode& node : held) fine_[nodes_.number_if_any(node.slot)].held = node.axes;
  int k = 0;
  for (const FineClass& fine : classes_) {
    const double step_s = std::ldexp(coarse_s_, -++k);
    for (const std::int32_t i : fine.nodes) {
      ask_ahead(slots, static_cast<std::size_t>(i), mesh.motion.span().data(), accounts.supplied.data());
      dist::NodeMotion& m = motion_[i];
      std::ranges::copy(mesh.motion[LocalNode(slots[i])].velocity, m.velocity);
      for (int a = 0; a < 3; ++a) m.position[a] = fine_[i].start[a] + step_s * m.velocity[a];
      fine_[i].viscous = accounts.viscous.empty() ? 0 : accounts.viscous[slots[i]];
      fine_[i].supplied = accounts.supplied[slots[i]];
    }
  }
  const int finest = static_cast<int>(classes_.size());
  const std::uint32_t steps = 1U << finest;
  for (std::uint32_t j = 1; j < steps; ++j) {
    // A step of class k is 2^(finest − k) of the finest ones; it begins if that number divides j. Nodes whose steps
    // began one finest step ago have moved since.
    const auto coarsest_at = [&](std::uint32_t number) { return finest - std::countr_zero(number); };
    const int first = coarsest_at(j), moved = j == 1 ? 1 : coarsest_at(j - 1);
    halos_[static_cast<std::size_t>(moved - 1)].update_ghosts(std::span(motion_));
    const auto is_last = [&](int of) { return j == steps - (steps >> of); };
    for (k = first; k <= finest; ++k) kick(mesh.materials, k, is_last(k));
    const double elapsed = static_cast<double>(j) / steps;
    if (!others_.empty())
      for (k = first; k <= finest; ++k) add_other_forces(k, elapsed, is_last(k), others);
    for (k = first; k <= finest; ++k) move(k);
    for (std::size_t entry = 0; entry < others_.size(); ++entry)
      if (const std::int32_t i = others_[entry]; fine_[i].step_class >= first)
        others.taken(entry, Vec3(motion_[i].velocity), std::ldexp(coarse_s_, -fine_[i].step_class));
  }
  if (const std::span<dynamics::PlasticBlock> plastic = mesh.field(dynamics::kPlasticState); !plastic.empty())
    for (const FineClass& fine : classes_) fine.elements.put_back_flow(fine.slots, plastic);
  for (const FineClass& fine : classes_)
    for (const std::int32_t i : fine.nodes) {
      ask_ahead(slots, static_cast<std::size_t>(i), forces.data(), mesh.motion.span().data(), accounts.supplied.data());
      dist::NodeForce& force = forces[slots[i]];
      const double bound = force.force[3];
      force = last_[i];
      force.force[3] = bound;
      mesh.motion[LocalNode(slots[i])] = motion_[i];
      if (!accounts.viscous.empty()) accounts.viscous[slots[i]] = fine_[i].viscous;
      accounts.supplied[slots[i]] = fine_[i].supplied;
    }
  for (const ConstrainedNode& node : held) fine_[nodes_.number_if_any(node.slot)].held = {};
}

void Subcycling::kick(std::span<const material::Material> materials, int k, bool last) {
  FineClass& fine = classes_[static_cast<std::size_t>(k) - 1];
  dynamics::ForceOptions options = options_;
  options.since_flow_s = std::ldexp(coarse_s_, -k);
  options.step_class = {};
  element_updates_ += static_cast<std::int64_t>(fine.elements.size());
  if (!last) {
    fine.elements.flow_and_add_internal_forces(materials, motion_, kick_, options);
    return;
  }
  for (const std::int32_t i : fine.elements.corners()) part_[i] = {};
  fine.elements.flow_and_add_internal_forces(materials, motion_, part_, options);
  for (const std::int32_t i : fine.elements.corners()) {
    dist::add_scaled(1, part_[i], kick_[i]);
    dist::add_scaled(1, part_[i], last_[i]);
  }
}

void Subcycling::add_other_forces(int k, double elapsed, bool last, ForcesOnNodes& others) {
  const double share = std::ldexp(1.0, -k);
  for (std::size_t entry = 0; entry < others_.size(); ++entry) {
    const std::int32_t i = others_[entry];
    if (fine_[i].step_class != k) continue;
    const dist::NodeMotion& m = motion_[i];
    const Vec3 expected = Vec3(m.velocity) + coarse_s_ * fine_[i].inverse_mass * Vec3(kick_[i].force);
    const Vec3 force = others.force(entry, {m, expected, elapsed, share * coarse_s_});
    for (int a = 0; a < 3; ++a) {
      kick_[i].force[a] += share * force[a];
      if (last) last_[i].force[a] += share * force[a];
    }
  }
}

void Subcycling::move(int k) {
  const FineClass& fine = classes_[static_cast<std::size_t>(k) - 1];
  const double step_s = std::ldexp(coarse_s_, -k);
  for (const std::int32_t i : fine.nodes) {
    FineNode& node = fine_[i];
    dist::NodeMotion& m = motion_[i];
    const double speed_up = coarse_s_ * node.inverse_mass;
    double viscous = 0, supplied = 0;
    for (int a = 0; a < 3; ++a) {
      const double old_velocity = m.velocity[a], free_velocity = old_velocity + kick_[i].force[a] * speed_up;
      m.velocity[a] = node.held[a] ? old_velocity : free_velocity;
      m.position[a] += step_s * m.velocity[a];
      const double mean = 0.5 * (old_velocity + m.velocity[a]);
      viscous -= coarse_s_ * kick_[i].viscous[a] * mean;
      supplied += node.mass * (m.velocity[a] - free_velocity) * mean;
    }
    node.viscous += viscous;
    node.supplied += supplied;
    kick_[i] = {};
  }
}

}  // namespace brisance::sim
