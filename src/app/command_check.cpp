/// `brisance check`: is the scene right, and what will it cost?
#include "brisance/mesh/shapes.hpp"

#include "app/commands.hpp"
#include "app/estimate.hpp"
#include "app/scene_arguments.hpp"
#include "app/session.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

struct Cost {
  std::int64_t tets = 0;
  double step_s = std::numeric_limits<double>::infinity();
  bool complete = true;  ///< false where a file's size is not known
};

const material::Material& material_of(const sim::Scene& scene, const sim::ObjectParameters& object) {
  return *std::find_if(scene.materials.begin(), scene.materials.end(),
                       [&](const auto& m) { return m.name == object.material; });
}

Cost estimate_cost(const sim::Scene& scene) {
  Cost cost;
  for (const auto& object : scene.objects) {
    if (object.mesh.shape == mesh::ShapeKind::file) {
      cost.complete = false;
      continue;
    }
    const MeshEstimate mesh = estimate_mesh(object.mesh, mesh::shape_volume_m3(object.mesh));
    const double step_s = stable_step_s(material_of(scene, object), mesh.smallest_altitude_m);
    std::cout << fmt::format("object \"{}\": about {} tets, step about {:.3g} s\n", object.name, mesh.tets, step_s);
    cost.tets += mesh.tets;
    cost.step_s = std::min(cost.step_s, step_s);
  }
  cost.step_s = std::min(scene.time.max_step_s, scene.time.step_safety * cost.step_s);
  return cost;
}

void print_cost(const sim::Scene& scene, const Cost& cost, int num_ranks) {
  if (!cost.complete) std::cout << "the size of objects read from files is not estimated\n";
  if (cost.tets == 0) return;
  const double steps = std::ceil(scene.duration_s / cost.step_s);
  const double seconds = steps * static_cast<double>(cost.tets) / (kTetStepsPerSecond * num_ranks);
  std::cout << fmt::format("{} tets, {:.0f} steps of {:.3g} s, about {:.0f} MB\n", cost.tets, steps, cost.step_s,
                           static_cast<double>(cost.tets) * kBytesPerTet / 1e6);
  std::cout << fmt::format("about {:.3g} s on {} rank(s), at {:.0e} tets a second and rank; cracking adds to both\n",
                           seconds, num_ranks, kTetStepsPerSecond);
}

int check(const core::Comm& comm, const SceneArguments& arguments) {
  const sim::Scene scene = read_scene_together(comm, arguments);
  if (!comm.is_root()) return kSuccess;
  std::cout << fmt::format("{}: {}\n", arguments.file.string(), scene.title);
  std::cout << fmt::format("{} object(s), {} material(s), {} collider(s), {} region(s), {:g} s\n", scene.objects.size(),
                           scene.materials.size(), scene.colliders.size(), scene.regions.size(), scene.duration_s);
  print_cost(scene, estimate_cost(scene), comm.size());
  std::cout << "the scene is valid\n";
  return kSuccess;
}

}  // namespace

void add_check(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("check", "validate a scene and estimate what it will cost");
  auto arguments = std::make_shared<SceneArguments>();
  add_scene(*command, *arguments);
  command->footer("Example: brisance check configs/bowl.toml --set object.mesh.target_tets=100000");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return check(c, *arguments); }; });
}

}  // namespace brisance::app
