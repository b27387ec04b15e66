#include "brisance/dynamics/corotational.hpp"

#include "brisance/dynamics/law_of.hpp"
#include "brisance/dynamics/plastic_state.hpp"
#include "brisance/elements/corotated.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace brisance::dynamics {

namespace {

struct Corners {
  std::array<LocalNode, 4> node;
  std::array<Vec3, 4> gradient;
  double volume;         ///< [m³]
  double damping_scale;  ///< [–]
};

Corners corners_of(const dist::Mesh& mesh, LocalElement e) {
  const dist::ElementBlock& block = mesh.blocks[static_cast<std::size_t>(e.value / dist::kBatch)];
  const int lane = e.value % dist::kBatch;
  return {mesh.corners(e), shape_gradients(block, lane), block.volume[lane], block.damping_scale[lane]};
}

Mat3 deformation_gradient(const Corners& c, std::span<const dist::NodeMotion> motion) {
  std::array<Vec3, 4> x;
  for (std::size_t i = 0; i < 4; ++i) x[i] = Vec3(motion[static_cast<std::size_t>(c.node[i].value)].position);
  return corner_gradient(x, c.gradient);
}

Mat3 rotation(const Mat3& f, Strain strain) {
  return strain == Strain::linear ? Mat3(Mat3::Identity()) : elements::rotation_of(f);
}

/// Small strain minus ε^p; ε^p is measured as FᵀF − I, unhalved: twice as large.
Mat3 elastic_strain(std::span<const PlasticBlock> plastic, LocalElement e, const Mat3& rotation, const Mat3& f) {
  if (plastic.empty()) return elements::small_strain(rotation, f);
  return elements::small_strain(rotation, f) - 0.5 * full_matrix(plastic_strain(plastic, e));
}

/// Stress in the element's frame, from which its force follows by rotation [Pa].
Mat3 unturned_stress(const material::Material& m, const Mat3& strain, Strain kind) {
  if (!material::is_anisotropic(m)) return elements::hooke_stress(strain, m.lame_lambda, m.lame_mu);
  const Mat3 stress = elements::anisotropic_stress(strain, stiffness_of(m));
  return kind == Strain::linear ? stress : elements::stress_against_turns(Mat3::Identity() + strain, stress);
}

double energy_density(const material::Material& m, const Mat3& strain) {
  if (!material::is_anisotropic(m)) return elements::hooke_energy(strain, m.lame_lambda, m.lame_mu);
  return 0.5 * strain.cwiseProduct(elements::anisotropic_stress(strain, stiffness_of(m))).sum();
}

void add(const Vec3& force, double (&to)[4]) {
  for (int k = 0; k < 3; ++k) to[k] += force[k];
}

}  // namespace

std::array<Vec3, 4> shape_gradients(const dist::ElementBlock& block, int lane) {
  std::array<Vec3, 4> g;
  g[0].setZero();
  for (int j = 0; j < 3; ++j) {
    g[static_cast<std::size_t>(j) + 1] =
        Vec3(block.gradient[j][0][lane], block.gradient[j][1][lane], block.gradient[j][2][lane]);
    g[0] -= g[static_cast<std::size_t>(j) + 1];
  }
  return g;
}

Mat3 corner_gradient(std::span<const Vec3, 4> at_corners, const std::array<Vec3, 4>& gradients) {
  Mat3 sum = Mat3::Zero();
  for (std::size_t i = 1; i < 4; ++i) sum += (at_corners[i] - at_corners[0]) * gradients[i].transpose();
  return sum;
}

void corotational_forces(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, Strain strain,
                         std::span<dist::NodeForce> forces, core::ExactSum* energy) {
  std::ranges::fill(forces, dist::NodeForce{});
  const std::span<const PlasticBlock> plastic = mesh.field(kPlasticState);
  for (std::int32_t slot = 0; slot < mesh.num_element_slots(); ++slot) {
    const LocalElement e(slot);
    if (!mesh.is_held(e)) continue;
    const Corners c = corners_of(mesh, e);
    const material::Material& m = mesh.material(e);
    const Mat3 f = deformation_gradient(c, motion), r = rotation(f, strain);
    const Mat3 small = elastic_strain(plastic, e, r, f);
    if (energy != nullptr && mesh.homes()[e] != 0) energy->add(c.volume * energy_density(m, small));
    const Mat3 elastic = -c.volume * r * unturned_stress(m, small, strain);
    std::array<Vec3, 4> v;
    for (std::size_t i = 0; i < 4; ++i) v[i] = Vec3(motion[static_cast<std::size_t>(c.node[i].value)].velocity);
    const Mat3 rate = r.transpose() * corner_gradient(v, c.gradient);
    const Mat3 viscous = -c.volume * c.damping_scale * r *
                         elements::hooke_stress(0.5 * (rate + rate.transpose()), m.damping_phi, m.damping_psi);
    for (std::size_t i = 0; i < 4; ++i) {
      dist::NodeForce& force = forces[static_cast<std::size_t>(c.node[i].value)];
      const Vec3 lost = viscous * c.gradient[i];
      add(elastic * c.gradient[i] + lost, force.force);
      add(lost, force.viscous);
    }
  }
}

core::ExactSum corotational_energy(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, Strain strain,
                                   std::span<const std::int32_t> elements) {
  core::ExactSum energy;
  const std::span<const PlasticBlock> plastic = mesh.field(kPlasticState);
  for (const std::int32_t slot : elements) {
    const LocalElement e(slot);
    const Corners c = corners_of(mesh, e);
    const material::Material& m = mesh.material(e);
    const Mat3 f = deformation_gradient(c, motion);
    const Mat3 small = elastic_strain(plastic, e, rotation(f, strain), f);
    energy.add(c.volume * energy_density(m, small));
  }
  return energy;
}

void rounding_of_forces(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, std::span<double> bound) {
  std::ranges::fill(bound, 0.0);
  for (std::int32_t slot = 0; slot < mesh.num_element_slots(); ++slot) {
    const LocalElement e(slot);
    if (!mesh.is_held(e)) continue;
    const Corners c = corners_of(mesh, e);
    const material::Material& m = mesh.material(e);
    double strain = 1;
    for (std::size_t j = 0; j < 4; ++j)
      strain += c.gradient[j].norm() * Vec3(motion[static_cast<std::size_t>(c.node[j].value)].position).norm();
    const double stress = std::numeric_limits<double>::epsilon() * strain * (m.lame_lambda + 2 * m.lame_mu);
    for (std::size_t i = 0; i < 4; ++i)
      bound[static_cast<std::size_t>(c.node[i].value)] += c.volume * c.gradient[i].norm() * stress;
  }
}

std::vector<double> false_strains(const dist::Mesh& mesh) {
  std::vector<double> strains(static_cast<std::size_t>(mesh.num_element_slots()), 0.0);
  for (std::int32_t slot = 0; slot < mesh.num_element_slots(); ++slot) {
    const LocalElement e(slot);
    if (!mesh.is_held(e)) continue;
    const Mat3 r = elements::rotation_of(deformation_gradient(corners_of(mesh, e), mesh.motion.span()));
    strains[static_cast<std::size_t>(slot)] = 0.5 * (3 - r.trace());  // tr R = 1 + 2 cos θ
  }
  return strains;
}

}  // namespace brisance::dynamics
