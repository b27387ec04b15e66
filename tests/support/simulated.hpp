/// Small scenes for tests of the whole time loop, and measurements during a run.
#pragma once

#include "brisance/sim/output/frame.hpp"
#include "brisance/sim/simulation.hpp"

#include <cmath>
#include <vector>

namespace brisance::test {

/// Isotropic material with Kelvin–Voigt damping φ = λτ, ψ = μτ; unbreakable.
inline material::Material solid(double youngs_modulus, double poisson, double density, double damping_time_s = 0) {
  material::Material m;
  m.name = "solid";
  m.density = density;
  m.lame_lambda = youngs_modulus * poisson / ((1 + poisson) * (1 - 2 * poisson));
  m.lame_mu = 0.5 * youngs_modulus / (1 + poisson);
  m.damping_phi = damping_time_s * m.lame_lambda;
  m.damping_psi = damping_time_s * m.lame_mu;
  return m;
}

/// One material, no gravity, no collider; long enough for any test, and no step is too small.
inline sim::Scene bare_scene(const material::Material& m) {
  sim::Scene scene;
  scene.materials = {m};
  scene.gravity = Vec3::Zero();
  scene.duration_s = 1000;
  scene.time.min_step_s = 1e-15;
  scene.contact.enabled = contact::ContactSwitch::off;
  return scene;
}

/// A region that constrains (or moves at `velocity`) these axes of all nodes that have its bit.
inline sim::RegionParameters grip(std::array<bool, 3> axes, const Vec3& velocity = Vec3::Zero()) {
  sim::RegionParameters region;
  region.axes = axes;
  region.velocity = velocity;
  return region;
}

inline void run_until(sim::Simulation& simulation, double time_s) {
  while (simulation.time_s() < time_s) simulation.step(time_s);
}

/// World position and velocity of a node held on this rank, by global id.
inline Vec3 position(const sim::Simulation& simulation, std::int64_t id) {
  return Vec3(simulation.mesh().motion[simulation.mesh().find(GlobalNode(id))].position);
}
inline Vec3 velocity(const sim::Simulation& simulation, std::int64_t id) {
  return Vec3(simulation.mesh().motion[simulation.mesh().find(GlobalNode(id))].velocity);
}
inline Vec3 displacement(const sim::Simulation& simulation, std::int64_t id) {
  return position(simulation, id) - simulation.mesh().rest[simulation.mesh().find(GlobalNode(id))];
}

/// Mean Cauchy stress, elastic and viscous, of elements held on this rank, by global id, weighted by rest volume [Pa].
inline SymMat3 mean_stress(sim::Simulation& simulation, std::int64_t first, std::int64_t count) {
  std::vector<std::int32_t> slots;
  for (std::int64_t e = first; e < first + count; ++e) slots.push_back(simulation.mesh().find(GlobalElement(e)).value);
  std::vector<dynamics::ElementState> states(slots.size());
  dynamics::element_states(simulation.element_spans(), simulation.mesh().materials, simulation.mesh().motion.span(),
                           slots, states);
  SymMat3 sum = SymMat3::Zero();
  double volume = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const double v = simulation.mesh().volume(LocalElement(slots[i]));
    sum += v * sim::cauchy_stress(states[i]);
    volume += v;
  }
  return sum / volume;
}

/// Time at which a sampled signal first passes `level`, by linear interpolation; call once a step.
class Crossing {
public:
  explicit Crossing(double level) : level_(level) {}
  void sample(double time_s, double value) {
    if (has_last_ && (last_ - level_) * (value - level_) < 0)
      times_.push_back(last_time_ + (time_s - last_time_) * (level_ - last_) / (value - last_));
    last_time_ = time_s;
    last_ = value;
    has_last_ = true;
  }
  [[nodiscard]] const std::vector<double>& times() const { return times_; }

private:
  double level_, last_time_ = 0, last_ = 0;
  bool has_last_ = false;
  std::vector<double> times_;
};

}  // namespace brisance::test
