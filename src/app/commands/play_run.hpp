/// `brisance play` of a run folder: continues its pieces as rigid bodies.
#pragma once

#include "brisance/breaking/debris.hpp"

#include <filesystem>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace brisance::app {

struct RunPlayArguments {
  std::filesystem::path run, out;
  bool overwrite = false;
  std::string from = "last";
  double slow = 1, frames_per_second = 30;
  std::optional<double> seconds, step, gravity, friction, restitution;  ///< options that were given
  double small_share = 1e-5;
  breaking::Crumbs crumbs = breaking::Crumbs::boxes;
  std::optional<std::int64_t> snapshot_every;  ///< default: as many as make `frames_per_second` of the run's own time
  double allowed_size_gb = 0;
  bool with_run = false, no_glb = false;
  std::filesystem::path glb;  ///< empty: default name in the folder
};

/// Help group of the options that apply to run folders only.
inline constexpr const char* kRunGroup = "Continuing a RUN";
void add_run_play_arguments(CLI::App& command, RunPlayArguments& arguments);

/// Collective; throws core::BadInput on all ranks before there is a folder, core::Error after.
int play_run(const core::Comm& comm, const RunPlayArguments& arguments);

}  // namespace brisance::app
