/// Between node records (one cache line each) and lanes: loads read whole lines and transpose them in registers, which
/// beats hardware gathers; stores transpose back and add line by line, in ascending lane order.
#include "dynamics/lanes.hpp"

#include <cstddef>

#if defined(BRISANCE_DYNAMICS_NODE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BRISANCE_DYNAMICS_NODE_LANES
#undef BRISANCE_DYNAMICS_NODE_LANES
#else
#define BRISANCE_DYNAMICS_NODE_LANES
#endif

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {

/// Corners b, c, d minus corner a: [corner][axis].
struct EdgeLanes {
  Lanes position[3][3];  ///< [m]
  Lanes velocity[3][3];  ///< [m/s]
};

/// Contributions of an element to one of its corners.
struct CornerLanes {
  Vector force;    ///< [N]
  Lanes bound;     ///< share of the separation bound [N]
  Vector viscous;  ///< viscous part of the force [N]
};

namespace detail {

/// First doubles of a node's line.
HWY_INLINE const double* line(const dist::NodeMotion* nodes, std::int32_t node) { return nodes[node].position; }
HWY_INLINE double* line(dist::NodeForce* nodes, std::int32_t node) { return nodes[node].force; }

#if HWY_MAX_BYTES >= 64

/// Blocks (pairs of doubles) 0 of a and b side by side, then their blocks 2: {a0 b0 a2 b2}.
HWY_INLINE Lanes even_blocks(Lanes a, Lanes b) { return hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a); }
/// {a1 b1 a3 b3}.
HWY_INLINE Lanes odd_blocks(Lanes a, Lanes b) { return hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a)); }

/// Eight lines {x y z – vx vy vz –} to six rows of eight lanes.
HWY_INLINE void transpose_lines(const Lanes (&row)[8], Lanes (&position)[3], Lanes (&velocity)[3]) {
  Lanes xz[4], y[4];  // of lanes 2p, 2p+1: {x x z z vx vx vz vz}, {y y – – vy vy – –}
  for (int p = 0; p < 4; ++p) {
    xz[p] = hn::InterleaveLower(kTag, row[2 * p], row[2 * p + 1]);
    y[p] = hn::InterleaveUpper(kTag, row[2 * p], row[2 * p + 1]);
  }
  const Lanes x_low = even_blocks(xz[0], xz[1]), x_high = even_blocks(xz[2], xz[3]);
  const Lanes y_low = even_blocks(y[0], y[1]), y_high = even_blocks(y[2], y[3]);
  const Lanes z_low = odd_blocks(xz[0], xz[1]), z_high = odd_blocks(xz[2], xz[3]);
  position[0] = hn::ConcatLowerLower(kTag, x_high, x_low);
  velocity[0] = hn::ConcatUpperUpper(kTag, x_high, x_low);
  position[1] = hn::ConcatLowerLower(kTag, y_high, y_low);
  velocity[1] = hn::ConcatUpperUpper(kTag, y_high, y_low);
  position[2] = hn::ConcatLowerLower(kTag, z_high, z_low);
  velocity[2] = hn::ConcatUpperUpper(kTag, z_high, z_low);
}

/// Three rows and a fourth to records {x y z w}: at[r] holds those of lanes r and r + 4.
struct RecordPairs {
  Lanes at[4];
};
HWY_INLINE RecordPairs record_pairs(const Vector& v, Lanes fourth) {
  const Lanes xy_even = hn::InterleaveLower(kTag, v.at[0], v.at[1]);
  const Lanes xy_odd = hn::InterleaveUpper(kTag, v.at[0], v.at[1]);
  const Lanes zw_even = hn::InterleaveLower(kTag, v.at[2], fourth);
  const Lanes zw_odd = hn::InterleaveUpper(kTag, v.at[2], fourth);
  return {{even_blocks(xy_even, zw_even), even_blocks(xy_odd, zw_odd), odd_blocks(xy_even, zw_even),
           odd_blocks(xy_odd, zw_odd)}};
}

#elif HWY_MAX_BYTES == 32

/// Four records {x y z –} to three rows of four lanes.
HWY_INLINE void transpose_records(const Lanes (&row)[4], Lanes (&result)[3]) {
  const Lanes xz_low = hn::InterleaveLower(kTag, row[0], row[1]), xz_high = hn::InterleaveLower(kTag, row[2], row[3]);
  const Lanes y_low = hn::InterleaveUpper(kTag, row[0], row[1]), y_high = hn::InterleaveUpper(kTag, row[2], row[3]);
  result[0] = hn::ConcatLowerLower(kTag, xz_high, xz_low);
  result[1] = hn::ConcatLowerLower(kTag, y_high, y_low);
  result[2] = hn::ConcatUpperUpper(kTag, xz_high, xz_low);
}

/// Three rows and a fourth to one record {x y z w} a lane.
HWY_INLINE void transpose_rows(const Vector& v, Lanes fourth, Lanes (&record)[4]) {
  const Lanes xy_even = hn::InterleaveLower(kTag, v.at[0], v.at[1]);
  const Lanes xy_odd = hn::InterleaveUpper(kTag, v.at[0], v.at[1]);
  const Lanes zw_even = hn::InterleaveLower(kTag, v.at[2], fourth);
  const Lanes zw_odd = hn::InterleaveUpper(kTag, v.at[2], fourth);
  record[0] = hn::ConcatLowerLower(kTag, zw_even, xy_even);
  record[1] = hn::ConcatLowerLower(kTag, zw_odd, xy_odd);
  record[2] = hn::ConcatUpperUpper(kTag, zw_even, xy_even);
  record[3] = hn::ConcatUpperUpper(kTag, zw_odd, xy_odd);
}

