/// Contact of surfaces in a step: its forces and their work.
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/timer.hpp"

#include "contact_phase.hpp"

namespace brisance::sim {

// The force is constant over the coarse step, also for sub-cycled nodes. Its stiffness is chosen for the coarse step,
// so evaluating it in sub-steps would gain nothing.
void ContactPhase::add_surface_forces(double dt_s) {
  if (!surface_) return;
  core::ScopedTimer timer(seconds_.contact);
  surface_->find_for_step(mesh_, surface_step(dt_s));
  const core::StepSharesOf shares_of = limits_.step_shares();
  for (const contact::ContactForce& node : surface_->forces()) add(node.slot, node.force, shares_of);
}

// A node's own step is the share `now` of the coarse step. Where its step class changes, forces of elements use the
// mean of both steps in the first kick. Contact uses the new step there, too, as the impulses on both bodies would not
// be equal and opposite otherwise.
void ContactPhase::add(std::int32_t slot, const Vec3& force, const core::StepSharesOf& shares_of) {
  ContactLoad pressed{.slot = slot,
                      .force = force,
                      .velocity_before = Vec3(mesh_.motion[LocalNode(slot)].velocity),
                      .power = 0,
                      .shares = shares_of ? shares_of(slot) : core::StepShares()};
  pressed.shares.kick = pressed.shares.now;
  for (int k = 0; k < 3; ++k) scratch_.forces[LocalNode(slot)].force[k] += pressed.shares.kick * force[k];
  scratch_.pressed.push_back(pressed);
}

// As for loads, the kick of a step changes kinetic energy by exactly dt f·(v_old + v_new)/2.
void ContactPhase::book_bodies(double dt_s) {
  for (ContactLoad& node : scratch_.pressed)
    book(node, Vec3(mesh_.motion[LocalNode(node.slot)].velocity), node.shares.kick * dt_s);
}

void ContactPhase::book(ContactLoad& node, const Vec3& velocity, double step_s) {
  node.power = node.force.dot(0.5 * (node.velocity_before + velocity));
  state_.surface_work.add(step_s * node.power);
}

}  // namespace brisance::sim
