// Largest stiffness of contact, for the bound of the time step.
#include "brisance/contact/rigid/rigid_contact.hpp"

#include "penalty_law.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

double step_frequency(const ContactRates& rates) {
  return 0.5 * (rates.damping + std::sqrt(rates.damping * rates.damping + 4 * rates.stiffness));
}

ContactRates RigidColliders::rates(double largest_wave_frequency, double smallest_mass) const {
  // (a − b)² ≤ (1+s) a² + (1+1/s) b²: the eigenvalues are at most those of the nodes with the bodies held, plus those
  // of the bodies with the nodes held.
  ContactRates of_nodes, of_bodies;
  for (std::size_t i = 0; i < size(); ++i) {
    ContactRates at_once;  // sum over all bodies that may touch a node inside body i
    for (std::size_t j = 0; j < size(); ++j) {
      if (j != i && !may_overlap(shapes_[i], shapes_[j])) continue;
      const PenaltySpring spring = penalty_spring(parameters_[j], smallest_mass, largest_wave_frequency);
      at_once.stiffness += spring.stiffness / smallest_mass;
      at_once.damping += spring.damping / smallest_mass;
    }
    of_nodes.stiffness = std::max(of_nodes.stiffness, at_once.stiffness);
    of_nodes.damping = std::max(of_nodes.damping, at_once.damping);

    const double answer = mobility_of(i);
    of_bodies.stiffness = std::max(of_bodies.stiffness, states_[i].contact_stiffness * answer);
    of_bodies.damping = std::max(of_bodies.damping, states_[i].contact_damping * answer);
  }
  return {of_nodes.stiffness + of_bodies.stiffness, of_nodes.damping + of_bodies.damping};
}

std::size_t stiffest(const RigidColliders& colliders, double largest_wave_frequency, double smallest_mass) {
  std::size_t stiffest = 0;
  double highest = 0;
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    const PenaltySpring spring = penalty_spring(colliders.parameters(i), smallest_mass, largest_wave_frequency);
    const double frequency = step_frequency({spring.stiffness / smallest_mass, spring.damping / smallest_mass});
    if (!(frequency > highest)) continue;
    highest = frequency;
    stiffest = i;
  }
  return stiffest;
}

double max_frequency(const RigidColliders& colliders, double largest_wave_frequency, double smallest_mass) {
  return step_frequency(colliders.rates(largest_wave_frequency, smallest_mass));
}

}  // namespace brisance::contact
