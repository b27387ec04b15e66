/// Contact of surfaces in a step: its forces beside those of elements, and their work.
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/sim/simulation.hpp"

namespace brisance::sim {

double Simulation::surface_stiffness_step() const { return scene_.time.step_safety * state_.bound.coarse_step_s; }

contact::SurfaceStep Simulation::surface_step(double dt_s) const {
  return {.time_s = state_.time_s,
          .dt_s = dt_s,
          .last_dt_s = state_.last_step_s,
          .stiffness_step_s = surface_stiffness_step()};
}

// The force is held for the coarse step, also for nodes that take shorter ones: its stiffness is chosen by the coarse
// step, so that nothing is to be gained by evaluating it more often.
void Simulation::surface_contact_forces(double dt_s) {
  scratch_.pressed.clear();
  if (!surface_) return;
  core::ScopedTimer timer(seconds_.contact);
  surface_->find_for_step(mesh_, surface_step(dt_s));
  const core::StepSharesOf shares_of = step_shares();
  for (const contact::ContactForce& node : surface_->forces()) press(node.slot, node.force, shares_of);
}

// A first kick of another length, as where a node's class has changed, would not be opposed by the other body.
void Simulation::press(std::int32_t slot, const Vec3& force, const core::StepSharesOf& shares_of) {
  ContactLoad pressed{.slot = slot,
                      .force = force,
                      .velocity_before = Vec3(mesh_.motion[LocalNode(slot)].velocity),
                      .power = 0,
                      .shares = shares_of ? shares_of(slot) : core::StepShares()};
  pressed.shares.kick = pressed.shares.now;
  for (int k = 0; k < 3; ++k) scratch_.forces[LocalNode(slot)].force[k] += pressed.shares.kick * force[k];
  scratch_.pressed.push_back(pressed);
}

// As for loads: the kick of a step changes kinetic energy by dt f·(v_old + v_new)/2, exactly.
void Simulation::book_surface_contact(double dt_s) {
  for (ContactLoad& node : scratch_.pressed)
    book_contact_load(node, Vec3(mesh_.motion[LocalNode(node.slot)].velocity), node.shares.kick * dt_s);
}

void Simulation::book_contact_load(ContactLoad& node, const Vec3& velocity, double step_s) {
  node.power = node.force.dot(0.5 * (node.velocity_before + velocity));
  state_.surface_work.add(step_s * node.power);
}

contact::DeformableReport Simulation::surface_report() const {
  if (!surface_) return {};
  const contact::SurfaceReport& found = surface_->report();
  return {.pairs = found.contacts,
          .across = found.across_ranks,
          .deepest = found.deepest_share,
          .deepest_place = found.deepest_place,
          .deepest_edge_m = found.deepest_edge_m,
          .deep = found.deep};
}

}  // namespace brisance::sim
