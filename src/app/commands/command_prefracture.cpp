/// `brisance prefracture`: solid pieces from fracture modes, for games, renderers and rigid bodies.
#include "brisance/breaking/mode_file.hpp"
#include "brisance/breaking/prefracture.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/progress.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/formats/texture.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/clean.hpp"
#include "brisance/mesh/surface/solidify.hpp"

#include "app/cli/output_files.hpp"
#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/modes/breakable_arguments.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

struct PrefractureArguments {
  std::filesystem::path modes, out, exact;
  breaking::PrefractureParameters parameters;
  double thickness_m = 0;  ///< thickness for a flat body; 0: it stays flat
  double scale = 1;        ///< scale of the exact surface
  bool overwrite = false;
};

void check_paths(const PrefractureArguments& arguments) {
  if (arguments.out.extension() != ".h5" && arguments.out.extension() != ".hdf")
    throw core::Error("--out " + arguments.out.string() +
                      " must end in .h5 or .hdf. postprocess/pieces.py makes OBJ, "
                      "PLY and GLB of it.");
  guard_outputs({arguments.modes, arguments.exact}, {{"--out", arguments.out}}, arguments.overwrite);
}

/// The file's surface if it bounds a solid; otherwise the solid that solidify makes of it, with a warning about the
/// share kept.
mesh::Surface read_body(const PrefractureArguments& arguments) {
  mesh::Surface surface = mesh::read_surface(arguments.exact);
  for (Vec3& x : surface.vertices) x *= arguments.scale;
  mesh::CleanReport cleaned;
  surface = mesh::clean(std::move(surface), cleaned);
  if (mesh::check_surface(surface).meshable()) return surface;
  try {
    mesh::SolidifyReport report;
    mesh::Surface body = mesh::solidify(surface, report);
    spdlog::warn(
        "{}: the surface bounds no solid as it stands. {:.3g} % of its area is the outside of the pieces, the rest "
        "lies "
        "inside; {:.3g} % of the outside are patches over holes. Close them in a mesh editor to choose them.",
        arguments.exact.string(), 100 * report.kept_area_m2 / report.input_area_m2,
        100 * report.patch_area_m2 / (report.kept_area_m2 + report.patch_area_m2));
    return body;
  } catch (const core::MissingProgram&) {
    throw;
  } catch (const core::Error& error) {
    throw core::Error(
        fmt::format("{}: the surface bounds no solid, and none could be made of it. {} Without --exact the "
                    "pieces are those of the cage.",
                    arguments.exact.string(), error.what()));
  }
}

io::PiecesFile make_flat_pieces(const PrefractureArguments& arguments, const breaking::ModeFile& file) {
  if (!arguments.exact.empty())
    throw core::BadInput(arguments.modes.string() +
                         " holds modes of a flat body, which has no cage: leave out --exact.");
  return breaking::prefracture(file.plane, file.modes, file.face_weight, arguments.parameters, arguments.thickness_m);
}

io::PiecesFile make_pieces(const PrefractureArguments& arguments) {
  const breaking::ModeFile file = breaking::read_mode_file(arguments.modes);
  warn_if_incomplete(arguments.modes, file.complete);
  if (file.modes.dimension == 2) return make_flat_pieces(arguments, file);
  if (arguments.thickness_m > 0)
    throw core::BadInput(arguments.modes.string() + " holds modes of a solid: leave out --thickness.");
  if (arguments.exact.empty())
    return breaking::prefracture(file.mesh, file.modes, file.face_weight, arguments.parameters);
  // All checks of the input come before the work.
  const mesh::Surface body = read_body(arguments);
  const mesh::Texture texture = mesh::Texture::read(arguments.exact, arguments.scale);
  breaking::PrefractureParameters parameters = arguments.parameters;
  parameters.smoothing_m2 = std::max(parameters.smoothing_m2, 0.0);
  io::PiecesFile pieces = breaking::prefracture_within(body, file.mesh, file.modes, file.face_weight, parameters);
  for (mesh::PieceSurface& piece : pieces.pieces) mesh::set_texture(piece, texture);
  return pieces;
}