#endif

}  // namespace detail

/// Edges of elements [first, first + kLanes) of a block.
HWY_INLINE EdgeLanes load_edges(const dist::ElementBlock& block, int first, const dist::NodeMotion* nodes) {
  EdgeLanes edges;
#if HWY_MAX_BYTES >= 64
  Lanes origin[8], row[8];
  for (int l = 0; l < 8; ++l) origin[l] = hn::Load(kTag, detail::line(nodes, block.corner[0][first + l]));
  for (int j = 0; j < 3; ++j) {
    for (int l = 0; l < 8; ++l)
      row[l] = hn::Load(kTag, detail::line(nodes, block.corner[j + 1][first + l])) - origin[l];
    detail::transpose_lines(row, edges.position[j], edges.velocity[j]);
  }
#elif HWY_MAX_BYTES == 32
  for (int half = 0; half < 2; ++half) {
    Lanes origin[4], row[4];
    for (int l = 0; l < 4; ++l) origin[l] = hn::Load(kTag, detail::line(nodes, block.corner[0][first + l]) + 4 * half);
    for (int j = 0; j < 3; ++j) {
      for (int l = 0; l < 4; ++l)
        row[l] = hn::Load(kTag, detail::line(nodes, block.corner[j + 1][first + l]) + 4 * half) - origin[l];
      detail::transpose_records(row, half == 0 ? edges.position[j] : edges.velocity[j]);
    }
  }
#else
  for (int j = 0; j < 3; ++j)
    for (int axis = 0; axis < 3; ++axis) {
      HWY_ALIGN double position[kLanes], velocity[kLanes];
      for (int l = 0; l < kLanes; ++l) {
        const auto& node = nodes[block.corner[j + 1][first + l]];
        const auto& origin = nodes[block.corner[0][first + l]];
        position[l] = node.position[axis] - origin.position[axis];
        velocity[l] = node.velocity[axis] - origin.velocity[axis];
      }
      edges.position[j][axis] = hn::Load(kTag, position);
      edges.velocity[j][axis] = hn::Load(kTag, velocity);
    }
#endif
  return edges;
}

/// Adds the corners' shares to the nodes, lane by lane in ascending order: the order of the sum at every node.
template <bool kViscous>
HWY_INLINE void add_to_nodes(const CornerLanes (&corner)[4], const dist::ElementBlock& block, int first,
                             dist::NodeForce* forces) {
#if HWY_MAX_BYTES >= 64
  if constexpr (kViscous) {
    Lanes line[4][8];
    for (int j = 0; j < 4; ++j) {
      const detail::RecordPairs total = detail::record_pairs(corner[j].force, corner[j].bound);
      const detail::RecordPairs viscous = detail::record_pairs(corner[j].viscous, hn::Zero(kTag));
      for (int r = 0; r < 4; ++r) {
        line[j][r] = hn::ConcatLowerLower(kTag, viscous.at[r], total.at[r]);
        line[j][r + 4] = hn::ConcatUpperUpper(kTag, viscous.at[r], total.at[r]);
      }
    }
    for (int l = 0; l < 8; ++l)
      for (int j = 0; j < 4; ++j) {
        double* to = detail::line(forces, block.corner[j][first + l]);
        hn::Store(hn::Load(kTag, to) + line[j][l], kTag, to);
      }
  } else {
    const hn::Half<LaneTag> half;
    detail::RecordPairs record[4];
    for (int j = 0; j < 4; ++j) record[j] = detail::record_pairs(corner[j].force, corner[j].bound);
    for (int l = 0; l < 8; ++l)
      for (int j = 0; j < 4; ++j) {
        double* to = detail::line(forces, block.corner[j][first + l]);
        const Lanes pair = record[j].at[l % 4];
        hn::Store(hn::Load(half, to) + (l < 4 ? hn::LowerHalf(half, pair) : hn::UpperHalf(half, pair)), half, to);
      }
  }
#elif HWY_MAX_BYTES == 32
  Lanes total[4][4], viscous[4][4];
  for (int j = 0; j < 4; ++j) {
    detail::transpose_rows(corner[j].force, corner[j].bound, total[j]);
    if constexpr (kViscous) detail::transpose_rows(corner[j].viscous, hn::Zero(kTag), viscous[j]);
  }
  for (int l = 0; l < 4; ++l)
    for (int j = 0; j < 4; ++j) {
      double* to = detail::line(forces, block.corner[j][first + l]);
      hn::Store(hn::Load(kTag, to) + total[j][l], kTag, to);
      if constexpr (kViscous) hn::Store(hn::Load(kTag, to + 4) + viscous[j][l], kTag, to + 4);
    }
#else
  HWY_ALIGN double row[4][8][kLanes];
  for (int j = 0; j < 4; ++j) {
    for (int axis = 0; axis < 3; ++axis) {
      hn::Store(corner[j].force.at[axis], kTag, row[j][axis]);
      if constexpr (kViscous) hn::Store(corner[j].viscous.at[axis], kTag, row[j][4 + axis]);
    }
    hn::Store(corner[j].bound, kTag, row[j][3]);
  }
  for (int l = 0; l < kLanes; ++l)
    for (int j = 0; j < 4; ++j) {
      double* to = detail::line(forces, block.corner[j][first + l]);
      for (int k = 0; k < (kViscous ? 7 : 4); ++k) to[k] += row[j][k][l];
    }
#endif
}

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
