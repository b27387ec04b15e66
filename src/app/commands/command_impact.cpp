/// `brisance impact`: strikes an object whose modes are known, and reports the pieces.
#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/json_text.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/runtime/error.hpp"
#include "brisance/runtime/generations.hpp"
#include "brisance/runtime/impact_answer.hpp"
#include "brisance/runtime/impact_file.hpp"

#include "app/cli/output_files.hpp"
#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/modes/breakable_arguments.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

namespace brisance::app {

namespace {

struct ImpactArguments {
  std::filesystem::path file, out;
  std::array<double, 3> point{}, direction{0, 0, -1};
  double strength = 1, sigma = 0.2;
  runtime::Smear smear = runtime::Smear::elastic;
  runtime::Method method = runtime::Method::modes;
  std::vector<std::int32_t> atoms;
  breaking::BreakableParameters object;
  bool json = false, overwrite = false;
};

/// A piece of an answer: its atoms, and their combined shape.
struct Piece {
  std::vector<std::int32_t> atoms;
  runtime::SolidShape shape;
};

Piece piece_of(std::vector<std::int32_t> atoms, const std::vector<runtime::SolidShape>& all) {
  std::vector<runtime::SolidShape> shapes;
  for (const std::int32_t a : atoms) shapes.push_back(all[static_cast<std::size_t>(a)]);
  return {std::move(atoms), runtime::combined(shapes)};
}

std::vector<Piece> pieces_of(const runtime::ImpactSet& set, const runtime::Answer& answer) {
  std::vector<std::vector<std::int32_t>> atoms(static_cast<std::size_t>(answer.num_pieces));
  for (std::int32_t a = 0; a < set.num_atoms(); ++a)
    atoms[static_cast<std::size_t>(answer.piece_of_atom[a])].push_back(a);
  std::vector<Piece> pieces;
  for (std::vector<std::int32_t>& of_piece : atoms) pieces.push_back(piece_of(std::move(of_piece), set.atoms));
  return pieces;
}

const char* size_name(const runtime::ImpactSet& set) { return set.dimension == 2 ? "area_m2" : "volume_m3"; }

/// What was struck, and what became of it.
struct Outcome {
  std::int32_t num_atoms = 0;
  const char* size_name = "";
  double volume = 0;                            ///< of what was struck [m³, m²]
  std::optional<std::array<double, 3>> struck;  ///< the nearest vertex; not known of a piece
  std::vector<Piece> pieces;
};

void print_table(const Outcome& outcome) {
  std::cout << fmt::format("{} of {}", core::counted(outcome.pieces.size(), "piece"),
                           core::counted(outcome.num_atoms, "atom"));
  if (outcome.struck) std::cout << fmt::format("; struck at ({:g}) m", fmt::join(*outcome.struck, ", "));
  std::cout << fmt::format("\npiece  {}  share_percent  atoms\n", outcome.size_name);
  const double volume = outcome.volume;
  int number = 0;
  for (const Piece& piece : outcome.pieces)
    std::cout << fmt::format("{:5}  {:.6g}  {:.4g}  {}\n", number++, piece.shape.volume,
                             100 * piece.shape.volume / volume, fmt::join(piece.atoms, " "));
}

void print_json(const Outcome& outcome) {
  nlohmann::ordered_json pieces = nlohmann::ordered_json::array();
  for (const Piece& piece : outcome.pieces)
    pieces.push_back(
        {{outcome.size_name, piece.shape.volume}, {"centre_m", piece.shape.centre}, {"atoms", piece.atoms}});
  nlohmann::ordered_json document{{"num_pieces", outcome.pieces.size()}, {"num_atoms", outcome.num_atoms}};
  if (outcome.struck) document["struck_m"] = *outcome.struck;
  document["pieces"] = pieces;
  std::cout << io::json_text(document, 2) << '\n';
}

/// Checked before other options, so that the message is about a misspelled name.
std::string complaint_about(const std::string& file) {
  try {
    core::require_regular_file(file, "Give a runtime file, or a file of `brisance modes`.");
  } catch (const core::Error& e) {
    return e.what();
  }
  return "";
}

bool is_hdf5(const std::filesystem::path& file) {
  std::string start(4, '\0');
  std::ifstream(file, std::ios::binary).read(start.data(), 4);
  return start == "\x89HDF";
}

void check_out(const ImpactArguments& arguments) {
  const std::string out = arguments.out.string();
  if (!is_hdf5(arguments.file))
    throw core::BadInput("--out needs the mesh, and a runtime file has none. Give the file of brisance modes instead.");
  if (arguments.out.extension() != ".h5" && arguments.out.extension() != ".hdf")
    throw core::BadInput("--out " + out +
                         " must end in .h5 or .hdf. postprocess/pieces.py makes OBJ, PLY and GLB of it.");
  guard_outputs({arguments.file}, {{"--out", arguments.out}}, arguments.overwrite);
}

runtime::Impact impact_of(const ImpactArguments& arguments) {
  runtime::Impact impact;
  impact.point = arguments.point;
  impact.direction = arguments.direction;
  impact.strength = arguments.strength;
  impact.threshold = arguments.sigma;
  impact.smear = arguments.smear;
  impact.method = arguments.method;
  return impact;
}

/// Of a runtime file: the object, or the piece of --atoms alone, by its own modes where the object's do not divide it.
Outcome strike_runtime(const ImpactArguments& arguments) {
  runtime::ImpactSet set = runtime::read_impact_file(arguments.file.string());
  const runtime::Impact impact = impact_of(arguments);
  Outcome outcome;
  outcome.size_name = size_name(set);
  if (arguments.atoms.empty()) {
    const runtime::Target whole(set);
    outcome.struck = set.vertices[whole.strike(impact).vertex];
  }
  const runtime::Generations object(std::move(set));
  const std::int32_t num_atoms = object.num_atoms();
  std::vector<std::int32_t> body(static_cast<std::size_t>(num_atoms), arguments.atoms.empty() ? 1 : 0);
  for (const std::int32_t a : arguments.atoms) {
    if (a < 0 || a >= num_atoms)
      throw core::BadInput(fmt::format("--atoms {}: {} has atoms 0 to {}.", a, arguments.file.string(), num_atoms - 1));
    body[static_cast<std::size_t>(a)] = 1;
  }
  outcome.num_atoms = static_cast<std::int32_t>(std::ranges::count(body, 1));
  for (std::vector<std::int32_t>& atoms : object.strike(impact, body, 1))
    outcome.volume += outcome.pieces.emplace_back(piece_of(std::move(atoms), object.shapes())).shape.volume;
  return outcome;
}

/// Of a file of modes: the mesh, and the table for this impact.
Outcome strike_modes(const ImpactArguments& arguments) {
  if (!arguments.atoms.empty())
    throw core::BadInput("--atoms needs a runtime file, which has the modes of pieces: brisance runtime --own-modes.");
  breaking::Breakable object = breaking::read_breakable(arguments.file, with_only(arguments.object, arguments.smear));
  warn_if_incomplete(arguments.file, object.is_complete);
  const runtime::Target target(std::move(object.set));
  const runtime::Answer answer = target.strike(impact_of(arguments));
  if (!arguments.out.empty()) io::write_pieces(arguments.out, breaking::pieces_after(object, arguments.object, answer));
  return {.num_atoms = target.set().num_atoms(),
          .size_name = size_name(target.set()),
          .volume = runtime::combined(target.set().atoms).volume,
          .struck = target.set().vertices[answer.vertex],
          .pieces = pieces_of(target.set(), answer)};
}

void strike(const ImpactArguments& arguments) {
  if (!arguments.out.empty()) check_out(arguments);
  const Outcome outcome = is_hdf5(arguments.file) ? strike_modes(arguments) : strike_runtime(arguments);
  arguments.json ? print_json(outcome) : print_table(outcome);
}

/// All work is done on rank 0.
int impact(const core::Comm& comm, const ImpactArguments& arguments) {
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    try {
      strike(arguments);
    } catch (const runtime::Error& e) {
      throw core::Error(e.what());
    }
  });
  return kSuccess;
}

}  // namespace

