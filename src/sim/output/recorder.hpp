/// Writes the output that is due after a step: snapshots, monitor lines, progress.
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

/// State that reports carry from one to the next.
struct RecorderState {
  std::int64_t num_frames = 0, num_lines = 0;  ///< written
  std::int64_t last_frame_step = -1, last_line_step = 0;
  std::int64_t num_pieces = 1;     ///< at the last count
  std::int64_t most_inverted = 0;  ///< largest number of inverted tets in all monitor lines
  double initial_energy = 0;       ///< [J]
  double largest_imbalance = 0;    ///< largest error of the energy balance in all monitor lines [J]
  /// Overlapping pairs of tets of bodies, and deep ones among them, over all monitor lines.
  std::int64_t tet_contacts = 0, deep_tet_contacts = 0;
  double deepest_tet_contact = 0;  ///< depth over the smaller tet's edge [–]
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
  /// Continues from `saved`; frames and rows written after it are removed. Collective; throws core::Error on all ranks
  /// if earlier ones are missing.
  Recorder(Simulation& simulation, io::RunFolder folder, const OutputParameters& output, const RunOptions& options,
           const core::NamedState& saved);
  /// RecorderState for a checkpoint. Local.
  [[nodiscard]] core::NamedState save() const;

  /// Writes whatever is due at the simulation's time. Collective.
  void record();
  /// Writes the state at the end, planned or early, unless `record` just did. Collective.
  void record_end();
  /// Waits until the last frame is a file. Collective; throws core::Error on all ranks.
  void settle();
  /// Logs a summary at the end: results and where they are written; for developers, costs. Collective.
  void summarise();

private:
  /// The parts of the summary. Collective.
  void say_results(const Energies& e);
  void say_cohesion(const Energies& e) const;
  void say_cracks_and_contact();
  void say_solver(const Energies& e) const;
  void say_costs() const;
  /// Updates the state by the overlaps of bodies' tets on all ranks. Local.
  void note_tet_contacts(const contact::DeformableReport& touching);
  Recorder(Simulation& simulation, io::RunFolder folder, const OutputParameters& output, const RunOptions& options,
           const RecorderState& state, io::Monitor monitor, std::vector<io::SeriesFrame> frames);
  /// The pieces after this step. Collective.
  const dist::Pieces& pieces_now();
  /// Mass of all particles [kg]. Collective.
  [[nodiscard]] double dust_mass() const;
  void write_frame(bool surface_only);
  /// Whether 32 bits resolve edges at the nodes' distance from the origin; warns once if not. Collective.
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
  std::int64_t pieces_step_ = -1;  ///< step of pieces_
  bool warned_of_precision_ = false;
  double frame_seconds_ = 0;                ///< wall time that the run waited for frames [s]
  double row_seconds_ = 0;                  ///< wall time for rows of the monitor [s]
  io::BackgroundSnapshot frame_under_way_;  ///< declared after the members that its callback uses
  // Wall times for reports, which differ between runs.
  double start_s_, last_report_s_, last_line_wall_s_;
  std::int64_t last_report_step_, first_step_, first_updates_;  ///< of this process
};

}  // namespace brisance::sim
