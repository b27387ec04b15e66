/// `brisance modes`: the fracture modes of an object, computed once and kept in a file.
#include "brisance/core/error.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/modes/cut_helpers.hpp"
#include "brisance/modes/find_modes.hpp"
#include "brisance/modes/refine_modes.hpp"
#include "brisance/sim/mesh_file.hpp"
#include "brisance/sim/mode_file.hpp"

#include "app/commands.hpp"
#include "app/general_arguments.hpp"
#include "app/general_search.hpp"
#include "app/mesh_arguments.hpp"
#include "app/mode_progress.hpp"
#include "app/object_jobs.hpp"
#include "app/plane_input.hpp"
#include "app/session.hpp"
#include "app/signals.hpp"
#include "app/strength_arguments.hpp"
#include "app/version.hpp"
#include "app/vibrate.hpp"

#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

struct ModesArguments {
  MeshArguments mesh;
  StrengthArguments strength;
  GeneralArguments general;
  std::filesystem::path out;
  std::int32_t count = 30;  ///< displacement modes
  bool plane = false;       ///< a flat body
  double num_triangles = 0;
  modes::Weighting weighting = modes::Weighting::area;
  modes::EigenMethod start = modes::EigenMethod::automatic;
  std::optional<double> relative_gap;
  std::int32_t starts = 1;
  double smallest_share = 0;
  bool refine = false;
  bool resume = false, overwrite = false;
  bool vibration = false;
  std::string material = "glass";
  std::vector<std::string> more_inputs;
  bool report_mesh = true;

  /// Of `each` displacement modes as one.
  [[nodiscard]] std::int32_t count_of(int each) const { return (count + each - 1) / each; }
  [[nodiscard]] double gap() const { return relative_gap.value_or(general.given() ? 1e-3 : 1e-8); }
};

void require_an_object(const MeshArguments& arguments) {
  if (!arguments.input.empty() && !arguments.shape.empty()) throw core::BadInput("Give a file or --shape, not both.");
  if (arguments.input.empty() && arguments.shape.empty())
    throw core::BadInput("What shall be broken? Give a file, or --shape. See brisance modes --help.");
}

mesh::TetMesh make_mesh(const MeshArguments& arguments, bool report_it) {
  require_an_object(arguments);
  const mesh::Request request = read_request(arguments, true);
  if (request.shape != mesh::ShapeKind::file || !sim::is_tet_mesh_file(request.file)) {
    mesh::MeshReport report;
    mesh::TetMesh mesh = mesh::generate(request, report);
    if (report_it) print_report(report);
    return mesh;
  }
  if (arguments.num_tets > 0 || arguments.edge_length_m > 0)
    throw core::BadInput(request.file.string() + " holds tetrahedra already: leave out --tets and --edge.");
  mesh::TetMesh mesh = sim::read_tets(request.file);
  for (Vec3& x : mesh.nodes) x *= request.scale;
  mesh.displacement.clear();
  mesh.velocity.clear();
  return mesh;
}

/// Gives the file the strengths asked for.
void apply_strength(const ModesArguments& arguments, sim::ModeFile& file) {
  file.modes.axis_strength = axis_strength(arguments.strength, file.modes.dimension);
  modes::Body body = sim::body_of(file);
  apply_strength(arguments.strength, sim::region_of(file), read_request(arguments.mesh).scale, arguments.weighting,
                 body);
  file.face_weight = std::move(body.face_weight);
  file.no_break = std::move(body.no_break);
}

/// A file without modes yet.
sim::ModeFile begin(const ModesArguments& arguments) {
  sim::ModeFile file;
  if (arguments.plane) {
    require_an_object(arguments.mesh);
    file.modes.dimension = 2;
    file.plane = read_flat_body(arguments.mesh, arguments.num_triangles, arguments.report_mesh);
  } else {
    file.mesh = make_mesh(arguments.mesh, arguments.report_mesh);
  }
  file.modes.weighting = arguments.weighting;
  apply_strength(arguments, file);
  file.method = method_of(arguments.general);
  file.relative_gap = arguments.gap();
  file.starts = arguments.starts;
  file.smallest_share = arguments.smallest_share;
  return file;
}

/// True if the options ask for the strengths that the file has, or for none.
bool same_strength(const ModesArguments& arguments, const sim::ModeFile& file) {
  if (!arguments.strength.given()) return true;
  sim::ModeFile again = file;
  apply_strength(arguments, again);
  return again.modes.axis_strength == file.modes.axis_strength && again.face_weight == file.face_weight &&
         again.no_break == file.no_break;
}

