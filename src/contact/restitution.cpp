#include "restitution.hpp"

#include <cmath>
#include <numbers>

namespace brisance::contact {

double restitution(double damping_ratio) {
  const double z = damping_ratio, s = std::sqrt(1 - z * z);
  return std::exp(-z / s * (std::numbers::pi - std::atan2(2 * z * s, 1 - 2 * z * z)));
}

double damping_ratio(double wanted) {
  double low = 0, high = 0.999;
  for (int i = 0; i < 60; ++i) {  // restitution falls with damping
    const double middle = 0.5 * (low + high);
    (restitution(middle) > wanted ? low : high) = middle;
  }
  return low;
}

}  // namespace brisance::contact
