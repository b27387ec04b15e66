/// The search of `brisance modes` for modes of the general problem.
#pragma once

#include "brisance/modes/spectral/start_vectors.hpp"

#include "app/modes/general_arguments.hpp"
#include "app/modes/mode_task.hpp"

#include <cstdint>
#include <filesystem>

namespace brisance::app {

/// Fills the file up to `count` displacement modes and writes it after each. Collective. Throws core::Error, also when
/// a signal asked to stop.
void search_general(const GeneralArguments& arguments, std::int32_t count, modes::EigenMethod start,
                    const std::filesystem::path& out, ModeTask task);

}  // namespace brisance::app
