/// `brisance check`: is the scene valid, and what will it cost?
#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"
#include "brisance/core/printable.hpp"
#include "brisance/core/progress.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"
#include "brisance/mesh/tets/quality.hpp"
#include "brisance/sim/run.hpp"
#include "brisance/sim/setup/collider_meshes.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/setup/material_shares.hpp"

#include "app/cli/session.hpp"
#include "app/cli/writable.hpp"
#include "app/commands/commands.hpp"
#include "app/scene/estimate.hpp"
#include "app/scene/find_scene.hpp"
#include "app/scene/scene_arguments.hpp"
#include "app/scene/strength_trials.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

constexpr double kMostTrialTets = 50000;  ///< a few seconds of meshing

constexpr double kRehearsalSeconds = 4;       ///< wanted time of a rehearsal …
constexpr double kShareOfRun = 0.15;          ///< … or this share of the run, …
constexpr double kLongRehearsalSeconds = 20;  ///< … up to this, …
constexpr double kMostRehearsalSeconds = 30;  ///< … and its limit
constexpr int kMostAgain = 2;                 ///< rehearsals after the first
constexpr double kCracking = 6;               ///< time of a run over that of its uncut mesh, to choose the coarsening
constexpr double kWorthAnother = 0.9;         ///< ratio of edge lengths below which another rehearsal pays
constexpr double kLeastCoarser = 1.25, kMostCoarser = 8;  ///< edges of the rehearsal over the scene's
constexpr double kWholeRun =
    1.1;  ///< time of whole runs over estimates by rehearsals, which write nothing and fit caches
constexpr double kStartSeconds = 0.5;  ///< start of the program and meshing, for a small scene

struct CheckArguments {
  SceneArguments scene;
  bool mesh = false, try_strengths = false, overwrite = false;
  std::filesystem::path json;
};

/// Are there costs that the first steps do not show: cracks, contact?
bool grows_dearer(const sim::Scene& scene) {
  return sim::can_break(scene) || !scene.colliders.empty() || scene.objects.size() > 1;
}

/// Rounded to two digits, the accuracy of an estimate.
std::string two_digits(double x) {
  if (!(x > 0)) return "0";
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return fmt::format("{:g}", std::round(x / unit) * unit);
}

void print_range(const char* what, const sim::FactorRange& range) {
  if (range.smallest != 1 || range.largest != 1)
    std::cout << fmt::format(", {} times {:.3g} to {:.3g} (mean {:.3g})", what, range.smallest, range.largest,
                             range.mean);
}

void print_materials(const std::vector<sim::MaterialShare>& shares) {
  for (const sim::MaterialShare& share : shares) {
    std::cout << fmt::format("material {}: {:.2f} % of the volume, {}", core::printable_name(share.name),
                             100 * share.volume_share, core::counted(share.num_tets, "tet"));
    print_range("strength", share.strength);
    print_range("stiffness", share.stiffness);
    std::cout << '\n';
  }
}

/// The mesh for trial steps: the scene's own, or a coarser one.
struct TrialMesh {
  double factor = 1;  ///< its edges over the scene's own
  double tets = 0;    ///< number of the scene's own tets, where it is coarser
};

/// Coarsens a mesh that would take long to make, unless `whole`. Local.
TrialMesh trial_mesh(const sim::Scene& scene, bool whole) {
  const double tets = whole ? 0 : estimated_tets(scene);
  return {std::cbrt(std::max(1.0, tets / kMostTrialTets)), tets};
}

/// Estimated cost of a run.
struct Cost {
  std::vector<sim::MaterialShare> materials;          ///< of the trial mesh
  double tets = 0, bytes = 0, step_s = 0, steps = 0;  ///< before the first crack
  double uncut_seconds = 0, seconds = 0;              ///< for the requested ranks, without and with cracks
};

Cost uncut_cost(const sim::Scene& scene, const TrialMesh& mesh, const Trial& trial, double step_s) {
  const double scale = mesh.factor > 1 ? mesh.tets / static_cast<double>(trial.tets) : 1;
  Cost cost{.materials = {},
            .tets = scale * static_cast<double>(trial.tets),
            .bytes = scale * static_cast<double>(trial.bytes)};
  cost.step_s = step_s;
  cost.steps = std::ceil(scene.duration_s / step_s);
  cost.uncut_seconds = cost.seconds = scale * trial.seconds_a_step * cost.steps;
  return cost;
}

void print_uncut(const Cost& cost, const Trial& trial, int num_ranks) {
  std::cout << fmt::format("about {} tets, {} MB of mesh, steps of {} s: before the first crack\n",
                           two_digits(cost.tets), two_digits(1e-6 * cost.bytes), two_digits(cost.step_s));
  std::cout << fmt::format("at least {} steps and {} s on {}, by {} of {} taken here and now\n", two_digits(cost.steps),
                           two_digits(cost.uncut_seconds), core::counted(num_ranks, "rank"),
                           core::counted(trial.steps, "step"), core::counted(trial.tets, "tet"));
}