void add_impact(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("impact", "break an object along its fracture modes");
  auto arguments = std::make_shared<ImpactArguments>();
  command->add_option("FILE", arguments->file, "runtime file, or modes (then with the options from --gluing on)")
      ->required()
      ->check(complaint_about);
  command->add_option("--point", arguments->point, "where it is struck [m]; the nearest vertex is taken")
      ->type_name("X,Y,Z")
      ->delimiter(',')
      ->required();
  command->add_option("--direction", arguments->direction, "of the blow, any length; default 0,0,-1")
      ->type_name("X,Y,Z")
      ->delimiter(',');
  command->add_option("--strength", arguments->strength, "mean displacement (or speed) the blow gives")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--sigma", arguments->sigma, "difference of it across a face that breaks")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--atoms", arguments->atoms, "strike the piece of these atoms alone, as an earlier answer has them")
      ->type_name("A,B,...")
      ->delimiter(',');
  add_answer_arguments(*command, arguments->smear, arguments->method);
  add_breakable_arguments(*command, arguments->object);
  command->add_flag("--json", arguments->json, "print the answer as JSON");
  command->add_option("--out", arguments->out, "also write the pieces as solids (.h5, as brisance prefracture)");
  command->add_flag("--overwrite", arguments->overwrite, "replace that file if it is there");
  command->footer(
      "Only strength/sigma counts. To link it to a force, give impulse/mass [m/s] as strength and the\n"
      "difference of speed that opens a face [m/s] as sigma.\n"
      "Examples: brisance impact cup.impact --point 0,0,0.1 --direction 0,0,-1 --sigma 0.05\n"
      "          brisance impact cup.impact --point 0,0,0.1 --sigma 0.02 --atoms 3,4,7\n"
      "          brisance impact cup.modes.h5 --point 0,0,0.1 --sigma 0.05 --out struck.h5\n"
      "          brisance render struck.h5 --explode 0.3 --colour piece --out pictures");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return impact(c, *arguments); }; });
}

}  // namespace brisance::app
