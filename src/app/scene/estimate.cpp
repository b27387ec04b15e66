#include "app/scene/estimate.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/dynamics/law_of.hpp"
#include "brisance/elements/rest_shape.hpp"
#include "brisance/mesh/generate/generate.hpp"
#include "brisance/sim/material_table.hpp"
#include "brisance/sim/output/inverted.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace brisance::app {

namespace {

constexpr double kDefaultTets = 20000;
constexpr double kTrialSeconds = 0.3;
constexpr int kStepsBetweenChecks = 10;

bool holds_tets(const mesh::Request& request) {
  return request.shape == mesh::ShapeKind::file && sim::is_tet_mesh_file(request.file);
}

/// CPU time of this process: excludes other load on this machine, which a run with its own cores will not have.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The first steps of a run.
struct Stretch {
  double first_step_s = 0, time_s = 0;       ///< simulated time
  double seconds = 0;                        ///< time of the slowest rank
  double half_time_s = 0, half_seconds = 0;  ///< times when half of it was simulated
  /// Time to the end at the pace of the second half: runs become slower as they crack.
  [[nodiscard]] double seconds_to(double duration_s) const {
    const double pace = (seconds - half_seconds) / (time_s - half_time_s);
    return seconds + std::max(0.0, duration_s - time_s) * pace;
  }
};

/// Runs for a simulated or a computing time, whichever ends first. Collective.
Stretch run_for(const core::Comm& comm, sim::Simulation& simulation, double duration_s, double most_seconds) {
  Stretch stretch;
  std::vector<std::pair<double, double>> samples{{0, 0}};  // simulated time, computing time
  const double start_s = processor_seconds();
  while (samples.back().second < most_seconds && simulation.time_s() < duration_s && !simulation.has_ended()) {
    for (int i = 0; i < kStepsBetweenChecks && simulation.time_s() < duration_s && !simulation.has_ended(); ++i) {
      simulation.step();
      if (stretch.first_step_s == 0) stretch.first_step_s = simulation.time_s();
    }
    samples.emplace_back(simulation.time_s(), comm.max(processor_seconds() - start_s));
  }
  std::tie(stretch.time_s, stretch.seconds) = samples.back();
  const auto half = std::ranges::upper_bound(samples, stretch.time_s / 2, {}, &std::pair<double, double>::first);
  std::tie(stretch.half_time_s, stretch.half_seconds) = *std::prev(half);
  return stretch;
}

/// After refinement.
std::int64_t num_tets(const sim::Scene& scene, const sim::InitialMesh& initial) {
  return initial.share.num_tets << (3 * sim::refinements(scene));
}

double estimated_tets(const mesh::Request& request) {
  if (holds_tets(request)) return static_cast<double>(sim::num_tets(request.file));
  if (request.edge_length_m > 0)
    return 6 * std::numbers::sqrt2 * mesh::body_volume_m3(request) / std::pow(request.edge_length_m, 3);
  return request.target_tets > 0 ? static_cast<double>(request.target_tets) : kDefaultTets;
}

}  // namespace

double estimated_tets(const sim::Scene& scene) {
  double tets = 0;
  for (const auto& object : scene.objects) tets += estimated_tets(object.mesh);
  return std::ldexp(tets, 3 * sim::refinements(scene));
}

sim::Scene coarsened(sim::Scene scene, double factor) {
  for (auto& object : scene.objects) {
    mesh::Request& mesh = object.mesh;
    mesh.allowed_volume_error = 1, mesh.least_altitude = 0;  // losses of a coarser copy are no fault of the scene
    if (holds_tets(mesh)) {                                  // coarsened only by omitting refinement
      mesh.refine = std::max(0, mesh.refine - static_cast<int>(std::log2(factor)));
      continue;
    }
    const double longer = std::ldexp(factor, -std::exchange(mesh.refine, 0));
    const double tets = mesh.target_tets > 0 ? static_cast<double>(mesh.target_tets) : kDefaultTets;
    if (mesh.edge_length_m > 0)
      mesh.edge_length_m *= longer;
    else
      mesh.target_tets = std::max(1LL, std::llround(tets / std::pow(longer, 3)));
  }
  for (auto& m : scene.materials)
    if (m.toughness_mode == material::ToughnessMode::force) m.toughness *= factor * factor;
  return scene;
}

