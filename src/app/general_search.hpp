/// The search of `brisance modes` for modes of the general problem.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/modes/start_vectors.hpp"
#include "brisance/sim/mode_file.hpp"

#include "app/general_arguments.hpp"

#include <cstdint>
#include <filesystem>

namespace brisance::app {

/// Fills the file up to `count` displacement modes and writes it after each.
/// @param file  on rank 0: begun or taken up, with its mesh, strengths, gap and method
/// Collective. Throws core::Error, also when a signal asked to stop.
void search_general(const core::Comm& comm, const GeneralArguments& arguments, std::int32_t count,
                    modes::EigenMethod start, const std::filesystem::path& out, sim::ModeFile& file);

}  // namespace brisance::app
