/// `brisance modes`: computes the fracture modes of an object and stores them in a file.
#include "brisance/breaking/mode_file.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/core/words.hpp"
#include "brisance/modes/search/cut_helpers.hpp"
#include "brisance/modes/search/find_modes.hpp"
#include "brisance/modes/search/refine_modes.hpp"

#include "app/cli/session.hpp"
#include "app/cli/signals.hpp"
#include "app/cli/writable.hpp"
#include "app/commands/commands.hpp"
#include "app/modes/general_search.hpp"
#include "app/modes/mode_progress.hpp"
#include "app/modes/mode_task.hpp"
#include "app/modes/modes_arguments.hpp"
#include "app/modes/object_jobs.hpp"
#include "app/modes/vibrate.hpp"

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

/// Does the cost of a displacement depend on its axis?
bool seeks_lowest(const breaking::ModeFile& file) {
  return file.modes.displacements() > 1 && !file.modes.same_along_all_axes();
}

/// Searches all fields of a mesh that has fewer than might be needed, if they suffice.
void fit_to_mesh(const ModesArguments& arguments, breaking::ModeFile& file) {
  if (!seeks_lowest(file)) return;
  const std::vector<std::int32_t> most = modes::most_modes_of_parts(breaking::body_of(file));
  const std::int32_t largest = *std::max_element(most.begin(), most.end());
  if (file.modes.dimension * std::int64_t{largest} >= arguments.count)
    file.scalar_count = std::min(file.scalar_count, largest);
}

/// Logs how many modes will be computed, and of what. @return scalar modes of all parts together
std::int32_t announce(const ModesArguments& arguments, const breaking::ModeFile& file,
                      const std::vector<std::int32_t>& counts) {
  const int dimension = file.modes.dimension;
  const char* group = dimension == 2 ? "pair" : "triple";
  const std::int32_t total = std::accumulate(counts.begin(), counts.end(), 0);
  if (counts.size() > 1) {
    spdlog::info("the mesh falls into {} connected parts; each gets modes of its own ({} in all)", counts.size(),
                 dimension * total);
    const auto small = std::count_if(counts.begin(), counts.end(), [&](auto n) { return n < file.scalar_count; });
    if (small > 0)
      spdlog::info("{} too few {} for so many modes: one {} a {} or node",
                   core::counted(small, "part has", "parts have"), dimension == 2 ? "triangles" : "tets", group,
                   dimension == 2 ? "triangle" : "tet");
  }
  if (seeks_lowest(file))
    spdlog::info(
        "a displacement costs {:g} along x, y, z: {} fields are sought, which have the {} lowest displacement modes",
        fmt::join(file.modes.axis_strength, ", "), file.scalar_count, arguments.count);
  else if (arguments.count % dimension != 0)
    spdlog::info("modes come in {}s, one along each axis: {} instead of {}", group, dimension * file.scalar_count,
                 arguments.count);
  return total;
}

