/// The strength factor η of every face, [S22] eq. (26), from regions, directions and painted values; and cells that
/// must not break.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/modes/body/cell_graph.hpp"
#include "brisance/modes/body/divided_body.hpp"
#include "brisance/modes/body/simplices.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace brisance::modes {

/// One factor for each local face: that of the weaker of its two regions. Regions not named have 1.
/// Throws core::Error (on all ranks) for a factor that is not positive, or a region that the body does not have.
/// Collective.
[[nodiscard]] std::vector<double> region_strength(const DividedBody& body,
                                                  const std::map<std::int32_t, double>& eta_of_region);

/// Strength by the direction in which a face opens: η(n) = ‖(η_x n_x, η_y n_y, η_z n_z)‖ for the face's unit normal n.
/// Wood with its grain along z is (1, 1, 10): ten times harder to break across than to split.
/// Throws core::Error for a factor that is not positive. Local.
[[nodiscard]] std::vector<double> normal_strength(const Simplices& mesh, const CellGraph& graph, const Vec3& eta);

/// W = opening·nnᵀ + sliding·(I − nnᵀ) with the normal n of each face: weights of a jump by its direction (the tensors
/// of a GeneralProblem). Throws core::Error for a factor that is not positive. Local.
[[nodiscard]] std::vector<Mat3> sliding_tensors(const Simplices& mesh, const CellGraph& graph, double opening,
                                                double sliding);

/// A painted strength, given at some points of the surface: each node of the outside (each node of a flat body) gets
/// the value of the nearest point, inner nodes follow by the harmonic extension (L η = 0 with linear elements, clipped
/// to the range on the outside), a face has the mean of its corners. PETSc's options with prefix -paint_ apply.
/// @return one value for each local face
/// Collective. Throws core::Error (on all ranks) if there is no point, a value is not positive, or the linear solver
/// fails.
[[nodiscard]] std::vector<double> painted_strength(const DividedBody& body, std::span<const Vec3> points,
                                                   std::span<const double> eta);

/// Regions where a body must not break: cells whose centre is inside any of these, or whose region is named.
struct NoBreak {
  struct Sphere {
    Vec3 centre;    ///< [m]
    double radius;  ///< [m]
  };
  struct Box {
    Vec3 low, high;  ///< corners [m]
  };
  std::vector<Sphere> spheres;
  std::vector<Box> boxes;
  std::vector<std::int32_t> regions;

  [[nodiscard]] bool empty() const { return spheres.empty() && boxes.empty() && regions.empty(); }
};

/// 1 for the local cells that must stay joined, 0 for the others; empty if `where` is. Throws core::Error (on all
/// ranks) if an entry of `where` selects nothing (most likely a typing error), or all of them together select
/// everything. Collective.
[[nodiscard]] std::vector<std::int32_t> cells_not_to_break(const DividedBody& body, const NoBreak& where);

}  // namespace brisance::modes
