/// Makes rigid pieces from a frame of a run: mass, inertia and momentum of each piece's tets, and the losses.
#pragma once

#include "brisance/breaking/run_frame.hpp"
#include "brisance/rigid/body.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace brisance::breaking {

/// Treatment of pieces below the share of small pieces.
enum class Crumbs : std::uint8_t {
  boxes,  ///< collide with others, but not among each other, as a box with their inertia
  full,   ///< treated like other pieces
  drop,   ///< left out
};

inline constexpr std::int32_t kUnconstrained = -1;

struct HandoverParameters {
  std::vector<double> density;           ///< for each of the frame's materials [kg/m³]
  std::vector<std::int32_t> constraint;  ///< constrained region of each node, or kUnconstrained; empty: none
  double small_share = 1e-5;             ///< bound on a small piece's share of the mass of all [–]
  Crumbs crumbs = Crumbs::boxes;
};

/// One piece as a rigid body. Its rest frame is the world at the hand-over: orientation identity, position centre.
struct RigidPiece {
  std::int32_t number = 0;  ///< its number in the frame
  rigid::BodyShape shape;
  rigid::Motion motion;
  bool is_small = false;
  std::int32_t constraint = kUnconstrained;  ///< constrained region whose motion it follows, having a node of it
};

/// Sums over the pieces handed over, without constrained ones; momenta about the origin.
struct HandoverSums {
  rigid::Momenta field;  ///< of the tets, with linearly interpolated velocities, before
  rigid::Momenta rigid;  ///< of the rigid pieces, after
  /// Sums with the run's lumped nodal masses: the same momentum, but another angular momentum and energy, since a
  /// quarter of a tet's mass at each corner is farther out than the tet.
  rigid::Momenta nodes;
  double mass = 0;          ///< [kg]
  double dropped_mass = 0;  ///< mass of small pieces that are left out [kg]
  rigid::Momenta dropped;   ///< momenta of these pieces
  std::int64_t num_dropped = 0, num_crumbs = 0, num_constrained = 0;
};

struct Handover {
  std::vector<RigidPiece> pieces;  ///< sorted by number
  HandoverSums sums;
};

/// Mass of a tet: density times its volume at rest, distributed evenly over its present shape. A piece gets the
/// velocity P/m and the angular velocity I⁻¹L, with P and L the momentum and the angular momentum about its centre of
/// its tets: the only rigid motion that conserves both, and the one of most energy below theirs. The difference is
/// strain rate: vibration. Collision hulls are approximate convex parts of the tets (convex_parts), one box for small
/// pieces. Local; throws core::Error if a density is missing or not positive.
[[nodiscard]] Handover hand_over(const RunFrame& frame, const HandoverParameters& parameters);

}  // namespace brisance::breaking
