#include "brisance/fracture/star_forces.hpp"

#include <cmath>

namespace brisance::fracture {

namespace {

int corner_index(const dist::Mesh& mesh, LocalElement e, LocalNode n) {
  int i = 0;
  while (mesh.corner(e, i) != n) ++i;
  return i;
}

}  // namespace

void StarForces::evaluate(const dist::Mesh& mesh, std::span<const LocalNode> nodes) {
  for (std::int32_t e : slots_) place_[e] = -1;
  slots_.clear();
  if (place_.size() < static_cast<std::size_t>(mesh.num_element_slots())) place_.resize(mesh.num_element_slots(), -1);
  for (LocalNode n : nodes)
    for (std::int32_t e : mesh.star(n)) {
      if (place_[e] >= 0) continue;
      place_[e] = static_cast<std::int32_t>(slots_.size());
      slots_.push_back(e);
    }
  if (forces_.size() < slots_.size()) forces_.resize(slots_.size());
  corner_forces_(slots_, std::span(forces_).first(slots_.size()));
}

SymMat3 StarForces::separation_tensor(const dist::Mesh& mesh, LocalNode n) const {
  SeparationTensor zeta;
  for (std::int32_t e : mesh.star(n)) zeta.add(forces_[place_[e]], corner_index(mesh, LocalElement(e), n));
  return zeta.value();
}

void StarForces::add(const dist::Mesh& mesh, LocalElement e, Virial& sum) const {
  const auto corners = mesh.corners(e);
  const Vec3 origin(mesh.motion[corners[0]].position);
  Mat3 edges;
  for (int j = 1; j < 4; ++j) {
    edges.col(j - 1) = Vec3(mesh.motion[corners[j]].position) - origin;
    sum.virial -= Vec3(forces_[place_[e.value]].corner[j].total) * edges.col(j - 1).transpose();
  }
  sum.volume += std::abs(edges.determinant()) / 6;
}

SymMat3 StarForces::Virial::stress() const {
  if (volume == 0) return SymMat3::Zero();
  SymMat3 stress;
  stress << virial(0, 0), virial(1, 1), virial(2, 2), 0.5 * (virial(0, 1) + virial(1, 0)),
      0.5 * (virial(1, 2) + virial(2, 1)), 0.5 * (virial(2, 0) + virial(0, 2));
  return stress / volume;
}

SymMat3 StarForces::mean_stress(const dist::Mesh& mesh, LocalNode n) const {
  Virial sum;
  for (std::int32_t slot : mesh.star(n)) add(mesh, LocalElement(slot), sum);
  return sum.stress();
}

std::pair<SymMat3, double> StarForces::stress(const dist::Mesh& mesh, LocalElement e) const {
  Virial sum;
  add(mesh, e, sum);
  return {sum.stress(), sum.volume};
}

}  // namespace brisance::fracture
