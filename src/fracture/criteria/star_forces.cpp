#include "brisance/fracture/criteria/star_forces.hpp"

#include "brisance/fracture/fields.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::fracture {

namespace {

/// Number of elements per block of forces and stresses, so that data of both stays in cache.
constexpr std::size_t kAtOnce = 512;

int corner_index(const dist::Mesh& mesh, LocalElement e, LocalNode n) {
  int i = 0;
  while (mesh.corner(e, i) != n) ++i;
  return i;
}

}  // namespace

void StarForces::evaluate(const dist::Mesh& mesh, std::span<const LocalNode> nodes, Wanted wanted) {
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
  if (wanted == Wanted::stresses) virials_.resize(slots_.size());
  const auto& shares = mesh.field(dist::kMaterialShare);
  for (std::size_t first = 0; first < slots_.size(); first += kAtOnce) {
    const std::span chosen = std::span(slots_).subspan(first, std::min(kAtOnce, slots_.size() - first));
    corner_forces_(chosen, std::span(forces_).subspan(first, chosen.size()));
    if (wanted == Wanted::stresses)
      for (std::size_t i = first; i < first + chosen.size(); ++i)
        virials_[i] = virial_of(mesh, LocalElement(slots_[i]), forces_[i], shares[LocalElement(slots_[i])]);
  }
}

SymMat3 StarForces::separation_tensor(const dist::Mesh& mesh, LocalNode n) const {
  SeparationTensor zeta;
  for (std::int32_t e : mesh.star(n)) zeta.add(forces_[place_[e]], corner_index(mesh, LocalElement(e), n));
  zeta.add_push(contact_force(mesh, mesh.find_field(kContactAcceleration), n));
  return zeta.value();
}

StarForces::Virial StarForces::virial_of(const dist::Mesh& mesh, LocalElement e, const dist::CornerForces& forces,
                                         double share) {
  const auto corners = mesh.corners(e);
  const Vec3 origin(mesh.motion[corners[0]].position);
  Mat3 edges, virial = Mat3::Zero();
  for (int j = 1; j < 4; ++j) {
    edges.col(j - 1) = Vec3(mesh.motion[corners[j]].position) - origin;
    virial -= Vec3(forces.corner[j].total) * edges.col(j - 1).transpose();
  }
  return {symmetric_part(0.5 * (virial + virial.transpose())), share * std::abs(edges.determinant()) / 6};
}

SymMat3 StarForces::Virial::stress() const { return volume == 0 ? SymMat3(SymMat3::Zero()) : SymMat3(virial / volume); }

SymMat3 StarForces::mean_stress(const dist::Mesh& mesh, LocalNode n) const {
  Virial sum;
  for (const std::int32_t e : mesh.star(n)) {
    const Virial& one = virials_[static_cast<std::size_t>(place_[e])];
    sum.virial += one.virial;
    sum.volume += one.volume;
  }
  return sum.stress();
}

std::pair<SymMat3, double> StarForces::stress(LocalElement e) const {
  const Virial& one = virials_[static_cast<std::size_t>(place_[e.value])];
  return {one.stress(), one.volume};
}

}  // namespace brisance::fracture
