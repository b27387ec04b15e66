/// `brisance dataset`: fragments of many objects after many impacts, for programs that learn to reassemble them.
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"

#include "app/batch/dataset_batch.hpp"
#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/scene/find_scene.hpp"

#include <iostream>
#include <map>
#include <memory>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

struct DatasetArguments {
  DatasetBatch folder;
  std::string pieces = "2:20", slice = "1/1", name, labels = "{}";
  std::int64_t impact = 0;
};

void read_pieces_range(const std::string& text, FragmentArguments& fragments) {
  int end = 0;
  if (std::sscanf(text.c_str(), "%ld:%ld%n", &fragments.least_pieces, &fragments.most_pieces, &end) != 2 ||
      static_cast<std::size_t>(end) != text.size() || fragments.least_pieces < 2 ||
      fragments.most_pieces < fragments.least_pieces)
    throw core::BadInput("--pieces " + text + " is not LEAST:MOST with 2 ≤ LEAST ≤ MOST, as 2:20.");
}

void break_one(const DatasetArguments& arguments) {
  const std::filesystem::path& input = arguments.folder.batch.input;
  const std::filesystem::path& out = arguments.folder.batch.out;
  const std::string name = arguments.name.empty() ? out.filename().string() : arguments.name;
  if (!std::filesystem::is_directory(input)) return break_along_modes(input, out, name, arguments.folder.fragments);
  const auto labels = nlohmann::ordered_json::parse(arguments.labels, nullptr, false);
  if (!labels.is_object()) throw core::BadInput("--labels " + arguments.labels + " is no JSON object.");
  take_fragments_of_run(input, out, name, arguments.impact, labels, arguments.folder.fragments);
}

void break_folder(const DatasetBatch& arguments) {
  const DatasetCounts counts = make_dataset(arguments);
  std::cout << fmt::format("{}: {}, {} refused; {} made, {} refused, {} of other slices missing\n",
                           arguments.batch.out.string(), core::counted(counts.objects, "object"),
                           counts.refused_objects, core::counted(counts.impacts, "impact"), counts.refused_impacts,
                           counts.pending_impacts);
  if (counts.refused_objects + counts.refused_impacts > 0)
    throw core::BadInput(fmt::format("{} and {} were refused; manifest.json in {} says why. The others are done.",
                                     core::counted(counts.refused_objects, "object"),
                                     core::counted(counts.refused_impacts, "impact"), arguments.batch.out.string()));
}

int dataset(const core::Comm& comm, DatasetArguments arguments) {
  DatasetBatch& folder = arguments.folder;
  bool is_one = false;
  core::agree_on_input(comm, [&] {
    if (comm.size() > 1)
      throw core::BadInput("dataset starts processes of its own: call it without mpirun, with --jobs for several.");
    read_pieces_range(arguments.pieces, folder.fragments);
    folder.slice = read_slice(arguments.slice);
    folder.fragments.smallest_share = folder.modes.smallest_share;
    if (!std::filesystem::exists(folder.batch.input))
      throw core::BadInput(folder.batch.input.string() + ": there is no such folder or file. Check the name.");
    is_one =
        !std::filesystem::is_directory(folder.batch.input) || std::filesystem::exists(folder.batch.input / "run.json");
    if (is_one) return break_one(arguments);
    if ((folder.method == BreakMethod::run) == folder.scene.empty())
      throw core::BadInput("--method run needs --scene, a template of the run; --method modes takes none.");
    if (!folder.scene.empty()) folder.scene = find_scene(folder.scene);
  });
  if (!is_one) break_folder(folder);
  return kSuccess;
}

}  // namespace

void add_dataset(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("dataset", "break many objects in many ways, for learned reassembly");
  auto arguments = std::make_shared<DatasetArguments>();
  DatasetBatch& folder = arguments->folder;
  command
      ->add_option("INPUT", folder.batch.input,
                   "folder of objects (OBJ, STL, PLY, OFF, GLB ..., .msh, .vtu; subfolders are categories), one file "
                   "of brisance "
                   "modes, or one run folder")
      ->required();
  command->add_option("--out", folder.batch.out, "folder to write; docs/ASSETS.md says what is in it")->required();
  command->add_option("--impacts", folder.fragments.impacts, "how often each object is broken")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command->add_option("--method", folder.method, "modes (default): along fracture modes; run: by simulation")
      ->option_text("modes|run")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, BreakMethod>{{"modes", BreakMethod::modes}, {"run", BreakMethod::run}}));
  command->add_option("--scene", folder.scene,
                      "with --method run: scene with one object, which is replaced; its free ball is shot at it, or "
                      "without one it gets a random orientation");
  command->add_option("--pieces", arguments->pieces, "LEAST:MOST fragments of a break")->capture_default_str();
  command->add_option("--seed", folder.fragments.seed, "of all random choices")->capture_default_str();
  add_batch_arguments(*command, folder.batch);
  add_batch_modes(*command, folder.modes);
  command
      ->add_option("--smooth", folder.fragments.smooth,
                   "round the cracks over this share of the cube root of the volume")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--rough", folder.fragments.rough, "cracks follow the faces of the tets instead");
  command->add_option("--format", folder.fragments.format, "obj (default), or ply with labels at faces")
      ->option_text("obj|ply")
      ->transform(CLI::CheckedTransformer(std::map<std::string, breaking::FragmentFormat>{
          {"obj", breaking::FragmentFormat::obj}, {"ply", breaking::FragmentFormat::ply}}));
  command->add_option("--subset", folder.subset, "first folder of the layout")
      ->capture_default_str()
      ->check([](const std::string& name) {
        return name.empty() || name.find('/') != std::string::npos || name.front() == '.' || name == "work" ||
                       name == "data_split"
                   ? "--subset " + name + " is no name for a folder."
                   : std::string();
      });
  command->add_option("--val-percent", folder.validation_percent, "share of objects for validation")
      ->capture_default_str()
      ->check(CLI::Range(0, 100));
  command->add_option("--slice", arguments->slice, "i/n: only the i-th of n shares, for tasks of an array")
      ->capture_default_str();
  command->add_flag("--keep-runs", folder.keeps_runs, "with --method run: keep the run folders (work/)");
  command->add_option("--name", arguments->name, "of the object, with one file of modes or one run");
  command->add_option("--impact", arguments->impact, "its number, with one run")->check(CLI::NonNegativeNumber);
  command->add_option("--labels", arguments->labels, "JSON object to add to its labels, with one run");
  command->footer(
      "The layout is that of the Breaking Bad data set: OUT/everyday/CATEGORY/OBJECT/fractured_N/piece_M.obj.\n"
      "Called again it makes what is missing, with the same bytes as without a break.\n"
      "Examples: brisance dataset shapes --impacts 20 --out fragments --jobs 4\n"
      "          brisance dataset shapes --impacts 8 --method run --scene shot.toml --out shots --slice 3/16\n"
      "          brisance dataset cup.modes.h5 --impacts 20 --out cup");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return dataset(c, *arguments); }; });
}

}  // namespace brisance::app
