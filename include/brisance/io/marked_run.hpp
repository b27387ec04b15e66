/// How a run ended, written into its folder.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/run_folder.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace brisance::io {

enum class RunEnd : std::uint8_t { finished, interrupted };

/// What run.json says of an interrupted run.
inline constexpr const char* kWhyInterrupted = "a signal or a time limit asked it to stop";

/// Writes the log and scene.toml into the folder, lets `action` fill it, and marks it as finished, interrupted or
/// failed. Collective; throws core::Error on all ranks, after marking.
RunEnd marked_run(const core::Comm& comm, const RunFolder& folder, const std::string& scene_toml,
                  const std::function<RunEnd()>& action);

}  // namespace brisance::io