modes::FindModesSettings settings_of(const ModesArguments& arguments, const breaking::ModeFile& file,
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

void refine(const modes::Body& body, breaking::ModeFile& file) {
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

void compute(const ModesArguments& arguments, breaking::ModeFile& file, std::int32_t total,
             modes::CutHelpers& helpers) {
  const modes::Body body = breaking::body_of(file);
  modes::FindModesSettings settings = settings_of(arguments, file, helpers);
  ModeProgress progress(total, file.modes.displacements());
  // Where the lowest modes are guaranteed: a field lower than an earlier one shows that a later one may be, too.
  const std::vector<std::int32_t> most = modes::most_modes_of_parts(body);
  const auto suffices = [&](const modes::ModeSet& found) {
    return !seeks_lowest(file) || modes::holds_lowest(found, arguments.count, most);
  };
  const std::int32_t largest = *std::ranges::max_element(most);
  const auto keep = [&](const modes::ModeSet& found, double cpu_s) {
    file.cpu_s.resize(found.modes.size(), 0.0);  // constant modes take no time
    file.cpu_s.back() = cpu_s;
    file.complete = static_cast<std::int32_t>(found.modes.size()) >= total && !arguments.refine && suffices(found);
    file.refined = false;
    breaking::write_mode_file(arguments.out, file);
    progress.print(found);
    return !stop_noted();
  };
  bool all_found = modes::find_modes(body, settings, file.modes, keep);
  while (all_found && settings.count < largest && !suffices(file.modes)) {
    ++settings.count;
    spdlog::info(
        "the last field found is lower than one of the {} lowest displacement modes so far: one more is sought",
        arguments.count);
    all_found = modes::find_modes(body, settings, file.modes, keep);
  }
  file.cpu_s.resize(file.modes.modes.size(), 0.0);
  if (all_found && arguments.refine && !file.refined) refine(body, file);
  file.complete = all_found;
  breaking::write_mode_file(arguments.out, file);
  if (!file.complete)
    throw core::Error("a signal asked to stop; " + arguments.out.string() +
                      " holds the modes found so far. Continue with --resume.");
  spdlog::info("{} in {}, {:.3g} s of CPU time for the searches",
               core::counted(file.modes.dimension * static_cast<int>(file.modes.modes.size()), "mode"),
               arguments.out.string(), std::accumulate(file.cpu_s.begin(), file.cpu_s.end(), 0.0));
}

int find_vibrations(const core::Comm& comm, const ModesArguments& arguments) {
  mesh::TetMesh mesh;
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    if (arguments.plane) throw core::BadInput("--kind vibration is for solids: leave out --plane.");
    guard_modes_file(arguments, arguments.overwrite);
    mesh = make_mesh(arguments.mesh, arguments.report_mesh);
  });
  vibrate(comm, std::move(mesh), arguments.material, arguments.count, arguments.out);
  return kSuccess;
}

constexpr double kExactBytesPerCell = 1600;  ///< resident memory on rank 0; measured with ten scalar modes

/// Resolves `automatic`: exact if the search for rank 0's object fits into its memory. Collective.
void choose_method(const core::Comm& comm, const breaking::ModeFile& object, ModesArguments& arguments) {
  const auto num_cells = static_cast<double>(std::max(object.mesh.tets.size(), object.plane.surface.triangles.size()));
  double needed_gb = 1e-9 * kExactBytesPerCell * num_cells;
  double free_gb = arguments.memory_gb.value_or(1e-9 * static_cast<double>(core::available_memory_bytes()));
  MPI_Bcast(&needed_gb, 1, MPI_DOUBLE, 0, comm.raw());
  MPI_Bcast(&free_gb, 1, MPI_DOUBLE, 0, comm.raw());
  arguments.general.method = SearchMethod::exact;
  if (needed_gb <= free_gb) return;
  if (comm.size() > 1 && !arguments.for_exact_search()) {
    arguments.general.method = SearchMethod::admm;
    spdlog::info(
        "the exact search needs about {:.2g} GB on one rank and has {:.2g} GB: the object is divided over the ranks "
        "(--method admm)",
        needed_gb, free_gb);
  } else {
    spdlog::warn(
        "the exact search needs about {:.2g} GB on one rank and has {:.2g} GB. Should it not end well: more memory, or "
        "--method admm on several ranks, which divides the object",
        needed_gb, free_gb);
  }
}

/// Rank 0 searches; the others help with its minimum cuts. @param prepare  makes the task; called on rank 0
void find_exact(const core::Comm& comm, const ModesArguments& arguments, const std::function<ModeTask()>& prepare) {
  breaking::ModeFile file;
  std::int32_t total = 0;
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    file = prepare().file;
    fit_to_mesh(arguments, file);
    total = announce(arguments, file, modes::modes_of_parts(breaking::body_of(file), file.scalar_count));
  });
  note_stop_signals();
  core::agree(comm, [&] {
    if (!comm.is_root()) return modes::help_with_cuts(comm);  // released by ~CutHelpers
    modes::CutHelpers helpers(comm);
    compute(arguments, file, total, helpers);
  });
}

