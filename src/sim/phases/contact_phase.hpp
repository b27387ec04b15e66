/// Contact in a step: rigid bodies, deformable bodies by surfaces or by overlaps of tets, and dust.
#pragma once

#include "brisance/contact/deformable_report.hpp"

#include "step_limits.hpp"

namespace brisance::sim {

class ContactPhase : ModelView {
public:
  ContactPhase(Model& model, const StepLimits& limits) : ModelView(model), limits_(limits) {}

  /// Forces of rigid bodies on nodes; moves the bodies and the dust. Collective.
  void add_rigid_forces(double dt_s);
  /// Forces of deformable bodies on each other, which are held for the coarse step. Collective.
  void add_body_forces(double dt_s);
  /// What contact accelerates nodes of this step with goes into fracture::kContactAcceleration. Local.
  void note_forces();
  /// Nothing accelerates any more; false where nobody wants to know.
  [[nodiscard]] bool begin_accelerations();
  void add_acceleration(std::int32_t slot, const Vec3& force);  ///< [N]
  /// Work of rigid bodies, of deformable ones, and of dust. Local.
  void book_rigid(double dt_s);
  void book_bodies(double dt_s);
  void book(ContactLoad& node, const Vec3& velocity, double step_s);

  // by overlaps of tets: overlap_forces.cpp
  void start_overlaps(bool takes_start);
  void find_overlaps();
  void find_overlaps_after_cuts();
  /// Finds pairs where nodes are now. Collective.
  [[nodiscard]] core::ExactSum stored_in_overlaps() const;
  /// In deformable contact of either kind, this rank's share [J]. Collective.
  [[nodiscard]] core::ExactSum stored_between_bodies() const;

  /// Throws core::BadInput on all ranks where bodies lie so deep in each other that contact does not see it.
  /// Collective.
  void require_surfaces_apart();  // surface_start.cpp
  /// Of deformable bodies, at the last step. Local.
  [[nodiscard]] contact::DeformableReport report() const;

private:
  void add_surface_forces(double dt_s);
  void add_overlap_forces(double dt_s);
  /// Adds a force of contact between bodies to an owned node, for the whole coarse step [N].
  void add(std::int32_t slot, const Vec3& force, const core::StepSharesOf& shares_of);

  const StepLimits& limits_;
};

}  // namespace brisance::sim
