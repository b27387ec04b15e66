/// The sub-commands. Each `add_…` registers one with CLI11 and, if it is chosen, stores its work in `action`.
#pragma once

#include "brisance/core/comm.hpp"

#include <functional>

#include <CLI/CLI.hpp>

namespace brisance::app {

/// Called once on every rank after the command line has been parsed; returns the exit code. Collective.
using Action = std::function<int(const core::Comm&)>;

void add_assets(CLI::App& program, Action& action);
void add_check(CLI::App& program, Action& action);
void add_dataset(CLI::App& program, Action& action);
void add_diff(CLI::App& program, Action& action);
void add_evaluate(CLI::App& program, Action& action);
void add_impact(CLI::App& program, Action& action);
void add_info(CLI::App& program, Action& action);
void add_mesh(CLI::App& program, Action& action);
void add_modes(CLI::App& program, Action& action);
void add_overlaps(CLI::App& program, Action& action);
void add_play(CLI::App& program, Action& action);
void add_prefracture(CLI::App& program, Action& action);
void add_render(CLI::App& program, Action& action);
void add_run(CLI::App& program, Action& action);
void add_runtime(CLI::App& program, Action& action);
void add_sheet(CLI::App& program, Action& action);

}  // namespace brisance::app