/// Rehearses a copy with edges longer by this factor or, where its mesh fails (too coarse for its object, a flat tet),
/// by another nearby; none if these fail, too. Collective.
std::optional<Rehearsal> rehearse_copy(const core::Comm& comm, const sim::Scene& scene, double factor) {
  for (const double nudge : {1.0, 1.1, 0.93}) try {
      if (comm.is_root())
        spdlog::info("running a copy with edges {} times the scene's, for the cost of cracks and contact",
                     two_digits(nudge * factor));
      const core::Heartbeat running("the copy");
      return rehearse(comm, coarsened(scene, std::max(1.0, nudge * factor)), kMostRehearsalSeconds);
    } catch (const core::Error& e) {
      if (comm.is_root())
        spdlog::warn("the copy with edges {} times the scene's does not run: {}", two_digits(nudge * factor), e.what());
    }
  return std::nullopt;
}

/// Extrapolates the time of the run from a copy's. Halving the edges gives eight times the tets and twice the steps,
/// more of these where damping limits them.
double seconds_of_run(const sim::Scene& scene, const Cost& cost, const Rehearsal& copy) {
  const double size = cost.tets / static_cast<double>(copy.tets), work = size * copy.first_step_s / cost.step_s;
  const double rows = std::min(cost.steps, scene.duration_s / sim::resolved_output(scene).monitor_interval_s);
  return kStartSeconds + size * (copy.start_seconds + rows * copy.row_seconds) + kWholeRun * copy.seconds * work;
}

/// Rehearses a copy as fine as the allowed time permits: the cost of cracks is known only when some have occurred, and
/// a fine mesh breaks more. Collective.
std::optional<Rehearsal> rehearse_finely(const core::Comm& comm, const sim::Scene& scene, const Cost& cost) {
  const auto factor_for = [](double wanted, double seconds, double at_factor) {
    return std::clamp(at_factor * std::pow(seconds / wanted, 0.25), kLeastCoarser, kMostCoarser);
  };
  std::optional<Rehearsal> best =
      rehearse_copy(comm, scene, factor_for(kRehearsalSeconds, kCracking * cost.uncut_seconds, 1));
  for (int again = 0; best && again < kMostAgain; ++again) {
    const double wanted =
        std::clamp(kShareOfRun * seconds_of_run(scene, cost, *best), kRehearsalSeconds, kLongRehearsalSeconds);
    const double factor = std::cbrt(cost.tets / static_cast<double>(best->tets));  // shapes have a least number of tets
    const double finer = factor_for(wanted, best->seconds, factor);
    if (finer >= kWorthAnother * factor) break;
    std::optional<Rehearsal> next = rehearse_copy(comm, scene, finer);
    if (!next) break;
    best = next;
  }
  return best;
}

/// Estimates the cost of cracks and contact from a coarser copy of the scene. Collective.
/// @param tried  edges over the scene's own, of a mesh whose steps could be taken
void add_cracks_and_contact(const core::Comm& comm, const sim::Scene& scene, double tried, Cost& cost) {
  std::optional<Rehearsal> r = rehearse_finely(comm, scene, cost);
  if (!r) r = rehearse_copy(comm, scene, tried);  // e.g. where coarser nodes miss a narrow region
  if (!r) {
    if (comm.is_root()) std::cout << "what cracks and contact cost is not known: no coarser copy of the scene runs\n";
    return;
  }
  cost.seconds = seconds_of_run(scene, cost, *r);
  if (!comm.is_root()) return;
  std::cout << fmt::format("about {} s with its {}, by {} % of the run of a copy of {}\n", two_digits(cost.seconds),
                           sim::can_break(scene) ? "cracks and contacts" : "contacts", two_digits(100 * r->done_share),
                           core::counted(r->tets, "tet"));
}

