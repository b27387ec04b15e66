/// `brisance check`: is the scene right, and what will it cost?
#include "brisance/core/timer.hpp"
#include "brisance/mesh/quality.hpp"
#include "brisance/mesh/shapes.hpp"
#include "brisance/sim/simulation.hpp"

#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/scene/estimate.hpp"
#include "app/scene/scene_arguments.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <numbers>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

struct CheckArguments {
  SceneArguments scene;
  bool mesh = false;
};

const material::Material& material_of(const sim::Scene& scene, const sim::ObjectParameters& object) {
  return *std::find_if(scene.materials.begin(), scene.materials.end(),
                       [&](const auto& m) { return m.name == object.material; });
}

/// From the volumes of shapes alone: what the worst element will be like is known only as a range.
void estimate_cost(const sim::Scene& scene, int num_ranks) {
  std::int64_t tets = 0;
  StepRange step{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (const auto& object : scene.objects) {
    if (object.mesh.shape == mesh::ShapeKind::file) {
      std::cout << fmt::format("object \"{}\" comes from a file; --mesh tells its size\n", object.name);
      continue;
    }
    const MeshEstimate mesh = estimate_mesh(object.mesh, mesh::shape_volume_m3(object.mesh));
    const StepRange own = stable_step_range(material_of(scene, object), mesh.edge_m);
    std::cout << fmt::format("object \"{}\": about {} tets, step {:.2g} to {:.2g} s\n", object.name, mesh.tets,
                             own.shortest_s, own.longest_s);
    tets += mesh.tets;
    step = {std::min(step.shortest_s, own.shortest_s), std::min(step.longest_s, own.longest_s)};
  }
  if (tets == 0) return;
  const auto steps = [&](double stable_s) {
    return std::ceil(scene.duration_s / std::min(scene.time.max_step_s, scene.time.step_safety * stable_s));
  };
  const double seconds_a_step = static_cast<double>(tets) / (kTetStepsPerSecond * num_ranks);
  std::cout << fmt::format("{} tets, {:.2g} to {:.2g} steps, at most {:.3g} MB\n", tets, steps(step.longest_s),
                           steps(step.shortest_s), static_cast<double>(tets) * kBytesPerTet / 1e6);
  std::cout << fmt::format(
      "{:.2g} to {:.2g} s on {} rank(s) at {:.0e} tets a second and rank; cracking and contact add to it, and --mesh "
      "looks closer\n",
      steps(step.longest_s) * seconds_a_step, steps(step.shortest_s) * seconds_a_step, num_ranks, kTetStepsPerSecond);
}

/// Meshes the scene and takes a few steps, so that steps, memory and time are those of this machine. Collective.
void measure_cost(const core::Comm& comm, const sim::Scene& scene) {
  sim::InitialMesh initial = sim::build_initial_mesh(comm, scene);
  for (const std::string& line : initial.report) std::cout << line << '\n';
  const mesh::Quality quality = mesh::measure_quality(initial.whole);
  sim::Simulation simulation(comm, scene, initial.whole, initial.regions);
  const auto tets = static_cast<std::int64_t>(initial.whole.tets.size());
  initial = {};
  const std::int64_t bytes = comm.sum(static_cast<std::int64_t>(simulation.mesh().memory_bytes()));
  const sim::StepBound bound = simulation.step_bound();
  const double start_s = core::wall_seconds();
  constexpr int kTrialSteps = 10;
  for (int i = 0; i < kTrialSteps && simulation.time_s() < scene.duration_s; ++i) simulation.step(scene.duration_s);
  const double seconds_a_step = comm.max(core::wall_seconds() - start_s) / static_cast<double>(simulation.num_steps());
  if (!comm.is_root()) return;
  const double step_s = std::min(scene.time.max_step_s, scene.time.step_safety * bound.element_step_s);
  const double steps = std::ceil(scene.duration_s / step_s);
  std::cout << fmt::format("smallest dihedral angle {:.1f}°, smallest altitude {:.3g} m\n",
                           quality.smallest_dihedral_rad * 180 / std::numbers::pi, quality.smallest_altitude_m);
  std::cout << fmt::format("step {:.3g} s: element {} allows {:.3g} s, times time.step_safety\n", step_s,
                           bound.limiting_element, bound.element_step_s);
  std::cout << fmt::format("{} tets, {:.0f} steps, {:.3g} MB of mesh in {} rank(s)\n", tets, steps,
                           static_cast<double>(bytes) / 1e6, comm.size());
  std::cout << fmt::format("{:.3g} s at {:.3g} ms a step, as {} steps took here; cracking and contact add to it\n",
                           steps * seconds_a_step, 1e3 * seconds_a_step, simulation.num_steps());
}

int check(const core::Comm& comm, const CheckArguments& arguments) {
  const sim::Scene scene = read_scene_together(comm, arguments.scene);
  if (comm.is_root()) {
    std::cout << fmt::format("{}: {}\n", arguments.scene.file.string(), scene.title);
    std::cout << fmt::format("{} object(s), {} material(s), {} collider(s), {} region(s), {:g} s\n",
                             scene.objects.size(), scene.materials.size(), scene.colliders.size(), scene.regions.size(),
                             scene.duration_s);
  }
  if (arguments.mesh)
    measure_cost(comm, scene);
  else if (comm.is_root())
    estimate_cost(scene, comm.size());
  if (comm.is_root()) std::cout << "the scene is valid\n";
  return kSuccess;
}

}  // namespace

void add_check(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("check", "validate a scene and estimate what it will cost");
  auto arguments = std::make_shared<CheckArguments>();
  add_scene(*command, arguments->scene);
  command->add_flag("--mesh", arguments->mesh, "make the mesh and take a few steps, to measure instead of estimating");
  command->footer(
      "Examples: brisance check configs/bowl.toml --set object.mesh.target_tets=100000\n"
      "          mpirun -n 4 brisance check configs/wall_heavy.toml --mesh");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return check(c, *arguments); }; });
}

}  // namespace brisance::app
