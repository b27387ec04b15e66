#include "brisance/dynamics/critical_step.hpp"

#include "element_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace brisance::dynamics {
namespace {

/// Per material: twice the pressure wave speed [m/s] and the damping time [s].
struct StepLaw {
  double twice_speed, damping_time;
};

std::array<StepLaw, 256> step_laws(std::span<const material::Material> materials) {
  std::array<StepLaw, 256> laws{};
  for (std::size_t i = 0; i < materials.size() && i < laws.size(); ++i)
    laws[i] = {2 * material::pressure_wave_speed(materials[i]), material::damping_time(materials[i])};
  return laws;
}

/// √(Σ_{a..d} |∇b_i|²), ∇b_a = −(∇b_b + ∇b_c + ∇b_d).
HWY_INLINE Lanes gradient_norm(const MatrixLanes& g) {
  Lanes sum = hn::Zero(kTag);
  for (int k = 0; k < 3; ++k) {
    const Lanes a = g.at[0][k] + g.at[1][k] + g.at[2][k];
    sum = hn::MulAdd(a, a, sum);
    for (int j = 0; j < 3; ++j) sum = hn::MulAdd(g.at[j][k], g.at[j][k], sum);
  }
  return hn::Sqrt(sum);
}

/// (2/ω)(√(1+ζ²) − ζ), written so that a large ζ cancels nothing.
HWY_INLINE Lanes stable_step(Lanes frequency, Lanes damping_time) {
  const Lanes zeta = all(0.5) * frequency * damping_time;
  return all(2) / (frequency * (hn::Sqrt(hn::MulAdd(zeta, zeta, all(1))) + zeta));
}

HWY_INLINE Lanes strain_norm(const dist::ElementBlock& block, int first, const MatrixLanes& gradient,
                             const dist::NodeMotion* nodes) {
  const EdgeLanes edges = load_edges(block, first, nodes);
  const SymmetricLanes strain = green_strain(deformation_gradient(edges.position, gradient));
  return hn::Sqrt(contraction(strain, strain));
}

template <bool kStrained>
CriticalStep shortest(const ElementSpans& elements, std::span<const material::Material> materials,
                      const dist::NodeMotion* nodes, std::span<float> strains) {
  const auto laws = step_laws(materials);
  CriticalStep shortest;
  HWY_ALIGN double twice_speed[kLanes], damping_time[kLanes], step[kLanes], strain[kLanes] = {};
  for (std::size_t b = 0; b < elements.blocks.size(); ++b) {
    const dist::ElementBlock& block = elements.blocks[b];
    for (int first = 0; first < dist::kBatch; first += kLanes) {
      const std::size_t slot = b * dist::kBatch + first;
      for (int l = 0; l < kLanes; ++l) {
        const StepLaw& law = laws[elements.material_of[slot + l]];
        twice_speed[l] = law.twice_speed;
        damping_time[l] = law.damping_time * block.damping_scale[first + l];
      }
      const MatrixLanes gradient = load_gradients(block, first);
      const Lanes frequency = hn::Load(kTag, twice_speed) * gradient_norm(gradient);
      Lanes stable = stable_step(frequency, hn::Load(kTag, damping_time));
      if constexpr (kStrained) {
        const Lanes norm = strain_norm(block, first, gradient, nodes);
        stable = stable / hn::MulAdd(all(1.5), norm, all(1));
        hn::Store(norm, kTag, strain);
      }
      if (!strains.empty()) std::copy(strain, strain + kLanes, &strains[slot]);
      hn::Store(stable, kTag, step);
      for (int l = 0; l < kLanes; ++l) {
        if (block.volume[first + l] == 0) continue;
        shortest.max_strain = std::max(shortest.max_strain, strain[l]);
        if (step[l] < shortest.step_s) {
          shortest.step_s = step[l];
          shortest.slot = static_cast<std::int32_t>(slot + l);
        }
      }
    }
  }
  return shortest;
}

}  // namespace

double frequency_bound(const double (&gradient)[3][3], const material::Material& material) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double a = gradient[0][k] + gradient[1][k] + gradient[2][k];
    sum += a * a;
    for (int j = 0; j < 3; ++j) sum += gradient[j][k] * gradient[j][k];
  }
  return 2 * material::pressure_wave_speed(material) * std::sqrt(sum);
}

double stable_step(double frequency, double damping_time) {
  const double zeta = 0.5 * frequency * damping_time;
  return 2 / (frequency * (std::sqrt(1 + zeta * zeta) + zeta));
}

CriticalStep critical_step(const ElementSpans& elements, std::span<const material::Material> materials) {
  return shortest<false>(elements, materials, nullptr, {});
}

CriticalStep critical_step(const ElementSpans& elements, std::span<const material::Material> materials,
                           std::span<const dist::NodeMotion> nodes, std::span<float> strain) {
  return shortest<true>(elements, materials, nodes.data(), strain);
}

}  // namespace brisance::dynamics
