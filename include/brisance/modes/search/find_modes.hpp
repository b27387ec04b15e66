/// All scalar modes of a body that may have several parts.
#pragma once

#include "brisance/modes/body/body.hpp"
#include "brisance/modes/body/mode_set.hpp"
#include "brisance/modes/search/scalar_modes.hpp"
#include "brisance/modes/spectral/start_vectors.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace brisance::modes {

/// Number of scalar modes for each connected part, its constant one included: `count`, or as many as a small part
/// allows (one for each node or cell; cells that must stay joined count as one). Throws core::Error if even the largest
/// part does not allow `count`.
[[nodiscard]] std::vector<std::int32_t> modes_of_parts(const Body& body, std::int32_t count);

/// The largest number of scalar modes that each connected part allows. Local.
[[nodiscard]] std::vector<std::int32_t> most_modes_of_parts(const Body& body);

/// Number of scalar modes, lowest first, that contains the `count` lowest displacement modes whatever their energies:
/// as many along each axis where all axes have the same strength; where axis_strength differs, all but the translations
/// may be along the weakest axis. For fields found in the order of their energies; else see holds_lowest. Local.
[[nodiscard]] std::int32_t fields_for(const ModeSet& set, std::int32_t count);

/// Does each connected part have its `count` lowest displacement modes among the scalar modes found? A search returns
/// the best partition it finds orthogonal to those before, and may find a better one later. So the last field of a part
/// must cost no less along the weakest axis than every one of the `count` lowest found so far; then a further field is
/// among them only if its search does better than the last one did.
/// @param most  for each part: a part with this many fields is complete
/// Local.
[[nodiscard]] bool holds_lowest(const ModeSet& set, std::int32_t count, std::span<const std::int32_t> most);

struct FindModesSettings {
  std::int32_t count = 10;  ///< scalar modes for each connected part, the constant one included
  ScalarModeSettings search;
  EigenMethod start = EigenMethod::automatic;
  int starts = 1;             ///< start vectors for each mode; the result of lowest energy is used; 1 is [S22]
  double smallest_share = 0;  ///< least share of its part's volume for every piece of all modes; 0 allows slivers
};

/// Called after each computed mode. @param cpu_s  its CPU time, without start vectors [s]
/// @return false to stop
using AfterMode = std::function<bool(const ModeSet& modes, double cpu_s)>;

/// Computes the missing scalar modes of each connected part: first the constants of all parts, then the rest part by
/// part. Modes already in `modes` are kept.
/// @return true when complete, false when `after_mode` stopped it
/// Local, deterministic. Throws core::Error (see ScalarModeSearch).
bool find_modes(const Body& body, const FindModesSettings& settings, ModeSet& modes, const AfterMode& after_mode);

}  // namespace brisance::modes
