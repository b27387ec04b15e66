/// Contact of a node with a rigid body, in a step of the run and in the node's sub-steps.
#pragma once

#include "brisance/core/step_shares.hpp"
#include "brisance/core/types.hpp"

#include <cstdint>

namespace brisance::contact {

/// Contact of one owned node with one body during the step in progress.
struct NodeContact {
  std::int32_t node = 0;
  std::int32_t body = 0;
  double depth = 0;                 ///< depth beyond the node's contact offset [m], positive
  double stiffness = 0;             ///< k [N/m]
  Vec3 spring = Vec3::Zero();       ///< k·depth along the outward normal [N]
  Vec3 dissipative = Vec3::Zero();  ///< damping and friction [N]; the node feels spring + dissipative
  Vec3 arm = Vec3::Zero();          ///< from the body's centre to the node [m]
  Vec3 node_velocity = Vec3::Zero(), body_velocity = Vec3::Zero();  ///< before the step, the body's at the node [m/s]
  core::StepShares shares;

  [[nodiscard]] Vec3 force() const { return spring + dissipative; }
};

/// Contact of a sub-cycled node with a body at or near it. The body's surface is approximated by a plane that moves
/// with the body during a coarse step.
struct ShortContact {
  NodeContact pressing;            ///< state at the node's latest sub-step; depth and force are 0 outside
  Vec3 normal = Vec3::UnitZ();     ///< outward
  Vec3 start = Vec3::Zero();       ///< position of the node when the coarse step began [m]
  Vec3 body_moves = Vec3::Zero();  ///< displacement of the body at the node in the coarse step [m]
  double depth_at_start = 0;       ///< negative: outside [m]
  double damping = 0;              ///< c [N s/m]
  double slip_mass = 0;            ///< mass that friction has to stop [kg]
};

/// State of a sub-cycled node at one of its sub-steps.
struct ShortStep {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();  ///< [m], [m/s]
  Vec3 expected_velocity = Vec3::Zero();                  ///< velocity after the sub-step without this contact [m/s]
  double elapsed = 0;                                     ///< time since the coarse step began, over its length [–]
  double step_s = 0;                                      ///< length of the sub-step [s]
};

}  // namespace brisance::contact
