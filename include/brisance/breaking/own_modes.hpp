/// A second generation: fracture modes of the pieces themselves, offline.
#pragma once

#include "brisance/breaking/breakable.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace brisance::breaking {

struct OwnModesParameters {
  std::int32_t count = 0;  ///< displacement modes of a piece, its three translations included; below 6 there are none
  double smallest_body = 0.02;  ///< share of the object's volume: smaller pieces get none
};

/// What the pieces of an object break into in turn.
struct OwnModes {
  /// Of each piece of the object; nothing where it has no modes of its own, or they divide it no further.
  std::vector<std::optional<runtime::ImpactSet>> of_piece;
  modes::PieceLabels atoms;  ///< the smallest pieces: those of piece 0, then those of piece 1, …
  std::int32_t num_divided = 0;
};

/// The modes of each atom of `object` as a body of its own, with the strengths that its faces have in the object. Every
/// piece they make has at least the object's smallest volume (BreakableParameters::smallest_piece); a piece too small
/// for as many modes gets as many as it has room for. Local, deterministic. Throws core::Error (parameters out of
/// range, a search that fails).
[[nodiscard]] OwnModes own_modes(const Breakable& object, const BreakableParameters& breakable,
                                 const OwnModesParameters& parameters);

}  // namespace brisance::breaking
