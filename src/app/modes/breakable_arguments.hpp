/// Options of the commands that strike an object: `impact`, `runtime`, `play`, `assets`.
#pragma once

#include "brisance/breaking/breakable.hpp"
#include "brisance/breaking/own_modes.hpp"
#include "brisance/runtime/impact_answer.hpp"

#include <filesystem>

#include <CLI/CLI.hpp>

namespace brisance::app {

/// --gluing, --min-volume, --smear-length, --thickness: making atoms and tables from modes.
void add_breakable_arguments(CLI::App& command, breaking::BreakableParameters& parameters);

/// --own-modes and --own-volume: a second generation of modes.
void add_own_modes_arguments(CLI::App& command, breaking::OwnModesParameters& own);

/// --smear elastic|gaussian and --least-squares: method of answering an impact.
void add_answer_arguments(CLI::App& command, runtime::Smear& smear, runtime::Method& method);

/// Restricts the tables to the one for this smear.
[[nodiscard]] breaking::BreakableParameters with_only(breaking::BreakableParameters parameters, runtime::Smear smear);

/// Warns on stderr if the modes in use are those of an unfinished search.
void warn_if_incomplete(const std::filesystem::path& modes_file, bool is_complete);

}  // namespace brisance::app
