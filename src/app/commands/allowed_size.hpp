/// What a play may write without being asked twice.
#pragma once

#include "brisance/breaking/planned_output.hpp"

#include <filesystem>

namespace brisance::app {

constexpr double kAllowedSize_gb = 2;

/// Says how much will be written. Throws core::BadInput where that is more than is allowed, than a GLB can hold, or
/// than the disk has room for. Local, the same on all ranks but for the disk: put core::agree_on_input around it.
/// @param out  where; need not exist
/// @param advice  options that make it less
void refuse_large_output(const breaking::PlannedOutput& planned, double allowed_gb, const std::filesystem::path& out,
                         const std::string& advice);

}  // namespace brisance::app
