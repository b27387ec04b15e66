#include "app/commands/play_run.hpp"

#include "brisance/breaking/playback.hpp"
#include "brisance/contact/rigid/prescribed_path.hpp"
#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/contact/shapes/rigid_mesh.hpp"
#include "brisance/contact/shapes/shape_kinds.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/monitor.hpp"
#include "brisance/io/run_files.hpp"
#include "brisance/rigid/hull.hpp"
#include "brisance/sim/crush.hpp"
#include "brisance/sim/simulation.hpp"

#include "app/cli/session.hpp"
#include "app/cli/signals.hpp"
#include "app/commands/allowed_size.hpp"
#include "app/commands/chosen_frame.hpp"
#include "app/scene/input_files.hpp"
#include "app/scene/key.hpp"
#include "app/scene/scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
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

Eigen::Isometry3d placement(const contact::BodyState& state) {
  Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
  result.linear() = state.orientation.toRotationMatrix();
  result.translation() = state.position;
  return result;
}

/// The solid of a mesh as stored in the frame, relative to its centre of mass; for a prescribed path, relative to the
/// point that follows the path, its file's origin, which the frame does not store.
std::shared_ptr<const contact::RigidMesh> solid_of(const contact::ColliderParameters& p, const io::Collider& at,
                                                   double time_s) {
  std::vector<Vec3> vertices = at.vertices;
  if (p.motion == contact::ColliderMotion::path) {
    const Vec3 arm = placement(contact::state_on_path(p.path, time_s)).inverse() * at.centre;
    for (Vec3& x : vertices) x += arm;
  }
  return std::make_shared<const contact::RigidMesh>(std::move(vertices), at.triangles);
}

/// Bullet moves convex bodies: a free collider collides as its convex hull, which must not be much larger than it.
constexpr double kMostBeyondHull = 1.02;

void fill_surface(const contact::ColliderParameters& p, const io::Collider& at, rigid::Obstacle& obstacle) {
  obstacle.vertices = at.vertices;
  obstacle.triangles = at.triangles;
  if (p.motion != contact::ColliderMotion::free) return;
  const std::shared_ptr<const contact::RigidShape> solid = contact::make_shape(p);
  const double volume = solid->volume();
  const double hull = rigid::hull_volume(at.vertices);
  if (hull > kMostBeyondHull * volume)
    throw core::Error(fmt::format(
        "collider \"{}\" is a mesh that moves freely, and debris meets such meshes as their convex hulls, of {:.3g} m3 "
        "where the solid has {:.3g}. Run the scene again with it fixed, on a path, or as convex ones.",
        p.name, hull, volume));
  const contact::Inertia of_volume = solid->inertia(volume);
  obstacle.inertia =
      obstacle.mass / volume * (of_volume.axes * of_volume.principal.asDiagonal() * of_volume.axes.transpose());
}

/// Estimates velocities of a free collider, where the frame has none, from its displacement since the frame before.
void estimate_velocity(const io::Collider& before, const io::Collider& now, double time_s, rigid::Obstacle& obstacle) {
  obstacle.velocity = (now.centre - before.centre) / time_s;
  const auto turn_of = [](const io::Collider& c) {
    return Eigen::Quaterniond(c.orientation[0], c.orientation[1], c.orientation[2], c.orientation[3]);
  };
  Eigen::Quaterniond turn = turn_of(now) * turn_of(before).conjugate();
  if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
  const Eigen::AngleAxisd rotation(turn.normalized());
  obstacle.angular_velocity = rotation.angle() / time_s * rotation.axis();
}

