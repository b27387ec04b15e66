/// Records in a run's folder how the run ended.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/run_folder.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace brisance::io {

enum class RunEnd : std::uint8_t { finished, interrupted };

/// Writes the log and scene.toml into the folder, runs `action`, which fills it, and marks it as finished, interrupted
/// or failed, whatever exception `action` ends with. Collective; throws what `action` throws, after marking.
RunEnd marked_run(const core::Comm& comm, const RunFolder& folder, const std::string& scene_toml,
                  const std::function<RunEnd()>& action);

/// For a rank that leaves `marked_run` alone, before it aborts the others: marks the folder as failed where rank 0
/// cannot know of it. Does nothing where there is no such run. Local; does not throw.
void mark_left_run(const std::string& message);

}  // namespace brisance::io
