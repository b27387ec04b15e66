#include "recorder.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/core/words.hpp"
#include "brisance/dist/check.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/sim/implicit/implicit_equations.hpp"
#include "brisance/sim/output/frame.hpp"

#include "monitor_columns.hpp"
#include "open_ledger.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace brisance::sim {

namespace {

constexpr double kDustShare = 1e-3;  ///< of the whole mass: lighter pieces count as dust

/// @param particles_kg  mass of dust that has left the mesh
PieceShares piece_shares(const dist::Pieces& pieces, double particles_kg) {
  double total = particles_kg;
  for (const auto& p : pieces.list) total += p.mass;
  PieceShares shares;
  shares.all_kg = total;
  shares.dust = particles_kg / total;
  for (const auto& p : pieces.list) {
    if (p.mass < kDustShare * total) shares.dust += p.mass / total;
    shares.largest = std::max(shares.largest, p.mass / total);
  }
  return shares;
}

/// Area of cracks at rest: half of the area of both crack faces [m²]. Collective.
double crack_area(const dist::Mesh& mesh) {
  core::ExactSum faces_area;
  const auto& source = mesh.field(dist::kFaceSource);
  for (const dist::BoundaryFace& face : mesh.surface().faces()) {
    const auto k = static_cast<std::size_t>(face.opposite);
    if (source[face.element][k] != mesh::kNoSourceTriangle) continue;
    const auto c = mesh.corners(face.element);
    const auto& f = mesh::kFaceCorners[k];
    const Vec3& a = mesh.rest[c[static_cast<std::size_t>(f[0])]];
    faces_area.add(0.5 * (mesh.rest[c[static_cast<std::size_t>(f[1])]] - a)
                             .cross(mesh.rest[c[static_cast<std::size_t>(f[2])]] - a)
                             .norm());
  }
  faces_area.reduce(mesh.comm());
  return 0.5 * faces_area.value();
}

constexpr const char* kAgainstInversion =
    "Load it less, make it stiffer, let it resist (material.elastic_law = \"neo_hookean\") or break "
    "(material.strength_pa).";

/// A text on the lengths of steps and what limits them. Collective.
std::string step_words(const Simulation& simulation) {
  const StepBound& bound = simulation.step_bound();
  const auto count = simulation.elements_by_class();
  const std::string lengths =
      bound.finest_class == 0
          ? std::string("one length of step")
          : fmt::format("{} lengths of step from {:.2g} s down ({} tets)", bound.finest_class + 1, bound.coarse_step_s,
                        fmt::join(std::span(count).first(static_cast<std::size_t>(bound.finest_class) + 1), ", "));
  return fmt::format("{}, the shortest by tet {}; {:.1f} times that without the worst {:g} % of tets", lengths,
                     bound.limiting_element, bound.without_worst_s / bound.element_step_s, 100 * kWorstShare);
}

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
      first_step_(simulation.num_steps()),
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
  frame_under_way_.look();
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

double Recorder::dust_mass() const {
  core::ExactSum mass = simulation_.dust().mass();
  mass.reduce(simulation_.comm());
  return mass.value();
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
                 .dust_kg = dust_mass()};
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

void Recorder::say_cohesion(const Energies& e) const {
  const CohesiveArea area = simulation_.cohesive_area();
  const double crack = crack_area(simulation_.mesh());
  spdlog::info(
      "cohesion: {:.4g} J dissipated between the faces of {:.4g} m² of cracks, {:.4g} J/m²; {:.4g} m² of them have "
      "torn, {:.4g} m² are still linked, {:.4g} m² are not split yet, at fronts",
      e.cohesive_loss, crack, crack > 0 ? e.cohesive_loss / crack : 0, area.torn, area.tied, area.waiting);
  const Scene& scene = simulation_.scene();
  for (std::size_t i = 0; i < scene.materials.size(); ++i)
    if (const double g_c = fracture::fracture_energy(scene.fracture, i, scene.materials[i]); g_c > 0)
      spdlog::info("cohesion: G_c of \"{}\" is {:.4g} J/m²", scene.materials[i].name, g_c);
}

void Recorder::summarise() {
  const Energies e = simulation_.energies();
  say_results(e);
  say_cracks_and_contact();
  say_solver(e);
  say_costs();
  dist::require_consistent(simulation_.mesh(), "at the end of the run");
  spdlog::debug("mesh checked at the end: ghosts equal their owners on all of {}, stars complete, faces conforming",
                core::counted(simulation_.comm().size(), "rank"));
  spdlog::info("{}: {}, {} of monitor.csv", folder_.path().string(), core::counted(state_.num_frames, "frame"),
               core::counted(state_.num_lines, "row"));
}

void Recorder::say_results(const Energies& e) {
  const dist::Pieces& pieces = pieces_now();
  const PieceShares shares = piece_shares(pieces, dust_mass());
  const double scale = std::max({e.kinetic, e.elastic, e.viscous_loss, e.plastic_loss, e.contact_loss, e.cohesive_loss,
                                 std::abs(e.numerical_loss), std::abs(e.supplied), 1e-300});
  spdlog::info("{} in {:.1f} s; {}, the largest {:.1f} % of the mass, dust {:.2f} %",
               core::counted(simulation_.num_steps(), "step"), core::wall_seconds() - start_s_,
               core::counted(pieces.list.size(), "piece"), 100 * shares.largest, 100 * shares.dust);
  spdlog::info("cracks {} over {:.4g} m²", simulation_.fracture_counters().cracks, crack_area(simulation_.mesh()));
  spdlog::info(
      "energy: kinetic {:.4g} elastic {:.4g} viscous loss {:.4g} plastic {:.4g} contact {:.4g} cuts {:.4g} J; "
      "largest imbalance {:.3g} J ({:.2f} % of the largest term)",
      e.kinetic, e.elastic, e.viscous_loss, e.plastic_loss, e.contact_loss, e.cut_loss, state_.largest_imbalance,
      100 * state_.largest_imbalance / scale);
  if (simulation_.scene().fracture.cohesive) say_cohesion(e);
  if (state_.tet_contacts > 0)
    spdlog::info("contact of bodies: deepest overlap {:.2g} of an edge of {:.3g} m, at t = {:.5g} s",
                 state_.deepest_tet_contact, state_.deepest_edge_m, state_.deepest_time_s);
  if (const std::int64_t dust = simulation_.comm().sum(std::ssize(simulation_.dust().particles())); dust > 0)
    spdlog::info("dust: {} of {:.4g} kg left the mesh, with {:.4g} J that particles do not have",
                 core::counted(dust, "particle"), dust_mass(), e.dust_loss);
  if (const std::int64_t crushed = simulation_.num_crushed(); crushed > 0) spdlog::info("crushed tets: {}", crushed);
  if (state_.most_inverted > 0)
    spdlog::warn("inverted tets: {} at the worst moment, {} at the end", state_.most_inverted,
                 inverted_tets(simulation_).count);
}

void Recorder::say_cracks_and_contact() {
  const fracture::Counters c = simulation_.fracture_counters();
  spdlog::debug("of {} cracks {} across ranks; fronts {}, edges {}, refused {} one-sided {} off-plane, rounds {}",
                c.cracks, c.cracks_across_ranks, c.front_splits, c.edge_splits, c.refused_one_sided,
                c.refused_off_plane, c.rounds);
  if (c.cracks_at_fronts > 0)
    spdlog::debug("of the cracks {} at nodes of a front, {} of these cut back behind it", c.cracks_at_fronts,
                  c.back_cracks);
  if (state_.tet_contacts > 0)
    spdlog::debug(
        "contact of bodies, over the rows of monitor.csv: {:.2g} % of {} pairs of tets deeper than {} of the smaller "
        "one's edge; the deepest at ({:.4g}, {:.4g}, {:.4g}) m",
        100 * static_cast<double>(state_.deep_tet_contacts) / static_cast<double>(state_.tet_contacts),
        state_.tet_contacts, contact::kDeepShare, state_.deepest_x_m, state_.deepest_y_m, state_.deepest_z_m);
}

void Recorder::say_solver(const Energies& e) const {
  const double updates = static_cast<double>(simulation_.element_updates());
  spdlog::debug("element updates {:.4g}, {:.1f} million a second and rank; {}", updates,
                1e-6 * (updates - static_cast<double>(first_updates_)) / (core::wall_seconds() - start_s_) /
                    simulation_.comm().size(),
                step_words(simulation_));
  const ImplicitEquations& equations = simulation_.equations();
  if (equations.num_solves() == 0) return;
  const bool by_lattice =
      equations.last().preconditioner == "lattice" &&
      (simulation_.scene().time.solver == dynamics::Solver::lattice || dynamics::lattice_was_asked_for());
  spdlog::debug(
      "implicit steps: {} solves of {:.1f} iterations on average, the last by {}; {} matrices; numerical loss {:.4g} "
      "J; {}",
      equations.num_solves(),
      static_cast<double>(equations.num_iterations()) / static_cast<double>(equations.num_solves()),
      equations.last().preconditioner, equations.num_matrices(), e.numerical_loss,
      by_lattice ? "the same bits on any number of ranks"
                 : "on other numbers of ranks the same to the solver's tolerance");
}

void Recorder::say_costs() const {
  const PhaseSeconds& s = simulation_.phase_seconds();
  spdlog::debug(
      "seconds: forces {:.2f} sub-cycling {:.2f} fracture {:.2f} contact {:.2f} integration {:.2f} halo {:.2f} bound "
      "{:.2f} balance {:.2f} ({} times; the busiest rank had {:.2f} of the mean work)",
      s.forces, s.subcycling, s.fracture, s.contact, s.integration, s.halo, s.step_bound, s.balance,
      simulation_.num_rebalances(), simulation_.work_imbalance());
  const double percent_a_second = 100 / std::max(core::wall_seconds() - start_s_, 1e-9);
  spdlog::debug(
      "{} frames, for which the run waited {:.2f} s ({:.1f} % of its time), {} rows of monitor.csv {:.2f} s ({:.1f} %)",
      state_.num_frames, frame_seconds_, percent_a_second * frame_seconds_, state_.num_lines, row_seconds_,
      percent_a_second * row_seconds_);
  const Simulation::Memory mine = simulation_.memory();
  const auto all = simulation_.comm().sum(
      std::array<std::int64_t, 5>{mine.mesh, mine.step, mine.subcycling, mine.fracture, mine.contact});
  const auto megabytes = [&](std::size_t i) { return 1e-6 * static_cast<double>(all[i]); };
  spdlog::debug(
      "memory: the largest rank had {} MB resident at most; at the end, of all ranks together, mesh {:.1f}, "
      "step {:.1f}, sub-cycling {:.1f}, fracture {:.1f}, contact of bodies {:.1f} MB",
      simulation_.comm().max(core::peak_memory_bytes()) / 1000000, megabytes(0), megabytes(1), megabytes(2),
      megabytes(3), megabytes(4));
}

}  // namespace brisance::sim
