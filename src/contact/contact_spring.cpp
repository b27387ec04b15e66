#include "brisance/contact/contact_spring.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

namespace {

/// Depth that motion can explain, in motions through the facet in a step: paths are curved, and velocities at the end
/// of a step differ from those within it.
constexpr double kApproaches = 1.5;

double explained(double approach_m) { return kApproaches * std::max(0.0, approach_m); }

}  // namespace

ContactSpring followed(ContactSpring spring, const PointPath& path) {
  if (!spring.exists()) {
    spring.offset_m = std::max(0.0, path.depth_m - explained(path.next_approach_m));
    spring.slip_m = {};
  } else {
    if (path.facet != spring.facet)
      spring.offset_m += std::max(0.0, path.depth_m - spring.depth_m - explained(path.last_approach_m));
    spring.offset_m = std::min(spring.offset_m, path.depth_m);
    if (path.stiffness_n_per_m > spring.stiffness_n_per_m) {
      const double share = std::sqrt(spring.stiffness_n_per_m / path.stiffness_n_per_m);
      spring.offset_m = path.depth_m - share * (path.depth_m - spring.offset_m);
      for (double& component : spring.slip_m) component *= share;
    }
  }
  spring.depth_m = path.depth_m;
  spring.stiffness_n_per_m = path.stiffness_n_per_m;
  spring.facet = path.facet;
  return spring;
}

}  // namespace brisance::contact
