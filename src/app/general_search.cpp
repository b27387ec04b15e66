#include "app/general_search.hpp"

#include "brisance/core/error.hpp"
#include "brisance/modes/general_modes.hpp"

#include "app/mode_progress.hpp"
#include "app/signals.hpp"

#include <numeric>

#include <spdlog/spdlog.h>

namespace brisance::app {

void search_general(const core::Comm& comm, const GeneralArguments& arguments, std::int32_t count,
                    modes::EigenMethod start, const std::filesystem::path& out, sim::ModeFile& file) {
  modes::GeneralProblem problem;
  modes::GeneralSettings settings;
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    problem = general_problem(arguments, file);
    const int each = problem.couples_axes() ? 1 : file.modes.dimension;
    file.scalar_count = (count + each - 1) / each;
    settings.count = file.scalar_count;
    settings.relative_gap = file.relative_gap;
    settings.start = start;
  });
  MPI_Bcast(&settings.count, 1, MPI_INT32_T, 0, comm.raw());
  MPI_Bcast(&settings.relative_gap, 1, MPI_DOUBLE, 0, comm.raw());
  note_stop_signals();
  ModeProgress progress(settings.count);
  const auto keep = [&](const modes::ModeSet& found, double cpu_s) {
    file.cpu_s.resize(found.modes.size(), 0.0);  // rigid modes take none
    file.cpu_s.back() = cpu_s;
    file.complete = static_cast<std::int32_t>(found.modes.size()) == file.scalar_count;
    sim::write_mode_file(out, file);
    progress.print(found);
    if (const double gap = found.modes.back().relative_gap; gap > file.relative_gap)
      spdlog::warn("its certificate is {:.1e}, not the {:.1e} asked for: {} iterations a step were not enough", gap,
                   file.relative_gap, settings.most_iterations);
    return !stop_noted();
  };
  const bool complete = modes::find_general_modes(comm, problem, settings, file.modes, keep);
  core::agree(comm, [&] {
    if (!comm.is_root()) return;
    file.cpu_s.resize(file.modes.modes.size(), 0.0);
    file.complete = complete;
    sim::write_mode_file(out, file);
    if (!complete)
      throw core::Error("a signal asked to stop; " + out.string() +
                        " holds the modes found so far. Go on with --resume.");
  });
  spdlog::info("{} modes in {}, {:.3g} s of CPU time for the searches",
               file.modes.displacements() * static_cast<int>(file.modes.modes.size()), out.string(),
               std::accumulate(file.cpu_s.begin(), file.cpu_s.end(), 0.0));
}

}  // namespace brisance::app
