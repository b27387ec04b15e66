#include "brisance/sim/fine_steps.hpp"

#include "brisance/dynamics/mesh_spans.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace brisance::sim {

void FineSteps::gather(const dist::Mesh& mesh, int finest_class) {
  if (!stale_) return;
  stale_ = false;
  classes_.clear();
  if (finest_class == 0) return;
  classes_.resize(static_cast<std::size_t>(finest_class));
  const auto& step_class = mesh.field(dynamics::kStepClass);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); step_class[e] > 0 && mesh.is_held(e)) classes_[step_class[e] - 1U].slots.push_back(i);

  node_class_.assign(mesh.node_id.size(), 0);
  std::uint8_t k = 0;
  for (FineClass& fine : classes_) {
    ++k;
    fine.elements.pack(dynamics::spans_of(mesh), fine.slots, std::ldexp(1.0, -k));
    for (const std::int32_t i : fine.elements.corners()) node_class_[LocalNode(i)] = k;
  }
  std::vector<LocalNode> ghosts;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (node_class_[n] == 0) continue;
    if (mesh.is_owned(n))
      classes_[node_class_[n] - 1U].nodes.push_back(i);
    else
      ghosts.push_back(n);
  }
  halo_ = mesh.halo_of(ghosts);
  part_.resize(mesh.node_id.size());
  kick_.resize(mesh.node_id.size());
  last_.resize(mesh.node_id.size());
  held_.assign(mesh.node_id.size(), {});
}

void FineSteps::begin(const dist::Mesh& mesh, double coarse_s, std::span<dist::NodeForce> forces,
                      const dynamics::ForceOptions& options) {
  options_ = options;
  coarse_s_ = coarse_s;
  for (FineClass& fine : classes_) {
    fine.start.clear();
    for (const std::int32_t i : fine.nodes) {
      fine.start.emplace_back(mesh.motion[LocalNode(i)].position);
      kick_[LocalNode(i)] = {};
      last_[LocalNode(i)] = forces[i];  // what coarse elements give, once that of fine ones is off
    }
  }
  int k = 0;
  for (FineClass& fine : classes_) {
    ++k;
    const dynamics::ElementSpans spans = dynamics::spans_of(mesh);
    if (!spans.plastic.empty()) fine.elements.pack(spans, fine.slots, std::ldexp(1.0, -k));  // it has flowed
    fine.elements.internal_forces(mesh.materials, mesh.motion.span(), part_.span(), options_);
    element_updates_ += static_cast<std::int64_t>(fine.elements.size());
    const double whole = std::ldexp(1.0, k);
    for (const std::int32_t i : fine.elements.corners()) {
      if (!mesh.is_owned(LocalNode(i))) continue;
      dist::add_scaled(1 - whole, part_[LocalNode(i)], forces[i]);
      dist::add_scaled(-whole, part_[LocalNode(i)], last_[LocalNode(i)]);
    }
  }
}

void FineSteps::run(dist::Mesh& mesh, std::span<dist::NodeForce> forces, std::span<const HeldNode> held,
                    const Accounts& accounts) {
  if (!any()) return;
  for (const HeldNode& node : held) held_[LocalNode(node.slot)] = node.axes;
  int k = 0;
  for (const FineClass& fine : classes_) {
    ++k;
    const double step_s = std::ldexp(coarse_s_, -k);
    for (std::size_t i = 0; i < fine.nodes.size(); ++i) {
      dist::NodeMotion& m = mesh.motion[LocalNode(fine.nodes[i])];
      for (int a = 0; a < 3; ++a) m.position[a] = fine.start[i][a] + step_s * m.velocity[a];
    }
  }
  const int finest = static_cast<int>(classes_.size());
  const std::uint32_t steps = 1U << finest;
  for (std::uint32_t j = 1; j < steps; ++j) {
    halo_.update_ghosts(mesh.motion.span());
    // A step of class k is 2^(finest − k) of the finest ones: those begin whose number divides j.
    const int first = finest - std::countr_zero(j);
    for (k = first; k <= finest; ++k) kick(mesh, k, j == steps - (steps >> k));
    for (k = first; k <= finest; ++k) move(mesh, k, accounts);
  }
  for (const FineClass& fine : classes_)
    for (const std::int32_t i : fine.nodes) {
      const double bound = forces[i].force[3];
      forces[i] = last_[LocalNode(i)];
      forces[i].force[3] = bound;
    }
  for (const HeldNode& node : held) held_[LocalNode(node.slot)] = {};
}

void FineSteps::kick(const dist::Mesh& mesh, int k, bool last) {
  const FineClass& fine = classes_[static_cast<std::size_t>(k) - 1];
  element_updates_ += static_cast<std::int64_t>(fine.elements.size());
  if (!last) {
    fine.elements.add_internal_forces(mesh.materials, mesh.motion.span(), kick_.span(), options_);
    return;
  }
  fine.elements.internal_forces(mesh.materials, mesh.motion.span(), part_.span(), options_);
  for (const std::int32_t i : fine.elements.corners()) {
    dist::add_scaled(1, part_[LocalNode(i)], kick_[LocalNode(i)]);
    dist::add_scaled(1, part_[LocalNode(i)], last_[LocalNode(i)]);
  }
}

void FineSteps::move(dist::Mesh& mesh, int k, const Accounts& accounts) {
  const FineClass& fine = classes_[static_cast<std::size_t>(k) - 1];
  const double step_s = std::ldexp(coarse_s_, -k);
  for (const std::int32_t i : fine.nodes) {
    const LocalNode n(i);
    dist::NodeMotion& m = mesh.motion[n];
    const dist::NodeForce& kick = kick_[n];
    const double speed_up = coarse_s_ * mesh.inverse_mass[n];
    double viscous = 0, supplied = 0;
    for (int a = 0; a < 3; ++a) {
      const double old_velocity = m.velocity[a], free_velocity = old_velocity + kick.force[a] * speed_up;
      m.velocity[a] = held_[n][a] ? old_velocity : free_velocity;
      m.position[a] += step_s * m.velocity[a];
      const double mean = 0.5 * (old_velocity + m.velocity[a]);
      viscous -= coarse_s_ * kick.viscous[a] * mean;
      supplied += mesh.mass[n] * (m.velocity[a] - free_velocity) * mean;
    }
    if (!accounts.viscous.empty()) accounts.viscous[i] += viscous;
    accounts.supplied[i] += supplied;
    kick_[n] = {};
  }
}

}  // namespace brisance::sim