int find(const core::Comm& comm, ModesArguments arguments) {
  core::agree_on_input(comm, [&] {
    if (comm.is_root()) require_writable(arguments.out);
  });
  if (arguments.vibration) return find_vibrations(comm, arguments);
  const bool resumed = goes_on(comm, arguments);
  const bool is_open = arguments.general.method == SearchMethod::automatic && !arguments.general.needed();
  breaking::ModeFile object;  // on rank 0
  core::agree_on_input(comm, [&] {
    if (resumed && is_open)
      arguments.general.method = breaking::is_exact(arguments.out) ? SearchMethod::exact : SearchMethod::admm;
    else if (!resumed && comm.is_root())
      object = make_object(arguments);
  });
  if (!resumed && is_open) choose_method(comm, object, arguments);
  const auto prepare = [&](const core::Comm& ranks) {
    return resumed ? take_up(ranks, arguments) : begin(ranks, arguments, std::exchange(object, {}));
  };
  if (arguments.general.given())
    search_general(arguments.general, arguments.count, arguments.start, arguments.out, prepare(comm));
  else
    find_exact(comm, arguments, [&] { return prepare(core::Comm(MPI_COMM_SELF)); });
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
    one.more_inputs = inputs;  // no object's file replaces another's input
    one.out = job.out;
    one.report_mesh = false;
    find(group, one);
  });
  return kSuccess;
}

constexpr const char* kModesFooter =
    "The object breaks along the faces where its modes jump. In the reduced problem modes come in triples, the same\n"
    "partition moving along x, y and z, so --count 30 finds 10 partitions; the first triple moves the object as a\n"
    "whole. Each partition is the best found that is orthogonal to those before, which is not always the lowest one\n"
    "left: energies need not ascend. Where --eta differs along the axes, so many are sought that the --count lowest\n"
    "displacement modes are among them: more, as long as the last one costs less, along its weakest axis, than one of\n"
    "these. They are the lowest unless a later search would do better than the last.\n"
    "Broken surfaces are wrapped in a cage (--set repair=false refuses them). Every finished mode is in the\n"
    "file at once; --resume continues after the last one, also to find more.\n"
    "A flat body (--plane) moves along x and y only: its modes come in pairs.\n"
    "Examples: brisance modes cup.obj --tets 20000 --count 30 --out cup.modes.h5\n"
    "          brisance modes --shape bowl --edge 0.01 --out bowl.modes.h5 --weights sqrt-area\n"
    "          brisance modes cup.obj --tets 20000 --count 60 --out cup.modes.h5 --resume\n"
    "          mpirun -n 2 brisance modes cup.obj vase.obj bowl.obj --tets 20000 --out modes/\n"
    "          brisance modes --shape box --set size_m=[0.3,0.04,1.2] --out plank.modes.h5 --eta-normal 1,1,10\n"
    "          brisance modes --plane window.obj --triangles 4000 --count 20 --out window.modes.h5";

}  // namespace

void add_modes(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("modes", "find the fracture modes of an object");
  auto arguments = std::make_shared<ModesArguments>();
  add_mesh_arguments(*command, arguments->mesh, false);
  CLI::App* what = command->get_option_group("what");
  what->require_option(0, 0);  // make_mesh has a clearer error message
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
  command
      ->add_option("--memory-gb", arguments->memory_gb,
                   "with --method auto: what the exact search may need; default: what is free on the node")
      ->check(CLI::PositiveNumber);
  CLI::Option* resume = command->add_flag("--resume", arguments->resume, "continue the file if it exists");
  command->add_flag("--overwrite", arguments->overwrite, "replace the file if it is there")->excludes(resume);
  // The last value of a repeated option is used: scripts/break.sh passes a recipe's options first, and the user's after
  // them.
  for (CLI::Option* option : command->get_options())
    if (!option->get_positional() && option->get_items_expected_max() == 1) option->take_last();
  command->footer(kModesFooter);
  command->callback([arguments, &action] {
    action = [arguments](const core::Comm& c) {
      return arguments->more_inputs.empty() ? find(c, *arguments) : find_many(c, *arguments);
    };
  });
}

}  // namespace brisance::app
