/// Selects a whole frame of a run named by an option.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::app {

/// Among the frames of a run, by ascending number, the index of the one named by `text`: last, a frame number (12), or
/// a time with its unit (0.03s, 30ms), which selects the nearest frame.
/// @param option  that gave `text`, for messages
/// Local; throws core::Error if there is no such frame, or if it is of the surface alone.
[[nodiscard]] std::size_t chosen_frame(const std::vector<std::filesystem::path>& files, const std::string& option,
                                       const std::string& text);

}  // namespace brisance::app
