/// `brisance sheet`: arranges existing pictures side by side in one.
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/render/contact_sheet.hpp"

#include "app/cli/output_files.hpp"
#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/sheet_file.hpp"
#include "app/scene/input_files.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>
#include <vector>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

namespace fs = std::filesystem;

struct SheetArguments {
  fs::path folder, out;
  render::SheetOptions options;
  bool overwrite = false;
};

/// The numbered pictures of a run, or of the folder itself, in order of their names.
std::vector<fs::path> numbered_pictures(const fs::path& path) {
  if (!fs::is_directory(path))
    throw core::Error(path.string() + " is no folder. Name a run folder, or a folder of numbered pictures.");
  const fs::path folder = fs::is_directory(path / "pictures") ? path / "pictures" : path;
  std::vector<fs::path> pictures;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (entry.path().extension() == ".png" && std::isdigit(static_cast<unsigned char>(name.front())))
      pictures.push_back(entry.path());
  }
  if (pictures.empty())
    throw core::Error(folder.string() + " holds no numbered pictures. Make them with: brisance render " +
                      path.string());
  std::sort(pictures.begin(), pictures.end());
  return pictures;
}

/// Rank 0 does all the work; the others wait. Collective.
int make_sheet(const core::Comm& comm, const SheetArguments& arguments) {
  std::vector<fs::path> pictures;
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    pictures = numbered_pictures(arguments.folder);
    guard_outputs(files_of(arguments.folder), {sheet_of(arguments.folder, "--out", arguments.out)},
                  arguments.overwrite);
  });
  core::agree(comm, [&] {
    if (!comm.is_root()) return;
    render::write_contact_sheet(pictures, arguments.out, arguments.options);
    const std::size_t most = arguments.options.max_pictures;
    std::cout << fmt::format("{} on {}\n", core::counted(std::min(pictures.size(), most), "picture"),
                             arguments.out.string());
  });
  return kSuccess;
}

}  // namespace

void add_sheet(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("sheet", "put pictures that exist side by side in one");
  auto arguments = std::make_shared<SheetArguments>();
  const auto number = [&](const char* name, int& value, const char* text) {
    command->add_option(name, value, text)->capture_default_str()->check(CLI::Range(1, 100'000));
  };
  command->add_option("FOLDER", arguments->folder, "run folder, or a folder of numbered pictures (PNG)")->required();
  command->add_option("--out", arguments->out, "file to write (PNG)")->required();
  command->add_flag("--overwrite", arguments->overwrite,
                    "replace that file if it is there; a sheet in FOLDER itself is replaced anyway");
  number("--columns", arguments->options.columns, "pictures a row");
  number("--count", arguments->options.max_pictures, "most pictures, spread evenly, the first and the last among them");
  number("--width", arguments->options.tile_width, "of each picture [pixels]");
  command->footer(
      "Examples: brisance sheet runs/bowl --out bowl.png\n"
      "          brisance sheet runs/bowl --out strip.png --columns 8 --count 8 --width 240");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return make_sheet(c, *arguments); }; });
}

}  // namespace brisance::app
