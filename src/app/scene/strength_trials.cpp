#include "app/scene/strength_trials.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/progress.hpp"
#include "brisance/core/words.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/simulation.hpp"

#include "app/scene/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

constexpr double kSettledShare = 0.1;  ///< share of the scene's duration without a crack after which a trial ends

/// A coarse copy and its mesh.
struct MeshedCopy {
  sim::Scene scene;
  sim::InitialMesh initial;
  double edges = 1;
};

/// Meshes a copy; where that fails (a mesh too coarse for its object), a finer one; last the scene's own mesh.
/// Collective.
MeshedCopy mesh_copy(const core::Comm& comm, const sim::Scene& scene, double tets) {
  const double wanted = std::max(1.0, std::cbrt(tets / kStrengthTrialTets));
  for (double edges = wanted; edges > 1; edges = edges < 1.5 ? 1 : edges / 1.5) try {
      sim::Scene copy = coarsened(scene, edges);
      sim::InitialMesh initial = build_coarsened(comm, copy);
      return {std::move(copy), std::move(initial), edges};
    } catch (const core::MissingProgram&) {
      throw;
    } catch (const core::Error& e) {
      spdlog::debug("a copy with edges {:.2g} times the scene's cannot be meshed: {}", edges, e.what());
    }
  return {scene, sim::build_initial_mesh(comm, scene), 1};
}

/// Records the times of cracks.
class CrackWatch {
public:
  void record(double time_s, std::int64_t cracks) {
    if (cracks == cracks_) return;
    if (cracks_ == 0) first_s_ = time_s;
    cracks_ = cracks;
    last_s_ = time_s;
  }
  [[nodiscard]] bool has_settled(double time_s, double least_s) const {
    return cracks_ > 0 && time_s - last_s_ >= std::max(least_s, last_s_ - first_s_);
  }

private:
  std::int64_t cracks_ = 0;
  double first_s_ = 0, last_s_ = 0;
};

/// Runs until the trial ends. Collective.
StrengthTrial::End run_trial(const core::Comm& comm, sim::Simulation& simulation, double factor) {
  const double duration_s = simulation.scene().duration_s;
  CrackWatch watch;
  core::ProgressClock progress;
  while (!simulation.has_ended()) {
    simulation.step();
    const std::int64_t cracks = simulation.mesh().facts.num_cracks;
    watch.record(simulation.time_s(), cracks);
    if (watch.has_settled(simulation.time_s(), kSettledShare * duration_s)) return StrengthTrial::End::no_new_cracks;
    if (progress.is_due())
      spdlog::info("trying strength × {:.3g}: t = {:.4g} of {:.4g} s, {}", factor, simulation.time_s(), duration_s,
                   core::counted(cracks, "crack"));
    if (comm.any(progress.passed_s() > kMostTrialSeconds)) return StrengthTrial::End::limit;
  }
  return StrengthTrial::End::scene;
}

/// Counts the present pieces. Collective.
void count_pieces(const sim::Simulation& simulation, StrengthTrial& trial) {
  const dist::Pieces pieces = dist::find_pieces(simulation.mesh());
  double mass = 0;
  for (const dist::Piece& piece : pieces.list) mass += piece.mass;
  for (const dist::Piece& piece : pieces.list) {
    trial.largest_share = std::max(trial.largest_share, piece.mass / mass);
    if (piece.mass > kLargePiece * mass) ++trial.large_pieces;
  }
  trial.pieces = std::ssize(pieces.list);
  trial.cracks = simulation.mesh().facts.num_cracks;
  trial.time_s = simulation.time_s();
}

/// Runs one trial. Collective; errors of the simulation are the trial's result.
StrengthTrial try_strength(const core::Comm& comm, const MeshedCopy& copy, double factor) {
  StrengthTrial trial;
  trial.factor = factor;
  try {
    sim::Simulation simulation(comm, strengthened(copy.scene, factor), copy.initial.share, copy.initial.regions);
    trial.end = run_trial(comm, simulation, factor);
    count_pieces(simulation, trial);
  } catch (const core::BadInput&) {
    throw;
  } catch (const core::Error& e) {  // thrown on all ranks alike
    trial.end = StrengthTrial::End::error;
    trial.error = e.what();
  }
  return trial;
}

}  // namespace

sim::Scene strengthened(sim::Scene scene, double factor) {
  for (material::Material& m : scene.materials) m.toughness *= factor;
  for (fracture::TipToughness& tip : scene.fracture.tips) {
    tip.stress_intensity *= factor;
    tip.energy *= factor * factor;
  }
  return scene;
}

std::vector<StrengthTrial> try_strengths(const core::Comm& comm, const sim::Scene& scene, double tets,
                                         const std::vector<double>& factors,
                                         const std::function<void(const StrengthCopy&)>& say_copy,
                                         const std::function<void(const StrengthTrial&)>& say) {
  if (!sim::can_break(scene))
    throw core::BadInput(
        "No strength can be tried: nothing in the scene can break. Give a material its strength_pa, and leave "
        "fracture.enabled as it is.");
  const MeshedCopy copy = mesh_copy(comm, scene, tets);
  StrengthCopy described{.tets = copy.initial.share.num_tets << (3 * sim::refinements(copy.scene)),
                         .edges = copy.edges,
                         .warnings = copy.initial.report};
  std::erase_if(described.warnings, [](const std::string& line) { return !line.starts_with("warning: "); });
  say_copy(described);
  std::vector<StrengthTrial> trials;
  for (const double factor : factors) {
    trials.push_back(try_strength(comm, copy, factor));
    say(trials.back());
  }
  return trials;
}

}  // namespace brisance::app
