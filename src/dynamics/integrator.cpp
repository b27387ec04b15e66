#include "brisance/dynamics/integrator.hpp"

#include "brisance/core/aligned.hpp"

namespace brisance::dynamics {

namespace {

class ExplicitIntegrator : public TimeIntegrator {
public:
  /// The largest dt with dt/dt_elements + dt ω/2 ≤ 1, which is stable where elements and contact springs of angular
  /// frequency ω act on the same nodes.
  [[nodiscard]] double stable_step(double element_step_s, double contact_frequency) const override {
    return 1 / (1 / element_step_s + 0.5 * contact_frequency);
  }
};

class SymplecticEuler final : public ExplicitIntegrator {
public:
  void step(const NodeSpans& nodes, const Vec3& gravity, double dt_s, const LookAhead&) override {
    symplectic_euler(nodes, gravity, dt_s);
  }
};

class ForwardEuler final : public ExplicitIntegrator {
public:
  void step(const NodeSpans& nodes, const Vec3& gravity, double dt_s, const LookAhead&) override {
    forward_euler(nodes, gravity, dt_s);
  }
};

class Taylor2 final : public ExplicitIntegrator {
public:
  void step(const NodeSpans& nodes, const Vec3& gravity, double dt_s, const LookAhead& look_ahead) override {
    predicted_.resize(nodes.motion.size());
    forces_.resize(nodes.motion.size());
    predict(nodes, gravity, dt_s, predicted_);
    look_ahead(predicted_, forces_);
    taylor2(nodes, forces_, gravity, dt_s);
  }

private:
  core::AlignedVector<dist::NodeMotion> predicted_;
  core::AlignedVector<dist::NodeForce> forces_;
};

}  // namespace

std::unique_ptr<TimeIntegrator> make_integrator(Integrator kind) {
  switch (kind) {
    case Integrator::forward_euler:
      return std::make_unique<ForwardEuler>();
    case Integrator::taylor2:
      return std::make_unique<Taylor2>();
    case Integrator::symplectic_euler:
      return std::make_unique<SymplecticEuler>();
    case Integrator::implicit_euler:
    case Integrator::hht:
    case Integrator::statics:
      break;
  }
  return nullptr;
}

}  // namespace brisance::dynamics
