/// `brisance info`: describes a run or a file, and prints the program's reference pages.
#include "brisance/core/error.hpp"
#include "brisance/core/printable.hpp"
#include "brisance/core/share_folder.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/finite_frame.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/material/presets.hpp"

#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/describe_file.hpp"
#include "app/scene/find_scene.hpp"
#include "app/scene/scene.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

struct InfoArguments {
  std::filesystem::path path;
  bool reference = false, schema = false, materials = false, scenes = false;
};

void print_snapshot(const std::filesystem::path& file) {
  const io::Snapshot snapshot = io::read_snapshot(file);
  io::require_finite(file, snapshot.part);
  const auto owned = std::count(snapshot.part.node_owned.begin(), snapshot.part.node_owned.end(), 1);
  const auto cracked = std::count(snapshot.part.source_triangle.begin(), snapshot.part.source_triangle.end(), -1);
  std::cout << fmt::format("{}: frame {}, step {}, t = {:g} s\n", file.string(), snapshot.header.frame,
                           snapshot.header.step, snapshot.header.time_s);
  std::cout << fmt::format("  {}, {}, {}, {}, {} ({} of cracks)\n", core::counted(owned, "node"),
                           core::counted(snapshot.part.tets.size(), "tet"),
                           core::counted(snapshot.header.num_pieces, "piece"),
                           core::counted(snapshot.header.num_cracks, "node split"),
                           core::counted(snapshot.part.boundary.size(), "boundary triangle"), cracked);
  if (const io::DustRows& dust = snapshot.part.dust; dust.size() > 0)
    std::cout << fmt::format("  {} of {:.4g} kg\n", core::counted(dust.size(), "dust particle"),
                             std::accumulate(dust.mass.begin(), dust.mass.end(), 0.0));
  if (snapshot.header.form.surface_only) std::cout << "  the surface alone, no tets\n";
  if (snapshot.header.form.single_precision) std::cout << "  reals in single precision\n";
  if (const auto& left_out = snapshot.header.form.left_out; !left_out.empty())
    std::cout << fmt::format("  without {}\n", fmt::join(left_out, ", "));
  std::cout << fmt::format("  written by {}; materials: {}\n", core::counted(io::num_parts(file), "rank"),
                           core::printable_name(fmt::format("{}", fmt::join(snapshot.header.material_names, ", "))));
  std::cout << describe(snapshot.header.groups, snapshot.part.group);
  for (const auto& c : snapshot.header.colliders)
    std::cout << fmt::format("  collider \"{}\": {} at ({:g}, {:g}, {:g}) m\n", core::printable_name(c.name),
                             core::printable_name(c.kind), c.centre.x(), c.centre.y(), c.centre.z());
}

void print_run(const std::filesystem::path& folder) {
  if (std::filesystem::exists(folder / "run.json")) {
    const auto run = io::RunFolder::open(folder);
    std::cout << fmt::format("{}: {}\n", folder.string(), to_string(run.status()));
    if (!run.origin().empty()) std::cout << fmt::format("  branched off from {}\n", run.origin());
  }
  std::cout << "frame  time_s  step  pieces  cracks\n";
  const auto files = io::list_snapshots(folder);
  for (const auto& file : files) {
    const auto header = io::read_snapshot_header(file);
    std::cout << fmt::format("{:5}  {:g}  {}  {}  {}\n", header.frame, header.time_s, header.step, header.num_pieces,
                             header.num_cracks);
  }
  print_snapshot(files.back());
}

void print_materials() {
  std::cout << "name  density_kg_m3  youngs_modulus_pa  poissons_ratio  toughness  pressure_wave_m_s\n";
  for (const auto name : material::preset_names()) {
    const auto m = material::preset(name).value();
    std::cout << fmt::format("{}  {:g}  {:.3g}  {:.3g}  {:g} {}  {:.0f}\n", name, m.density,
                             material::youngs_modulus(m), material::poissons_ratio(m), m.toughness,
                             m.toughness_mode == material::ToughnessMode::force ? "N" : "Pa",
                             material::pressure_wave_speed(m));
  }
}

/// Prints the installed scenes with their titles, and their folder and that of the scripts.
void print_scenes() {
  const std::filesystem::path share = core::share_folder();
  if (share.empty())
    throw core::Error("no scenes came with this program: there is no share/brisance/configs. Install it as a whole.");
  for (const std::string& name : scenes_in(share / "configs"))
    std::cout << fmt::format("{:20}  {}\n", name, read_scene(share / "configs" / (name + ".toml")).title);
  std::cout << fmt::format("scenes {0}/configs, scripts {0}/scripts and {0}/postprocess\n", share.string());
}

void print(const InfoArguments& arguments) {
  if (arguments.reference) std::cout << scene_reference_markdown();
  if (arguments.schema) std::cout << scene_schema_json();
  if (arguments.materials) print_materials();
  if (arguments.scenes) print_scenes();
  if (arguments.path.empty()) return;
  if (std::filesystem::is_directory(arguments.path))
    print_run(arguments.path);
  else if (const std::string text = description_of(arguments.path); !text.empty())
    std::cout << text;
  else
    print_snapshot(arguments.path);
}

int info(const core::Comm& comm, const InfoArguments& arguments) {
  core::agree_on_input(comm, [&] {
    if (comm.is_root()) print(arguments);
  });
  return kSuccess;
}

}  // namespace

void add_info(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("info", "say what a run or a file holds");
  auto arguments = std::make_shared<InfoArguments>();
  CLI::Option_group* what = command->add_option_group("what");
  what->add_option("PATH", arguments->path,
                   "run folder, snapshot (.hdf), tetrahedral mesh, or file of modes, vibrations, pieces or impacts");
  what->add_flag("--materials", arguments->materials, "list the material presets");
  what->add_flag("--scenes", arguments->scenes, "list the scenes that came along, and where the scripts are");
  what->add_flag("--scene-reference", arguments->reference, "print docs/SCENES.md: every key of a scene file");
  what->add_flag("--scene-schema", arguments->schema, "print docs/scene.schema.json, for editors");
  what->require_option(1);
  command->footer(
      "Examples: brisance info runs/bowl\n"
      "          brisance info cup.modes.h5\n"
      "          brisance info --scene-reference > docs/SCENES.md");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return info(c, *arguments); }; });
}

}  // namespace brisance::app
