/// Conserves the angular momentum of tumbling bodies over a step of Bullet.
#pragma once

#include "brisance/core/types.hpp"

#include "world_body.hpp"

#include <vector>

namespace brisance::rigid {

/// The rotation of a body before a step.
struct Spin {
  WorldBody* body;
  Mat3 axes;
  Eigen::Quaterniond orientation;  ///< of the principal axes
};
/// Of bodies that are free and awake.
[[nodiscard]] std::vector<Spin> spins(const WorldBodies& bodies);

/// Bullet keeps the angular velocity constant in a rotation, not the momentum L = A diag(I) Aᵀ ω. Bodies without
/// contact are rotated again with the velocity that L gives half-way, which conserves the energy to second order.
/// Bodies in contact keep their pose from the contact solver, gain no energy, and spin no faster than contacts can
/// follow. To be called after the step of `step_s` [s].
void conserve_angular_momentum(btCollisionDispatcher& dispatcher, const std::vector<Spin>& before, double step_s);

}  // namespace brisance::rigid
