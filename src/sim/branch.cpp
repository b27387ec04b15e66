/// Branching from a checkpoint into another scene: which state of the run follows the new scene.
#include "brisance/contact/bodies.hpp"
#include "brisance/contact/forces/overlap_contact.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/sim/simulation.hpp"

#include "sim/phases/model_setup.hpp"
#include "sim/phases/phases.hpp"

#include <algorithm>

namespace brisance::sim {

void Simulation::come_from(const Scene& before) {
  Model& m = *model_;
  m.colliders.change_from(before.colliders, m.state.time_s);
  const auto sounds_alike = [](const material::Material& a, const material::Material& b) {
    return material::pressure_wave_speed(a) == material::pressure_wave_speed(b);
  };
  if (!std::ranges::equal(before.materials, m.scene.materials, sounds_alike)) ModelSetup(m).note_wave_speeds();
  for (std::int32_t i = 1; i < m.mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    m.mesh.field(fracture::kSoundUntil)[n] = fracture::kSoundUntil.initial;
    m.mesh.field(fracture::kEvaluateAbove)[n] = fracture::kEvaluateAbove.initial;
    m.mesh.field(fracture::kRefusal)[n] = fracture::kRefusal.initial;
  }
  if (bodies_touch(m.scene) && !bodies_touch(before)) {
    contact::note_bodies(m.mesh);
    if (tets_touch(m.scene)) phases_->contact.start_overlaps(true);
    phases_->contact.require_surfaces_apart();
  }
  m.state.next_fracture_s = m.state.time_s;
  m.state.dust.nodes_at_check = -1;
  if (m.state.dust.mean_tet_m3 == 0 && asks_for_dust(m.scene)) phases_->dust.note_mean_tet();  // cuts keep the volume
  phases_->limits.refresh();
  phases_->ledger.start_watch();
}

}  // namespace brisance::sim