/// The scene's colliders in their state in the frame.
/// @param before  the frame before, or empty: for velocities of free colliders that the frame does not have
std::vector<breaking::DebrisCollider> colliders_of(const sim::Scene& scene, const io::SnapshotHeader& now,
                                                   const std::filesystem::path& before,
                                                   const std::optional<double>& friction) {
  if (scene.colliders.size() != now.colliders.size())
    throw core::Error(
        fmt::format("the frame has {}, its scene {}. The file was edited; use the one that the "
                    "run wrote.",
                    core::counted(now.colliders.size(), "collider"), scene.colliders.size()));
  std::vector<breaking::DebrisCollider> list;
  for (std::size_t c = 0; c < scene.colliders.size(); ++c) {
    contact::ColliderParameters p = scene.colliders[c];
    const io::Collider& at = now.colliders[c];
    if (contact::shape_kind(p.shape).reads_file) p.mesh.mesh = solid_of(p, at, now.time_s);
    p = contact::RigidColliders({p}).parameters(0);  // with the mass from its density
    breaking::DebrisCollider collider;
    collider.name = p.name;
    rigid::Obstacle& o = collider.obstacle;
    o.kind = rigid::kind_of_name(at.kind);
    o.centre = at.centre;
    o.size = at.size;  // for a plane its normal in the world
    o.friction = friction.value_or(p.friction);
    if (o.kind != rigid::Obstacle::Kind::plane)
      o.orientation = {at.orientation[0], at.orientation[1], at.orientation[2], at.orientation[3]};
    if (p.motion == contact::ColliderMotion::path) {
      o.is_led = true;
      if (o.kind == rigid::Obstacle::Kind::plane) o.size = p.normal;
      collider.path = [p](double time_s) { return placement(contact::RigidColliders({p}, time_s).states()[0]); };
    }
    if (p.motion == contact::ColliderMotion::free) o.mass = p.mass_kg;
    if (o.kind == rigid::Obstacle::Kind::mesh) fill_surface(p, at, o);
    if (p.motion == contact::ColliderMotion::free) {
      if (at.velocity && at.angular_velocity) {
        o.velocity = *at.velocity;
        o.angular_velocity = *at.angular_velocity;
      } else if (!before.empty()) {
        const io::SnapshotHeader earlier = io::read_snapshot_header(before);
        estimate_velocity(earlier.colliders.at(c), at, now.time_s - earlier.time_s, o);
        spdlog::warn("the frame does not have the velocity of collider \"{}\": taken from its way since the one before",
                     p.name);
      } else {
        o.velocity = p.velocity;
        o.angular_velocity = p.angular_velocity;
      }
    }
    list.push_back(std::move(collider));
  }
  return list;
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

/// Energies of a moment from the run's monitor.csv, if it has a row for it.
struct Stored {
  double elastic = 0, contact = 0;  ///< [J]
};

std::optional<Stored> stored_energy(const io::RunFolder& run, std::int64_t step) {
  if (!std::filesystem::exists(run.monitor())) return {};
  const io::MonitorTable table = io::read_monitor(run.monitor());
  const std::vector<double> steps = table.column("step");
  const auto found = std::find(steps.begin(), steps.end(), static_cast<double>(step));
  if (found == steps.end()) return {};
  const auto row = static_cast<std::size_t>(found - steps.begin());
  return Stored{table.column("elastic_energy_j")[row], table.column("contact_energy_j")[row]};
}

std::string shown(const Vec3& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z()); }
std::string brief(const Vec3& v) { return fmt::format("({:.5g}, {:.5g}, {:.5g})", v.x(), v.y(), v.z()); }

/// A change relative to the scale of rounding errors.
double share(const Vec3& change, double scale) { return scale > 0 ? change.norm() / scale : change.norm(); }

