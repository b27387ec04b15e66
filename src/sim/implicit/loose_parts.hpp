/// Pieces of a body that its Dirichlet conditions leave free to move as a whole.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/step_matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::sim {

inline constexpr double kLargePiece = 0.01;  ///< share of the mass of a large piece [–]

struct LooseParts {
  int num_large = 0;                   ///< pieces with kLargePiece of the mass or more, loose or not
  int num_loose = 0;                   ///< pieces of any size that can move as a whole
  double loose_share = 0;              ///< their mass over all [–]
  std::vector<std::uint8_t> is_loose;  ///< by node slot, ghosts included: in such a piece

  /// Does it belong to a mesh with that number of slots? An empty one belongs to none.
  [[nodiscard]] bool is_of(std::size_t num_slots) const { return is_loose.size() == num_slots; }
};

/// @param held  by node slot, for owned nodes; exact sums over a piece, so the result does not depend on ranks.
/// Collective.
[[nodiscard]] LooseParts find_loose_parts(const dist::Mesh& mesh, std::span<const dynamics::ConstrainedAxes> held);

}  // namespace brisance::sim
