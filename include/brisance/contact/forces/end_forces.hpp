/// Forces of overlapping tets on their nodes at the end of an implicit step, and the derivatives of these forces.
#pragma once

#include "brisance/contact/forces/pair_forces.hpp"
#include "brisance/core/ids.hpp"
#include "brisance/core/types.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace brisance::contact {

/// Two tets, the lower id first.
using TetPair = std::pair<GlobalElement, GlobalElement>;

/// Limits of damping and friction that stay fixed while the equations of a step are solved, so that these have a
/// minimum.
struct PairLimits {
  std::map<TetPair, double> damping;  ///< damper of pairs that overlapped when the step began; others have none [N s/m]
  std::map<TetPair, double> friction;  ///< largest friction force; pairs that are not listed have none [N]
};

struct OverlapForces {
  /// Forces on an owned node, summed over all its pairs [N].
  struct OfNode {
    std::int32_t slot;
    Vec3 spring, damper, friction;
  };
  /// A row g over the corners of some tets: the force along g falls by stiffness · (g·x) + resistance · (g·v) for
  /// displacements x and velocities v of the corners.
  struct Row {
    /// Names a tet's own row, or one of the three rows of a pair, in the same order on all ranks.
    struct Key {
      GlobalElement a, b;  ///< a = b for a tet's own row
      std::int64_t axis;   ///< for a pair: 0 along the normal, 1 and 2 across it
      friend auto operator<=>(const Key&, const Key&) = default;
    };
    Key key;
    bool is_counted;  ///< true on exactly one rank
    double stiffness;
    double resistance;
    [[nodiscard]] bool is_friction() const { return key.axis > 0; }
  };
  struct Term {
    std::int32_t row;   ///< index into `rows`
    std::int32_t slot;  ///< slot of an owned node
    Vec3 gradient;
  };
  struct Pair {
    TetPair tets;
    double damping;   ///< damper of this pair if it overlapped like this when a step begins [N s/m]
    double pressing;  ///< normal force [N]
    bool is_counted;
  };
  std::vector<OfNode> nodes;  ///< ascending slot
  std::vector<Row> rows;      ///< rows with a corner that is owned here
  std::vector<Term> terms;    ///< at most one for each row and node
  std::vector<Pair> pairs;    ///< pairs with a corner that is owned here
};

/// Forces of the pairs at the end of an implicit step, and the rows of their derivative. Each row is a relative motion
/// of the corners of some tets, so that solutions keep momentum. A tet's own row holds the second derivative of the
/// energy except for the change of areas, of which a pair's normal row holds a part (kCurvature). Where the damper
/// of a pair would pull, its row leaves it out, so that no eigenvalue is negative. For criterion overlap_volume alone.
/// @param nodes      state at the end of the step
/// Local; does not throw.
[[nodiscard]] OverlapForces end_forces(const ContactTets& tets, std::span<const PairOverlap> pairs,
                                       std::span<const TouchingTet> touching, std::span<const OverlapNode> nodes,
                                       const PairForceLaw& law, const PairLimits& limits);

}  // namespace brisance::contact