/// The file as it was left, for as many modes as are asked for now.
sim::ModeFile take_up(const ModesArguments& arguments) {
  sim::ModeFile file = sim::read_mode_file(arguments.out);
  const int each = file.modes.displacements();
  if (arguments.plane && file.modes.dimension == 3)
    throw core::BadInput(arguments.out.string() + " holds modes of a solid. Leave out --plane, or --overwrite it.");
  if (file.modes.weighting != arguments.weighting || file.relative_gap != arguments.gap() ||
      file.starts != arguments.starts || file.smallest_share != arguments.smallest_share)
    throw core::BadInput(arguments.out.string() +
                         " was begun with other --weights, --gap, --starts or --min-volume. Give the same, or "
                         "--overwrite it.");
  if (file.method != method_of(arguments.general))
    throw core::BadInput(
        fmt::format("{} was begun by the method \"{}\", the options ask for \"{}\". Give the same, or "
                    "--overwrite it.",
                    arguments.out.string(), file.method, method_of(arguments.general)));
  if (!same_strength(arguments, file))
    throw core::BadInput(arguments.out.string() +
                         " was begun with other strengths (--eta..., --no-break...). Leave them out to go on with "
                         "those of the file, or --overwrite it.");
  if (arguments.count_of(each) < file.scalar_count)
    throw core::BadInput(fmt::format("{} was begun with --count {}. Give that or more, or --overwrite it.",
                                     arguments.out.string(), each * file.scalar_count));
  spdlog::info("going on with {}: {} modes are there", arguments.out.string(), each * file.modes.modes.size());
  return file;
}

sim::ModeFile prepare(const ModesArguments& arguments) {
  const bool exists = std::filesystem::exists(arguments.out);
  if (exists && !arguments.resume && !arguments.overwrite)
    throw core::BadInput(arguments.out.string() + " exists. --resume goes on with it, --overwrite replaces it.");
  if (arguments.general.given() && (arguments.starts > 1 || arguments.smallest_share > 0 || arguments.refine))
    throw core::BadInput(
        "--starts, --min-volume and --refine are for the exact search: leave them out with --method "
        "admm, --strain, --sliding or --eta-tensor.");
  sim::ModeFile file = exists && arguments.resume ? take_up(arguments) : begin(arguments);
  file.scalar_count = arguments.count_of(file.modes.displacements());
  file.program = std::string("brisance ") + kVersion;
  return file;
}

/// Says how many modes there will be, and of what. @return scalar modes of all parts together
std::int32_t announce(const ModesArguments& arguments, const sim::ModeFile& file,
                      const std::vector<std::int32_t>& counts) {
  const int dimension = file.modes.dimension;
  const char* group = dimension == 2 ? "pair" : "triple";
  const std::int32_t total = std::accumulate(counts.begin(), counts.end(), 0);
  if (counts.size() > 1) {
    spdlog::info("the mesh falls into {} connected parts; each gets modes of its own ({} in all)", counts.size(),
                 dimension * total);
    const auto small = std::count_if(counts.begin(), counts.end(), [&](auto n) { return n < file.scalar_count; });
    if (small > 0)
      spdlog::info("{} part(s) have too few {} for so many modes and get one {} a {} or node", small,
                   dimension == 2 ? "triangles" : "tets", group, dimension == 2 ? "triangle" : "tet");
  }
  if (arguments.count % dimension != 0)
    spdlog::info("modes come in {}s, one along each axis: {} instead of {}", group, dimension * file.scalar_count,
                 arguments.count);
  return total;
}

modes::FindModesSettings settings_of(const ModesArguments& arguments, const sim::ModeFile& file,
                                     modes::CutHelpers& helpers) {
  modes::FindModesSettings settings;
  settings.count = file.scalar_count;
  settings.search.relative_gap = file.relative_gap;
  settings.search.helpers = &helpers;
  settings.start = arguments.start;
  settings.starts = file.starts;
  settings.smallest_share = file.smallest_share;
  return settings;
}

void refine(const modes::Body& body, sim::ModeFile& file) {
  const auto sum = [&] {
    double energy = 0;
    for (const modes::Mode& mode : file.modes.modes) energy += mode.energy;
    return energy;
  };
  const double before = sum();
  modes::refine_modes(body, file.modes);
  file.refined = true;
  spdlog::info("refined together: sum of energies {:.6g}, was {:.6g}", sum(), before);
}

