#include "recorder.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/core/words.hpp"
#include "brisance/dist/check.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/sim/output/frame.hpp"

#include "monitor_columns.hpp"
#include "open_ledger.hpp"
#include "piece_names.hpp"
#include "piece_shares.hpp"
#include "run_summary.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

constexpr const char* kAgainstInversion =
    "Load it less, make it stiffer, let it resist (material.elastic_law = \"neo_hookean\") or break "
    "(material.strength_pa).";

RecorderState recorder_state(const core::Comm& comm, const core::NamedState& saved) {
  RecorderState state;
  core::StateReader reader(comm, saved);
  describe(reader, state);
  reader.require_done();
  return state;
}

io::Monitor kept_rows(const core::Comm& comm, const io::RunFolder& folder, const RecorderState& state) {
  return {comm, folder.monitor(), monitor_columns(), state.num_lines};
}

/// The frames of the series up to the checkpoint; later ones are removed from the folder. Collective.
std::vector<io::SeriesFrame> kept_frames(const core::Comm& comm, const io::RunFolder& folder,
                                         const RecorderState& state) {
  std::vector<io::SeriesFrame> frames;
  const auto count = static_cast<std::size_t>(state.num_frames);
  core::agree(comm, [&] {
    if (!comm.is_root()) return;
    if (count > 0) frames = io::read_series(folder.series());
    for (std::size_t i = 0; i < count; ++i)
      if (i >= frames.size() || !std::filesystem::exists(folder.path() / frames[i].name))
        throw core::Error(
            fmt::format("{} does not have the {} frames that were written before the checkpoint. Restore "
                        "{}, or start anew with --overwrite.",
                        folder.path().string(), count, io::RunFolder::snapshot_name(static_cast<std::int64_t>(i))));
    frames.resize(count);
    if (count > 0) io::write_series(folder.series(), frames);  // before removal: it never names a missing file
  });
  folder.keep_snapshots(comm, state.num_frames);
  return frames;
}

}  // namespace

Recorder::Recorder(Simulation& simulation, io::RunFolder folder, const OutputParameters& output,
                   const RunOptions& options, const RecorderState& state, io::Monitor monitor,
                   std::vector<io::SeriesFrame> frames)
    : simulation_(simulation),
      folder_(std::move(folder)),
      output_(output),
      options_(options),
      series_(folder_.series(), std::move(frames)),
      monitor_(std::move(monitor)),
      state_(state),
      frames_{output.frame_interval_s},
      surfaces_{output.surface_interval_s},
      lines_{output.monitor_interval_s},
      frame_under_way_(simulation.comm()),
      start_s_(core::wall_seconds()),
      last_report_s_(start_s_),
      last_line_wall_s_(start_s_),
      last_report_step_(simulation.num_steps()),
      first_updates_(simulation.element_updates()) {}

Recorder::Recorder(Simulation& simulation, io::RunFolder folder, const OutputParameters& output,
                   const RunOptions& options)
    : Recorder(simulation, folder, output, options,
               {.last_line_step = simulation.num_steps(), .initial_energy = simulation.energies().total()},
               io::Monitor(simulation.comm(), folder.monitor(), monitor_columns()), {}) {}

Recorder::Recorder(Simulation& simulation, io::RunFolder folder, const OutputParameters& output,
                   const RunOptions& options, const core::NamedState& saved)
    : Recorder(simulation, folder, output, options, recorder_state(simulation.comm(), saved),
               kept_rows(simulation.comm(), folder, recorder_state(simulation.comm(), saved)),
               kept_frames(simulation.comm(), folder, recorder_state(simulation.comm(), saved))) {
  frames_.pass(simulation.time_s());
  if (output_.surface_interval_s > 0) surfaces_.pass(simulation.time_s());
  lines_.pass(simulation.time_s());
}

core::NamedState Recorder::save() const {
  core::NamedState saved;
  core::StateWriter writer(saved);
  RecorderState state = state_;
  describe(writer, state);
  return saved;
}

void Recorder::record() {
  const double now = simulation_.time_s();
  if (lines_.is_due(now)) write_monitor();
  const bool whole = frames_.is_due(now), surface = output_.surface_interval_s > 0 && surfaces_.is_due(now);
  frame_under_way_.test();
  if (whole || surface) write_frame(output_.surface_only || !whole);
  lines_.pass(now);
  frames_.pass(now);
  if (surface) surfaces_.pass(now);
  report_progress();
}

