#include "contact_phase.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/contact/forces/overlap_contact.hpp"
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/fracture/fields.hpp"

#include <algorithm>

namespace brisance::sim {

void ContactPhase::add_rigid_forces(double dt_s) {
  scratch_.pressed.clear();
  if (colliders_.size() == 0) {
    dust_.move(colliders_, dt_s, scene_.gravity);
    return;
  }
  core::ScopedTimer timer(seconds_.contact);
  colliders_.add_forces(contact_nodes(), dt_s, scene_.gravity, mesh_.field(contact::kContactOffset).span(),
                        scratch_.forces.span(), limits_.step_shares());
  add_edge_forces(dt_s);
  dust_.move(colliders_, dt_s, scene_.gravity);
  colliders_.advance(comm_, state_.time_s + dt_s, dt_s, scene_.gravity);
}

void ContactPhase::add_edge_forces(double dt_s) {
  if (!edges_) return;
  edges_->find_for_step(mesh_, colliders_, edge_step(dt_s));
  const core::StepSharesOf shares_of = limits_.step_shares();
  for (const contact::ContactForce& node : edges_->forces()) add(node.slot, node.force, shares_of);
}

contact::EdgeStep ContactPhase::edge_step(double dt_s) const {
  return {.dt_s = dt_s,
          .last_dt_s = state_.last_step_s,
          .gravity = scene_.gravity,
          .wave_frequency = caches_.wave_frequency.span()};
}

// A step evaluates the criterion before contact, so the criterion uses the contact forces of the last step.
void ContactPhase::note_forces() {
  if (!begin_accelerations()) return;
  for (const contact::NodeContact& c : colliders_.contacts()) add_acceleration(c.node, c.force());
  for (const contact::ShortContact& c : colliders_.short_contacts())
    add_acceleration(c.pressing.node, c.pressing.force());
  for (const ContactLoad& node : scratch_.pressed) add_acceleration(node.slot, node.force);
}

bool ContactPhase::begin_accelerations() {
  auto* acceleration = mesh_.find_field(fracture::kContactAcceleration);
  if (acceleration != nullptr) std::ranges::fill(acceleration->span(), fracture::kContactAcceleration.initial);
  return acceleration != nullptr;
}

void ContactPhase::add_acceleration(std::int32_t slot, const Vec3& force) {
  const LocalNode n(slot);
  Eigen::Map<Vec3>(mesh_.field(fracture::kContactAcceleration)[n].data()) += mesh_.inverse_mass[n] * force;
}

// These forces are constant over the coarse step (ContactLoad).
void ContactPhase::add_body_forces(double dt_s) {
  add_surface_forces(dt_s);
  add_overlap_forces(dt_s);
}

void ContactPhase::book_rigid(double dt_s) {
  if (colliders_.size() > 0) {
    core::ScopedTimer timer(seconds_.contact);
    colliders_.add_work(mesh_.motion.span(), dt_s, state_.contact_work);
  }
  dust_.book(colliders_, state_.contact_work);
  if (!edges_) return;
  const contact::EdgeContact::Work work = edges_->work(colliders_, dt_s);
  state_.surface_work.add(work.on_bodies);
  state_.contact_work.supplied.add(work.supplied);
}

core::ExactSum ContactPhase::stored_between_bodies() const {
  core::ExactSum stored = stored_in_overlaps();
  if (surface_) stored.add(surface_->stored(mesh_, surface_step(0)));
  if (edges_) stored.add(edges_->stored(mesh_, colliders_, edge_step(0)));
  return stored;
}

}  // namespace brisance::sim
