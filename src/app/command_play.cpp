/// `brisance play`: an object falls and breaks along its modes, as rigid bodies, into a run folder.
#include "brisance/core/error.hpp"
#include "brisance/runtime/error.hpp"
#include "brisance/sim/breakable.hpp"
#include "brisance/sim/playback.hpp"

#include "app/breakable_arguments.hpp"
#include "app/commands.hpp"
#include "app/session.hpp"
#include "app/signals.hpp"

#include <memory>
#include <numbers>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

namespace brisance::app {

namespace {

struct PlayArguments {
  std::filesystem::path modes, out;
  sim::BreakableParameters object;
  sim::PlaybackParameters play;
  std::array<double, 3> tilt_deg{}, velocity{}, spin{};
  double frames_per_second = 30;
  bool overwrite = false;
};

sim::PlaybackParameters parameters(const PlayArguments& arguments) {
  sim::PlaybackParameters play = arguments.play;
  const auto turn = [&](int axis) {
    return Eigen::AngleAxisd(arguments.tilt_deg[axis] * std::numbers::pi / 180, Vec3::Unit(axis));
  };
  play.orientation = turn(2) * turn(1) * turn(0);
  play.velocity = Vec3(arguments.velocity.data());
  play.angular_velocity = Vec3(arguments.spin.data());
  play.frame_interval = 1 / arguments.frames_per_second;
  return play;
}

/// What was played, for scene.toml and the snapshots.
std::string scene_text(const PlayArguments& a) {
  return fmt::format(
      "{}modes = \"{}\"\ngluing = {}\nmin_volume = {}\nsmear = \"{}\"\nsmear_length = {}\nthickness_m = {}\nmethod = "
      "\"{}\"\n"
      "density_kg_m3 = {}\nbreak_speed_m_s = {}\ndrop_m = {}\ntilt_deg = [{}]\nvelocity_m_s = [{}]\nspin_rad_s = [{}]\n"
      "gravity_m_s2 = {}\nfriction = {}\nrestitution = {}\nstep_s = {}\nframes_per_second = {}\nduration_s = {}\n",
      sim::kPlaybackTable, a.modes.generic_string(), a.object.gluing, a.object.smallest_piece,
      a.play.smear == runtime::Smear::elastic ? "elastic" : "gaussian", a.object.smear.relative_length,
      a.object.thickness_m, a.play.method == runtime::Method::modes ? "modes" : "least squares", a.play.density,
      a.play.break_speed, a.play.drop_height, fmt::join(a.tilt_deg, ", "), fmt::join(a.velocity, ", "),
      fmt::join(a.spin, ", "), a.play.gravity, a.play.friction, a.play.restitution, a.play.step, a.frames_per_second,
      a.play.duration);
}

int play(const core::Comm& comm, const PlayArguments& arguments) {
  const sim::PlaybackParameters parameters_of_play = parameters(arguments);
  std::unique_ptr<sim::Playback> playback;
  core::agree_on_input(comm, [&] {
    sim::Breakable object = sim::read_breakable(arguments.modes, with_only(arguments.object, arguments.play.smear));
    if (object.set.dimension == 2)
      throw core::BadInput(arguments.modes.string() +
                           " holds modes of a flat body, which has no mass to fall with: give its --thickness.");
    playback = std::make_unique<sim::Playback>(sim::atom_geometry(object.mesh, object.atoms), std::move(object.set),
                                               parameters_of_play);
  });
  std::unique_ptr<io::RunFolder> folder;
  try {
    folder = std::make_unique<io::RunFolder>(io::RunFolder::create(comm, arguments.out, arguments.overwrite));
  } catch (const core::Error& e) {  // the same on all ranks
    throw core::BadInput(e.what());
  }
  note_stop_signals();
  if (sim::play(comm, *playback, parameters_of_play, scene_text(arguments), *folder, stop_noted) ==
      sim::RunEnd::interrupted)
    throw stopped_by_signal(arguments.out);
  return kSuccess;
}

void add_motion_arguments(CLI::App& command, PlayArguments& arguments) {
  sim::PlaybackParameters& p = arguments.play;
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
  positive("--duration", p.duration, "[s]");
  positive("--step", p.step, "of the rigid bodies [s]");
  positive("--fps", arguments.frames_per_second, "frames a second");
  command.add_option("--friction", p.friction, "Coulomb coefficient")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command.add_option("--restitution", p.restitution, "0 no bounce, 1 all of it")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
}

}  // namespace

void add_play(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("play", "drop an object and break it along its modes");
  auto arguments = std::make_shared<PlayArguments>();
  command->add_option("MODES", arguments->modes, "file of brisance modes")->required();
  command->add_option("--out", arguments->out, "folder for the results; made if it does not exist")->required();
  add_motion_arguments(*command, *arguments);
  add_answer_arguments(*command, arguments->play.smear, arguments->play.method);
  add_breakable_arguments(*command, arguments->object);
  command->add_flag("--overwrite", arguments->overwrite, "replace an earlier run in that folder");
  command->footer(
      "The folder is like that of brisance run: render it, convert it, open it in ParaView. The ground is z = 0.\n"
      "SIGTERM and SIGINT end it after its step, with a last snapshot and exit code 3.\n"
      "Example: brisance play cup.modes.h5 --drop 1 --tilt 20,0,0 --break-speed 2 --out runs/cup");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return play(c, *arguments); }; });
}

}  // namespace brisance::app