void Recorder::record_end() {
  if (simulation_.num_steps() != state_.last_line_step) write_monitor();
  if (simulation_.num_steps() != state_.last_frame_step) write_frame(output_.surface_only);
  settle();
}

void Recorder::settle() {
  const double start_s = core::wall_seconds();
  frame_under_way_.finish();
  frame_seconds_ += core::wall_seconds() - start_s;
}

void Recorder::write_frame(bool surface_only) {
  const double start_s = core::wall_seconds();
  frame_under_way_.finish();  // before a second copy is made
  const dist::Pieces& pieces = pieces_now();
  const io::FrameForm form = frame_form(output_, surface_only);
  const auto file = folder_.snapshot(state_.num_frames);
  auto header = snapshot_header(simulation_, pieces, form, state_.num_frames, options_.scene_toml);
  header.piece_names = name_pieces(simulation_.mesh(), pieces, state_.num_names);
  const io::SeriesFrame listed{io::RunFolder::snapshot_name(state_.num_frames), simulation_.time_s()};
  io::SnapshotPart part = snapshot_part(simulation_, pieces, form);
  if (form.single_precision && !single_precision_resolves(part)) header.form.single_precision = false;
  if (output_.background && output_.compression == 0) {
    frame_under_way_.start(file, header, std::move(part), [this, listed] { series_.add(listed); });
  } else {
    io::write_snapshot(simulation_.comm(), file, header, part, output_.compression);
    series_.append(simulation_.comm(), listed);
  }
  frame_seconds_ += core::wall_seconds() - start_s;
  ++state_.num_frames;
  state_.last_frame_step = simulation_.num_steps();
}

bool Recorder::single_precision_resolves(const io::SnapshotPart& part) {
  constexpr double kRounding = 0x1p-24, kLeastShare = 0x1p-12;
  double farthest = 0, edge = 0;
  for (const auto& positions : {&part.position, &part.rest_position})
    for (const Vec3& x : *positions) farthest = std::max(farthest, x.cwiseAbs().maxCoeff());
  for (const auto& [a, b, c] : part.boundary)
    edge = std::max(edge,
                    (part.position[static_cast<std::size_t>(b)] - part.position[static_cast<std::size_t>(a)]).norm());
  const auto all = simulation_.comm().max(std::array{farthest, edge});
  if (!(all[0] * kRounding > kLeastShare * all[1])) return true;
  if (!std::exchange(warned_of_precision_, true))
    spdlog::warn(
        "output.precision = \"single\" would round positions to {:.2g} m, {:.1g} m from the origin with edges up to "
        "{:.2g} m: such frames are written in double precision. Move the scene to the origin for smaller files.",
        all[0] * kRounding, all[0], all[1]);
  return false;
}

const dist::Pieces& Recorder::pieces_now() {
  if (std::exchange(pieces_step_, simulation_.num_steps()) != simulation_.num_steps())
    pieces_ = dist::find_pieces(simulation_.mesh());
  state_.num_pieces = static_cast<std::int64_t>(pieces_.list.size());
  return pieces_;
}

void Recorder::write_monitor() {
  core::ScopedTimer timer(row_seconds_);
  const core::Comm& comm = simulation_.comm();
  const dist::Mesh& mesh = simulation_.mesh();
  MonitorRow row{.run = simulation_,
                 .e = simulation_.energies(),
                 .cracks = simulation_.fracture_counters(),
                 .inverted = inverted_tets(simulation_),
                 .tets = comm.sum(static_cast<std::int64_t>(dist::home_elements(mesh).size())),
                 .contacts = comm.sum(simulation_.num_contacts()),
                 .crushed = simulation_.num_crushed(),
                 .dust_particles = comm.sum(std::ssize(simulation_.dust().particles())),
                 .element_updates = simulation_.element_updates(),
                 .dust_kg = dust_mass(simulation_)};
  row.shares = piece_shares(pieces_now(), row.dust_kg);
  row.num_pieces = state_.num_pieces;
  std::int64_t nodes = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) nodes += mesh.is_owned(LocalNode(i)) ? 1 : 0;
  row.nodes = comm.sum(nodes);
  row.touching = contact::over_ranks(comm, simulation_.deformable_contacts());
  note_tet_contacts(row.touching);
  const double wall_s = core::wall_seconds();
  const std::int64_t steps = simulation_.num_steps() - state_.last_line_step;
  row.ms_per_step = steps > 0 ? 1e3 * (wall_s - last_line_wall_s_) / static_cast<double>(steps) : 0;
  last_line_wall_s_ = wall_s;
  state_.last_line_step = simulation_.num_steps();
  state_.largest_imbalance = std::max(state_.largest_imbalance, std::abs(row.e.total() - state_.initial_energy));
  monitor_.append(values_of(row));
  ++state_.num_lines;
  watch_inverted(row.inverted, row.tets);
  require_closed_ledger(simulation_, row.e, state_.initial_energy, row.shares.all_kg);
}

