#include "app/cli/progress.hpp"

#include "brisance/core/words.hpp"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

std::string duration_words(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e9) return "unknown";
  const auto whole = std::llround(std::max(0.0, seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_line(const sim::Progress& p) {
  const double share = p.duration_s > 0 ? std::clamp(p.time_s / p.duration_s, 0.0, 1.0) : 1;
  const double steps_left = std::max(0.0, p.duration_s - p.time_s) / p.dt_s;
  return fmt::format("{:3.0f}%  step {}  t {} s  dt {:.2e} s  {}  {}  {:.3g} ms/step  left {}", std::floor(100 * share),
                     p.step, core::time_text(p.time_s, p.duration_s), p.dt_s, core::counted(p.pieces, "piece"),
                     core::counted(p.contacts, "contact"), p.ms_per_step,
                     duration_words(steps_left * p.ms_per_step / 1000));
}

}  // namespace brisance::app
