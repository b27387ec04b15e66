/// `brisance impact`: strikes an object whose modes are known, and reports the pieces.
#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/json_text.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/runtime/error.hpp"
#include "brisance/runtime/impact_answer.hpp"
#include "brisance/runtime/impact_file.hpp"

#include "app/cli/output_files.hpp"
#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/modes/breakable_arguments.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>

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
  breaking::BreakableParameters object;
  bool json = false, overwrite = false;
};

/// A piece of an answer: its atoms, and their combined shape.
struct Piece {
  std::vector<std::int32_t> atoms;
  runtime::SolidShape shape;
};

std::vector<Piece> pieces_of(const runtime::ImpactSet& set, const runtime::Answer& answer) {
  std::vector<Piece> pieces(answer.num_pieces);
  std::vector<std::vector<runtime::SolidShape>> shapes(answer.num_pieces);
  for (std::int32_t a = 0; a < set.num_atoms(); ++a) {
    pieces[answer.piece_of_atom[a]].atoms.push_back(a);
    shapes[answer.piece_of_atom[a]].push_back(set.atoms[a]);
  }
  for (std::size_t p = 0; p < pieces.size(); ++p) pieces[p].shape = runtime::combined(shapes[p]);
  return pieces;
}

const char* size_name(const runtime::ImpactSet& set) { return set.dimension == 2 ? "area_m2" : "volume_m3"; }

void print_table(const runtime::Target& target, const runtime::Answer& answer) {
  const runtime::ImpactSet& set = target.set();
  const double volume = runtime::combined(set.atoms).volume;
  std::cout << fmt::format("{} of {}; struck at ({:g}) m\n", core::counted(answer.num_pieces, "piece"),
                           core::counted(set.num_atoms(), "atom"), fmt::join(set.vertices[answer.vertex], ", "));
  std::cout << fmt::format("piece  {}  share_percent  atoms\n", size_name(set));
  int number = 0;
  for (const Piece& piece : pieces_of(set, answer))
    std::cout << fmt::format("{:5}  {:.6g}  {:.4g}  {}\n", number++, piece.shape.volume,
                             100 * piece.shape.volume / volume, fmt::join(piece.atoms, " "));
}

void print_json(const runtime::Target& target, const runtime::Answer& answer) {
  nlohmann::ordered_json pieces = nlohmann::ordered_json::array();
  for (const Piece& piece : pieces_of(target.set(), answer))
    pieces.push_back(
        {{size_name(target.set()), piece.shape.volume}, {"centre_m", piece.shape.centre}, {"atoms", piece.atoms}});
  const nlohmann::ordered_json document{{"num_pieces", answer.num_pieces},
                                        {"num_atoms", target.set().num_atoms()},
                                        {"struck_m", target.set().vertices[answer.vertex]},
                                        {"pieces", pieces}};
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

void strike(const ImpactArguments& arguments) {
  if (!arguments.out.empty()) check_out(arguments);
  breaking::Breakable object;  // for a file of modes: the mesh, and the table for this impact
  if (is_hdf5(arguments.file)) {
    object = breaking::read_breakable(arguments.file, with_only(arguments.object, arguments.smear));
    warn_if_incomplete(arguments.file, object.is_complete);
  } else {
    object.set = runtime::read_impact_file(arguments.file.string());
  }
  const runtime::Target target(std::move(object.set));
  runtime::Impact impact;
  impact.point = arguments.point;
  impact.direction = arguments.direction;
  impact.strength = arguments.strength;
  impact.threshold = arguments.sigma;
  impact.smear = arguments.smear;
  impact.method = arguments.method;
  const runtime::Answer answer = target.strike(impact);
  if (!arguments.out.empty()) io::write_pieces(arguments.out, breaking::pieces_after(object, arguments.object, answer));
  arguments.json ? print_json(target, answer) : print_table(target, answer);
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
  add_answer_arguments(*command, arguments->smear, arguments->method);
  add_breakable_arguments(*command, arguments->object);
  command->add_flag("--json", arguments->json, "print the answer as JSON");
  command->add_option("--out", arguments->out, "also write the pieces as solids (.h5, as brisance prefracture)");
  command->add_flag("--overwrite", arguments->overwrite, "replace that file if it is there");
  command->footer(
      "Only strength/sigma counts. To link it to a force, give impulse/mass [m/s] as strength and the\n"
      "difference of speed that opens a face [m/s] as sigma.\n"
      "Examples: brisance impact cup.impact --point 0,0,0.1 --direction 0,0,-1 --sigma 0.05\n"
      "          brisance impact cup.modes.h5 --point 0,0,0.1 --sigma 0.05 --out struck.h5\n"
      "          brisance render struck.h5 --explode 0.3 --colour piece --out pictures");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return impact(c, *arguments); }; });
}

}  // namespace brisance::app
