/// `brisance play`: simulates rigid bodies and writes a run folder, either for an object that falls and breaks along
/// its modes, or for the pieces of a run.
#include "brisance/breaking/own_modes.hpp"
#include "brisance/breaking/playback.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/runtime/error.hpp"

#include "app/cli/session.hpp"
#include "app/cli/signals.hpp"
#include "app/commands/allowed_size.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/play_run.hpp"
#include "app/modes/breakable_arguments.hpp"
#include "app/modes/obstacle_arguments.hpp"
#include "app/scene/input_files.hpp"
#include "app/scene/key.hpp"

#include <algorithm>
#include <memory>
#include <numbers>
#include <optional>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

constexpr const char* kModesGroup = "An object that breaks along its MODES";

struct PlayArguments {
  std::filesystem::path modes, out;  ///< `modes` may be a run folder
  RunPlayArguments run;
  breaking::BreakableParameters object;
  breaking::OwnModesParameters own;
  breaking::PlaybackParameters play;
  ObstacleArguments obstacles;
  std::array<double, 3> tilt_deg{}, velocity{}, spin{};
  double frames_per_second = 30, monitor_interval = 0, allowed_size_gb = kAllowedSize_gb;
  bool no_ground = false;
  bool overwrite = false;
};

breaking::PlaybackParameters parameters(const PlayArguments& arguments) {
  breaking::PlaybackParameters play = arguments.play;
  const auto turn = [&](int axis) {
    return Eigen::AngleAxisd(arguments.tilt_deg[axis] * std::numbers::pi / 180, Vec3::Unit(axis));
  };
  play.orientation = turn(2) * turn(1) * turn(0);
  play.velocity = Vec3(arguments.velocity.data());
  play.angular_velocity = Vec3(arguments.spin.data());
  play.frame_interval = 1 / arguments.frames_per_second;
  play.monitor_interval = arguments.monitor_interval > 0 ? arguments.monitor_interval : play.frame_interval;
  play.ground = !arguments.no_ground;
  play.obstacles = obstacles(arguments.obstacles);
  return play;
}