double stable_step(const core::Comm& comm, const sim::Scene& scene, const dist::MeshShare& share, double scale) {
  const mesh::TetMesh& mesh = share.mesh;
  struct Element {
    elements::Matrix gradient;
    elements::Law law;
  };
  const std::vector<material::Material> materials = sim::with_graded_forms(scene.materials, mesh.graded);
  std::vector<Element> tets;
  std::vector<double> mass(mesh.nodes.size()), stiffness(mesh.nodes.size());
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& [a, b, c, d] = mesh.tets[e];
    const elements::RestShape shape = elements::rest_shape(scale * mesh.nodes[a], scale * mesh.nodes[b],
                                                           scale * mesh.nodes[c], scale * mesh.nodes[d]);
    const material::Material& m = materials[mesh.region[e]];
    Element& tet = tets.emplace_back();
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) tet.gradient.at[j][k] = shape.gradient[j][k];
    tet.law = dynamics::law_of(m);
    for (const auto n : mesh.tets[e]) {
      mass[n] += shape.volume * m.density / 4;
      stiffness[n] += elements::stiffness_bound(tet.gradient, tet.law, 1, shape.volume);
    }
  }
  for (std::vector<double>* sums : {&mass, &stiffness}) dist::join_copies(comm, share, *sums, std::plus<>());
  double shortest_s = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    double added_stiffness[4];
    for (int j = 0; j < 4; ++j) added_stiffness[j] = stiffness[mesh.tets[e][j]] / mass[mesh.tets[e][j]];
    shortest_s = std::min(shortest_s, elements::stable_step(tets[e].gradient, tets[e].law, 1, 1, 1, added_stiffness));
  }
  return comm.min(shortest_s);
}

double uncut_step(const core::Comm& comm, const sim::Scene& scene, const dist::MeshShare& share, double scale) {
  if (scene.time.integrator == dynamics::Integrator::statics) return scene.duration_s / scene.time.load_steps;
  if (dynamics::is_implicit(scene.time.integrator)) return std::min(scene.time.max_step_s, scene.time.step_s);
  return std::min(scene.time.max_step_s, scene.time.step_safety * stable_step(comm, scene, share, scale));
}

Trial try_steps(const core::Comm& comm, const sim::Scene& scene, const sim::InitialMesh& initial) {
  sim::Simulation simulation(comm, scene, initial.share, initial.regions);
  Trial trial;
  trial.tets = num_tets(scene, initial);
  const sim::Simulation::Memory memory = simulation.memory();
  trial.bytes = comm.sum(memory.mesh + memory.contact);
  trial.bound = simulation.step_bound();
  const Stretch stretch = run_for(comm, simulation, scene.duration_s, kTrialSeconds);
  trial.steps = simulation.num_steps();
  trial.seconds_a_step = stretch.seconds / static_cast<double>(trial.steps);
  trial.first_step_s = stretch.first_step_s;
  return trial;
}

sim::InitialMesh build_coarsened(const core::Comm& comm, sim::Scene& scene) {
  try {
    return sim::build_initial_mesh(comm, scene);
  } catch (const core::BadInput& e) {
    if (scene.parts.empty() && scene.factors.empty()) throw;
    scene.parts.clear();
    scene.factors.clear();
    sim::InitialMesh initial = sim::build_initial_mesh(comm, scene);
    if (comm.is_root())
      initial.report.push_back(std::string("warning: a coarser copy was tried without its parts and factors: ") +
                               e.what() + " (--mesh makes the scene's own mesh.)");
    return initial;
  }
}

/// Time of a row of monitor.csv, whose sums run over the mesh [s]. Collective.
double seconds_of_row(const sim::Simulation& simulation) {
  const double start_s = processor_seconds();
  static_cast<void>(simulation.energies());
  static_cast<void>(dist::find_pieces(simulation.mesh()));
  static_cast<void>(sim::inverted_tets(simulation));
  return simulation.comm().max(processor_seconds() - start_s);
}

Rehearsal rehearse(const core::Comm& comm, sim::Scene scene, double most_seconds) {
  Rehearsal result;
  const double build_s = core::wall_seconds();  // wall time: other processes make the mesh
  const sim::InitialMesh initial = build_coarsened(comm, scene);
  sim::Simulation simulation(comm, scene, initial.share, initial.regions);
  result.start_seconds = comm.max(core::wall_seconds() - build_s);
  result.tets = num_tets(scene, initial);
  const Stretch stretch = run_for(comm, simulation, scene.duration_s, most_seconds);
  result.first_step_s = stretch.first_step_s;
  result.done_share = std::min(1.0, stretch.time_s / scene.duration_s);
  result.seconds = stretch.seconds_to(scene.duration_s);
  result.row_seconds = seconds_of_row(simulation);
  return result;
}

}  // namespace brisance::app
