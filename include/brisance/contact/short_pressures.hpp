/// Pressures of overlapping tets where they are not found anew: between two looks at pairs, and in the short steps of a
/// run with several clocks (dynamics/step_classes.hpp).
#pragma once

#include "brisance/contact/overlap_law.hpp"
#include "brisance/core/ids.hpp"
#include "brisance/core/types.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Energies U_A of tets, each as an element that takes steps of its own: the finest that A takes, or a tet that lies in
/// it. Pairs are looked at every one or several coarse steps, T. From one look to the next S_A changes linearly with
/// its nodes, q_A = max(0, q + Σ ∂S_A/∂x · (x − x₀)/V₀_A), so that what presses on light crumbs follows them,
/// pushes in their own steps, and is the gradient of an energy. By the next look overlaps are others than that; half of
/// T times what forces differ by makes up for it, as the trapezium rule has it, to second order. So does a first kick
/// of (T + h)/2, less (T − h)/2 times what the pressures pushed with at the end of the step before (kPushAtEnd); where
/// the class was coarse before, it is the mean of both steps, as of elements that change class.
/// Of a pressure that has hardened κ q alone makes up for what was missed: T/2 is long for what it would swing in, and
/// such kicks shake it. What hardening stores is paid for by the tet's own step alone, then, and a look must not add to
/// it (sim::SkinContacts).
struct ShortPressures {
  /// What presses for so much may go on doing so, whatever rounding says [–].
  [[nodiscard]] static double no_harder_than(double pressed) { return (1 + 1e-12) * pressed; }
  struct Entry {
    GlobalNode node;
    std::int32_t owner;  ///< its rank
    std::int32_t slot_at_owner;
    Vec3 gradient;  ///< ∂S_A/∂x at the look [m²]
  };
  struct Row {
    GlobalElement tet;
    LocalElement element;  ///< where it is held; none elsewhere
    int step_class;        ///< it pushes every 2⁻ᵏ of a coarse step
    OverlapLaw law;
    double share, forgiven;     ///< S_A/V₀_A at the look, and what of it does not press
    double most;                ///< q where it is taken up may not be larger (bound_by); more is forgiven [–]
    double slope;               ///< 1/V₀_A [1/m³]
    std::int32_t first, count;  ///< of `entries`, of which each has a node of its own
    /// q at the look; negative where it begins to press later [–].
    [[nodiscard]] double pressed() const { return share - forgiven; }
    /// It is taken up after cuts, and presses no harder than for that [–].
    void bound_by(double before) { most = no_harder_than(before); }
  };
  /// Those that push in short steps, or all, that have a node owned here; ascending tet.
  std::vector<Row> rows;
  std::vector<Entry> entries;

  /// Coarse steps that a first kick makes up for, and how long they were, of the one that begins.
  struct MadeUpFor {
    int steps = 1;
    double length = 1;
  };
  /// Of a tet that presses for q, over a coarse step: what its first kick after a look pushes with [Pa].
  [[nodiscard]] static double first_push(const OverlapLaw& law, double pressed, int step_class,
                                         const MadeUpFor& since) {
    return std::ldexp(law.pressure(pressed), -step_class) +
           since.length * push_at_end(law, pressed, step_class, since.steps);
  }
  /// What kPushAtEnd has of it at the end of a step [Pa].
  /// @param steps  coarse ones since the look
  [[nodiscard]] static double push_at_end(const OverlapLaw& law, double pressed, int step_class, int steps) {
    return 0.5 * (steps - std::ldexp(1.0, -step_class)) * law.soft_pressure(pressed);
  }
  [[nodiscard]] std::span<const Entry> of(const Row& row) const {
    return std::span(entries).subspan(static_cast<std::size_t>(row.first), static_cast<std::size_t>(row.count));
  }
};

}  // namespace brisance::contact