std::vector<std::string> handover_report(const breaking::HandoverSums& s, std::size_t pieces, const RunPlayArguments& a,
                                         const std::optional<Stored>& stored) {
  std::vector<std::string> lines;
  const auto say = [&]<class... T>(fmt::format_string<T...> text, T&&... values) {
    lines.push_back(fmt::format(text, std::forward<T>(values)...));
  };
  say("{} of {:.5g} kg continue as rigid bodies", core::counted(pieces, "piece"), s.mass);
  if (s.num_crumbs > 0)
    say("{}, below {:g} of the mass: boxes of their inertia that pass through each other",
        core::counted(s.num_crumbs, "small piece"), a.small_share);
  if (s.num_dropped > 0)
    say("left out {}, below {:g} of the mass: {:.3g} kg, momentum {} kg m/s",
        core::counted(s.num_dropped, "small piece"), a.small_share, s.dropped_mass, brief(s.dropped.linear));
  if (s.num_constrained > 0)
    say("{} nodes of a region and {} its motion, whichever axes are constrained; not in the sums",
        core::counted(s.num_constrained, "piece has", "pieces have"), s.num_constrained == 1 ? "follows" : "follow");
  say("momentum {} kg m/s, changed by {:.0e} of itself; angular momentum about the origin {} kg m²/s, by {:.0e}",
      brief(s.rigid.linear), share(s.rigid.linear - s.field.linear, s.field.linear_scale), brief(s.rigid.angular),
      share(s.rigid.angular - s.field.angular, s.field.angular_scale));
  say("kinetic energy {:.5g} J of the tets becomes {:.5g} J of rigid pieces: {:.4g} J of vibration are dropped "
      "(with masses at the nodes, as the run has them, {:.5g} J and angular momentum {})",
      s.field.energy, s.rigid.energy, s.field.energy - s.rigid.energy, s.nodes.energy, brief(s.nodes.angular));
  if (stored)
    say("dropped as well: elastic energy {:.4g} J, energy of contacts {:.4g} J", stored->elastic, stored->contact);
  else
    say("dropped as well: elastic energy, of which monitor.csv has no line for this step");
  return lines;
}

std::string scene_text(const RunPlayArguments& a, const std::filesystem::path& file, const io::SnapshotHeader& header,
                       const breaking::DebrisParameters& p, const breaking::HandoverSums& s,
                       const std::optional<Stored>& stored) {
  std::string text(breaking::kPlaybackTable);
  const auto add = [&](const char* key, const auto& value) { text += fmt::format("{} = {}\n", key, value); };
  const auto number = [&](const char* key, double value) { text += fmt::format("{} = {:.17g}\n", key, value); };
  const char* crumbs = a.crumbs == breaking::Crumbs::boxes  ? "\"boxes\""
                       : a.crumbs == breaking::Crumbs::full ? "\"full\""
                                                            : "\"drop\"";
  add("run", toml_text(a.run.generic_string()));
  add("from_frame", std::stoull(file.stem().string()));
  number("from_time_s", header.time_s);
  add("gravity_m_s2", shown(p.gravity));
  number("friction", p.friction);
  number("restitution", p.restitution);
  number("step_s", p.step);
  number("duration_s", p.duration);
  number("frames_per_second", a.frames_per_second);
  number("slow", a.slow);
  add("snapshot_every", p.snapshot_every);
  add("crumbs", crumbs);
  number("crumb_share", a.small_share);
  text += "\n[play.handover]\n";
  number("mass_kg", s.mass);
  add("crumbs", s.num_crumbs);
  add("crumbs_dropped", s.num_dropped);
  number("dropped_mass_kg", s.dropped_mass);
  add("pieces_held", s.num_constrained);
  add("momentum_before_kg_m_s", shown(s.field.linear));
  add("momentum_after_kg_m_s", shown(s.rigid.linear));
  add("angular_momentum_before_kg_m2_s", shown(s.field.angular));
  add("angular_momentum_after_kg_m2_s", shown(s.rigid.angular));
  add("angular_momentum_of_nodes_kg_m2_s", shown(s.nodes.angular));
  number("kinetic_energy_before_j", s.field.energy);
  number("kinetic_energy_after_j", s.rigid.energy);
  number("kinetic_energy_of_nodes_j", s.nodes.energy);
  if (stored) number("elastic_energy_dropped_j", stored->elastic);
  if (stored) number("contact_energy_dropped_j", stored->contact);
  return text;
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
  result.parameters = debris_parameters(a, scene, colliders_of(scene, frame.header, before, a.friction));
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
  result.output.scene = scene_text(a, files[chosen], frame.header, result.parameters, handover.sums, stored);
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
