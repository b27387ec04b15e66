/// Columns are y⁺, y⁻ ≥ 0 with θ_S Per(S) = (y⁺ − y⁻)/scale₀, so that costs are 1 and entries at most about 1.
#include "modes/search/master_program.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>

#include <ClpSimplex.hpp>

namespace brisance::modes {

namespace {

constexpr double kTolerance = 1e-11;      ///< tolerance of the simplex method, on rows and costs of size 1
constexpr double kReducedCost = 1e-9;     ///< below minus this value a column would improve the solution
constexpr double kArtificialPrice = 1e4;  ///< cost of an artificial set over that of the best real one, at first
constexpr double kHighestPrice = 1e12;

}  // namespace

MasterProgram::MasterProgram(std::span<const double> scale)
    : program_(std::make_unique<ClpSimplex>()), scale_(scale.begin(), scale.end()), multipliers_(scale.size()) {
  program_->setLogLevel(0);
  program_->scaling(0);
  program_->setPrimalTolerance(kTolerance);
  program_->setDualTolerance(kTolerance);
  const int rows = static_cast<int>(scale.size());
  program_->resize(rows, 0);
  for (int k = 0; k < rows; ++k) program_->setRowBounds(k, k == 0 ? 1 : 0, k == 0 ? 1 : 0);
  std::vector<double> units(scale.size() * scale.size(), 0.0);
  for (std::size_t k = 0; k < scale.size(); ++k) units[k * scale.size() + k] = 1;
  add_columns(units, kArtificialPrice);
}

MasterProgram::~MasterProgram() = default;

/// Adds each column and its negative in one call: CLP copies its arrays every time.
void MasterProgram::add_columns(std::span<const double> entries, double cost) {
  std::vector<CoinBigIndex> start{0};
  std::vector<int> row;
  std::vector<double> value;
  for (std::size_t first = 0; first < entries.size(); first += scale_.size())
    for (const double sign : {1.0, -1.0}) {
      for (std::size_t k = 0; k < scale_.size(); ++k) {
        if (entries[first + k] == 0) continue;
        row.push_back(static_cast<int>(k));
        value.push_back(sign * entries[first + k]);
      }
      start.push_back(static_cast<CoinBigIndex>(row.size()));
    }
  const int count = static_cast<int>(start.size()) - 1;
  const std::vector<double> costs(count, cost);
  program_->addColumns(count, nullptr, nullptr, costs.data(), start.data(), row.data(), value.data());
}

void MasterProgram::add(std::span<const double> integrals, std::span<const double> perimeters) {
  std::vector<double> entries(integrals.begin(), integrals.end());
  for (std::size_t i = 0; i < entries.size(); ++i)
    entries[i] /= perimeters[i / scale_.size()] * scale_[i % scale_.size()];
  add_columns(entries, 1);
  perimeter_.insert(perimeter_.end(), perimeters.begin(), perimeters.end());
}

/// True if no column can improve the solution according to the program's own multipliers.
bool MasterProgram::is_optimal() const {
  const double* cost = program_->getReducedCost();
  return program_->status() == 0 &&
         std::all_of(cost, cost + program_->numberColumns(), [](double c) { return c > -kReducedCost; });
}

void MasterProgram::solve() {
  program_->primal(1);
  if (!is_optimal()) {  // once in some thousand programs CLP drops a column temporarily and does not restore it
    program_->allSlackBasis(true);
    program_->dual();
  }
  if (!is_optimal())
    throw core::Error(
        "The linear program of a fracture mode could not be solved. Check the mesh for tets of almost no volume.");
  objective_ = program_->objectiveValue() / scale_[0];
  for (std::size_t k = 0; k < scale_.size(); ++k) multipliers_[k] = program_->getRowPrice()[k] / scale_[k];
}

std::vector<double> MasterProgram::amounts() const {
  const double* y = program_->getColSolution() + 2 * scale_.size();
  std::vector<double> theta(perimeter_.size());
  for (std::size_t s = 0; s < theta.size(); ++s) theta[s] = (y[2 * s] - y[2 * s + 1]) / (scale_[0] * perimeter_[s]);
  return theta;
}

bool MasterProgram::uses_artificial() const {
  const double* y = program_->getColSolution();
  return std::any_of(y, y + 2 * scale_.size(), [](double amount) { return amount > 100 * kTolerance; });
}

void MasterProgram::raise_artificial_price() {
  const double price = 1e3 * program_->objective()[0];
  if (price > kHighestPrice)
    throw core::Error(
        "A fracture mode orthogonal to the earlier ones was not found. The mesh is too coarse for so many modes: ask "
        "for "
        "fewer, or use a finer mesh.");
  for (int j = 0; j < 2 * static_cast<int>(scale_.size()); ++j) program_->setObjectiveCoefficient(j, price);
}

}  // namespace brisance::modes