std::string quoted_list(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  quoted.reserve(texts.size());
  for (const std::string& text : texts) quoted.push_back(toml_text(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

/// The parameters of the play, for scene.toml and the snapshots.
std::string scene_text(const PlayArguments& a, const breaking::PlaybackParameters& play) {
  std::string text(breaking::kPlaybackTable);
  const auto add = [&](const char* key, const auto& value) { text += fmt::format("{} = {}\n", key, value); };
  const auto add_vector = [&](const char* key, const auto& value) {
    add(key, fmt::format("[{}]", fmt::join(value, ", ")));
  };
  add("modes", toml_text(a.modes.generic_string()));
  add("gluing", a.object.gluing);
  add("min_volume", a.object.smallest_piece);
  add("own_modes", a.own.count);
  add("own_volume", a.own.smallest_body);
  add("smear", play.smear == runtime::Smear::elastic ? "\"elastic\"" : "\"gaussian\"");
  add("smear_length", a.object.smear.relative_length);
  add("thickness_m", a.object.thickness_m);
  add("method", play.method == runtime::Method::modes ? "\"modes\"" : "\"least squares\"");
  add("density_kg_m3", play.density);
  add("break_speed_m_s", play.break_speed);
  add("drop_m", play.drop_height);
  add_vector("tilt_deg", a.tilt_deg);
  add_vector("velocity_m_s", a.velocity);
  add_vector("spin_rad_s", a.spin);
  add("gravity_m_s2", play.gravity);
  add("ground", play.ground);
  add("walls", quoted_list(a.obstacles.walls));
  add("boxes", quoted_list(a.obstacles.boxes));
  add("balls", quoted_list(a.obstacles.balls));
  add("friction", play.friction);
  add("restitution", play.restitution);
  add("step_s", play.step);
  add("frames_per_second", a.frames_per_second);
  add("monitor_interval_s", play.monitor_interval);
  add("duration_s", play.duration);
  return text;
}

/// The object, and its pieces if they have modes of their own.
std::unique_ptr<breaking::Playback> make_playback(const PlayArguments& arguments,
                                                  const breaking::PlaybackParameters& play) {
  const breaking::BreakableParameters parameters = with_only(arguments.object, play.smear);
  breaking::Breakable object = breaking::read_breakable(arguments.modes, parameters);
  warn_if_incomplete(arguments.modes, object.is_complete);
  if (object.set.dimension == 2)
    throw core::BadInput(arguments.modes.string() +
                         " holds modes of a flat body, which has no mass to fall with: give its --thickness.");
  breaking::OwnModes own = breaking::own_modes(object, parameters, arguments.own);
  spdlog::info("{} if all its modes open", core::counted(object.atoms.num_pieces(), "piece"));
  if (arguments.own.count > 0)
    spdlog::info("{} modes of their own: {} in all", core::counted(own.num_divided, "of them has", "of them have"),
                 core::counted(own.atoms.num_pieces(), "smaller piece"));
  object.set.own = std::move(own.of_piece);
  return std::make_unique<breaking::Playback>(breaking::atom_geometry(object.mesh, own.atoms),
                                              runtime::Generations(std::move(object.set)), play);
}

/// Refuses options that do not apply to the given kind of input.
void refuse_given(const CLI::App& command, const std::string& group, const std::string& why) {
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0 && option->get_group() == group) throw core::BadInput(option->get_name() + " " + why);
}

/// The value of an option common to both kinds of input, if it was given.
std::optional<double> given(const CLI::App& command, const char* name, double value) {
  return command.get_option(name)->count() > 0 ? std::optional(value) : std::nullopt;
}

RunPlayArguments run_arguments(const CLI::App& command, const PlayArguments& a) {
  refuse_given(command, kModesGroup,
               "is for an object that breaks along its modes, and " + a.modes.string() + " is the folder of a run.");
  RunPlayArguments run = a.run;
  run.run = a.modes;
  run.out = a.out;
  run.overwrite = a.overwrite;
  run.frames_per_second = a.frames_per_second;
  run.allowed_size_gb = a.allowed_size_gb;
  run.seconds = given(command, "--duration", a.play.duration);
  run.step = given(command, "--step", a.play.step);
  run.gravity = given(command, "--gravity", a.play.gravity);
  run.friction = given(command, "--friction", a.play.friction);
  run.restitution = given(command, "--restitution", a.play.restitution);
  return run;
}

int play_modes(const core::Comm& comm, const PlayArguments& arguments) {
  breaking::PlaybackParameters parameters_of_play;
  std::unique_ptr<breaking::Playback> playback;
  core::agree_on_input(comm, [&] {
    if (comm.is_root()) guard_outputs({arguments.modes}, run_outputs(arguments.out), true);
    parameters_of_play = parameters(arguments);
    playback = make_playback(arguments, parameters_of_play);
  });
  const std::string scene = scene_text(arguments, parameters_of_play);
  const breaking::PlannedOutput planned = breaking::planned_output(comm, *playback, parameters_of_play, scene);
  core::agree_on_input(comm, [&] {
    refuse_large_output(planned, arguments.allowed_size_gb, arguments.out,
                        "Take fewer frames a second (--fps) or a shorter time (--duration)");
  });
  std::unique_ptr<io::RunFolder> folder;
  try {
    folder = std::make_unique<io::RunFolder>(io::RunFolder::create(comm, arguments.out, arguments.overwrite));
  } catch (const core::Error& e) {  // thrown on all ranks alike
    throw core::BadInput(e.what());
  }
  note_stop_signals();
  const StopListener listener([&folder] { folder->announce_stop(); });
  if (breaking::play(comm, *playback, parameters_of_play, scene, *folder, stop_noted) == io::RunEnd::interrupted)
    throw stopped_by_signal(arguments.out);
  return kSuccess;
}

/// Adds the options common to both kinds of input.
void add_shared_arguments(CLI::App& command, PlayArguments& arguments) {
  breaking::PlaybackParameters& p = arguments.play;
  command.add_option("--out", arguments.out, "folder for the results; made if it does not exist")->required();
  command.add_flag("--overwrite", arguments.overwrite, "replace an earlier run in that folder");
  command.add_option("--duration,--seconds", p.duration, "[s]; default 2, of a run 5")->check(CLI::PositiveNumber);
  command.add_option("--fps", arguments.frames_per_second, "frames a second")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      .add_option("--max-size", arguments.allowed_size_gb, "nothing is written that would come to more than this [GB]")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--step", p.step, "of the rigid bodies [s]")->capture_default_str()->check(CLI::PositiveNumber);
  command.add_option("--gravity", p.gravity, "downwards [m/s²]; default 9.81, of a run its own")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--friction", p.friction, "Coulomb coefficient; default 0.5, of a run those of its colliders")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--restitution", p.restitution, "0 no bounce, 1 all of it")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
}

void add_motion_arguments(CLI::App& command, PlayArguments& arguments) {
  breaking::PlaybackParameters& p = arguments.play;
  const auto positive = [&](const char* name, double& value, const char* text) {
    command.add_option(name, value, text)->capture_default_str()->check(CLI::PositiveNumber);
  };
  const auto vector = [&](const char* name, std::array<double, 3>& value, const char* text) {
    command.add_option(name, value, text)->type_name("X,Y,Z")->delimiter(',');
  };
  command.add_option("--drop", p.drop_height, "height of the lowest point above the ground [m]")->capture_default_str();
  vector("--tilt", arguments.tilt_deg, "turned about x, then y, then z [degrees]");
  vector("--velocity", arguments.velocity, "at the start [m/s]");
  vector("--spin", arguments.spin, "at the start [rad/s]");
  positive("--break-speed", p.break_speed, "difference of speed, from one blow, that opens a face [m/s]");
  positive("--density", p.density, "[kg/m³]");
  command
      .add_option("--monitor-interval", arguments.monitor_interval,
                  "between lines of monitor.csv, which steps that break something have anyway [s]; as frames")
      ->check(CLI::PositiveNumber);
}

}  // namespace

