/// Bound on the output of a play without explicit consent.
#pragma once

#include "brisance/breaking/planned_output.hpp"

#include <filesystem>

namespace brisance::app {

constexpr double kAllowedSize_gb = 2;

/// Logs how much will be written. Throws core::BadInput where that exceeds the allowed size, the limit of a GLB, or the
/// free space of the disk. Local, the same on all ranks except for the disk: put core::agree_on_input around it.
/// @param out  destination; need not exist
/// @param advice  options that reduce it
void refuse_large_output(const breaking::PlannedOutput& planned, double allowed_gb, const std::filesystem::path& out,
                         const std::string& advice);

}  // namespace brisance::app
