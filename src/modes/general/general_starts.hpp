/// Start vectors of the search for modes of the general problem.
#pragma once

#include "brisance/modes/general/general_modes.hpp"

#include <cstdint>
#include <vector>

namespace brisance::modes {

/// Eigenvectors of Q on the unbroken body: of linear elasticity, or of the Laplacian along each axis in turn (also
/// without a strain energy, and for plane elasticity).
class GeneralStarts {
public:
  /// Collective. Throws core::Error (on all ranks) if the mesh is too coarse or the eigensolver fails.
  GeneralStarts(const GeneralProblem& problem, const GeneralSettings& settings);

  /// For mode number `mode` (those without energy are 0, 1, …): values on each own cell of the body, or on each corner
  /// of each. Local.
  [[nodiscard]] std::vector<double> start(std::int32_t mode) const;

private:
  const GeneralProblem& problem_;
  bool couples_axes_;
  std::int32_t num_free_;
  std::vector<std::vector<double>> scalar_;  ///< of the Laplacian, for each own cell or local node
  std::vector<std::vector<Vec3>> elastic_;   ///< for each local node
};

}  // namespace brisance::modes
