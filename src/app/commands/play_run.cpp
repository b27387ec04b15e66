#include "app/commands/play_run.hpp"

#include "brisance/breaking/playback.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/run_files.hpp"
#include "brisance/sim/crush.hpp"
#include "brisance/sim/simulation.hpp"

#include "app/cli/session.hpp"
#include "app/cli/signals.hpp"
#include "app/commands/allowed_size.hpp"
#include "app/commands/chosen_frame.hpp"
#include "app/commands/debris_colliders.hpp"
#include "app/commands/handover_text.hpp"
#include "app/scene/input_files.hpp"
#include "app/scene/scene.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

constexpr double kSeconds = 5, kRestitution = 0.1, kFrictionOfNothing = 0.3;

/// Opens a run folder whose pieces can be continued.
io::RunFolder open_run(const std::filesystem::path& path) {
  io::RunFolder folder = io::RunFolder::open(path);
  if (folder.is_being_written())
    throw core::Error(path.string() + " is being written by a run. Wait for it, or stop it: its frames stay.");
  if (folder.status() == io::RunStatus::running)
    spdlog::warn("the run in {} was killed: its frames are played as they are", path.string());
  return folder;
}

/// Rows of the nodes on the surface with a name, or of the tets where no surface has it.
std::vector<std::int32_t> nodes_of_group(const breaking::RunFrame& frame, const std::string& name) {
  const mesh::Groups& groups = frame.header.groups;
  std::vector<std::int32_t> nodes;
  for (std::size_t t = 0; t < frame.triangles.size(); ++t)
    if (mesh::has_name(groups, groups.group_of_source(frame.source_triangle[t]), name))
      nodes.insert(nodes.end(), frame.triangles[t].begin(), frame.triangles[t].end());
  for (std::size_t t = 0; nodes.empty() && t < frame.group.size(); ++t)
    if (mesh::has_name(groups, frame.group[t], name))
      nodes.insert(nodes.end(), frame.tets[t].begin(), frame.tets[t].end());
  return nodes;
}

/// For each node the last region that constrains it in any direction at the time of the frame.
std::vector<std::int32_t> constraints_of(const sim::Scene& scene, const breaking::RunFrame& frame) {
  const auto holds = [&](const sim::RegionParameters& r) {
    return frame.header.time_s < r.until_s && (r.axes[0] || r.axes[1] || r.axes[2]);
  };
  std::vector<std::int32_t> constraint;
  if (!std::ranges::any_of(scene.regions, holds)) return constraint;
  constraint.assign(frame.node_id.size(), breaking::kUnconstrained);
  for (std::size_t n = 0; n < constraint.size(); ++n) {
    const std::uint32_t mask = sim::regions_at(scene, frame.rest_position[n]);
    for (std::size_t r = 0; r < scene.regions.size(); ++r)
      if ((mask >> r & 1) != 0 && holds(scene.regions[r])) constraint[n] = static_cast<std::int32_t>(r);
  }
  for (std::size_t r = 0; r < scene.regions.size(); ++r)
    if (scene.regions[r].shape == sim::RegionShape::group && holds(scene.regions[r]))
      for (const std::int32_t n : nodes_of_group(frame, scene.regions[r].group))
        constraint[n] = static_cast<std::int32_t>(r);
  return constraint;
}

std::vector<double> densities(const sim::Scene& scene, const io::SnapshotHeader& header) {
  std::map<std::string, double> by_name;
  for (const material::Material& m : sim::with_crushed_forms(scene.materials)) by_name[m.name] = m.density;
  std::vector<double> list;
  for (const std::string& name : header.material_names) list.push_back(by_name[name]);
  return list;
}

