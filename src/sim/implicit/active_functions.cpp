/// The hierarchical basis in a run: when its functions are chosen, and what happens to the motion then.
#include "brisance/core/error.hpp"
#include "brisance/dynamics/basis/choice.hpp"
#include "brisance/dynamics/basis/reduced_system.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/sim/fields.hpp"

#include "implicit_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr int kRingsAtFronts = 2;  ///< edges around a crack front within which nodes are free
constexpr double kAtCracks = 4;    ///< factor of nodes that a crack has touched
constexpr double kSimilar = 0.05;  ///< share of nodes with another level up to which a choice stays [–]

/// Extends a set of owned nodes, by slot, to all that share a tet with one. Collective.
void grow(const dist::Mesh& mesh, std::vector<std::uint8_t>& marked) {
  mesh.halo().update_ghosts(std::span(marked));
  const std::vector<std::uint8_t> before = marked;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    for (const std::int32_t e : mesh.star(n))
      for (const LocalNode corner : mesh.corners(LocalElement(e)))
        if (before[static_cast<std::size_t>(corner.value)] != 0) marked[static_cast<std::size_t>(i)] = 1;
  }
}

}  // namespace

void ImplicitDynamics::renew_basis() {
  if (!has_basis() || state_.num_steps % scene_.time.basis_renew_every != 0) return;
  const auto held = constrained_axes();
  const auto before = mesh_.field(dynamics::kBasisLevel);
  const std::vector<double> wanted = wanted_nodes(held);
  const dynamics::BasisChoice choice = dynamics::choose_basis_levels(
      mesh_, equations_.grid(mesh_, scene_.time), scene_.time.basis_active_share, scene_.time.strain, wanted);
  if (state_.num_steps == 0) refuse_empty_basis(choice.num_coarsest, choice.num_nodes);
  if (state_.num_steps > 0 && is_similar(before, wanted, choice.num_nodes)) {
    mesh_.field(dynamics::kBasisLevel) = before;
    return;
  }
  equations_.forget();
  if (!equations_.has_functions(mesh_, scene_.time)) return;
  carry_over_velocities(held);
  if (state_.knows_accelerations != 0) {
    keep_in_basis(mesh_.field(kAcceleration));
    keep_in_basis(mesh_.field(kOuterAcceleration));
  }
  const dynamics::ReducedSystem& system = equations_.reduced(mesh_, scene_.time, held);
  if (comm_.is_root())
    spdlog::debug(
        "step {}, t = {:.6g} s: {} functions are active, {:.3g} % of the nodes, {} of them those of nodes; {:.3g} % "
        "of the first rank's tets are gathered in cells",
        state_.num_steps, state_.time_s, equations_.active_functions(), 100 * equations_.active_share(),
        system.functions().num_free(), 100 * system.gathered_share());
}

/// May the former levels stay? New functions cost a new matrix, and motion that they cannot hold.
bool ImplicitDynamics::is_similar(const NodeField<std::uint8_t>& before, std::span<const double> wanted,
                                  std::int64_t num_nodes) const {
  std::int64_t others = 0;
  bool lacks = false;
  const auto& after = std::as_const(mesh_).field(dynamics::kBasisLevel);
  for (const std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    if (before[n] != after[n]) ++others;
    lacks = lacks || (std::isinf(wanted[static_cast<std::size_t>(i)]) && before[n] != dynamics::kFree);
  }
  return !comm_.any(lacks) && static_cast<double>(comm_.sum(others)) <= kSimilar * static_cast<double>(num_nodes);
}

std::vector<double> ImplicitDynamics::wanted_nodes(std::span<const dynamics::ConstrainedAxes> held) const {
  const std::size_t slots = mesh_.node_id.size();
  std::vector<double> wanted(slots, 1);
  std::vector<std::uint8_t> at_front(slots, 0);
  const auto* const front = std::as_const(mesh_).find_field(fracture::kFront);
  const auto* const cut = std::as_const(mesh_).find_field(fracture::kCut);
  for (const std::int32_t i : caches_.owned) {
    const auto s = static_cast<std::size_t>(i);
    if (front != nullptr && (*front)[LocalNode(i)] != 0) at_front[s] = 1;
    if (cut != nullptr && (*cut)[LocalNode(i)] != 0) wanted[s] = kAtCracks;
  }
  for (int ring = 0; ring < kRingsAtFronts; ++ring) grow(mesh_, at_front);
  for (const std::int32_t i : caches_.owned) {
    const auto s = static_cast<std::size_t>(i);
    bool at_rim = false;  // a neighbour is held where this node is not: no function of a lattice fits both
    for (const std::int32_t e : mesh_.star(LocalNode(i)))
      for (const LocalNode corner : mesh_.corners(LocalElement(e)))
        at_rim = at_rim || (held[static_cast<std::size_t>(corner.value)] & ~held[s]) != 0;
    if (at_front[s] != 0 || at_rim) wanted[s] = std::numeric_limits<double>::infinity();
  }
  return wanted;
}

void ImplicitDynamics::refuse_empty_basis(std::int64_t num_coarsest, std::int64_t num_nodes) const {
  const double share = static_cast<double>(num_coarsest) / static_cast<double>(num_nodes);
  core::agree(comm_, [&] {
    if (share > scene_.time.basis_active_share)
      throw core::Error(fmt::format(
          "time.basis_active_share = {:g} leaves no function active: the coarsest lattice alone has {} functions, "
          "{:.2g} of the {} nodes. Take a larger share, wider cells (time.basis_cell_m) or more time.basis_levels.",
          scene_.time.basis_active_share, num_coarsest, share, num_nodes));
  });
}

/// Velocities beyond the functions would never change again. Their energy is numerical loss.
void ImplicitDynamics::carry_over_velocities(std::span<const dynamics::ConstrainedAxes> held) {
  const auto book_kinetic_energy = [&](double sign) {
    for (const std::int32_t i : caches_.owned)
      state_.numerical_loss.add(sign * 0.5 * mesh_.mass[LocalNode(i)] *
                                Vec3(mesh_.motion[LocalNode(i)].velocity).squaredNorm());
  };
  std::vector<Vec3> velocities(mesh_.node_id.size(), Vec3::Zero());
  for (const std::int32_t i : caches_.owned)
    velocities[static_cast<std::size_t>(i)] = Vec3(mesh_.motion[LocalNode(i)].velocity);
  book_kinetic_energy(1);
  equations_.reduced(mesh_, scene_.time, held).project(mesh_, velocities);
  for (const std::int32_t i : caches_.owned)
    Eigen::Map<Vec3>(mesh_.motion[LocalNode(i)].velocity) = velocities[static_cast<std::size_t>(i)];
  book_kinetic_energy(-1);
  mesh_.update_ghost_motion();
}

void ImplicitDynamics::keep_in_basis(std::span<Vec3> by_slot) {
  if (equations_.has_functions(mesh_, scene_.time))
    equations_.reduced(mesh_, scene_.time, constrained_axes()).project(mesh_, by_slot);
}

void ImplicitDynamics::keep_in_basis(NodeField<std::array<double, 3>>& field) {
  if (!equations_.has_functions(mesh_, scene_.time)) return;
  std::vector<Vec3> values(field.size(), Vec3::Zero());
  for (const std::int32_t i : caches_.owned) values[static_cast<std::size_t>(i)] = Vec3(field[LocalNode(i)].data());
  keep_in_basis(values);
  for (const std::int32_t i : caches_.owned)
    Eigen::Map<Vec3>(field[LocalNode(i)].data()) = values[static_cast<std::size_t>(i)];
}

}  // namespace brisance::sim
