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

#include "recorder_state.hpp"
#include "schedule.hpp"

namespace brisance::sim {

/// One for a run; in a resumed run it continues the counts of the checkpoint.
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
  /// Updates the state by the overlaps of bodies' tets on all ranks. Local.
  void note_tet_contacts(const contact::DeformableReport& touching);
  Recorder(Simulation& simulation, io::RunFolder folder, const OutputParameters& output, const RunOptions& options,
           const RecorderState& state, io::Monitor monitor, std::vector<io::SeriesFrame> frames);
  /// The pieces after this step. Collective.
  const dist::Pieces& pieces_now();
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
  std::int64_t last_report_step_, first_updates_;  ///< of this process
};

}  // namespace brisance::sim
