/// `brisance assets`: what games need of one object, or of every object of a folder.
#include "brisance/breaking/asset.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/core/words.hpp"

#include "app/batch/assets_batch.hpp"
#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/modes/breakable_arguments.hpp"

#include <iostream>
#include <memory>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

struct AssetArguments {
  AssetsBatch folder;
  breaking::AssetParameters parameters;
  std::string name;
  double smooth = 0.01;
  bool rough = false, no_picture = false;
};

void make_one_asset(AssetArguments arguments) {
  const std::filesystem::path& modes = arguments.folder.batch.input;
  const std::filesystem::path& out = arguments.folder.batch.out;
  if (std::filesystem::exists(out))
    throw core::BadInput("--out " + out.string() + " exists. Choose another name for the asset's folder.");
  if (arguments.name.empty()) arguments.name = modes.stem().stem().string();
  const double begin_s = core::wall_seconds();
  arguments.parameters.smoothing = arguments.rough ? -1.0 : arguments.smooth;
  const breaking::Asset asset = breaking::make_asset(modes, arguments.name, arguments.parameters);
  std::filesystem::create_directories(out);
  breaking::write_asset(asset, out);
  std::cout << fmt::format("{}: {}, {}, {} of {:.3g} times their volume, {}, {}, {:.3g} s\n", out.string(),
                           core::counted(asset.pieces.size(), "piece"),
                           core::counted(asset.num_triangles(), "triangle"), core::counted(asset.num_hulls(), "hull"),
                           asset.hull_ratio(), core::counted(asset.bonds.size(), "bond"),
                           core::counted(asset.levels.size(), "level"), core::wall_seconds() - begin_s);
}

/// The options of each object's own command.
std::vector<std::string> options_of_one(const AssetArguments& arguments) {
  const breaking::AssetParameters& p = arguments.parameters;
  std::vector<std::string> words{"--triangles-per-piece",
                                 std::to_string(p.triangles_per_piece),
                                 "--hull-volume",
                                 fmt::format("{}", p.hulls.volume_bound),
                                 "--hull-vertices",
                                 std::to_string(p.hulls.most_vertices),
                                 "--min-volume",
                                 fmt::format("{}", arguments.folder.modes.smallest_share),
                                 "--smooth",
                                 fmt::format("{}", arguments.smooth)};
  if (arguments.rough) words.emplace_back("--rough");
  if (p.own.count > 0) {
    words.insert(words.end(),
                 {"--own-modes", std::to_string(p.own.count), "--own-volume", fmt::format("{}", p.own.smallest_body)});
  }
  return words;
}

int assets(const core::Comm& comm, AssetArguments arguments) {
  const std::filesystem::path& input = arguments.folder.batch.input;
  core::agree_on_input(comm, [&] {
    if (comm.size() > 1)
      throw core::BadInput("assets starts processes of its own: call it without mpirun, with --jobs for several.");
    if (!std::filesystem::exists(input))
      throw core::BadInput(input.string() + ": there is no such folder or file. Check the name.");
    arguments.parameters.object.smallest_piece = arguments.folder.modes.smallest_share;
    if (!std::filesystem::is_directory(input)) make_one_asset(arguments);
  });
  if (!std::filesystem::is_directory(input)) return kSuccess;
  arguments.folder.options = options_of_one(arguments);
  if (arguments.no_picture) arguments.folder.picture_width = 0;
  const std::int64_t refused = make_assets(arguments.folder);
  if (refused > 0)
    throw core::BadInput(fmt::format("{} refused; assets.csv and index.html in {} say why. The others are done.",
                                     core::counted(refused, "object was", "objects were"),
                                     arguments.folder.batch.out.string()));
  return kSuccess;
}

}  // namespace

void add_assets(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("assets", "make what a game needs of objects that break");
  auto arguments = std::make_shared<AssetArguments>();
  command
      ->add_option(
          "INPUT", arguments->folder.batch.input,
          "folder of objects (OBJ, STL, PLY, OFF, GLB ..., .msh, .vtu; subfolders are categories), or one file of "
          "brisance modes")
      ->required();
  command->add_option("--out", arguments->folder.batch.out, "folder to write; docs/ASSETS.md says what is in it")
      ->required();
  add_batch_arguments(*command, arguments->folder.batch);
  add_batch_modes(*command, arguments->folder.modes);
  command
      ->add_option("--triangles-per-piece", arguments->parameters.triangles_per_piece,
                   "wanted in the GLB, where the borders of cracks allow it; 0: all of the mesh")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--hull-volume", arguments->parameters.hulls.volume_bound,
                   "bound on the volume of a piece's convex hulls over its own: lower, more hulls")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 100.0));
  command->add_option("--hull-vertices", arguments->parameters.hulls.most_vertices, "most vertices of a hull")
      ->capture_default_str()
      ->check(CLI::Range(8, 255));
  command->add_option("--smooth", arguments->smooth, "round the cracks over this share of the cube root of the volume")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--rough", arguments->rough, "cracks follow the faces of the tets instead");
  add_own_modes_arguments(*command, arguments->parameters.own);
  command->add_option("--name", arguments->name, "of the files, with one file of modes; by default its own");
  command->add_flag("--no-picture", arguments->no_picture, "without the pictures of the page");
  command->footer(
      "A folder's objects are made one by one in processes of their own; called again it makes what is missing.\n"
      "Examples: brisance assets models --out assets --triangles-per-piece 500 --jobs 4\n"
      "          brisance assets cup.modes.h5 --out cup");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return assets(c, *arguments); }; });
}

}  // namespace brisance::app
