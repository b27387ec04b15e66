/// From the frame of a run to rigid pieces: mass, inertia and momentum of the tets of each, and what is lost.
#pragma once

#include "brisance/breaking/run_frame.hpp"
#include "brisance/rigid/body.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace brisance::breaking {

/// What becomes of pieces below the share of small pieces.
enum class Crumbs : std::uint8_t {
  boxes,  ///< they meet others, but not each other, as a box with their inertia
  full,   ///< nothing of the kind: they are pieces like others
  drop,   ///< they are left out
};

inline constexpr std::int32_t kUnconstrained = -1;

struct HandoverParameters {
  std::vector<double> density;     ///< of each of the frame's materials [kg/m³]
  std::vector<std::int32_t> grip;  ///< of each node, the region that holds it, or kUnconstrained; empty: none is held
  double small_share = 1e-5;       ///< of the mass of all pieces [–]
  Crumbs crumbs = Crumbs::boxes;
};

/// One piece as a rigid body. Its rest frame is the world as it is in the frame: orientation identity, position centre.
struct RigidPiece {
  std::int32_t number = 0;  ///< that of the frame
  rigid::BodyShape shape;
  rigid::Motion motion;
  bool is_small = false;
  std::int32_t grip = kUnconstrained;  ///< it holds a node of this region and goes where that goes
};

/// Sums over the pieces that are handed over, those that are held left out; momenta about the origin.
struct HandoverSums {
  rigid::Momenta field;  ///< of the tets, each with the linear velocity between its corners, before
  rigid::Momenta rigid;  ///< of the rigid pieces, after
  /// Of the masses that the run has at its nodes: the same momentum, but a spin and an energy of their own, since a
  /// fourth of a tet's mass at each corner is farther out than the tet.
  rigid::Momenta nodes;
  double mass = 0;          ///< [kg]
  double dropped_mass = 0;  ///< of small pieces that are left out [kg]
  rigid::Momenta dropped;   ///< of the same
  std::int64_t num_dropped = 0, num_crumbs = 0, num_constrained = 0;
};

struct Handover {
  std::vector<RigidPiece> pieces;  ///< by number
  HandoverSums sums;
};

/// Mass of a tet: density times its volume at rest, spread evenly over its shape now. A piece gets the velocity P/m and
/// the angular velocity I⁻¹L of its tets' momentum P and angular momentum L about its centre: of all rigid motions the
/// one that leaves them as they are, and the one of most energy below theirs. The difference is strain rate: vibration.
/// Collision hulls are approximate convex parts of the tets (convex_parts), of small pieces one box. Local; throws
/// core::Error if a density is missing or not positive.
[[nodiscard]] Handover hand_over(const RunFrame& frame, const HandoverParameters& parameters);

}  // namespace brisance::breaking