breaking::DebrisParameters debris_parameters(const RunPlayArguments& a, const sim::Scene& scene,
                                             std::vector<breaking::DebrisCollider> colliders) {
  breaking::DebrisParameters p;
  p.gravity = a.gravity ? Vec3(0, 0, -*a.gravity) : scene.gravity;
  p.friction = kFrictionOfNothing;
  if (!scene.colliders.empty())
    p.friction = std::ranges::min_element(scene.colliders, {}, &contact::ColliderParameters::friction)->friction;
  p.friction = a.friction.value_or(p.friction);
  p.restitution = a.restitution.value_or(kRestitution);
  p.step = a.step.value_or(p.step);
  p.duration = a.seconds.value_or(kSeconds);
  p.frame_interval = 1 / (a.frames_per_second * a.slow);
  p.snapshot_every = a.snapshot_every.value_or(std::max(std::llround(a.slow), 1LL));
  p.colliders = std::move(colliders);
  for (const sim::RegionParameters& region : scene.regions)
    p.constraints.push_back({[region](double time_s) { return sim::region_path(region, time_s); }, region.until_s});
  return p;
}

/// Warns if steps are long compared with the time in which the fastest body crosses its size.
void warn_of_speed(const breaking::DebrisParameters& p, const breaking::Debris& debris) {
  double thinnest = std::numeric_limits<double>::infinity(), fastest = 0;
  for (const breaking::DebrisCollider& c : p.colliders) {
    if (c.obstacle.kind == rigid::Obstacle::Kind::ball) thinnest = std::min(thinnest, 2 * c.obstacle.size.x());
    if (c.obstacle.kind == rigid::Obstacle::Kind::box || c.obstacle.kind == rigid::Obstacle::Kind::mesh)
      thinnest = std::min(thinnest, c.obstacle.size.minCoeff());
    fastest = std::max(fastest, c.obstacle.velocity.norm());
  }
  for (const breaking::RigidPiece& piece : debris.pieces())
    if (!piece.is_small) fastest = std::max(fastest, piece.motion.velocity.norm());
  if (fastest * p.step > thinnest / 2)
    spdlog::warn(
        "the fastest body goes {:.3g} m in a step, and the thinnest collider is {:.3g} m: it may fly through. "
        "--step {:.2g} is short enough.",
        fastest * p.step, thinnest, 0.45 * thinnest / fastest);
}

std::vector<OutputFile> outputs_of(const RunPlayArguments& a) {
  std::vector<OutputFile> outputs = run_outputs(a.out);
  if (a.glb.empty()) return outputs;
  std::erase_if(outputs, [](const OutputFile& o) { return o.path.filename() == "debris.glb"; });  // not written
  outputs.push_back({"--glb", a.glb});
  return outputs;
}

/// Input checked before the folder is made.
struct Prepared {
  breaking::DebrisParameters parameters;
  breaking::DebrisOutput output;
  std::unique_ptr<breaking::Debris> debris;
};

Prepared prepare(const RunPlayArguments& a) {
  const double start_s = core::wall_seconds();
  const io::RunFolder run = open_run(a.run);
  if (std::filesystem::weakly_canonical(a.out) == std::filesystem::weakly_canonical(a.run))
    throw core::Error("--out " + a.out.string() + " is the run itself. Give the debris a folder of their own.");
  const auto files = io::list_snapshots(a.run);
  if (io::read_snapshot_header(files.back()).scene.starts_with(breaking::kPlaybackTable))
    throw core::Error(a.run.string() +
                      " is a playback: its pieces are rigid already. Give the folder of brisance run.");
  guard_outputs(io::run_files(a.run), outputs_of(a), a.overwrite);
  const std::size_t chosen = chosen_frame(files, "--from", a.from);
  breaking::RunFrame frame = breaking::read_run_frame(files[chosen]);
  const sim::Scene scene = parse_scene(frame.header.scene, files[chosen]);
  const std::filesystem::path before = chosen > 0 ? files[chosen - 1] : std::filesystem::path();

  Prepared result;
  result.parameters = debris_parameters(a, scene, debris_colliders(scene, frame.header, before, a.friction));
  breaking::HandoverParameters handing;
  handing.density = densities(scene, frame.header);
  handing.constraint = constraints_of(scene, frame);
  handing.small_share = a.small_share;
  handing.crumbs = a.crumbs;
  result.output.report = {fmt::format("{}, t = {:g} s: {} in {}", files[chosen].string(), frame.header.time_s,
                                      core::counted(frame.tets.size(), "tet"),
                                      core::counted(frame.header.num_pieces, "piece"))};
  breaking::Handover handover = breaking::hand_over(frame, handing);
  const auto stored = stored_energy(run, frame.header.step);
  std::ranges::copy(handover_report(handover.sums, handover.pieces.size(), a, stored),
                    std::back_inserter(result.output.report));
  result.output.scene = playback_scene_text(a, files[chosen], frame.header, result.parameters, handover.sums, stored);
  result.output.slow = a.slow;
  result.output.has_strays = a.crumbs == breaking::Crumbs::full;
  if (a.with_run) result.output.before.assign(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(chosen));
  result.debris = std::make_unique<breaking::Debris>(std::move(frame), std::move(handover), result.parameters);
  warn_of_speed(result.parameters, *result.debris);
  result.output.report.push_back(fmt::format("handed over in {:.1f} s; {} MB resident so far at most",
                                             core::wall_seconds() - start_s, core::peak_memory_bytes() / 1000000));
  return result;
}

}  // namespace

