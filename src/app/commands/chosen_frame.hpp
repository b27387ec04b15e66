/// Which whole frame of a run an option names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::app {

/// Of the frames of a run, by ascending number, the row of the one that `text` names: last, the number of a frame (12)
/// or a time with its unit (0.03s, 30ms), of which the nearest frame counts.
/// @param option  that gave `text`, for messages
/// Local; throws core::Error if there is no such frame, or if it is of the surface alone.
[[nodiscard]] std::size_t chosen_frame(const std::vector<std::filesystem::path>& files, const std::string& option,
                                       const std::string& text);

}  // namespace brisance::app
