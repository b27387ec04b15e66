#include "run_summary.hpp"

#include "brisance/contact/deformable_report.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/core/log.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/core/words.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/sim/implicit/implicit_equations.hpp"
#include "brisance/sim/output/inverted.hpp"

#include "piece_shares.hpp"
#include "sim/output/divided_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <string>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

double area(const Vec3& a, const Vec3& b, const Vec3& c) { return 0.5 * (b - a).cross(c - a).norm(); }

/// Area of both faces of cracks inside elements that stay whole, at rest [m²]. Local.
core::ExactSum inner_crack_faces(const dist::Mesh& mesh) {
  core::ExactSum sum;
  for (const DividedSurfaceRow& row : divided_surface(mesh, dist::home_elements(mesh))) {
    if (row.source != mesh::kNoSourceTriangle) continue;
    std::array<Vec3, 3> x{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    for (std::size_t k = 0; k < 3; ++k)
      for (int i = 0; i < 4; ++i)
        x[k] += row.corners[k][static_cast<std::size_t>(i)] * mesh.rest[mesh.corner(row.element, i)];
    sum.add(area(x[0], x[1], x[2]));
  }
  return sum;
}

/// The same for cracks along faces of elements. Local.
core::ExactSum crack_faces(const dist::Mesh& mesh) {
  core::ExactSum sum;
  const auto& source = mesh.field(dist::kFaceSource);
  for (const dist::BoundaryFace& face : mesh.surface().faces()) {
    if (source[face.element][static_cast<std::size_t>(face.opposite)] != mesh::kNoSourceTriangle) continue;
    const auto& [a, b, c] = mesh::kFaceCorners[static_cast<std::size_t>(face.opposite)];
    const auto at = [&](int corner) -> const Vec3& { return mesh.rest[mesh.corner(face.element, corner)]; };
    sum.add(area(at(a), at(b), at(c)));
  }
  return sum;
}

/// Area of cracks at rest: half of the area of both crack faces [m²]. Collective.
double crack_area(const dist::Mesh& mesh) {
  core::ExactSum faces = mesh.find_field(dist::kDivision) != nullptr ? inner_crack_faces(mesh) : crack_faces(mesh);
  faces.reduce(mesh.comm());
  return 0.5 * faces.value();
}

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

void log_cohesion(const Simulation& simulation, const Energies& e) {
  const CohesiveArea area = simulation.cohesive_area();
  const double crack = crack_area(simulation.mesh());
  spdlog::info(
      "cohesion: {:.4g} J dissipated between the faces of {:.4g} m² of cracks, {:.4g} J/m²; {:.4g} m² of them have "
      "torn, {:.4g} m² are still linked, {:.4g} m² are not split yet, at fronts",
      e.cohesive_loss, crack, crack > 0 ? e.cohesive_loss / crack : 0, area.torn, area.tied, area.waiting);
  const Scene& scene = simulation.scene();
  for (std::size_t i = 0; i < scene.materials.size(); ++i)
    if (const double g_c = fracture::fracture_energy(scene.fracture, i, scene.materials[i]); g_c > 0)
      spdlog::info("cohesion: G_c of \"{}\" is {:.4g} J/m²", scene.materials[i].name, g_c);
}

void log_results(const Simulation& simulation, const dist::Pieces& pieces, const RecorderState& state,
                 const Energies& e, double wall_s) {
  const double dust_kg = dust_mass(simulation);
  const PieceShares shares = piece_shares(pieces, dust_kg);
  const double scale = std::max({e.kinetic, e.elastic, e.viscous_loss, e.plastic_loss, e.contact_loss, e.cohesive_loss,
                                 std::abs(e.numerical_loss), std::abs(e.supplied), 1e-300});
  spdlog::info("{} in {:.1f} s; {}, the largest {:.1f} % of the mass, dust {:.2f} %",
               core::counted(simulation.num_steps(), "step"), wall_s, core::counted(pieces.list.size(), "piece"),
               100 * shares.largest, 100 * shares.dust);
  spdlog::info("cracks {} over {:.4g} m²", simulation.fracture_counters().cracks, crack_area(simulation.mesh()));
  spdlog::info(
      "energy: kinetic {:.4g} elastic {:.4g} viscous loss {:.4g} plastic {:.4g} contact {:.4g} cuts {:.4g} J; "
      "largest imbalance {:.3g} J ({:.2f} % of the largest term)",
      e.kinetic, e.elastic, e.viscous_loss, e.plastic_loss, e.contact_loss, e.cut_loss, state.largest_imbalance,
      100 * state.largest_imbalance / scale);
  if (simulation.scene().fracture.cohesive) log_cohesion(simulation, e);
  if (state.tet_contacts > 0)
    spdlog::info("contact of bodies: deepest overlap {:.2g} of an edge of {:.3g} m, at t = {:.5g} s",
                 state.deepest_tet_contact, state.deepest_edge_m, state.deepest_time_s);
  if (const std::int64_t dust = simulation.comm().sum(std::ssize(simulation.dust().particles())); dust > 0)
    spdlog::info("dust: {} of {:.4g} kg left the mesh, with {:.4g} J that particles do not have",
                 core::counted(dust, "particle"), dust_kg, e.dust_loss);
  if (const std::int64_t crushed = simulation.num_crushed(); crushed > 0) spdlog::info("crushed tets: {}", crushed);
  if (state.most_inverted > 0)
    spdlog::warn("inverted tets: {} at the worst moment, {} at the end", state.most_inverted,
                 inverted_tets(simulation).count);
}

void log_cracks_and_contact(const Simulation& simulation, const RecorderState& state) {
  const fracture::Counters c = simulation.fracture_counters();
  spdlog::debug("of {} cracks {} across ranks; fronts {}, edges {}, refused {} one-sided {} off-plane, rounds {}",
                c.cracks, c.cracks_across_ranks, c.front_splits, c.edge_splits, c.refused_one_sided,
                c.refused_off_plane, c.rounds);
  if (c.cracks_at_fronts > 0)
    spdlog::debug("of the cracks {} at nodes of a front, {} of these cut back behind it", c.cracks_at_fronts,
                  c.back_cracks);
  if (state.tet_contacts > 0)
    spdlog::debug(
        "contact of bodies, over the rows of monitor.csv: {:.2g} % of {} pairs of tets deeper than {} of the smaller "
        "one's edge; the deepest at ({:.4g}, {:.4g}, {:.4g}) m",
        100 * static_cast<double>(state.deep_tet_contacts) / static_cast<double>(state.tet_contacts),
        state.tet_contacts, contact::kDeepShare, state.deepest_x_m, state.deepest_y_m, state.deepest_z_m);
}

void log_solver(const Simulation& simulation, const Energies& e, const RunCosts& costs) {
  const double updates = static_cast<double>(simulation.element_updates());
  spdlog::debug("element updates {:.4g}, {:.1f} million a second and rank; {}", updates,
                1e-6 * static_cast<double>(costs.element_updates) / costs.wall_s / simulation.comm().size(),
                step_words(simulation));
  const ImplicitEquations& equations = simulation.equations();
  if (equations.num_solves() == 0) return;
  const bool by_lattice =
      equations.last().preconditioner == "basis" ||
      (equations.last().preconditioner == "lattice" &&
       (simulation.scene().time.solver == dynamics::Solver::lattice || dynamics::lattice_was_asked_for()));
  spdlog::debug(
      "implicit steps: {} solves of {:.1f} iterations on average, the last by {}; {} matrices; numerical loss {:.4g} "
      "J; {}",
      equations.num_solves(),
      static_cast<double>(equations.num_iterations()) / static_cast<double>(equations.num_solves()),
      equations.last().preconditioner, equations.num_matrices(), e.numerical_loss,
      by_lattice ? "the same bits on any number of ranks"
                 : "on other numbers of ranks the same to the solver's tolerance");
}

void log_costs(const Simulation& simulation, const RecorderState& state, const RunCosts& costs) {
  const PhaseSeconds& s = simulation.phase_seconds();
  spdlog::debug(
      "seconds: forces {:.2f} sub-cycling {:.2f} fracture {:.2f} contact {:.2f} integration {:.2f} halo {:.2f} bound "
      "{:.2f} balance {:.2f} ({} times; the busiest rank had {:.2f} of the mean work)",
      s.forces, s.subcycling, s.fracture, s.contact, s.integration, s.halo, s.step_bound, s.balance,
      simulation.num_rebalances(), simulation.work_imbalance());
  const double percent_a_second = 100 / std::max(costs.wall_s, 1e-9);
  spdlog::debug(
      "{} frames, for which the run waited {:.2f} s ({:.1f} % of its time), {} rows of monitor.csv {:.2f} s ({:.1f} %)",
      state.num_frames, costs.frames_s, percent_a_second * costs.frames_s, state.num_lines, costs.rows_s,
      percent_a_second * costs.rows_s);
  const Simulation::Memory mine = simulation.memory();
  const auto all = simulation.comm().sum(
      std::array<std::int64_t, 5>{mine.mesh, mine.step, mine.subcycling, mine.fracture, mine.contact});
  const auto megabytes = [&](std::size_t i) { return 1e-6 * static_cast<double>(all[i]); };
  spdlog::debug(
      "memory: the largest rank had {} MB resident at most; at the end, of all ranks together, mesh {:.1f}, "
      "step {:.1f}, sub-cycling {:.1f}, fracture {:.1f}, contact of bodies {:.1f} MB",
      simulation.comm().max(core::peak_memory_bytes()) / 1000000, megabytes(0), megabytes(1), megabytes(2),
      megabytes(3), megabytes(4));
}

}  // namespace

void log_run_summary(const Simulation& simulation, const dist::Pieces& pieces, const RecorderState& state,
                     const RunCosts& costs) {
  const Energies e = simulation.energies();
  log_results(simulation, pieces, state, e, costs.wall_s);
  log_cracks_and_contact(simulation, state);
  log_solver(simulation, e, costs);
  log_costs(simulation, state, costs);
}

}  // namespace brisance::sim
