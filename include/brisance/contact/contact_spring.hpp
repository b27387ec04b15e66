/// The spring of a point in contact by criterion `surface`: what it remembers from step to step.
#pragma once

#include <array>
#include <cstdint>

namespace brisance::contact {

/// Its energy is ½ k ((depth − offset)² + s²).
struct ContactSpring {
  double offset_m = -1;            ///< part of the depth that presses nothing; negative: there is no spring
  double depth_m = 0;              ///< at the last step
  double stiffness_n_per_m = 0;    ///< k of the last step
  std::array<double, 3> slip_m{};  ///< s, along the facet, as far as friction holds it
  std::int64_t facet = -1;         ///< ContactFacet::key of the last step

  [[nodiscard]] bool exists() const { return offset_m >= 0; }
  bool operator==(const ContactSpring&) const = default;
};

/// Where a point has come in the last step.
struct PointPath {
  std::int64_t facet;        ///< ContactFacet::key of the one that it presses on
  double depth_m;            ///< behind it
  double last_approach_m;    ///< how far the last step took it through the facet, at the velocity that it has now
  double next_approach_m;    ///< how far the next one does
  double stiffness_n_per_m;  ///< k of the next step
};

/// Brings a spring, but for its slip, to where the point is. Energy comes into it by motion through the facet alone: a
/// point that is there for another reason (at the start, after a cut, where another facet has become the nearest) has
/// the rest of the depth as offset, and a spring that stiffens is shortened. The offset shrinks with the depth.
/// Local; does not throw.
[[nodiscard]] ContactSpring followed(ContactSpring spring, const PointPath& path);

}  // namespace brisance::contact
