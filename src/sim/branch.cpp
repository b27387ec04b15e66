/// From a checkpoint into another scene: which checkpoint, and what of the run follows the scene that is new.
#include "brisance/sim/branch.hpp"

#include "brisance/contact/bodies.hpp"
#include "brisance/contact/fields.hpp"
#include "brisance/contact/forces/overlap_contact.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/io/checksums.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/sim/simulation.hpp"

#include "model_setup.hpp"
#include "phases.hpp"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace brisance::sim {

namespace {

/// A file as it is; of a folder its checkpoints, the newest first. Local; throws core::Error.
std::vector<std::filesystem::path> candidates(const std::filesystem::path& from) {
  if (!std::filesystem::exists(from)) throw core::Error(from.string() + ": no such run folder or checkpoint.");
  if (!std::filesystem::is_directory(from)) return {from};
  const auto files = io::RunFolder::open(from).checkpoints();
  if (files.empty())
    throw core::Error(from.string() +
                      " has no checkpoint. A run makes them with --checkpoint-every, when it is "
                      "stopped early, and when it is sent SIGUSR1.");
  return files;
}

}  // namespace

WholeCheckpoint find_checkpoint(const core::Comm& comm, const std::filesystem::path& from) {
  WholeCheckpoint found;
  std::vector<std::filesystem::path> files;
  core::agree_on_input(comm, [&] { files = candidates(from); });
  for (const auto& file : files) {
    try {
      io::require_checksums(comm, file);
      found.file = file;
      return found;
    } catch (const core::Error& e) {  // the same on all ranks
      found.warnings.push_back(std::string(e.what()) + " It is passed over.");
    }
  }
  throw core::BadInput(
      fmt::format("{} Of {} in {} none is whole; nothing was touched. Start anew with --overwrite, or "
                  "choose another --out.",
                  found.warnings.front(), core::counted(files.size(), "checkpoint"), from.string()));
}

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
