#include "open_ledger.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

constexpr double kNoStrain = 1e-6;  ///< of the whole body: its energy is within rounding errors [–]

}  // namespace

double gain_beyond_what_was_given(const Energies& now, double initial_energy_j, double noise_j) {
  const double gain = std::abs(now.total() - initial_energy_j),
               given = std::abs(initial_energy_j) + std::abs(now.supplied) + std::abs(now.gravity);
  return gain > given + noise_j ? gain - given : 0;
}

void require_closed_ledger(const Simulation& simulation, const Energies& now, double initial_energy_j, double mass_kg) {
  const Scene& scene = simulation.scene();
  if (!dynamics::is_implicit(scene.time.integrator) || !scene.output.energy_ledger) return;
  double speed = 0;
  for (const auto& m : scene.materials) speed = std::max(speed, material::pressure_wave_speed(m));
  const double noise_j = mass_kg * speed * speed * kNoStrain * kNoStrain;
  const double gain_j = gain_beyond_what_was_given(now, initial_energy_j, noise_j);
  if (gain_j == 0) return;
  throw core::Error(fmt::format(
      "t = {:.6g} s, step {}: the error of the energy balance is {:.3g} J larger than all energy that the run was "
      "given. Its steps of {:.3g} s are too long for how fast something turns or breaks in it. Take a smaller "
      "time.step_s, or time.integrator = \"symplectic_euler\".",
      simulation.time_s(), simulation.num_steps(), gain_j, simulation.last_step_s()));
}

}  // namespace brisance::sim
