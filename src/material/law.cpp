#include "brisance/material/law.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::material {
namespace {

double trace(const SymMat3& t) { return t[0] + t[1] + t[2]; }

/// a tr(T) I + b T.
SymMat3 isotropic(const SymMat3& t, double a, double b) {
  SymMat3 s = b * t;
  s.head<3>().array() += a * trace(t);
  return s;
}

double norm(const SymMat3& t) { return std::sqrt(contraction(t, t)); }

}  // namespace

double contraction(const SymMat3& a, const SymMat3& b) {
  return a.head<3>().dot(b.head<3>()) + 2 * a.tail<3>().dot(b.tail<3>());
}

SymMat3 elastic_stress(const Material& m, const SymMat3& elastic_strain) {
  return isotropic(elastic_strain, m.lame_lambda, 2 * m.lame_mu);
}

SymMat3 viscous_stress(const Material& m, const SymMat3& strain_rate) {
  return isotropic(strain_rate, m.damping_phi, 2 * m.damping_psi);
}

SymMat3 plastic_flow(const Material& m, const SymMat3& strain, const SymMat3& plastic_strain) {
  const SymMat3 elastic = strain - plastic_strain;
  const SymMat3 shape = isotropic(elastic, -1.0 / 3, 1);  // (2)
  const double size = norm(shape);
  if (!m.is_plastic() || size <= m.yield_strain) return plastic_strain;           // (3)
  const SymMat3 moved = plastic_strain + (size - m.yield_strain) / size * shape;  // (4)
  const double length = norm(moved);
  return length > m.plastic_limit ? SymMat3(m.plastic_limit / length * moved) : moved;  // (5)
}

double elastic_energy_density(const Material& m, const SymMat3& elastic_strain) {
  return contraction(elastic_stress(m, elastic_strain), elastic_strain) / 8;
}

double plastic_work(const Material& m, const SymMat3& elastic_strain, const SymMat3& plastic_change) {
  return contraction(elastic_stress(m, elastic_strain), plastic_change) / 4;
}

}  // namespace brisance::material
