/// Corner forces around chosen nodes: neighbours share elements, and each element is evaluated once.
#pragma once

#include "brisance/core/memory.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criteria/separation_tensor.hpp"
#include "brisance/fracture/parameters.hpp"
#include "brisance/fracture/services.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace brisance::fracture {

/// Keeps its arrays between calls, so that a step that breaks nothing allocates nothing.
class StarForces {
public:
  explicit StarForces(CornerForceFunction corner_forces) : corner_forces_(std::move(corner_forces)) {}

  enum class Wanted : std::uint8_t { forces, stresses };
  /// Evaluates every element of these owned nodes' stars; discards earlier evaluations. Local.
  void evaluate(const dist::Mesh& mesh, std::span<const LocalNode> nodes, Wanted wanted = Wanted::forces);

  /// ζ of one of those nodes [N]. The bits depend on its star alone. Local.
  [[nodiscard]] SymMat3 separation_tensor(const dist::Mesh& mesh, LocalNode n) const;
  /// Cauchy stress of its star, the mean by present volumes: −Σ f xᵀ over all corners of all its tets, over their
  /// volume (the virial of forces that balance in each tet; damping takes part) [Pa]. Zero without volume. Where
  /// stresses were wanted. Local.
  [[nodiscard]] SymMat3 mean_stress(const dist::Mesh& mesh, LocalNode n) const;
  /// The same of one tet of such a star, and the present volume of the material in it [m³]. Local.
  [[nodiscard]] std::pair<SymMat3, double> stress(LocalElement e) const;

  [[nodiscard]] std::size_t memory_bytes() const { return core::bytes_of(slots_, forces_, virials_, place_); }

private:
  /// Virial of one tet, or of several.
  struct Virial {
    SymMat3 virial = SymMat3::Zero();  ///< symmetric part of −Σ f xᵀ [J]
    double volume = 0;                 ///< of the material, present [m³]
    [[nodiscard]] SymMat3 stress() const;
  };
  /// `share`: of the tet that is filled with material, whose forces these are (dist::kMaterialShare).
  [[nodiscard]] static Virial virial_of(const dist::Mesh& mesh, LocalElement e, const dist::CornerForces& forces,
                                        double share);

  CornerForceFunction corner_forces_;
  std::vector<std::int32_t> slots_;         ///< evaluated elements, in order of first occurrence
  std::vector<dist::CornerForces> forces_;  ///< parallel to slots_
  std::vector<Virial> virials_;             ///< parallel to slots_
  std::vector<std::int32_t> place_;         ///< by element slot: index in slots_; -1: not evaluated
};

}  // namespace brisance::fracture
