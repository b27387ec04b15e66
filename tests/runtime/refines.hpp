/// Comparing the pieces of two answers.
#pragma once

#include "brisance/runtime/impact_answer.hpp"

#include <vector>

namespace brisance::test {

/// Whether pieces of `fine` never cross pieces of `coarse`.
inline bool refines(const runtime::Answer& fine, const runtime::Answer& coarse) {
  std::vector<std::int32_t> in(fine.num_pieces, -1);
  for (std::size_t a = 0; a < fine.piece_of_atom.size(); ++a) {
    std::int32_t& c = in[fine.piece_of_atom[a]];
    if (c == -1) c = coarse.piece_of_atom[a];
    if (c != coarse.piece_of_atom[a]) return false;
  }
  return true;
}

}  // namespace brisance::test
