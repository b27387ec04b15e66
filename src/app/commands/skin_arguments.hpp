/// Options of commands that write fragments: their skin, names and particles.
#pragma once

#include "brisance/exports/fragments.hpp"

#include <CLI/CLI.hpp>

namespace brisance::app {

/// Adds --no-skin, --input, --scale, --crumbs and --density. `options` must outlive the command.
void add_skin_options(CLI::App& command, exports::FragmentOptions& options);

}  // namespace brisance::app
