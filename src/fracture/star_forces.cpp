#include "brisance/fracture/star_forces.hpp"

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

}  // namespace brisance::fracture
