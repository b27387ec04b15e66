/// The penalty spring of a point in contact by criterion `surface`, with its state from step to step.
#pragma once

#include <array>
#include <cstdint>

namespace brisance::contact {

/// Its energy is ½ k ((depth − offset)² + s²).
struct ContactSpring {
  double offset_m = -1;            ///< contact offset: depth without force; negative: there is no spring [m]
  double depth_m = 0;              ///< depth at the last step [m]
  double stiffness_n_per_m = 0;    ///< k of the last step [N/m]
  std::array<double, 3> slip_m{};  ///< s, elastic slip along the facet that friction holds [m]
  std::int64_t facet = -1;         ///< ContactFacet::key of the last step

  [[nodiscard]] bool exists() const { return offset_m >= 0; }
  bool operator==(const ContactSpring&) const = default;
};

/// Motion of a point against its facet in the last step.
struct PointPath {
  std::int64_t facet;        ///< ContactFacet::key of the facet in contact
  double depth_m;            ///< depth behind the facet [m]
  double last_approach_m;    ///< motion through the facet in the last step, at the present velocity [m]
  double next_approach_m;    ///< the same in the next step [m]
  double stiffness_n_per_m;  ///< k of the next step [N/m]
};

/// Updates a spring, except for its slip, to the point's new place. Only motion through the facet adds energy to it:
/// where a point is deep for another reason (at the start, after a cut, or since another facet has become the nearest),
/// the rest of the depth becomes offset, and a spring that stiffens is shortened. The offset shrinks with the depth.
/// Local; does not throw.
[[nodiscard]] ContactSpring followed(ContactSpring spring, const PointPath& path);

}  // namespace brisance::contact
