#include "assembly.hpp"

#include "brisance/dynamics/corotational.hpp"
#include "brisance/dynamics/element_stiffness.hpp"
#include "brisance/elements/corotated.hpp"
#include "brisance/la/star_forest.hpp"

#include "rest_terms.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::dynamics {

namespace {

using elements::StiffnessMatrix;

double mass_weight(const Parameters& parameters, const StepEquation& equation) {
  return equation.inertia * (1 + equation.damping_weight() * parameters.mass_damping_per_s);
}

Mat3 rotation_at(const dist::Mesh& mesh, LocalElement e, std::span<const dist::NodeMotion> motion, Strain strain) {
  if (strain == Strain::linear) return Mat3::Identity();
  const dist::ElementBlock& block = mesh.blocks[static_cast<std::size_t>(e.value / dist::kBatch)];
  std::array<Vec3, 4> x;
  for (std::size_t i = 0; i < 4; ++i) x[i] = Vec3(motion[static_cast<std::size_t>(mesh.corners(e)[i].value)].position);
  return elements::rotation_of(corner_gradient(x, shape_gradients(block, e.value % dist::kBatch)));
}

constexpr double kTurned = 3;  ///< by which a rotation can increase the largest entry of a block

void reduce_all(const core::Comm& comm, std::vector<double>& values, MPI_Op op) {
  la::check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, op, comm.raw()),
            "MPI_Allreduce");
}

}  // namespace

CornerLinks ReducedSystem::Assembly::links(const dist::Mesh& mesh, LocalElement e) const {
  CornerLinks links;
  const auto corners = mesh.corners(e);
  for (std::size_t i = 0; i < 4; ++i) links[i] = functions_.of(static_cast<std::size_t>(corners[i].value));
  return links;
}

double ReducedSystem::Assembly::gathered_share() const {
  return home_.empty() ? 0 : 1 - static_cast<double>(loose_.size()) / static_cast<double>(home_.size());
}

/// Bounds of the sums of each function, for quanta that do not depend on the division of the mesh: terms of tets are
/// rounded up to multiples of 2⁻³⁰ of the largest, so that they add exactly in any order. Collective.
void ReducedSystem::Assembly::find_bounds(const dist::Mesh& mesh) {
  enum { kStiff, kDamped, kHeavy, kKinds };
  std::vector<std::array<double, kKinds>> of_tet(home_.size());
  std::array<double, kKinds> largest{};
  for (std::size_t i = 0; i < home_.size(); ++i) {
    const LocalElement e(home_[i]);
    of_tet[i] = {at_rest(mesh, e, kStiffness).cwiseAbs().maxCoeff(),
                 is_damped_ ? at_rest(mesh, e, kDamping).cwiseAbs().maxCoeff() : 0, corner_mass(mesh, e)};
    for (std::size_t k = 0; k < kKinds; ++k) largest[k] = std::max(largest[k], of_tet[i][k]);
  }
  largest = mesh.comm().max(largest);
  std::array<std::vector<double>*, kKinds> sums{&bounds_.stiffness, &bounds_.damping, &bounds_.mass};
  for (auto* const sum : sums) sum->assign(static_cast<std::size_t>(functions_.count()), 0);
  std::vector<double> weight(static_cast<std::size_t>(functions_.count()), 0);  // over the corners of a tet
  for (std::size_t i = 0; i < home_.size(); ++i) {
    const CornerLinks here = links(mesh, LocalElement(home_[i]));
    functions_of(here, chosen_);
    for (const auto& of_corner : here)
      for (const Functions::Link& link : of_corner) weight[static_cast<std::size_t>(link.function)] += link.weight;
    double heaviest = 0;
    for (const std::int32_t f : chosen_) heaviest = std::max(heaviest, weight[static_cast<std::size_t>(f)]);
    for (const std::int32_t function : chosen_) {
      const auto f = static_cast<std::size_t>(function);
      for (std::size_t k = 0; k < kKinds; ++k) {
        const double unit = std::ldexp(largest[k], -30);
        if (unit > 0) (*sums[k])[f] += unit * std::ceil(kTurned * of_tet[i][k] * weight[f] * heaviest / unit);
      }
    }
    for (const std::int32_t f : chosen_) weight[static_cast<std::size_t>(f)] = 0;
  }
  for (auto* const sum : sums) core::sum_rounded(mesh.comm(), *sum);
}

void ReducedSystem::Assembly::find_quanta(const dist::Mesh& mesh, const Parameters& parameters,
                                          const StepEquation& equation, std::span<const NodeBlock> blocks) {
  const double stiff = equation.stiffness_weight(), damped = equation.inertia * equation.damping_weight(),
               heavy = mass_weight(parameters, equation);
  std::vector<double> bound(static_cast<std::size_t>(functions_.count()));
  for (std::size_t f = 0; f < bound.size(); ++f)
    bound[f] = stiff * bounds_.stiffness[f] + damped * bounds_.damping[f] + heavy * bounds_.mass[f];
  if (mesh.comm().any(!blocks.empty())) {
    std::vector<double> largest(bound.size(), 0), count(bound.size(), 0);
    for (const NodeBlock& block : blocks)
      for (const Functions::Link& link : functions_.of(static_cast<std::size_t>(block.node))) {
        const auto f = static_cast<std::size_t>(link.function);
        largest[f] = std::max(largest[f], block.block.cwiseAbs().maxCoeff());
        count[f] += 1;
      }
    reduce_all(mesh.comm(), largest, MPI_MAX);
    reduce_all(mesh.comm(), count, MPI_SUM);
    for (std::size_t f = 0; f < bound.size(); ++f) bound[f] += largest[f] * count[f];
  }
  quanta_.clear();
  for (const double of_function : bound) quanta_.emplace_back(of_function);
}

