/// `brisance export`: files for other programs.
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/exports/export.hpp"
#include "brisance/render/layers.hpp"

#include "app/cli/output_files.hpp"
#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/scene/frame_choice.hpp"
#include "app/scene/input_files.hpp"

#include <iostream>
#include <map>
#include <memory>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

struct ExportArguments {
  std::filesystem::path input, out;
  std::string frames;
  exports::ExportOptions options;
  bool overwrite = false;
};

const std::map<std::string, exports::Format>& export_formats() {
  static const std::map<std::string, exports::Format> kFormats{
      {"glb", exports::Format::glb},           {"usda", exports::Format::usda},
      {"obj", exports::Format::obj},           {"ply", exports::Format::ply},
      {"vtp", exports::Format::vtp},           {"blender", exports::Format::blender},
      {"paraview", exports::Format::paraview}, {"houdini", exports::Format::houdini},
      {"unreal", exports::Format::unreal},     {"vat", exports::Format::vat}};
  return kFormats;
}

/// By the module that writes pictures.
void write_float_image(const exports::FloatImage& image, const std::filesystem::path& file) {
  render::LayeredImage layers(image.width, image.height);
  const std::size_t count = image.channels.size();
  for (std::size_t c = 0; c < count; ++c) {
    std::vector<float>& values = layers.add(image.channels[c]);
    for (std::size_t i = 0; i < layers.num_pixels(); ++i) values[i] = image.values[i * count + c];
  }
  render::write_exr(layers, file);
}

/// Refuses a name that programs would not open, and existing files.
void check_export_output(const ExportArguments& a) {
  const exports::Format format = a.options.format;
  const std::map<exports::Format, std::string> endings{{exports::Format::glb, ".glb"},
                                                       {exports::Format::usda, ".usda"},
                                                       {exports::Format::paraview, ".py"},
                                                       {exports::Format::unreal, ".geo"}};
  if (const auto ending = endings.find(format); ending != endings.end() && a.out.extension() != ending->second)
    throw core::BadInput(fmt::format("--out {}: the file's name should end in {}.", a.out.string(), ending->second));
  if (!exports::is_one_file(format) && std::filesystem::exists(a.out) && !std::filesystem::is_directory(a.out))
    throw core::BadInput(a.out.string() + " (--out) is a file; this format needs a folder for its files.");
  if (a.options.with_bonds && format != exports::Format::usda)
    throw core::BadInput("--bonds is for --to usda; houdini has the bonds as constraints.");
  if (format == exports::Format::paraview && !std::filesystem::is_directory(a.input))
    throw core::BadInput(a.input.string() + " is no folder: a state for ParaView is of a whole run.");
  std::vector<OutputFile> outputs;
  for (const std::filesystem::path& file : exports::export_files(a.input, a.out, a.options))
    outputs.push_back({"a file of --out", file});
  std::vector<std::filesystem::path> inputs = files_of(a.input);
  if (!a.options.fragments.input.empty()) inputs.push_back(a.options.fragments.input);
  guard_outputs(inputs, outputs, a.overwrite);
}

std::string export_words(const ExportArguments& a, const exports::ExportFacts& facts) {
  std::string text = fmt::format("{}: {}, {}, {:.1f} MB", a.out.string(), core::counted(facts.num_frames, "frame"),
                                 core::counted(facts.num_files, "file"), 1e-6 * static_cast<double>(facts.bytes));
  if (a.options.with_bonds)
    text += "; rigid bodies with joints";
  else if (a.options.format == exports::Format::glb || a.options.format == exports::Format::usda)
    text += facts.is_rigid ? "; rigid pieces with keyframes" : facts.num_frames > 1 ? "; a surface for each frame" : "";
  text += '\n';
  for (const std::string& note : facts.notes) text += note + '\n';
  return text;
}

int export_files_of(const core::Comm& comm, ExportArguments arguments) {
  core::agree_on_input(comm, [&] {
    const render::FrameChoice choice = frame_choice("--frames", arguments.frames);
    arguments.options.first = choice.first;
    arguments.options.end = choice.end;
    arguments.options.step = choice.step;
    arguments.options.write_image = write_float_image;
    if (comm.is_root()) check_export_output(arguments);
  });
  const exports::ExportFacts facts = exports::export_run(comm, arguments.input, arguments.out, arguments.options);
  if (comm.is_root()) std::cout << export_words(arguments, facts);
  return kSuccess;
}

}  // namespace

