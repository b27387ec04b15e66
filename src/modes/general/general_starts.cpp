#include "modes/general/general_starts.hpp"

#include "brisance/modes/spectral/start_vectors.hpp"
#include "brisance/modes/spectral/vibration.hpp"

#include "modes/spectral/conductivity.hpp"

#include <utility>

namespace brisance::modes {

namespace {

std::int32_t free_motions(const GeneralProblem& problem, bool couples_axes) {
  const int d = problem.body.local.mesh.dimension();
  if (!couples_axes) return 1;
  return problem.strain == StrainEnergy::elastic ? d * (d + 1) / 2 : d;
}

std::vector<std::vector<Vec3>> elastic_vectors(const GeneralProblem& problem, std::int32_t count) {
  const ElasticSolid solid{2 * problem.poisson / (1 - 2 * problem.poisson), 1, 1};
  std::vector<std::vector<Vec3>> vectors;
  for (const VibrationMode& mode : vibration_modes(problem.body, solid, count))
    vectors.push_back(problem.body.nodes.fetch(mode.displacement));
  return vectors;
}

}  // namespace

GeneralStarts::GeneralStarts(const GeneralProblem& problem, const GeneralSettings& settings)
    : problem_(problem), couples_axes_(problem.couples_axes()), num_free_(free_motions(problem, couples_axes_)) {
  const Simplices& mesh = problem.body.local.mesh;
  const int d = mesh.dimension();
  if (problem.strain == StrainEnergy::elastic && d == 3) {
    elastic_ = elastic_vectors(problem, settings.count);
    return;
  }
  const std::int32_t scalar_count = couples_axes_ ? 1 + (settings.count - num_free_ + d - 1) / d : settings.count;
  const auto conductivity = cell_conductivity(problem.body);
  scalar_ = nodal_start_vectors(problem.body, scalar_count, settings.start, conductivity);
  if (problem.strain != StrainEnergy::none) return;
  for (std::vector<double>& v : scalar_) v = DividedBody::pick(averaged_to_cells(mesh, v), problem.body.own_cells);
}

std::vector<double> GeneralStarts::start(std::int32_t mode) const {
  const Simplices& mesh = problem_.body.local.mesh;
  const int d = mesh.dimension();
  if (!couples_axes_) return scalar_[mode];
  const int axis = (mode - num_free_) % d;
  const std::int32_t number = 1 + (mode - num_free_) / d;
  std::vector<double> field;
  if (problem_.strain == StrainEnergy::none) {
    for (const double v : scalar_[number])
      for (int k = 0; k < d; ++k) field.push_back(k == axis ? v : 0);
    return field;
  }
  for (const std::int32_t cell : problem_.body.own_cells)
    for (const std::int32_t node : mesh.cell(cell))
      for (int k = 0; k < d; ++k)
        field.push_back(elastic_.empty() ? (k == axis ? scalar_[number][node] : 0) : elastic_[mode][node][k]);
  return field;
}

}  // namespace brisance::modes
