#include "app/modes/mode_progress.hpp"

#include "brisance/core/timer.hpp"
#include "brisance/core/words.hpp"

#include "app/cli/progress.hpp"

#include <string>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

ModeProgress::ModeProgress(std::int32_t total) : total_(total), last_s_(core::wall_seconds()) {}

void ModeProgress::print(const modes::ModeSet& set) {
  const double now_s = core::wall_seconds();
  const double took_s = now_s - last_s_;
  last_s_ = now_s;
  pace_s_ = pace_s_ > 0 ? (pace_s_ + took_s) / 2 : took_s;  // later modes take longer: trust the recent ones
  const auto found = static_cast<std::int32_t>(set.modes.size());
  const int each = set.displacements(), last = each * found;
  const bool by_axis = each > 1 && !set.same_along_all_axes();  // each field costs more along one axis than another
  const std::string which = by_axis     ? fmt::format("field {}", found)
                            : each == 1 ? fmt::format("mode {}", last)
                                        : fmt::format("modes {}-{}", last - each + 1, last);
  const modes::Mode& mode = set.modes.back();
  const std::string strain =
      mode.corner_value.empty() ? "" : fmt::format("  {:.2g} of it strain", mode.strain_energy / mode.energy);
  spdlog::info("{:3}%  {} of {}  energy {:.6g}{}  gap {:.0e}  {}  {:.3g} s  left {}", 100 * found / total_, which,
               by_axis ? total_ : each * total_, mode.energy, strain, mode.relative_gap,
               core::counted(mode.convex_energies.size(), "step"), took_s, duration_words((total_ - found) * pace_s_));
  if (!mode.settled)
    spdlog::warn("{} had not come to rest after {} convex steps: valid, but not a local minimum", which,
                 mode.convex_energies.size());
}

}  // namespace brisance::app
