/// What `brisance play` of a run says of the handover from tets to rigid pieces: report lines and the playback's scene.
#pragma once

#include "brisance/breaking/debris.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/io/snapshot.hpp"

#include "app/commands/play_run.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace brisance::app {

/// Energies of a moment from the run's monitor.csv, if it has a row for it.
struct StoredEnergy {
  double elastic = 0, contact = 0;  ///< [J]
};

[[nodiscard]] std::optional<StoredEnergy> stored_energy(const io::RunFolder& run, std::int64_t step);

/// Lines for the log: masses, momenta and energies before and after.
[[nodiscard]] std::vector<std::string> handover_report(const breaking::HandoverSums& s, std::size_t pieces,
                                                       const RunPlayArguments& a,
                                                       const std::optional<StoredEnergy>& stored);

/// The scene of the playback as TOML.
/// @param file  the frame, its stem the number
[[nodiscard]] std::string playback_scene_text(const RunPlayArguments& a, const std::filesystem::path& file,
                                              const io::SnapshotHeader& header, const breaking::DebrisParameters& p,
                                              const breaking::HandoverSums& s,
                                              const std::optional<StoredEnergy>& stored);

}  // namespace brisance::app
