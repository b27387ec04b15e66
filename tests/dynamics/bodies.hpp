/// Small bodies the kernel tests share.
#pragma once

#include "support/kuhn.hpp"
#include "support/serial_blocks.hpp"

#include <random>

namespace brisance::test {

/// λ, μ, φ, ψ of similar size, so that an error in any term is noticed.
inline material::Material soft_viscous() {
  material::Material m;
  m.density = 1.5;
  m.lame_lambda = 1.3;
  m.lame_mu = 0.7;
  m.damping_phi = 0.11;
  m.damping_psi = 0.05;
  return m;
}

/// E = 1, ν, ρ = 1, no damping: the material of VALIDATION A4.
inline material::Material unit_material(double poisson) {
  material::Material m;
  m.density = 1;
  m.lame_lambda = poisson / ((1 + poisson) * (1 - 2 * poisson));
  m.lame_mu = 0.5 / (1 + poisson);
  return m;
}

/// Stiff along an inclined grain, E 4, 1, 0.7 and unequal shears; damped or not.
inline material::Material grained(double damping_time_s = 0) {
  material::Material m;
  m.density = 1;
  m.elastic_law = material::ElasticLaw::anisotropic;
  m.anisotropy.orthotropic = {Vec3(4, 1, 0.7), Vec3(0.3, 0.4, 0.35), Vec3(0.5, 0.4, 0.1)};
  m.grain = Vec3(1, 0.4, -0.3);
  m.second_axis = Vec3(0, 1, 1);
  material::follow_constants(m);
  m.damping_phi = m.lame_lambda * damping_time_s;
  m.damping_psi = m.lame_mu * damping_time_s;
  return m;
}

inline mesh::TetMesh single_tet(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  mesh::TetMesh mesh;
  mesh.nodes = {a, b, c, d};
  mesh.tets = {{0, 1, 2, 3}};
  return mesh;
}

inline Vec3 random_vector(std::mt19937& generator, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  return {uniform(generator), uniform(generator), uniform(generator)};
}

/// A Kuhn box whose interior and boundary nodes are moved at random, still without inverted tets.
inline mesh::TetMesh jittered_box(int nx, int ny, int nz, std::mt19937& generator) {
  mesh::TetMesh mesh = kuhn_box(nx, ny, nz, nx, ny, nz);
  for (Vec3& node : mesh.nodes) node += random_vector(generator, 0.12);
  return mesh;
}

/// Every node off its rest position by up to `shift` and moving at up to `speed`.
inline void shake(SerialBlocks& body, std::mt19937& generator, double shift, double speed) {
  for (std::size_t i = 0; i < body.num_nodes(); ++i)
    body.place(i, body.position(i) + random_vector(generator, shift), random_vector(generator, speed));
}

/// x = F u, v = Ḟ u at every node of a body that is at rest.
inline void deform(SerialBlocks& body, const Mat3& f, const Mat3& rate = Mat3::Zero()) {
  for (std::size_t i = 0; i < body.num_nodes(); ++i) {
    const Vec3 u = body.position(i);
    body.place(i, f * u, rate * u);
  }
}

}  // namespace brisance::test