void compute(const ModesArguments& arguments, sim::ModeFile& file, std::int32_t total, modes::CutHelpers& helpers) {
  const modes::Body body = sim::body_of(file);
  const modes::FindModesSettings settings = settings_of(arguments, file, helpers);
  ModeProgress progress(total);
  const auto keep = [&](const modes::ModeSet& found, double cpu_s) {
    file.cpu_s.resize(found.modes.size(), 0.0);  // constant modes take none
    file.cpu_s.back() = cpu_s;
    file.complete = static_cast<std::int32_t>(found.modes.size()) == total && !arguments.refine;
    file.refined = false;
    sim::write_mode_file(arguments.out, file);
    progress.print(found);
    return !stop_noted();
  };
  const bool all_found = modes::find_modes(body, settings, file.modes, keep);
  file.cpu_s.resize(file.modes.modes.size(), 0.0);
  if (all_found && arguments.refine && !file.refined) refine(body, file);
  file.complete = all_found;
  sim::write_mode_file(arguments.out, file);
  if (!file.complete)
    throw core::Error("a signal asked to stop; " + arguments.out.string() +
                      " holds the modes found so far. Go on with --resume.");
  spdlog::info("{} modes in {}, {:.3g} s of CPU time for the searches", file.modes.dimension * total,
               arguments.out.string(), std::accumulate(file.cpu_s.begin(), file.cpu_s.end(), 0.0));
}

int find_vibrations(const core::Comm& comm, const ModesArguments& arguments) {
  mesh::TetMesh mesh;
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    if (arguments.plane) throw core::BadInput("--kind vibration is for solids: leave out --plane.");
    if (std::filesystem::exists(arguments.out) && !arguments.overwrite)
      throw core::BadInput(arguments.out.string() + " exists. --overwrite replaces it.");
    mesh = make_mesh(arguments.mesh, arguments.report_mesh);
  });
  vibrate(comm, std::move(mesh), arguments.material, arguments.count, arguments.out);
  return kSuccess;
}

/// All ranks search together.
int find_general(const core::Comm& comm, const ModesArguments& arguments) {
  sim::ModeFile file;
  core::agree_on_input(comm, [&] {
    if (comm.is_root()) file = prepare(arguments);
  });
  search_general(comm, arguments.general, arguments.count, arguments.start, arguments.out, file);
  return kSuccess;
}

/// Rank 0 does it all, with help for its minimum cuts.
int find(const core::Comm& comm, const ModesArguments& arguments) {
  if (arguments.vibration) return find_vibrations(comm, arguments);
  if (arguments.general.given()) return find_general(comm, arguments);
  sim::ModeFile file;
  std::int32_t total = 0;
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    file = prepare(arguments);
    total = announce(arguments, file, modes::modes_of_parts(sim::body_of(file), file.scalar_count));
  });
  note_stop_signals();
  core::agree(comm, [&] {
    if (!comm.is_root()) return modes::help_with_cuts(comm);  // released by ~CutHelpers, so nobody waits in vain
    modes::CutHelpers helpers(comm);
    compute(arguments, file, total, helpers);
  });
  return kSuccess;
}

/// Many objects, each with a file of its own in the folder --out.
int find_many(const core::Comm& comm, const ModesArguments& arguments) {
  std::vector<std::string> inputs{arguments.mesh.input};
  inputs.insert(inputs.end(), arguments.more_inputs.begin(), arguments.more_inputs.end());
  std::vector<ObjectJob> jobs;
  core::agree_on_input(comm, [&] {
    jobs = object_jobs(inputs, arguments.out, ".modes.h5");
    if (comm.is_root()) std::filesystem::create_directories(arguments.out);
  });
  run_jobs(comm, jobs, [&](const core::Comm& group, const ObjectJob& job) {
    ModesArguments one = arguments;
    one.mesh.input = job.input;
    one.out = job.out;
    one.report_mesh = false;
    find(group, one);
  });
  return kSuccess;
}

