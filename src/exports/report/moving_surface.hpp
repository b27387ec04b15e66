/// The animated part of a page: pieces, particles and colliders of all frames.
#pragma once

#include "brisance/exports/report.hpp"
#include "brisance/exports/surface_frame.hpp"

#include "exports/report/packed_arrays.hpp"

#include <filesystem>
#include <vector>

#include <nlohmann/json.hpp>

namespace brisance::exports {

struct MovingSurface {
  nlohmann::json description;  ///< what is in `arrays`, for the page's script
  PackedArrays arrays;
  ReportFacts facts;
};

/// Reads the frames one after the other, at most two at a time in memory. Leaves frames out where the data would exceed
/// options.most_mb. Local; throws core::Error as read_surface_frame does.
[[nodiscard]] MovingSurface moving_surface(const std::vector<std::filesystem::path>& files,
                                           const ReportOptions& options);

}  // namespace brisance::exports
