/// Memory layout of the force kernel: elements in batches of eight, nodes as one cache line each.
#pragma once

#include "brisance/core/aligned.hpp"

#include <cstdint>

namespace brisance::dist {

inline constexpr int kBatch = 8;  ///< elements in a block, whatever the SIMD width of the machine

/// Eight elements; lane l of every row belongs to element 8·block + l. Unused lanes (past the end, or of an element
/// that is no longer held) have volume 0 and corners kNobody, so every lane may be computed and summed.
struct alignas(64) ElementBlock {
  std::int32_t corner[4][kBatch];  ///< local node indices of corners a b c d
  double gradient[3][3][kBatch];   ///< [j][k]: ∂b_{j+1}/∂u_k, rest-shape gradients of corners b c d [1/m]
  double volume[kBatch];           ///< rest volume of the material in it [m³]
  double damping_scale[kBatch];    ///< share of φ, ψ kept (1 unless the damping ratio was capped after a cut)
};

inline void copy_lane(const ElementBlock& from, int lane_from, ElementBlock& to, int lane_to) {
  for (int k = 0; k < 4; ++k) to.corner[k][lane_to] = from.corner[k][lane_from];
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) to.gradient[j][k][lane_to] = from.gradient[j][k][lane_from];
  to.volume[lane_to] = from.volume[lane_from];
  to.damping_scale[lane_to] = from.damping_scale[lane_from];
}

/// Position and velocity of a node: read by the elements, sent by the halo in every step.
struct alignas(64) NodeMotion {
  double position[4];  ///< x y z 0 [m]
  double velocity[4];  ///< x y z 0 [m/s]
};

/// Sums over the elements of a node's star, in ascending slot.
struct alignas(64) NodeForce {
  double force[4];    ///< internal force x y z [N]; [3]: part of the separation tensor's bound (fracture/bound) [N]
  double viscous[4];  ///< viscous share of that force x y z [N]; [3] unused
};

/// to += factor · from, for force and viscous share; the fourth component of the force stays.
inline void add_scaled(double factor, const NodeForce& from, NodeForce& to) {
  for (int k = 0; k < 3; ++k) {
    to.force[k] += factor * from.force[k];
    to.viscous[k] += factor * from.viscous[k];
  }
}

/// Forces that one element exerts on its corners, and their dyads, which the separation tensor sums.
struct CornerForces {
  struct Corner {       // together in memory: a node's sum over its star reads one corner of each element
    double total[3];    ///< f_i [N]
    double tensile[3];  ///< f_i⁺ [N]; the compressive part f_i⁻ is total − tensile  [OH99] (31)
    double spread[6];   ///< m(f_i⁺) − m(f_i⁻), m(a) = a aᵀ/|a|: xx yy zz xy yz zx [N]
  };
  Corner corner[4];  ///< a b c d
};

inline constexpr std::int32_t kNobody = 0;  ///< node slot 0, a massless placeholder: never moves, absorbs padding lanes

}  // namespace brisance::dist