void print_summary(const io::PiecesFile& pieces) {
  std::vector<double> shares;
  double squares = 0;
  for (const auto& piece : pieces.pieces) {
    shares.push_back(pieces.size(piece) / pieces.size());
    squares += shares.back() * shares.back();
  }
  std::ranges::sort(shares);
  const auto num_visible = std::ranges::count_if(shares, [](double share) { return share > 1e-3; });
  std::cout << fmt::format("{} of {:.6g} {}, {} above 0.1 % of it, as many as {:.3g} equal ones\n",
                           core::counted(shares.size(), "piece"), pieces.size(), pieces.is_flat() ? "m²" : "m³",
                           num_visible, 1 / squares);
  std::cout << fmt::format("smallest {:.3g} %, largest {:.3g} %\n", 100 * shares.front(), 100 * shares.back());
}

/// Warns about needle triangles that rounding of new points made intersect. Without smoothing pieces touch themselves
/// in edges and vertices in any case, as docs/FORMAT.md says.
void warn_of_crossings(const io::PiecesFile& pieces) {
  if (pieces.smoothing_m2 < 0) return;
  std::int64_t num_pairs = 0, num_pieces = 0;
  Vec3 place = Vec3::Zero();
  for (const auto& piece : pieces.pieces) {
    const mesh::SurfaceReport report = mesh::check_surface(piece.surface);
    if (report.num_self_intersections == 0) continue;
    if (num_pieces++ == 0) place = report.self_intersection;
    num_pairs += report.num_self_intersections;
  }
  if (num_pieces > 0)
    spdlog::warn(
        "{} in {}, the first near ({:.6g}, {:.6g}, {:.6g}) m. Another --smooth usually "
        "helps.",
        core::counted(num_pairs, "pair of triangles crosses", "pairs of triangles cross"),
        core::counted(num_pieces, "piece"), place[0], place[1], place[2]);
}

/// All work is done on rank 0.
int prefracture(const core::Comm& comm, const PrefractureArguments& arguments) {
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    check_paths(arguments);
    const core::Heartbeat working("taking the object apart");
    const io::PiecesFile pieces = make_pieces(arguments);
    io::write_pieces(arguments.out, pieces);
    print_summary(pieces);
    warn_of_crossings(pieces);
  });
  return kSuccess;
}

}  // namespace

void add_prefracture(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("prefracture", "take an object apart along all its fracture modes");
  auto arguments = std::make_shared<PrefractureArguments>();
  breaking::PrefractureParameters& parameters = arguments->parameters;
  command->add_option("MODES", arguments->modes, "file made by brisance modes")->required();
  command->add_option("--out", arguments->out, "file to write (.h5; layout in docs/FORMAT.md)")->required();
  command->add_option("--min-volume", parameters.smallest_share, "join pieces below this share of the volume")
      ->capture_default_str();
  command->add_option("--gluing", parameters.gluing, "jumps of a mode below this over the root of the volume hold")
      ->capture_default_str();
  command
      ->add_option("--smooth", parameters.smoothing_m2,
                   "round the cracks: diffusion time of the labels [m²], the square of an edge length or so")
      ->check(CLI::NonNegativeNumber)
      ->default_str("off");
  command
      ->add_option("--thickness", arguments->thickness_m,
                   "of a flat body: solid pieces of a plate this thick [m]; else they are flat")
      ->check(CLI::PositiveNumber);
  command->add_option(
      "--exact", arguments->exact,
      "surface that MODES' mesh is a cage of, or is made from: cut the pieces back to it (cracks are rounded)");
  command->add_option("--scale", arguments->scale, "factor that turns the lengths of --exact into metres")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--overwrite", arguments->overwrite, "replace an existing file");
  command->footer(
      "Example: brisance modes bunny.obj --set cage=true --tets 20000 --out bunny.modes.h5\n"
      "         brisance prefracture bunny.modes.h5 --exact bunny.obj --smooth 1e-3 --out bunny.pieces.h5\n"
      "         postprocess/pieces.py bunny.pieces.h5 --format glb --out pieces\n"
      "         brisance render bunny.pieces.h5 --explode 0.4 --colour piece --out pictures");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return prefracture(c, *arguments); }; });
}

}  // namespace brisance::app