constexpr const char* kFooter =
    "The object breaks along the faces where its modes jump. In the reduced problem modes come in triples, the same\n"
    "partition moving along x, y and z, so --count 30 finds 10 partitions; the first triple moves the object as a\n"
    "whole. Broken surfaces are wrapped in a cage (--set repair=false refuses them). Every finished mode is in the\n"
    "file at once; --resume goes on after the last one, also to find more.\n"
    "A flat body (--plane) moves along x and y only: its modes come in pairs.\n"
    "Examples: brisance modes cup.obj --tets 20000 --count 30 --out cup.modes.h5\n"
    "          brisance modes --shape bowl --edge 0.01 --out bowl.modes.h5 --weights sqrt-area\n"
    "          brisance modes cup.obj --tets 20000 --count 60 --out cup.modes.h5 --resume\n"
    "          mpirun -n 8 brisance modes cup.obj vase.obj bowl.obj --tets 20000 --out modes/\n"
    "          brisance modes --shape box --set size_m=[0.3,0.04,1.2] --out plank.modes.h5 --eta-normal 1,1,10\n"
    "          brisance modes --plane window.obj --triangles 4000 --count 20 --out window.modes.h5";

}  // namespace

void add_modes(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("modes", "find the fracture modes of an object");
  auto arguments = std::make_shared<ModesArguments>();
  add_mesh_arguments(*command, arguments->mesh, false);
  CLI::App* what = command->get_option_group("what");
  what->require_option(0, 0);  // make_mesh says more clearly what is wrong
  what->add_option("MORE", arguments->more_inputs, "more objects, shared out over the ranks; --out is then a folder");
  command->add_option("--count", arguments->count, "how many displacement modes, the three translations included")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  CLI::Option* plane = command->add_flag(
      "--plane", arguments->plane,
      "a flat body in a plane z = const: the triangles of IN (also Gmsh), or the section of a shape across z");
  command
      ->add_option("--triangles", arguments->num_triangles,
                   "with --plane, about how many: fills the outline of IN anew, as --edge does")
      ->check(CLI::PositiveNumber)
      ->needs(plane)
      ->excludes(command->get_option("--edge"));
  command->add_option("--out", arguments->out, "file to write (HDF5; layout in docs/FORMAT.md)")->required();
  command
      ->add_option("--weights", arguments->weighting,
                   "of a face in the energy: area (default; settles under refinement) or sqrt-area ([S22])")
      ->option_text("area|sqrt-area")
      ->transform(CLI::CheckedTransformer(std::map<std::string, modes::Weighting>{
          {"area", modes::Weighting::area}, {"sqrt-area", modes::Weighting::sqrt_area}}));
  command
      ->add_option("--kind", arguments->vibration,
                   "fracture (default), or vibration: elastic modes of the unbroken object, six rigid ones included")
      ->option_text("fracture|vibration")
      ->transform(CLI::CheckedTransformer(std::map<std::string, bool>{{"fracture", false}, {"vibration", true}}));
  command->add_option("--material", arguments->material, "of a vibrating object: a preset of docs/MATERIALS.md")
      ->capture_default_str();
  command
      ->add_option("--gap", arguments->relative_gap, "relative optimality gap of every convex step (1e-8; admm: 1e-3)")
      ->check(CLI::Range(1e-12, 0.1));
  command
      ->add_option("--eigensolver", arguments->start,
                   "for the start vectors: automatic (default), shift-invert, or iterative (less memory)")
      ->option_text("automatic|shift-invert|iterative")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, modes::EigenMethod>{{"automatic", modes::EigenMethod::automatic},
                                                    {"shift-invert", modes::EigenMethod::shift_invert},
                                                    {"iterative", modes::EigenMethod::iterative}}));
  command
      ->add_option("--min-volume", arguments->smallest_share,
                   "smallest piece that the modes may cut off, as a share of the (connected part's) volume; 0 allows "
                   "slivers")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.5));
  command->add_option("--starts", arguments->starts, "start vectors tried for each mode; the lowest energy is taken")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_flag("--refine", arguments->refine,
                    "at the end, rotate modes into one another where that lowers the sum of energies");
  add_strength_arguments(*command, arguments->strength);
  add_general_arguments(*command, arguments->general);
  CLI::Option* resume = command->add_flag("--resume", arguments->resume, "go on with the file if it is there");
  command->add_flag("--overwrite", arguments->overwrite, "replace the file if it is there")->excludes(resume);
  command->footer(kFooter);
  command->callback([arguments, &action] {
    action = [arguments](const core::Comm& c) {
      return arguments->more_inputs.empty() ? find(c, *arguments) : find_many(c, *arguments);
    };
  });
}

}  // namespace brisance::app
