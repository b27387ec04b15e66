/// Writes what is due after a step: snapshots, monitor lines, progress.
#pragma once

#include "brisance/dist/pieces.hpp"
#include "brisance/io/background_snapshot.hpp"
#include "brisance/io/monitor.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/io/series.hpp"
#include "brisance/sim/output/inverted.hpp"
#include "brisance/sim/run_options.hpp"
#include "brisance/sim/simulation.hpp"

#include "schedule.hpp"

namespace brisance::sim {

/// What reports remember of those before.
struct RecorderState {
  std::int64_t num_frames = 0, num_lines = 0;  ///< written
  std::int64_t last_frame_step = -1, last_line_step = 0;
  std::int64_t num_pieces = 1;     ///< when last counted
  std::int64_t most_inverted = 0;  ///< tets, of all monitor lines
  double initial_energy = 0;       ///< [J]
  double largest_imbalance = 0;    ///< of all monitor lines [J]
  /// Tets of bodies that press on each other, of all monitor lines.
  std::int64_t tet_contacts = 0, deep_tet_contacts = 0;
  double deepest_tet_contact = 0;  ///< of the smaller tet's edge [–]
  double deepest_time_s = 0, deepest_edge_m = 0;
  double deepest_x_m = 0, deepest_y_m = 0, deepest_z_m = 0;
};

/// For checkpoints (core/named_state.hpp).
template <class Visit>
void describe(Visit& visit, RecorderState& state) {
  visit("num_frames", state.num_frames);
  visit("num_lines", state.num_lines);
  visit("last_frame_step", state.last_frame_step);
  visit("last_line_step", state.last_line_step);
  visit("num_pieces", state.num_pieces);
  visit("most_inverted", state.most_inverted);
  visit("initial_energy", state.initial_energy);
  visit("largest_imbalance", state.largest_imbalance);
  visit("tet_contacts", state.tet_contacts);
  visit("deep_tet_contacts", state.deep_tet_contacts);
  visit("deepest_tet_contact", state.deepest_tet_contact);
  visit("deepest_time_s", state.deepest_time_s);
  visit("deepest_edge_m", state.deepest_edge_m);
  visit("deepest_x_m", state.deepest_x_m);
  visit("deepest_y_m", state.deepest_y_m);
  visit("deepest_z_m", state.deepest_z_m);
}

class Recorder {
public:
  Recorder(Simulation& simulation, io::RunFolder folder, const OutputParameters& output, const RunOptions& options);
  /// Goes on where `saved` was: frames and rows that were written after it are removed. Collective; throws core::Error
  /// on all ranks if earlier ones are missing.
  Recorder(Simulation& simulation, io::RunFolder folder, const OutputParameters& output, const RunOptions& options,
           const core::NamedState& saved);
  /// Local.
  [[nodiscard]] core::NamedState save() const;

  /// Writes whatever is due at the simulation's time. Collective.
  void record();
  /// The state at the end, planned or early, where `record` did not just write it. Collective.
  void record_end();
  /// Waits until the last frame is a file. Collective; throws core::Error on all ranks.
  void settle();
  /// Log lines at the end: what came of the run and where it is written; for developers, what it cost. Collective.
  void summarise();

private:
  /// The parts of the summary. Collective.
  void say_results(const Energies& e);
  void say_cohesion(const Energies& e) const;
  void say_cracks_and_contact();
  void say_solver(const Energies& e) const;
  void say_costs() const;
  /// Takes into the state how deep bodies' tets lie in each other, of all ranks. Local.
  void note_tet_contacts(const contact::DeformableReport& touching);
  Recorder(Simulation& simulation, io::RunFolder folder, const OutputParameters& output, const RunOptions& options,
           const RecorderState& state, io::Monitor monitor, std::vector<io::SeriesFrame> frames);
  /// Those after this step. Collective.
  const dist::Pieces& pieces_now();
  /// Of all particles [kg]. Collective.
  [[nodiscard]] double dust_mass() const;
  void write_frame(bool surface_only);
  /// Whether 32 bits tell nodes of an edge apart where they are; warns once where they do not. Collective.
  [[nodiscard]] bool single_precision_resolves(const io::SnapshotPart& part);
  void write_monitor();
  /// Warns of the first inverted tets. Throws core::Error on all ranks if there are more than the scene allows.
  void watch_inverted(const InvertedTets& inverted, std::int64_t tets);
  void report_progress();

  Simulation& simulation_;
  io::RunFolder folder_;
  OutputParameters output_;
  const RunOptions& options_;
  io::Series series_;
  io::Monitor monitor_;
  RecorderState state_;
  Schedule frames_, surfaces_, lines_;
  dist::Pieces pieces_;
  std::int64_t pieces_step_ = -1;  ///< when they were found
  bool warned_of_precision_ = false;
  double frame_seconds_ = 0;                ///< that the run stood still for frames
  double row_seconds_ = 0;                  ///< for rows of the monitor
  io::BackgroundSnapshot frame_under_way_;  ///< after what it tells that it is done
  // The wall clock, for reports: no two runs agree on it.
  double start_s_, last_report_s_, last_line_wall_s_;
  std::int64_t last_report_step_, first_step_, first_updates_;  ///< since this program runs
};

}  // namespace brisance::sim