void add_run_play_arguments(CLI::App& command, RunPlayArguments& a) {
  const auto group = [](CLI::Option* option) { return option->group(kRunGroup); };
  group(command.add_option("--from", a.from,
                           "last, the number of a frame, or a time with its unit (0.03s, 30ms), of "
                           "which the nearest frame is taken"))
      ->capture_default_str();
  group(command.add_option("--slow", a.slow,
                           "the animation takes so many seconds for one, with --fps frames in each of "
                           "its own"))
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  group(command.add_option("--glb", a.glb, "file of the animation; default OUT/debris.glb"));
  group(command.add_flag("--no-glb", a.no_glb, "no animation"))->excludes("--glb");
  group(command.add_flag("--with-run", a.with_run,
                         "the animation begins with the run's frames before that one, each a "
                         "frame of its own, in which pieces move as the rigid motion that "
                         "comes closest"));
  group(command.add_option("--snapshot-every", a.snapshot_every,
                           "of so many frames, one is a snapshot; default as many as --slow says, 1 without"))
      ->check(CLI::PositiveNumber);
  group(command.add_option("--crumb-share", a.small_share, "pieces below this share of the mass are small pieces"))
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  const std::map<std::string, breaking::Crumbs> kinds{
      {"boxes", breaking::Crumbs::boxes}, {"full", breaking::Crumbs::full}, {"drop", breaking::Crumbs::drop}};
  group(command.add_option(
            "--crumbs", a.crumbs,
            "treatment of small pieces. boxes: they collide with others, but not among each other, as a box "
            "of their inertia; full: like other pieces; drop: they are left out; default boxes"))
      ->option_text("boxes|full|drop")
      ->transform(CLI::CheckedTransformer(kinds));
}

int play_run(const core::Comm& comm, const RunPlayArguments& arguments) {
  Prepared prepared;
  core::agree_on_input(comm, [&] { prepared = prepare(arguments); });
  if (!arguments.no_glb) prepared.output.animation = arguments.out / "debris.glb";
  const breaking::PlannedOutput planned =
      breaking::planned_output(comm, *prepared.debris, prepared.parameters, prepared.output);
  core::agree_on_input(comm, [&] {
    refuse_large_output(planned, arguments.allowed_size_gb, arguments.out,
                        "Take fewer snapshots (--snapshot-every), fewer frames a second (--fps) or a shorter time "
                        "(--seconds)");
  });
  std::unique_ptr<io::RunFolder> folder;
  try {
    folder = std::make_unique<io::RunFolder>(io::RunFolder::create(comm, arguments.out, arguments.overwrite));
  } catch (const core::Error& e) {  // thrown on all ranks alike
    throw core::BadInput(e.what());
  }
  if (!arguments.no_glb) prepared.output.animation = arguments.glb.empty() ? folder->animation() : arguments.glb;
  note_stop_signals();
  const StopListener listener([&folder] { folder->announce_stop(); });
  if (breaking::play(comm, *prepared.debris, prepared.parameters, prepared.output, *folder, stop_noted) ==
      io::RunEnd::interrupted)
    throw stopped_by_signal(arguments.out);
  return kSuccess;
}

}  // namespace brisance::app