/// Meshes the scene, or a coarser copy of it, takes some of its steps, and rehearses the breakage of a coarser copy.
/// Collective.
Cost measure_cost(const core::Comm& comm, const sim::Scene& scene, bool whole) {
  TrialMesh mesh;
  core::agree_on_input(comm, [&] { mesh = trial_mesh(scene, whole); });
  sim::Scene trial_scene = mesh.factor > 1 ? coarsened(scene, mesh.factor) : scene;
  const sim::InitialMesh initial =
      mesh.factor > 1 ? build_coarsened(comm, trial_scene) : sim::build_initial_mesh(comm, trial_scene);
  if (comm.is_root())
    for (const std::string& line : initial.report) std::cout << line << '\n';
  const Trial trial = try_steps(comm, trial_scene, initial);
  const double refined = std::ldexp(1.0, -sim::refinements(trial_scene));  // trial edges over initial ones
  const double step_s = trial.first_step_s * uncut_step(comm, scene, initial.share, refined / mesh.factor) /
                        uncut_step(comm, scene, initial.share, refined);
  Cost cost = uncut_cost(scene, mesh, trial, step_s);
  cost.materials = sim::material_shares(comm, trial_scene, initial.share.mesh);
  const mesh::Quality here = mesh::measure_quality(initial.share.mesh);
  const bool any_here = !initial.share.tet_id.empty();
  const auto [angle_rad, altitude_m] =
      comm.min(std::array{any_here ? here.smallest_dihedral_rad : std::numeric_limits<double>::infinity(),
                          any_here ? here.smallest_altitude_m : std::numeric_limits<double>::infinity()});
  if (comm.is_root()) {
    print_materials(cost.materials);
    std::cout << fmt::format(
        "smallest dihedral angle {:.1f}°, smallest altitude {:.3g} m; element {} limits the step\n",
        angle_rad * 180 / std::numbers::pi, altitude_m, trial.bound.limiting_element);
    if (mesh.factor > 1)
      std::cout << fmt::format(
          "checked on a coarser mesh, with edges {} times the scene's; --mesh checks the scene's own\n",
          two_digits(mesh.factor));
    print_uncut(cost, trial, comm.size());
  }
  if (comm.any(grows_dearer(scene))) add_cracks_and_contact(comm, scene, mesh.factor, cost);
  return cost;
}

const std::vector<double> kTriedStrengths{1.0 / 3, 1, 3};  ///< factors on the scene's own strength

/// "3.3e+04 Pa" where the scene has one material that breaks at a strength, else nothing.
std::string strength_words(const sim::Scene& scene, double factor) {
  const material::Material* only = nullptr;
  for (std::size_t k = 0; k < scene.materials.size(); ++k) {
    if (!fracture::is_breakable(scene.fracture, k, scene.materials[k])) continue;
    if (only != nullptr) return "";
    only = &scene.materials[k];
  }
  if (only == nullptr || !(only->toughness > 0)) return "";
  const char* unit = only->toughness_mode == material::ToughnessMode::stress ? "Pa" : "N";
  return fmt::format("{} {}", two_digits(factor * only->toughness), unit);
}

std::string end_words(const StrengthTrial& trial) {
  const std::string at = fmt::format("t = {:.4g} s", trial.time_s);
  switch (trial.end) {
    case StrengthTrial::End::scene:
      return at + ", the scene's end";
    case StrengthTrial::End::no_new_cracks:
      return at + ", when no new crack had come for long";
    case StrengthTrial::End::limit:
      return at + fmt::format(", for want of time (more than {:g} s)", kMostTrialSeconds);
    case StrengthTrial::End::error:
      break;
  }
  return "";
}

void print_trial(const sim::Scene& scene, const StrengthTrial& trial) {
  std::cout << fmt::format("strength × {:<5.2g} {:>11}: ", trial.factor, strength_words(scene, trial.factor));
  if (trial.end == StrengthTrial::End::error)
    std::cout << "does not run: " << trial.error << '\n';
  else
    std::cout << fmt::format("{} piece{}, {} above {:g} % of the mass, the largest {:.1f} %; {} crack{} until {}\n",
                             trial.pieces, trial.pieces == 1 ? "" : "s", trial.large_pieces, 100 * kLargePiece,
                             100 * trial.largest_share, trial.cracks, trial.cracks == 1 ? "" : "s", end_words(trial));
  std::cout << std::flush;
}

/// Advice by the trials in ascending strength.
std::string strength_advice(const std::vector<StrengthTrial>& trials) {
  const auto breaks = [](const StrengthTrial& t) { return t.end != StrengthTrial::End::error && t.pieces > 1; };
  const auto strongest = std::find_if(trials.rbegin(), trials.rend(), breaks);
  if (strongest == trials.rend())
    return "none of these strengths breaks it: let it be weaker still (material.strength_pa), or hit harder";
  if (strongest->factor < 1)
    return fmt::format("as it is the scene holds; with {:.2g} of its strength it breaks", strongest->factor);
  if (strongest->factor > 1) return "it breaks at any of these strengths; stronger: fewer and larger pieces";
  return fmt::format("the scene's strength breaks it, {:.2g} times as much holds", trials.back().factor);
}

