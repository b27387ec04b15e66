/// `brisance check`: is the scene right, and what will it cost?
#include "brisance/core/error.hpp"
#include "brisance/mesh/quality.hpp"

#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/scene/estimate.hpp"
#include "app/scene/find_scene.hpp"
#include "app/scene/scene_arguments.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

constexpr double kMostTrialTets = 50000;  ///< a few seconds of meshing

/// What cracking does to a run: time of whole runs over that of the uncut mesh (docs/PERFORMANCE.md, "What check
/// says").
constexpr struct { double least = 2.5, most = 15; } kCracking;

struct CheckArguments {
  SceneArguments scene;
  bool mesh = false;
};

bool can_break(const sim::Scene& scene) {
  return scene.fracture.enabled && std::any_of(scene.materials.begin(), scene.materials.end(), [](const auto& m) {
           return m.toughness > 0 && std::isfinite(m.toughness);
         });
}

/// To two digits: more would promise what an estimate cannot keep.
std::string two_digits(double x) {
  if (!(x > 0)) return "0";
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return fmt::format("{:g}", std::round(x / unit) * unit);
}

/// The mesh that steps are tried on: the scene's own, or a coarser one.
struct TrialMesh {
  double factor = 1;  ///< its edges over the scene's own
  double tets = 0;    ///< of the scene's own, where it is coarser
};

/// A mesh that would take long to make is made coarser, unless it is asked for. Local.
TrialMesh trial_mesh(const sim::Scene& scene, bool whole) {
  const double tets = whole ? 0 : estimated_tets(scene);
  return {std::cbrt(std::max(1.0, tets / kMostTrialTets)), tets};
}

/// Steps, time and memory of the uncut mesh, and what cracking may make of them.
void print_cost(const sim::Scene& scene, const TrialMesh& mesh, const Trial& trial, double stable_s, int num_ranks) {
  const double step_s = std::min(scene.time.max_step_s, scene.time.step_safety * stable_s);
  const double steps = std::ceil(scene.duration_s / step_s);
  const double scale = mesh.factor > 1 ? mesh.tets / static_cast<double>(trial.tets) : 1;
  const double seconds = scale * trial.seconds_a_step * steps;
  std::cout << fmt::format("about {} tets, {} MB of mesh, steps of {} s: before the first crack\n",
                           two_digits(scale * static_cast<double>(trial.tets)),
                           two_digits(1e-6 * scale * static_cast<double>(trial.bytes)), two_digits(step_s));
  std::cout << fmt::format("at least {} steps and {} s on {} rank(s), by {} steps of {} tets taken here and now\n",
                           two_digits(steps), two_digits(seconds), num_ranks, trial.steps, trial.tets);
  if (can_break(scene))
    std::cout << fmt::format(
        "where it breaks, steps get shorter and tets more: scenes of configs/ took {:g} to {:g} times as long; here "
        "that would be {} to {} s\n",
        kCracking.least, kCracking.most, two_digits(kCracking.least * seconds), two_digits(kCracking.most * seconds));
}

/// Meshes the scene, or a coarser copy of it, and takes some of its steps. Collective.
void measure_cost(const core::Comm& comm, const sim::Scene& scene, bool whole) {
  TrialMesh mesh;
  core::agree_on_input(comm, [&] { mesh = trial_mesh(scene, whole); });
  const sim::Scene trial_scene = mesh.factor > 1 ? coarsened(scene, mesh.factor) : scene;
  const sim::InitialMesh initial = sim::build_initial_mesh(comm, trial_scene);
  for (const std::string& line : initial.report) std::cout << line << '\n';
  const Trial trial = try_steps(comm, trial_scene, initial);
  if (!comm.is_root()) return;
  const mesh::Quality quality = mesh::measure_quality(initial.whole);
  std::cout << fmt::format("smallest dihedral angle {:.1f}°, smallest altitude {:.3g} m; element {} limits the step\n",
                           quality.smallest_dihedral_rad * 180 / std::numbers::pi, quality.smallest_altitude_m,
                           trial.bound.limiting_element);
  if (mesh.factor > 1)
    std::cout << fmt::format("these are of edges {} times as long as the scene's; --mesh makes its own\n",
                             two_digits(mesh.factor));
  print_cost(scene, mesh, trial, stable_step(scene, initial.whole, 1 / mesh.factor), comm.size());
}

int check(const core::Comm& comm, const CheckArguments& arguments) {
  const sim::Scene scene = read_scene_together(comm, arguments.scene);
  if (comm.is_root()) {
    std::cout << fmt::format("{}: {}\n", find_scene(arguments.scene.file).string(), scene.title);
    std::cout << fmt::format("{} object(s), {} material(s), {} collider(s), {} region(s), {:g} s\n",
                             scene.objects.size(), scene.materials.size(), scene.colliders.size(), scene.regions.size(),
                             scene.duration_s);
  }
  measure_cost(comm, scene, arguments.mesh);
  if (comm.is_root()) std::cout << "the scene is valid\n";
  return kSuccess;
}

}  // namespace

void add_check(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("check", "validate a scene and estimate what it will cost");
  auto arguments = std::make_shared<CheckArguments>();
  add_scene(*command, arguments->scene);
  command->add_flag("--mesh", arguments->mesh,
                    "make the whole mesh, where the estimate would come from a coarser one (above 50,000 tets)");
  command->footer(
      "Examples: brisance check configs/bowl.toml --set object.mesh.target_tets=100000\n"
      "          mpirun -n 4 brisance check configs/wall_heavy.toml --mesh");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return check(c, *arguments); }; });
}

}  // namespace brisance::app
