#include "app/modes/general_search.hpp"

#include "brisance/breaking/divided_modes.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/modes/general/general_modes.hpp"

#include "app/cli/signals.hpp"
#include "app/modes/mode_progress.hpp"

#include <numeric>
#include <utility>

#include <spdlog/spdlog.h>

namespace brisance::app {

void search_general(const GeneralArguments& arguments, std::int32_t count, modes::EigenMethod start,
                    const std::filesystem::path& out, ModeTask task) {
  breaking::ModeFile& file = task.file;
  const core::Comm comm = task.body.comm;
  const modes::GeneralProblem problem = general_problem(arguments, file.modes.axis_strength, std::move(task.body));
  const modes::CellGraph graph = breaking::graph_blocks(problem.body);
  const int each = problem.couples_axes() ? 1 : file.modes.dimension;
  file.scalar_count = (count + each - 1) / each;
  modes::GeneralSettings settings;
  settings.count = file.scalar_count;
  settings.relative_gap = file.relative_gap;
  settings.start = start;
  note_stop_signals();
  ModeProgress progress(settings.count, file.modes.displacements());
  const auto keep = [&](const modes::ModeSet& found, double cpu_s) {
    file.cpu_s.resize(found.modes.size(), 0.0);  // rigid modes take no time
    file.cpu_s.back() = cpu_s;
    file.complete = static_cast<std::int32_t>(found.modes.size()) == file.scalar_count;
    breaking::write_mode_file(comm, out, file, graph);
    if (comm.is_root()) progress.print(found);
    if (const double gap = found.modes.back().relative_gap; gap > file.relative_gap)
      spdlog::warn("its certificate is {:.1e}, not the {:.1e} asked for: {} iterations a step were not enough", gap,
                   file.relative_gap, settings.most_iterations);
    return !comm.any(stop_noted());
  };
  const bool complete = modes::find_general_modes(problem, settings, file.modes, keep);
  file.cpu_s.resize(file.modes.modes.size(), 0.0);
  file.complete = complete;
  breaking::write_mode_file(comm, out, file, graph);
  if (!complete)
    throw core::Error("a signal asked to stop; " + out.string() +
                      " holds the modes found so far. Continue with --resume.");
  spdlog::info("{} in {}, {:.3g} s of CPU time for the searches",
               core::counted(file.modes.displacements() * static_cast<int>(file.modes.modes.size()), "mode"),
               out.string(), std::accumulate(file.cpu_s.begin(), file.cpu_s.end(), 0.0));
}

}  // namespace brisance::app