void ReducedSystem::Assembly::fill(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion,
                                   const Parameters& parameters, const StepEquation& equation,
                                   std::span<const NodeBlock> blocks) {
  find_quanta(mesh, parameters, equation, blocks);
  std::ranges::fill(matrix_.values(), 0.0);
  for (const Cell& cell : cells_)
    add_cell(cell, rotation_at(mesh, cell.turns, motion, parameters.strain), mass_weight(parameters, equation),
             equation);
  for (const std::int32_t slot : loose_) add_tet(mesh, LocalElement(slot), motion, parameters, equation);
  for (const NodeBlock& block : blocks) add_block(block);
  core::sum_rounded(mesh.comm(), matrix_.values());
  matrix_.finish(static_cast<std::size_t>(functions_.count() - functions_.num_free()));
}

/// Each entry is bounded by the terms of its row and by those of its column.
void ReducedSystem::Assembly::add(std::size_t row, std::int32_t column, std::size_t place, const double* block) {
  const core::Quantum &of_row = quanta_[row], &of_column = quanta_[static_cast<std::size_t>(column)];
  const core::Quantum& quantum = of_row.size() < of_column.size() ? of_row : of_column;
  double* const to = matrix_.block(place);
  for (int v = 0; v < 9; ++v) to[v] += quantum.rounded(block[v]);
}

void ReducedSystem::Assembly::add_cell(const Cell& cell, const Mat3& rotation, double mass_weight,
                                       const StepEquation& equation) {
  using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const double stiff = equation.stiffness_weight(), damped = equation.inertia * equation.damping_weight();
  for (std::size_t i = 0; i < cell.functions.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t k = pair_index(i, j);
      Block sum = stiff * Eigen::Map<const Block>(&cell.stiffness[9 * k]);
      if (is_damped_) sum += damped * Eigen::Map<const Block>(&cell.damping[9 * k]);
      Block turned = rotation * sum * rotation.transpose();
      turned.diagonal().array() += mass_weight * cell.mass[k];
      add(static_cast<std::size_t>(cell.functions[i]), cell.functions[j], static_cast<std::size_t>(cell.places[k]),
          turned.data());
    }
}

void ReducedSystem::Assembly::add_tet(const dist::Mesh& mesh, LocalElement e, std::span<const dist::NodeMotion> motion,
                                      const Parameters& parameters, const StepEquation& equation) {
  StiffnessMatrix<3> k = element_stiffness(mesh, e, motion, parameters.strain, equation);
  k.diagonal().array() += mass_weight(parameters, equation) * corner_mass(mesh, e);
  const auto corners = mesh.corners(e);
  for (int i = 0; i < 4; ++i)
    for (int a = 0; a < 3; ++a)
      if ((held_[static_cast<std::size_t>(corners[static_cast<std::size_t>(i)].value)] >> a & 1) != 0) {
        k.row(3 * i + a).setZero();
        k.col(3 * i + a).setZero();
      }
  const CornerLinks here = links(mesh, e);
  functions_of(here, chosen_);
  terms_.choose(chosen_);
  values_.assign(9 * num_pairs(chosen_.size()), 0);
  terms_.add_stiffness(k, here, values_);
  places_.resize(chosen_.size());
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const auto row = static_cast<std::size_t>(chosen_[i]);
    matrix_.find(row, std::span(chosen_).first(i + 1), places_);
    for (std::size_t j = 0; j <= i; ++j)
      add(row, chosen_[j], static_cast<std::size_t>(places_[j]), &values_[9 * pair_index(i, j)]);
  }
}

void ReducedSystem::Assembly::add_block(const NodeBlock& block) {
  const auto slot = static_cast<std::size_t>(block.node);
  Mat3 free = block.block;
  for (int a = 0; a < 3; ++a)
    if ((held_[slot] >> a & 1) != 0) {
      free.row(a).setZero();
      free.col(a).setZero();
    }
  const auto links = functions_.of(slot);
  chosen_.clear();
  for (const Functions::Link& link : links) chosen_.push_back(link.function);
  places_.resize(chosen_.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto row = static_cast<std::size_t>(chosen_[i]);
    matrix_.find(row, std::span(chosen_).first(i + 1), places_);
    for (std::size_t j = 0; j <= i; ++j) {
      const Mat3 term = links[i].weight * links[j].weight * free;
      add(row, chosen_[j], static_cast<std::size_t>(places_[j]), term.data());
    }
  }
}

}  // namespace brisance::dynamics
