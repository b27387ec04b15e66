/// `brisance render`: renders the pictures of a run, with its frames distributed over the ranks.
#include "brisance/breaking/playback.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/array_file.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/io/run_files.hpp"
#include "brisance/render/contact_sheet.hpp"
#include "brisance/render/layers.hpp"
#include "brisance/render/render.hpp"

#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/film_arguments.hpp"
#include "app/commands/picture_options.hpp"
#include "app/commands/sheet_file.hpp"
#include "app/scene/frame_choice.hpp"
#include "app/scene/scene.hpp"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

constexpr int kPreviewSamples = 4;

struct RenderArguments {
  std::filesystem::path input, out, sheet;
  std::string colour_by = "surface";
  std::vector<double> range;
  std::string share;
  FilmArguments film;
  render::Options options;
  std::filesystem::path tables;        ///< --scene-render
  std::vector<std::string> overrides;  ///< --set
  int width = 0, height = 0;           ///< 0: from the scene
  std::optional<int> samples, threads;
  bool preview = false;
  bool overwrite = false;
};

/// Refuses outputs that would overwrite inputs or other files; earlier pictures of the same name may be replaced.
void guard_pictures(const RenderArguments& arguments, const render::PictureChoice& choice) {
  std::vector<OutputFile> outputs{sheet_of(arguments.input, "--sheet", arguments.sheet)};
  for (const auto& picture : render::picture_files(arguments.input, arguments.out, choice))
    outputs.push_back({"a picture of --out", picture, is_picture(picture)});
  std::vector<std::filesystem::path> inputs = io::run_files(arguments.input);
  for (const auto& snapshot : render::snapshot_files(arguments.input)) inputs.push_back(snapshot);
  guard_outputs(inputs, outputs, arguments.overwrite);
}

/// Parses --share: "3/8" is the third of eight shares of the frames, each for one job. Throws core::Error.
render::FrameShare frame_share(const std::string& text) {
  if (text.empty()) return {};
  const char* const end = text.data() + text.size();
  std::size_t which = 0, of = 0;
  const auto first = std::from_chars(text.data(), end, which);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == '/') {
    const auto second = std::from_chars(first.ptr + 1, end, of);
    if (second.ec == std::errc() && second.ptr == end && which >= 1 && which <= of) return {which - 1, of};
  }
  throw core::Error("--share " + text + " is not of the form I/N with I from 1 to N, as 3/8.");
}

void require_picture_of(const std::filesystem::path& file) {
  if (!io::has_group(file, "/brisance_modes") && !io::has_group(file, "/brisance_vibration")) return;
  throw core::Error(file.string() +
                    " holds modes, which have no surface to show. Render what `brisance prefracture` or `brisance "
                    "impact` makes of them, or draw them with postprocess/mode_shapes.py.");
}

/// What the run's scene, --scene-render and --set say of pictures; nothing if there is none of them.
std::optional<sim::Scene> picture_scene(const RenderArguments& arguments) {
  const auto first = render::snapshot_files(arguments.input).front();
  require_picture_of(first);
  const std::string scene = io::is_pieces_file(first) ? "" : io::read_snapshot_header(first).scene;
  const bool has_scene = !scene.empty() && !scene.starts_with(breaking::kPlaybackTable);
  if (!has_scene && arguments.tables.empty() && arguments.overrides.empty()) return std::nullopt;
  return parse_picture_scene(has_scene ? scene : "", first, arguments.tables, arguments.overrides);
}

/// Options given on the command line go before those of the scene.
render::Options complete_options(const RenderArguments& arguments, const std::optional<sim::Scene>& scene) {
  render::Options options = arguments.options;
  if (scene) take_from_scene(options, *scene);
  if (arguments.preview) {
    options.width = std::max(1, options.width / 2);
    options.height = std::max(1, options.height / 2);
    options.samples_per_pixel = std::min(options.samples_per_pixel, kPreviewSamples);
    options.exposure.noise = 0;
  }
  if (arguments.width > 0) options.width = arguments.width;
  if (arguments.height > 0) options.height = arguments.height;
  options.samples_per_pixel = arguments.samples.value_or(options.samples_per_pixel);
  options.threads = arguments.threads.value_or(options.threads);
  take_film_arguments(options.exposure, arguments.film);
  options.colour_by = render::colour_by_named(arguments.colour_by);
  if (!arguments.range.empty()) options.range = render::ValueRange{arguments.range[0], arguments.range[1]};
  render::check(options);
  return options;
}