void add_play(CLI::App& program, Action& action) {
  CLI::App* command =
      program.add_subcommand("play", "throw an object and break it along its modes, or let a run's pieces fall on");
  auto arguments = std::make_shared<PlayArguments>();
  command->add_option("INPUT", arguments->modes, "file of brisance modes, or the folder of a run")->required();
  add_shared_arguments(*command, *arguments);
  const std::vector<CLI::Option*> shared = command->get_options();
  add_motion_arguments(*command, *arguments);
  add_obstacle_arguments(*command, arguments->obstacles);
  command->add_flag("--no-ground", arguments->no_ground, "leave out the plane z = 0");
  add_answer_arguments(*command, arguments->play.smear, arguments->play.method);
  add_breakable_arguments(*command, arguments->object);
  add_own_modes_arguments(*command, arguments->own);
  for (CLI::Option* option : command->get_options())
    if (std::find(shared.begin(), shared.end(), option) == shared.end()) option->group(kModesGroup);
  add_run_play_arguments(*command, arguments->run);
  command->footer(
      "The folder is like that of brisance run: render it, convert it, open it in ParaView. Of MODES, the ground is\n"
      "z = 0 and the object starts above the origin. Of a RUN, the pieces of one frame continue as rigid bodies with "
      "the\n"
      "momentum they have, among its colliders, and there is an animated GLB. SIGTERM and SIGINT end it after its "
      "step,\n"
      "with a last snapshot and exit code 3.\n"
      "Examples: brisance play cup.modes.h5 --drop 1 --tilt 20,0,0 --break-speed 2 --out runs/cup\n"
      "          brisance play cup.modes.h5 --drop 0 --step 0.001 --ball=-0.4,0,0.05,0.02,12,0,0,0.2 --out runs/hit\n"
      "          brisance play cup.modes.h5 --velocity 6,0,1 --wall 0.5,0,0,-1,0,0 --own-modes 12 --out runs/thrown\n"
      "          brisance play runs/bowl --from last --seconds 3 --out runs/bowl_debris\n"
      "          brisance play runs/bowl --from 20ms --slow 4 --with-run --out runs/bowl_slow");
  command->callback([arguments, command, &action] {
    if (std::filesystem::is_directory(arguments->modes)) {
      const RunPlayArguments run = run_arguments(*command, *arguments);
      action = [run](const core::Comm& c) { return play_run(c, run); };
      return;
    }
    refuse_given(*command, kRunGroup,
                 "is for the pieces of a run, and " + arguments->modes.string() + " is no folder of one.");
    action = [arguments](const core::Comm& c) { return play_modes(c, *arguments); };
  });
}

}  // namespace brisance::app
