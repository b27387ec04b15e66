/// Selects frames of a run, as an option or a scene names them.
#pragma once

#include "brisance/render/render.hpp"

#include <string>

namespace brisance::app {

/// "12": that frame; "a:b", "a:b:step", with a, b or both left out: frames a, a + step, … before b, counted from 0.
/// Empty: all.
/// @param option  or key that gave `text`, for messages
/// Local; throws core::Error for any other text.
[[nodiscard]] render::FrameChoice frame_choice(const std::string& option, const std::string& text);

}  // namespace brisance::app