render::PictureChoice picture_choice(const RenderArguments& arguments, const std::optional<sim::Scene>& scene) {
  const bool from_scene = arguments.film.frames.empty() && scene;
  return {.frames = from_scene ? frame_choice("render.frames =", scene->render.frames)
                               : frame_choice("--frames", arguments.film.frames),
          .share = frame_share(arguments.share),
          .layers = arguments.film.layers || (scene && scene->render.exr),
          .again = arguments.overwrite};
}

int render_pictures(const core::Comm& comm, const RenderArguments& arguments) {
  render::Options options;
  render::PictureChoice choice;
  core::agree_on_input(comm, [&] {
    (void)frame_choice("--frames", arguments.film.frames);  // before the run is read
    const std::optional<sim::Scene> scene = picture_scene(arguments);
    choice = picture_choice(arguments, scene);
    options = complete_options(arguments, scene);
    if (comm.is_root()) guard_pictures(arguments, choice);
    render::require_picture_files();
  });
  options = render::fitted_to_run(comm, arguments.input, options);
  if (!arguments.sheet.empty()) {
    render::render_preview(comm, arguments.input, options, arguments.sheet);
    spdlog::info("{}: the run at a glance; its pictures follow", arguments.sheet.string());
  }
  const auto pictures = render::render_run(comm, arguments.input, options, arguments.out, choice);
  core::agree(comm, [&] {
    if (!comm.is_root()) return;
    if (pictures.empty()) {
      std::cout << "no picture: the run has fewer frames than shares\n";
      return;
    }
    if (!arguments.sheet.empty()) render::write_contact_sheet(pictures, arguments.sheet);
    std::cout << fmt::format("{}, the last is {}\n", core::counted(pictures.size(), "picture"),
                             pictures.back().string());
  });
  return kSuccess;
}

}  // namespace

void add_render(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("render", "make pictures of a run or of one snapshot");
  auto arguments = std::make_shared<RenderArguments>();
  command->add_option("INPUT", arguments->input, "run folder, snapshot (.hdf) or pieces (.h5)")->required();
  command->add_option("--out", arguments->out, "folder for the pictures; by default RUN/pictures");
  command->add_option("--colour", arguments->colour_by, "what the colours show")
      ->check(CLI::IsMember(render::colour_by_names()))
      ->capture_default_str();
  command->add_option("--range", arguments->range, "ends of the colour scale, in the field's unit")->expected(2);
  command
      ->add_option("--scene-render", arguments->tables,
                   "file whose [render], [camera] and their lists replace those of the run; may be a whole scene")
      ->check(CLI::ExistingFile);
  command->add_option("--set", arguments->overrides, "KEY=VALUE: a key of render or camera, as render.samples=64")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--preview", arguments->preview,
                    "half the width and height, at most 4 samples; other options come on top");
  command->add_option("--samples", arguments->samples, "light paths a pixel; by default as in the scene, 16");
  command->add_option("--width", arguments->width, "pixels; by default as in the scene");
  command->add_option("--height", arguments->height, "pixels; by default as in the scene");
  command
      ->add_option("--dust", arguments->options.dust_share,
                   "share of the elements; smaller pieces may fly out of the picture")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--explode", arguments->options.explode,
                      "move pieces apart by this share of their distance from the centre");
  command
      ->add_option("--azimuth", arguments->options.view.azimuth_deg,
                   "direction of an automatic camera from the object: 0 -y, 90 +x [degrees]")
      ->capture_default_str();
  command
      ->add_option("--elevation", arguments->options.view.elevation_deg,
                   "its elevation above the horizon; high for flat bodies [degrees]")
      ->check(CLI::Range(-89.0, 89.0))
      ->capture_default_str();
  add_film_options(*command, arguments->film);
  command->add_option("--threads", arguments->threads, "threads a rank; by default as in the scene, 1");
  CLI::Option* share = command->add_option(
      "--share", arguments->share, "I/N: only every Nth frame, from the Ith on, where several jobs share a run");
  command->add_option("--sheet", arguments->sheet, "also write a contact sheet (PNG) here, as brisance sheet does")
      ->excludes(share);
  command->add_flag("--overwrite", arguments->overwrite,
                    "replace files that are there, and make pictures again that are there already; earlier pictures of "
                    "something else, and a sheet in the run's own folder, are replaced anyway");
  command->footer(
      "Example: brisance render runs/bowl --sheet bowl.png\n"
      "         brisance render cup.pieces.h5 --explode 0.4 --colour piece --out pictures\n"
      "         brisance render runs/wine_glass --scene-render glass.toml --set render.samples=64\n"
      "         brisance render runs/bowl --frames 10:20 --noise 0.02 --samples 256 --shutter 0.5 --exr\n"
      "         mpirun -n 2 brisance render runs/bowl --colour max_principal_stress --range 0 1e5");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return render_pictures(c, *arguments); }; });
}

}  // namespace brisance::app
