/// Mode files of bodies that no rank has whole: between the blocks of a file and the parts of space.
#pragma once

#include "brisance/breaking/mode_file.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/modes/body/divided_body.hpp"

#include <filesystem>

namespace brisance::breaking {

/// Every rank's block of the mesh or flat body that rank 0 has whole, which may then be freed; no modes or strengths.
/// Collective.
[[nodiscard]] ModeFile scatter_cells(const core::Comm& comm, const ModeFile& whole);

/// What the blocks are of, without strengths. Collective; throws core::Error (see modes::divide).
[[nodiscard]] modes::DividedBody divided_body(const core::Comm& comm, const ModeFile& block);

/// Gives the body the strengths in its blocks, as read from `file`. Collective; throws core::Error (on all ranks) if
/// the file's cells or faces cannot be those of a body.
void take_strengths(const std::filesystem::path& file, const ModeFile& block, modes::DividedBody& body);

/// Puts the strengths of the body into its blocks. Collective.
void keep_strengths(const modes::DividedBody& body, ModeFile& block);

/// The body's cells and faces in blocks, as write_mode_file wants them. Collective.
[[nodiscard]] modes::CellGraph graph_blocks(const modes::DividedBody& body);

}  // namespace brisance::breaking
