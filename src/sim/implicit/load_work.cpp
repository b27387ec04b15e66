/// Statics: works and losses of a load step.
#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/sim/fields.hpp"

#include "load_trial.hpp"

namespace brisance::sim {

// There is no kinetic energy: the energy released by elastic forces and contact springs, and the work of Dirichlet
// conditions, loads and weight, less the stored energy, is lost. Forces between two loads are the mean of both.
void StaticStepper::book(double load_share_before, double load_share, Trial& trial) {
  std::vector<LoadedNode> loaded_before;
  if (!loads_.empty()) (void)find_pressures(load_share_before, mesh_.motion.span(), loaded_before);
  std::vector<Vec3> pressing(loads_.empty() ? 0 : mesh_.node_id.size(), Vec3::Zero());
  for (const auto* nodes : {&loaded_before, &trial.loaded})
    for (const LoadedNode& node : *nodes) pressing[static_cast<std::size_t>(node.slot)] += 0.5 * node.force;
  const auto displacement_of = [&](LocalNode n) -> Vec3 {
    return Vec3(trial.motion[n].position) - Vec3(mesh_.motion[n].position);
  };
  for (std::size_t i = 0; i < pressing.size(); ++i)
    if (const LocalNode n(static_cast<std::int32_t>(i)); pressing[i] != Vec3::Zero()) {
      const double work = pressing[i].dot(displacement_of(n));
      add_load_work(n, work);
      state_.numerical_loss.add(work);
    }
  if (!scene_.output.energy_ledger) return;
  AlignedNodeField<dist::NodeForce> forces_before(mesh_.node_id.size());
  dynamics::corotational_forces(mesh_, mesh_.motion.span(), scene_.time.strain, forces_before.span());
  const auto energy = [&](const AlignedNodeField<dist::NodeMotion>& motion) {
    return dynamics::corotational_energy(mesh_, motion.span(), scene_.time.strain, dist::home_elements(mesh_));
  };
  const auto spring_energy = [&](std::span<const contact::EndContact> contacts) {
    core::ExactSum sum;
    for (const contact::EndContact& c : contacts) sum.add(0.5 * c.spring.squaredNorm() / c.stiffness);
    return sum;
  };
  std::vector<contact::EndContact> contacts_before;
  if (colliders_.size() > 0) contacts_before = find_contacts(mesh_.motion.span());
  std::vector<Vec3> springs(colliders_.size() > 0 ? mesh_.node_id.size() : 0, Vec3::Zero());
  for (const auto* contacts : {&contacts_before, &trial.contacts})
    for (const contact::EndContact& c : *contacts) springs[static_cast<std::size_t>(c.node)] += 0.5 * c.spring;
  auto& supplied = mesh_.field(kSuppliedWork);
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const Vec3 displacement = displacement_of(n);
    const Vec3 weight_on_average = 0.5 * (weight(n, load_share_before) + weight(n, load_share));
    Vec3 others = 0.5 * (Vec3(forces_before[n].force) + Vec3(trial.forces[n].force)) + weight_on_average;
    if (!pressing.empty()) others += pressing[static_cast<std::size_t>(i)];
    if (!springs.empty()) others += springs[static_cast<std::size_t>(i)];
    // The rest of the weight is borne from outside.
    double work = -(mesh_.mass[n] * scene_.gravity - weight_on_average).dot(displacement);
    for (int k = 0; k < 3; ++k)
      if ((trial.held[static_cast<std::size_t>(i)] >> k & 1) != 0) work -= displacement[k] * others[k];
    supplied[n] += work;
    state_.numerical_loss.add(work + mesh_.mass[n] * scene_.gravity.dot(displacement));
  }
  state_.numerical_loss.add(energy(mesh_.motion));
  state_.numerical_loss.subtract(energy(trial.motion));
  state_.numerical_loss.add(spring_energy(contacts_before));
  state_.numerical_loss.subtract(spring_energy(trial.contacts));
}

}  // namespace brisance::sim