/// Runs the trials and prints their results. Collective.
std::vector<StrengthTrial> report_strengths(const core::Comm& comm, const sim::Scene& scene, const Cost& cost) {
  const auto say_copy = [&](const StrengthCopy& copy) {
    if (!comm.is_root()) return;
    if (copy.edges > 1) core::log_report(copy.warnings);
    std::cout
        << fmt::format(
               "strengths are tried on {} of {} tets, contact as in the scene, until the cracks are done: compare the "
               "counts with each other, a finer mesh breaks into more pieces\n",
               copy.edges > 1 ? fmt::format("a copy with edges {} times the scene's,", two_digits(copy.edges))
                              : "the scene's mesh",
               copy.tets)
        << std::flush;
  };
  const auto say = [&](const StrengthTrial& trial) {
    if (comm.is_root()) print_trial(scene, trial);
  };
  std::vector<StrengthTrial> trials = try_strengths(comm, scene, cost.tets, kTriedStrengths, say_copy, say);
  if (comm.is_root()) std::cout << strength_advice(trials) << '\n';
  return trials;
}

nlohmann::ordered_json json_of(const std::vector<StrengthTrial>& trials) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const StrengthTrial& t : trials) {
    if (t.end == StrengthTrial::End::error)
      list.push_back({{"factor", t.factor}, {"error", t.error}});
    else
      list.push_back({{"factor", t.factor},
                      {"pieces", t.pieces},
                      {"pieces_above_1_percent", t.large_pieces},
                      {"largest_share", t.largest_share},
                      {"cracks", t.cracks},
                      {"time_s", t.time_s}});
  }
  return list;
}

std::string json_text(const Cost& cost, const std::vector<StrengthTrial>& trials, int num_ranks) {
  nlohmann::ordered_json materials = nlohmann::ordered_json::array();
  for (const sim::MaterialShare& share : cost.materials)
    materials.push_back({{"name", share.name}, {"volume_share", share.volume_share}});
  nlohmann::ordered_json json{{"tets", cost.tets},       {"bytes", cost.bytes},   {"step_s", cost.step_s},
                              {"steps", cost.steps},     {"ranks", num_ranks},    {"uncut_seconds", cost.uncut_seconds},
                              {"seconds", cost.seconds}, {"materials", materials}};
  if (!trials.empty()) json["strengths"] = json_of(trials);
  return io::json_text(json, 1) + "\n";
}

/// Prints the interpretation of settings that may be ambiguous.
void print_readings(const sim::Scene& scene) {
  for (const contact::ColliderParameters& collider : scene.colliders)
    if (std::ranges::any_of(collider.path, [](const contact::KeyFrame& frame) { return frame.angles_deg.has_value(); }))
      std::cout << fmt::format(
          "collider \"{}\": key frames are half a turn or more apart; it turns by the angles as they are written\n",
          core::printable_name(collider.name));
}

int check(const core::Comm& comm, const CheckArguments& arguments) {
  sim::Scene scene = read_scene_together(comm, arguments.scene);
  guard_scene_outputs(comm, scene, arguments.scene, {{"--json", arguments.json}}, arguments.overwrite);
  core::agree_on_input(comm, [&] {
    if (comm.is_root()) require_writable(arguments.json);
  });
  sim::read_collider_meshes(comm, scene);
  if (comm.is_root()) {
    std::cout << fmt::format("{}: {}\n", find_scene(arguments.scene.file).string(), core::printable_name(scene.title));
    std::cout << fmt::format("{}, {}, {}, {}, {:g} s\n", core::counted(scene.objects.size(), "object"),
                             core::counted(scene.materials.size(), "material"),
                             core::counted(scene.colliders.size(), "collider"),
                             core::counted(scene.regions.size(), "region"), scene.duration_s);
    print_readings(scene);
  }
  const Cost cost = measure_cost(comm, scene, arguments.mesh);
  std::vector<StrengthTrial> trials;
  if (arguments.try_strengths)
    trials = report_strengths(comm, scene, cost);
  else if (comm.is_root() && sim::can_break(scene))
    std::cout << "--try-strengths says how many pieces a third, one and three times its strength give\n";
  core::agree(comm, [&] {
    if (comm.is_root() && !arguments.json.empty())
      io::write_atomically(arguments.json, json_text(cost, trials, comm.size()));
  });
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
  command->add_flag(
      "--try-strengths", arguments->try_strengths,
      "also run a coarse copy (3000 tets or so, a minute each at most) at a third, one and three times the "
      "scene's strength, and say how many pieces each gives");
  command->add_option("--json", arguments->json, "also write the estimate here: tets, bytes, steps, seconds");
  command->add_flag("--overwrite", arguments->overwrite, "replace that file if it is there");
  command->footer(
      "Examples: brisance check configs/bowl.toml --set object.mesh.target_tets=100000\n"
      "          brisance check my_scene.toml --try-strengths\n"
      "          mpirun -n 2 brisance check configs/wall_heavy.toml --mesh");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return check(c, *arguments); }; });
}

}  // namespace brisance::app