void add_export(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand(
      "export", "write a run for Blender, Houdini, ParaView, games and readers of GLB, USD, OBJ, PLY");
  auto arguments = std::make_shared<ExportArguments>();
  exports::ExportOptions& options = arguments->options;
  const std::map<std::string, exports::Motion> motions{{"auto", exports::Motion::automatic},
                                                       {"rigid", exports::Motion::rigid},
                                                       {"deforming", exports::Motion::deforming}};
  const std::map<std::string, exports::Up> axes{{"z", exports::Up::z}, {"y", exports::Up::y}};
  command->add_option("RUN", arguments->input, "folder of a run or playback, one frame (.hdf), or pieces (.h5)")
      ->required();
  command->add_option("--to", options.format, "what to write")
      ->required()
      ->transform(CLI::CheckedTransformer(export_formats(), CLI::ignore_case))
      ->option_text("glb|usda|obj|ply|vtp|blender|paraview|houdini|unreal|vat REQUIRED");
  command->add_option("--out", arguments->out, "a file for glb, usda, paraview (.py) and unreal (.geo), else a folder")
      ->required();
  command->add_option("--frames", arguments->frames,
                      "N, or A:B or A:B:STEP with A, B or both left out: frames A to B-1, counted from 0; by default "
                      "all");
  command->add_option("--up", options.up, "axis that is up in obj, ply, vtp and usda; in glb it is y by its standard")
      ->transform(CLI::CheckedTransformer(axes, CLI::ignore_case))
      ->option_text("z|y");
  command
      ->add_option("--motion", options.motion,
                   "of glb and usda. rigid: pieces of the last frame with keyframes; deforming: the surface of each "
                   "frame; auto: rigid unless the pieces bend by more than 1 % of the object's diagonal, or 0.2 % of "
                   "the volume became dust")
      ->transform(CLI::CheckedTransformer(motions, CLI::ignore_case))
      ->option_text("auto|rigid|deforming");
  exports::FragmentOptions& pieces = options.fragments;
  command->add_flag_callback(
      "--no-skin", [&with_skin = pieces.with_skin] { with_skin = false; },
      "the outside of the tets instead of the input's own surface");
  command->add_option("--crumbs", pieces.crumb_share, "pieces below this share of the mass become particles; default 0")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--crease", pieces.crease_deg, "normals are divided at edges that turn by more [degrees]")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 180.0));
  command->add_option("--density", pieces.density_kg_m3, "of all pieces [kg/m³]; default: that of the scene, or 1000")
      ->check(CLI::PositiveNumber);
  command->add_option("--surface", pieces.input, "the input's surface, where the run does not know it");
  command->add_option("--scale", pieces.input_scale, "factor that turns lengths of --surface into metres")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_flag("--bonds", options.with_bonds,
                    "of usda: pieces are rigid bodies, as in the first frame, with joints that break between them");
  command
      ->add_option("--strength", options.strength_pa,
                   "of bonds in usda and houdini [Pa]; default: the lowest strength_pa of the scene, or 1e6")
      ->check(CLI::PositiveNumber);
  command->add_flag("--overwrite", arguments->overwrite, "replace existing files");
  command->footer(
      "docs/EXPORTS.md says what each format holds. Ranks share the frames of obj, ply, vtp and blender.\n"
      "Examples: brisance export runs/bowl --to glb --out bowl.glb\n"
      "          brisance export runs/bowl --to usda --up y --out bowl.usda\n"
      "          brisance export cup.pieces.h5 --to usda --bonds --out cup.usda\n"
      "          brisance export runs/bowl --to vat --out bowl_vat\n"
      "          mpirun -n 4 brisance export runs/bowl --to ply --out meshes\n"
      "          brisance export runs/bowl --to blender --out bowl && blender --python bowl/import_into_blender.py");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return export_files_of(c, *arguments); }; });
}

}  // namespace brisance::app
