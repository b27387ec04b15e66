/// What tets that overlap do to their nodes at the end of an implicit step, and what that changes by.
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

/// What the equations of a step take as given of the pairs, so that there is a lowest place to be found.
struct PairLimits {
  std::map<TetPair, double> damping;   ///< of pairs that overlapped when the step began [N s/m]; others: none
  std::map<TetPair, double> friction;  ///< at most so much of it [N]; a pair that is not named has none
};

struct OverlapForces {
  /// On an owned node, of all its pairs [N].
  struct OfNode {
    std::int32_t slot;
    Vec3 spring, damper, friction;
  };
  /// Forces fall by (stiffness · way + resistance · velocity) of g·x along g: a row g over the corners of some tets.
  struct Row {
    /// A tet's own row, or one of the three of a pair, in the same order on all ranks.
    struct Key {
      GlobalElement a, b;  ///< of a tet's own: a = b
      std::int64_t axis;   ///< of a pair: 0 along the normal, 1 and 2 across it
      friend auto operator<=>(const Key&, const Key&) = default;
    };
    Key key;
    bool is_counted;  ///< by this rank, and no other
    double stiffness;
    double resistance;
    [[nodiscard]] bool is_friction() const { return key.axis > 0; }
  };
  struct Term {
    std::int32_t row;   ///< of `rows`
    std::int32_t slot;  ///< of an owned node
    Vec3 gradient;
  };
  struct Pair {
    TetPair tets;
    double damping;   ///< that it would have if it overlapped like this when a step begins [N s/m]
    double pressing;  ///< along its normal [N]
    bool is_counted;
  };
  std::vector<OfNode> nodes;  ///< ascending slot
  std::vector<Row> rows;      ///< those with a corner here
  std::vector<Term> terms;    ///< at most one of a row and a node
  std::vector<Pair> pairs;    ///< those with a corner here
};

/// Forces of the pairs as an implicit step has them at its end, and rows of what they change by. Each row is a motion
/// of the corners of some tets against each other, so that solutions keep momentum. A tet's own row is all of the
/// second derivative of the energy but for how areas change, of which a pair's normal row has a part (kCurvature).
/// Where a pair loses what its corners weigh in another way than the law, as where a damper would pull, its row is left
/// out: what stays has no negative eigenvalue. Of volumes alone.
/// @param nodes      as of the end of the step
/// Local; does not throw.
[[nodiscard]] OverlapForces end_forces(const ContactTets& tets, std::span<const PairOverlap> pairs,
                                       const TouchingTets& touching, std::span<const OverlapNode> nodes,
                                       const PairForceLaw& law, const PairLimits& limits);

}  // namespace brisance::contact
