/// Output check of a contact sheet.
#pragma once

#include "app/cli/output_files.hpp"

#include <filesystem>
#include <string>

namespace brisance::app {

/// A sheet as an output: one in the folder of its pictures' run may replace an existing picture, so that the pictures
/// of a run can be made again without --overwrite. Local.
[[nodiscard]] inline OutputFile sheet_of(const std::filesystem::path& run, const std::string& option,
                                         const std::filesystem::path& file) {
  return {option, file, is_picture(file) && lies_in(file, run)};
}

}  // namespace brisance::app
