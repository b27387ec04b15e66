/// Second generation: fracture modes of the pieces themselves, computed offline.
#pragma once

#include "brisance/breaking/breakable.hpp"

#include <cstdint>
#include <vector>

namespace brisance::breaking {

struct OwnModesParameters {
  std::int32_t count = 0;       ///< displacement modes for each piece, its three translations included; below 6: none
  double smallest_body = 0.02;  ///< share of the object's volume below which a piece gets no modes
};

/// Further breakage of an object's pieces.
struct OwnModes {
  /// For each piece of the object, for runtime::ImpactSet::own; without atoms where it has no modes of its own, or
  /// these do not divide it. Empty if no piece has any.
  std::vector<runtime::ImpactSet> of_piece;
  modes::PieceLabels atoms;  ///< the smallest pieces: those of piece 0, then those of piece 1, …
  std::int32_t num_divided = 0;
};

/// The modes of each atom of `object` as a separate body, with the strengths that its faces have in the object. Every
/// piece they make has at least the object's smallest volume (BreakableParameters::smallest_piece); a piece too small
/// for `count` modes gets as many as possible. Local, deterministic. Throws core::Error (parameters out of range, a
/// search that fails).
[[nodiscard]] OwnModes own_modes(const Breakable& object, const BreakableParameters& breakable,
                                 const OwnModesParameters& parameters);

}  // namespace brisance::breaking
