/// Contact in a step: with rigid bodies, between deformable bodies by surfaces or by overlaps of tets, and of dust.
#pragma once

#include "brisance/contact/deformable_report.hpp"
#include "brisance/contact/forces/edge_contact.hpp"

#include "step_limits.hpp"

namespace brisance::sim {

class ContactPhase : ModelView {
public:
  ContactPhase(Model& model, const StepLimits& limits) : ModelView(model), limits_(limits) {}

  /// Adds the forces of rigid bodies to nodes, and moves the bodies and the dust. Collective.
  void add_rigid_forces(double dt_s);
  /// Adds the forces between deformable bodies, constant over the coarse step. Collective.
  void add_body_forces(double dt_s);
  /// Stores the accelerations by contact in this step in fracture::kContactAcceleration. Local.
  void note_forces();
  /// Sets fracture::kContactAcceleration to zero; false if the mesh has no such field. Local.
  [[nodiscard]] bool begin_accelerations();
  void add_acceleration(std::int32_t slot, const Vec3& force);  ///< from a force [N]
  /// Books the work of rigid bodies and dust, and of deformable bodies. Local.
  void book_rigid(double dt_s);
  void book_bodies(double dt_s);
  void book(ContactLoad& node, const Vec3& velocity, double step_s);

  // by overlaps of tets: overlap_forces.cpp
  void start_overlaps(bool takes_start);
  void find_overlaps();
  void find_overlaps_after_cuts();
  /// Energy at the present positions, for which it finds the pairs; this rank's share [J]. Collective.
  [[nodiscard]] core::ExactSum stored_in_overlaps() const;
  /// Energy in deformable contact of either kind, this rank's share [J]. Collective.
  [[nodiscard]] core::ExactSum stored_between_bodies() const;

  /// Throws core::BadInput on all ranks if bodies overlap deeper than contact detection reaches.
  /// Collective.
  void require_surfaces_apart();  // surface_start.cpp
  /// Contacts of deformable bodies at the last step. Local.
  [[nodiscard]] contact::DeformableReport report() const;

private:
  void add_surface_forces(double dt_s);
  void add_edge_forces(double dt_s);
  void add_overlap_forces(double dt_s);
  void bound_overlap_stiffness() const;  ///< by what explicit steps bear
  /// Adds a contact force between bodies [N] to an owned node, for the whole coarse step. Local.
  void add(std::int32_t slot, const Vec3& force, const core::StepSharesOf& shares_of);

  [[nodiscard]] contact::EdgeStep edge_step(double dt_s) const;

  const StepLimits& limits_;
};

}  // namespace brisance::sim
