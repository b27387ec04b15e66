#include "app/modes/mode_task.hpp"

#include "brisance/breaking/divided_modes.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/modes/search/find_modes.hpp"

#include "app/cli/output_files.hpp"
#include "app/cli/session.hpp"
#include "app/cli/version.hpp"
#include "app/modes/plane_input.hpp"
#include "app/scene/input_files.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

constexpr double kSameStrength = 1e-9;  ///< relative: paint is extended inwards by an iterative solver

void require_an_object(const MeshArguments& arguments) {
  if (!arguments.input.empty() && !arguments.shape.empty()) throw core::BadInput("Give a file or --shape, not both.");
  if (arguments.input.empty() && arguments.shape.empty())
    throw core::BadInput("What shall be broken? Give a file, or --shape. See brisance modes --help.");
}

void strengthen(const ModesArguments& arguments, modes::DividedBody& body) {
  apply_strength(arguments.strength, read_request(arguments.mesh).scale, arguments.weighting, body);
}

/// Do the options give the task's strengths, or none? Collective.
bool same_strength(const ModesArguments& arguments, const ModeTask& task) {
  if (!arguments.strength.given()) return true;
  if (axis_strength(arguments.strength, task.file.modes.dimension) != task.file.modes.axis_strength) return false;
  const modes::Body& local = task.body.local;
  modes::DividedBody again = breaking::divided_body(task.body.comm, task.file);
  strengthen(arguments, again);
  bool same = again.local.no_break == local.no_break;
  for (std::size_t f = 0; f < local.face_weight.size(); ++f)
    same = same && std::abs(again.local.face_weight[f] - local.face_weight[f]) <= kSameStrength * local.face_weight[f];
  return !task.body.comm.any(!same);
}

/// The least --count that may have begun a file with so many fields.
std::int64_t least_count(const breaking::ModeFile& file) {
  const bool by_axis = file.modes.components == 1 && !file.modes.same_along_all_axes();
  return by_axis ? file.scalar_count + file.modes.dimension - 1
                 : std::int64_t{file.modes.displacements()} * file.scalar_count;
}

}  // namespace

mesh::TetMesh make_mesh(const MeshArguments& arguments, bool report_it) {
  require_an_object(arguments);
  mesh::TetMesh mesh = read_or_make_tets(arguments, true, report_it);
  mesh.displacement.clear();
  mesh.velocity.clear();
  return mesh;
}

void guard_modes_file(const ModesArguments& arguments, bool overwrite) {
  std::vector<std::filesystem::path> inputs{arguments.strength.eta_field};
  const auto add = [&](const std::vector<std::filesystem::path>& files) {
    inputs.insert(inputs.end(), files.begin(), files.end());
  };
  // Giving both or neither is an error that is reported later.
  if (arguments.mesh.input.empty() != arguments.mesh.shape.empty()) add(files_of(read_request(arguments.mesh)));
  for (const std::string& other : arguments.more_inputs) add(files_of(std::filesystem::path(other)));
  guard_outputs(inputs, {{"--out", arguments.out}}, overwrite);
}

bool goes_on(const core::Comm& comm, const ModesArguments& arguments) {
  bool exists = false;
  core::agree_on_input(comm, [&] {
    exists = std::filesystem::exists(arguments.out);
    if (exists && !arguments.resume && !arguments.overwrite)
      throw core::BadInput(arguments.out.string() + " exists. --resume continues it, --overwrite replaces it.");
    if (arguments.general.given() && arguments.for_exact_search())
      throw core::BadInput(
          "--starts, --min-volume and --refine are for the exact search: leave them out with --method "
          "admm, --strain, --sliding or --eta-tensor.");
    if (arguments.general.method == SearchMethod::exact && arguments.general.needed())
      throw core::BadInput(
          "--method exact solves the reduced problem only: leave out --strain, --sliding and "
          "--eta-tensor, or --method.");
    if (comm.is_root()) guard_modes_file(arguments, true);
  });
  return comm.any(exists) && arguments.resume;
}

breaking::ModeFile make_object(const ModesArguments& arguments) {
  breaking::ModeFile file;
  if (arguments.plane) {
    require_an_object(arguments.mesh);
    file.modes.dimension = 2;
    file.plane = read_flat_body(arguments.mesh, arguments.num_triangles, arguments.report_mesh);
  } else {
    file.mesh = make_mesh(arguments.mesh, arguments.report_mesh);
  }
  return file;
}

ModeTask begin(const core::Comm& comm, const ModesArguments& arguments, breaking::ModeFile whole) {
  ModeTask task;
  breaking::ModeFile& file = task.file;
  file = breaking::scatter_cells(comm, std::exchange(whole, {}));
  file.modes.weighting = arguments.weighting;
  file.modes.axis_strength = axis_strength(arguments.strength, file.modes.dimension);
  file.method = method_of(arguments.general);
  file.relative_gap = arguments.gap();
  file.starts = arguments.starts;
  file.smallest_share = arguments.smallest_share;
  task.body = breaking::divided_body(comm, file);
  strengthen(arguments, task.body);
  breaking::keep_strengths(task.body, file);
  file.scalar_count = modes::fields_for(file.modes, arguments.count);
  file.program = std::string("brisance ") + kVersion;
  return task;
}

ModeTask take_up(const core::Comm& comm, const ModesArguments& arguments) {
  ModeTask task;
  breaking::ModeFile& file = task.file;
  file = breaking::read_mode_file(comm, arguments.out);
  const int each = file.modes.displacements();
  if (arguments.plane && file.modes.dimension == 3)
    throw core::BadInput(arguments.out.string() + " holds modes of a solid. Leave out --plane, or --overwrite it.");
  if (file.method != method_of(arguments.general))
    throw core::BadInput(
        fmt::format("{} was begun by the method \"{}\", the options ask for \"{}\". Give the same, or "
                    "--overwrite it.",
                    arguments.out.string(), file.method, method_of(arguments.general)));
  if (file.modes.weighting != arguments.weighting || file.relative_gap != arguments.gap() ||
      file.starts != arguments.starts || file.smallest_share != arguments.smallest_share)
    throw core::BadInput(arguments.out.string() +
                         " was begun with other --weights, --gap, --starts or --min-volume. Give the same, or "
                         "--overwrite it.");
  task.body = breaking::divided_body(comm, file);
  breaking::take_strengths(arguments.out, file, task.body);
  if (!same_strength(arguments, task))
    throw core::BadInput(arguments.out.string() +
                         " was begun with other strengths (--eta..., --no-break...). Leave them out to continue with "
                         "those of the file, or --overwrite it.");
  const std::int32_t wanted = modes::fields_for(file.modes, arguments.count);
  if (wanted < file.scalar_count)
    throw core::BadInput(fmt::format("{} was begun with --count {}. Give that or more, or --overwrite it.",
                                     arguments.out.string(), least_count(file)));
  spdlog::info("continuing {}: it has {}", arguments.out.string(),
               core::counted(each * file.modes.modes.size(), "mode"));
  file.scalar_count = wanted;
  file.program = std::string("brisance ") + kVersion;
  return task;
}

}  // namespace brisance::app
