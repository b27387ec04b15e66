/// Where the search for each mode of the general problem starts.
#pragma once

#include "brisance/modes/general/general_modes.hpp"

#include <cstdint>
#include <vector>

namespace brisance::modes {

/// Eigenvectors of Q on the body that hangs together: of linear elasticity, or of the Laplacian along each axis in turn
/// (also without a strain energy, and for plane elasticity).
class GeneralStarts {
public:
  /// Collective. Throws core::Error (on all ranks) if the mesh is too coarse or the eigensolver fails.
  GeneralStarts(const GeneralProblem& problem, const GeneralSettings& settings);

  /// For mode number `mode` (those that cost nothing are 0, 1, …): on each own cell of the body, or on each corner of
  /// each. Local.
  [[nodiscard]] std::vector<double> start(std::int32_t mode) const;

private:
  const GeneralProblem& problem_;
  bool couples_axes_;
  std::int32_t num_free_;
  std::vector<std::vector<double>> scalar_;  ///< Laplacian's, of each own cell or local node
  std::vector<std::vector<Vec3>> elastic_;   ///< of each local node
};

}  // namespace brisance::modes
