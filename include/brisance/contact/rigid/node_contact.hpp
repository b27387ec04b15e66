/// A node that presses on a rigid body, and the steps in which it does.
#pragma once

#include "brisance/core/step_shares.hpp"
#include "brisance/core/types.hpp"

#include <cstdint>

namespace brisance::contact {

/// One owned node pressing on one body during the step in progress.
struct NodeContact {
  std::int32_t node = 0;
  std::int32_t body = 0;
  double depth = 0;                 ///< beyond the node's contact offset [m], positive
  double stiffness = 0;             ///< k [N/m]
  Vec3 spring = Vec3::Zero();       ///< k·depth along the outward normal [N]
  Vec3 dissipative = Vec3::Zero();  ///< damping and friction [N]; the node feels spring + dissipative
  Vec3 arm = Vec3::Zero();          ///< from the body's centre to the node [m]
  Vec3 node_velocity = Vec3::Zero(), body_velocity = Vec3::Zero();  ///< before the step, the body's at the node [m/s]
  core::StepShares shares;

  [[nodiscard]] Vec3 force() const { return spring + dissipative; }
};

/// A node of short steps at or near a body. The body's surface is taken for a plane that goes along with the body for
/// as long as a coarse step lasts.
struct ShortContact {
  NodeContact pressing;            ///< at the latest of its steps; depth 0 and no force where it is outside
  Vec3 normal = Vec3::UnitZ();     ///< outward
  Vec3 start = Vec3::Zero();       ///< where the node was when the coarse step began [m]
  Vec3 body_moves = Vec3::Zero();  ///< the body at the node, in the coarse step [m]
  double depth_at_start = 0;       ///< negative: outside [m]
  double damping = 0;              ///< c [N s/m]
  double slip_mass = 0;            ///< of the node that friction has to stop [kg]
};

/// What a node of short steps does at one of them.
struct ShortStep {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();  ///< [m], [m/s]
  Vec3 expected_velocity = Vec3::Zero();                  ///< after the step, were it not for this contact [m/s]
  double elapsed = 0;                                     ///< since the coarse step began, a share of it
  double step_s = 0;                                      ///< its own [s]
};

}  // namespace brisance::contact
