/// The table of pieces over time.
#pragma once

#include "brisance/exports/fragments.hpp"

#include <string>
#include <vector>

namespace brisance::exports {

/// CSV with a header: id, name, parent, first_frame, last_frame, born_s, mass_kg; the parent is empty for pieces that
/// were whole from the start. Local.
[[nodiscard]] std::string pieces_table(const std::vector<PieceLife>& pieces);

}  // namespace brisance::exports
