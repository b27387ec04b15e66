/// Explicit time integration: each owned node moves by its own force.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dist/element_block.hpp"

#include <span>

namespace brisance::dynamics {

/// Data that a step reads and writes, by node slot. Ghosts and slot 0 (nobody) have inverse mass 0: they keep their
/// velocity and are overwritten by the halo.
struct NodeSpans {
  std::span<dist::NodeMotion> motion;
  std::span<const dist::NodeForce> forces;  ///< all forces but gravity [N]
  std::span<const double> inverse_mass;     ///< [1/kg]
  std::span<double> viscous_work;  ///< grows by −dt f^ν·(v_old+v_new)/2 of owned nodes [J]; empty: not kept
};

/// v += dt (f/m + g), then p += dt v: conserves momentum exactly, energy on average (VALIDATION A9, A11).
void symplectic_euler(const NodeSpans& nodes, const Vec3& gravity, double dt_s);

/// p += dt v, then v += dt (f/m + g) [OH99]; unstable without damping (VALIDATION 0.9).
void forward_euler(const NodeSpans& nodes, const Vec3& gravity, double dt_s);

/// State at which the second-order Taylor step evaluates the force's rate of change: p + dt v, v + dt (f/m + g), into
/// `predicted`.
void predict(const NodeSpans& nodes, const Vec3& gravity, double dt_s, std::span<dist::NodeMotion> predicted);

/// p += dt v + dt²/2 a, v += dt/2 (a + a′), a′ from `predicted_forces` at the predicted state: for a linear force
/// exactly the second-order Taylor step with its rate of change [OH99]; unstable without damping (VALIDATION 0.9).
void taylor2(const NodeSpans& nodes, std::span<const dist::NodeForce> predicted_forces, const Vec3& gravity,
             double dt_s);

}  // namespace brisance::dynamics
