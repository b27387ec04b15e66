/// Pressures of overlapping tets in a run with several clocks (dynamics/step_classes.hpp).
#pragma once

#include "brisance/core/ids.hpp"
#include "brisance/core/types.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Energies U_A of tets, each as an element that takes steps of its own: the finest that A takes, or a tet that lies in
/// it. Within a coarse step S_A changes linearly with its nodes, p_A = max(0, p + (κ_A/V₀_A) Σ ∂S_A/∂x · (x − x₀)), so
/// that what presses on light crumbs follows them, pushes in their own steps, and is the gradient of an energy. By the
/// end of the step H overlaps are others than that; half of H times what forces differ by makes up for it, as the
/// trapezium rule has it, to second order. So does a first kick of (H + h)/2, less (H − h)/2 times what the pressures
/// pushed with at the end of the step before (kPushAtEnd); where the class was coarse before, it is the mean of both
/// steps, as of elements that change class.
struct ShortPressures {
  struct Entry {
    GlobalNode node;
    std::int32_t owner;  ///< its rank
    std::int32_t slot_at_owner;
    Vec3 gradient;  ///< ∂S_A/∂x where the coarse step begins [m²]
  };
  struct Row {
    GlobalElement tet;
    int step_class;             ///< it pushes every 2⁻ᵏ of a coarse step
    double pressure;            ///< p where the coarse step begins [Pa]
    double slope;               ///< κ_A/V₀_A [Pa/m³]
    std::int32_t first, count;  ///< of `entries`, of which each has a node of its own
  };
  /// Those that push in short steps and have a node owned here; ascending tet.
  std::vector<Row> rows;
  std::vector<Entry> entries;

  /// As a share of the coarse step.
  [[nodiscard]] static double first_kick(int step_class) { return 0.5 * (1 + std::ldexp(1.0, -step_class)); }
  /// Of what it pushes with at the end, the share that kPushAtEnd has.
  [[nodiscard]] static double share_at_end(int step_class) { return 0.5 * (1 - std::ldexp(1.0, -step_class)); }
  [[nodiscard]] std::span<const Entry> of(const Row& row) const {
    return std::span(entries).subspan(static_cast<std::size_t>(row.first), static_cast<std::size_t>(row.count));
  }
};

}  // namespace brisance::contact
