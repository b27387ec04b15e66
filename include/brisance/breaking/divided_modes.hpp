/// Mode files of distributed bodies: converts between blocks of a file and parts of space.
#pragma once

#include "brisance/breaking/mode_file.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/modes/body/divided_body.hpp"

#include <filesystem>

namespace brisance::breaking {

/// Scatters a mesh or flat body of rank 0 in blocks to all ranks; it may be freed afterwards. No modes or strengths.
/// Collective.
[[nodiscard]] ModeFile scatter_cells(const core::Comm& comm, const ModeFile& whole);

/// The body in the blocks, without strengths. Collective; throws core::Error (see modes::divide).
[[nodiscard]] modes::DividedBody divided_body(const core::Comm& comm, const ModeFile& block);

/// Sets the body's strengths from its blocks, as read from `file`. Collective; throws core::Error (on all ranks) if the
/// file's cells or faces are not those of a body.
void take_strengths(const std::filesystem::path& file, const ModeFile& block, modes::DividedBody& body);

/// Copies the strengths of the body into its blocks. Collective.
void keep_strengths(const modes::DividedBody& body, ModeFile& block);

/// The body's cells and faces in blocks, for write_mode_file. Collective.
[[nodiscard]] modes::CellGraph graph_blocks(const modes::DividedBody& body);

}  // namespace brisance::breaking