void Recorder::watch_inverted(const InvertedTets& inverted, std::int64_t tets) {
  if (inverted.count == 0) return;
  const std::string what =
      fmt::format("t = {:.6g} s: {} of {} {} inverted, the first is tet {}", simulation_.time_s(), inverted.count,
                  core::counted(tets, "tet"), inverted.count == 1 ? "is" : "are", inverted.lowest);
  if (state_.most_inverted == 0)
    spdlog::warn("{}. {}", what,
                 std::ranges::all_of(simulation_.scene().materials, material::is_neo_hookean)
                     ? "Its law pushes it back."
                     : fmt::format("Results around it mean little. {}", kAgainstInversion));
  state_.most_inverted = std::max(state_.most_inverted, inverted.count);
  const double share = simulation_.scene().time.max_inverted_share;
  if (static_cast<double>(inverted.count) <= share * static_cast<double>(tets)) return;
  throw core::Error(fmt::format(
      "{}, more than time.max_inverted_share = {:g} allows: the material was compressed beyond the range of its law. "
      "{} time.max_inverted_share = 1 lets the run continue.",
      what, share, kAgainstInversion));
}

void Recorder::report_progress() {
  const double now_s = core::wall_seconds();
  const bool due =
      now_s - last_report_s_ >= output_.progress_interval_s || simulation_.time_s() >= simulation_.scene().duration_s;
  if (!due || !options_.report || !simulation_.comm().is_root()) return;
  Progress p;
  p.step = simulation_.num_steps();
  p.time_s = simulation_.time_s();
  p.duration_s = simulation_.scene().duration_s;
  p.dt_s = simulation_.last_step_s();
  p.pieces = state_.num_pieces;
  p.contacts = simulation_.num_contacts() + simulation_.deformable_contacts().pairs;
  p.cracks = simulation_.mesh().facts.num_cracks;
  p.tets = simulation_.mesh().facts.next_element_id - simulation_.num_tets_of_dust();
  p.ms_per_step =
      1e3 * (now_s - last_report_s_) / static_cast<double>(std::max<std::int64_t>(1, p.step - last_report_step_));
  p.elapsed_s = now_s - start_s_;
  options_.report(p);
  last_report_s_ = now_s;
  last_report_step_ = p.step;
}

void Recorder::note_tet_contacts(const contact::DeformableReport& touching) {
  state_.tet_contacts += touching.pairs;
  state_.deep_tet_contacts += touching.deep;
  if (touching.deepest <= state_.deepest_tet_contact) return;
  state_.deepest_tet_contact = touching.deepest;
  state_.deepest_time_s = simulation_.time_s();
  state_.deepest_edge_m = touching.deepest_edge_m;
  state_.deepest_x_m = touching.deepest_place.x();
  state_.deepest_y_m = touching.deepest_place.y();
  state_.deepest_z_m = touching.deepest_place.z();
}

void Recorder::summarise() {
  log_run_summary(simulation_, pieces_now(), state_,
                  {.wall_s = core::wall_seconds() - start_s_,
                   .frames_s = frame_seconds_,
                   .rows_s = row_seconds_,
                   .element_updates = simulation_.element_updates() - first_updates_});
  dist::require_consistent(simulation_.mesh(), "at the end of the run");
  spdlog::debug("mesh checked at the end: ghosts equal their owners on all of {}, stars complete, faces conforming",
                core::counted(simulation_.comm().size(), "rank"));
  spdlog::info("{}: {}, {} of monitor.csv", folder_.path().string(), core::counted(state_.num_frames, "frame"),
               core::counted(state_.num_lines, "row"));
}

}  // namespace brisance::sim
