/// Fracture modes as one HTML file: each mode, and clicks that break the object along all of them.
#pragma once

#include "brisance/exports/report.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/runtime/impact_set.hpp"

#include <filesystem>
#include <string>

namespace brisance::exports {

/// An object that breaks along its modes.
struct ModesObject {
  std::string name;
  io::PiecesFile pieces;   ///< one for each atom, in their order
  runtime::ImpactSet set;  ///< with the elastic smear; of one generation
};

/// Writes the page atomically. Impacts in it are those of the runtime library, computed in JavaScript. Local; throws
/// core::Error if pieces and atoms do not agree, a library is missing, or the page cannot be written.
ReportFacts write_modes_report(const ModesObject& object, const std::filesystem::path& out,
                               const ReportOptions& options);

}  // namespace brisance::exports
