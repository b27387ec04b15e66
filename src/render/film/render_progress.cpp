#include "render/film/render_progress.hpp"

#include <spdlog/spdlog.h>

namespace brisance::render {

void RenderProgress::frame_share(double share) {
  const double done = static_cast<double>(num_done_) + share;
  if (!(share > 0) || !clock_.is_due()) return;
  const double frame_s = clock_.passed_s() / done;
  const double left_s = frame_s * (static_cast<double>(num_frames_) - done);
  if (num_frames_ == 1) {
    spdlog::info("{}: {:.0f} %, left about {:.0f} s", what_, 100 * share, left_s);
    return;
  }
  spdlog::info("{}: {} of {} done, {:.0f} % of the next; left about {:.0f} s for it, {:.0f} s in all", what_, num_done_,
               num_frames_, 100 * share, frame_s * (1 - share), left_s);
}

}  // namespace brisance::render
