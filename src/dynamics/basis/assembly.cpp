#include "assembly.hpp"

#include "brisance/dynamics/corotational.hpp"
#include "brisance/dynamics/element_stiffness.hpp"
#include "brisance/elements/corotated.hpp"
#include "brisance/la/star_forest.hpp"

#include "dynamics/lattice_parts.hpp"
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

constexpr double kTurned = 3;       ///< by which a rotation can increase the largest entry of a block
constexpr int kSumsOfRounding = 1;  ///< binary digits more than the bound, for the rounding of terms

std::array<Vec3, 4> gradients_of_tet(const dist::Mesh& mesh, LocalElement e) {
  return shape_gradients(mesh.blocks[static_cast<std::size_t>(e.value / dist::kBatch)], e.value % dist::kBatch);
}

/// Bounds of the entries of a tet's block of two functions with weights up to 1: stiffness and damping at any rotation,
/// [N/m] and [kg/s].
std::array<double, 2> bounds_of_tet(const dist::Mesh& mesh, LocalElement e) {
  constexpr double kAllCorners = 16;
  const material::Material& m = mesh.material(e);
  double largest = 0;
  for (const Vec3& g : gradients_of_tet(mesh, e)) largest = std::max(largest, g.squaredNorm());
  const double size = kAllCorners * mesh.volume(e) * largest;
  const double stiffness = material::is_anisotropic(m)
                               ? kAllCorners * kTurned * at_rest(mesh, e, kStiffness).cwiseAbs().maxCoeff()
                               : size * (std::abs(m.lame_lambda) + 2 * m.lame_mu);
  const double scale =
      mesh.blocks[static_cast<std::size_t>(e.value / dist::kBatch)].damping_scale[e.value % dist::kBatch];
  return {stiffness, size * scale * (m.damping_phi + 2 * m.damping_psi)};
}

}  // namespace

/// Corners that never move have none.
CornerLinks ReducedSystem::Assembly::links(const dist::Mesh& mesh, LocalElement e) const {
  CornerLinks links;
  const auto corners = mesh.corners(e);
  for (std::size_t i = 0; i < 4; ++i)
    if (const auto slot = static_cast<std::size_t>(corners[i].value); held_[slot] != kHeld)
      links[i] = functions_.of(slot);
  return links;
}

/// Gradients of the functions that move a tet. Where rows of a corner are left out, corners may not cancel.
void ReducedSystem::Assembly::find_gradients(const dist::Mesh& mesh, LocalElement e) {
  const auto of_corners = gradients_of_tet(mesh, e);
  const CornerLinks here = links(mesh, e);
  const bool is_anisotropic = material::is_anisotropic(mesh.material(e));
  double most = 0;
  for (const Vec3& g : of_corners) most = std::max(most, g.norm());
  bool cancels = !is_anisotropic;
  for (const LocalNode n : mesh.corners(e)) cancels = cancels && held_[static_cast<std::size_t>(n.value)] == 0;
  functions_of(here, chosen_);
  gradients_.assign(chosen_.size(), Vec3::Zero());
  for (std::size_t c = 0; c < 4; ++c) {
    std::size_t i = 0;
    for (const Functions::Link& link : here[c]) {
      while (chosen_[i] != link.function) ++i;
      gradients_[i] +=
          link.weight * (cancels ? of_corners[c] : Vec3(is_anisotropic ? most : of_corners[c].norm(), 0, 0));
    }
  }
}

double ReducedSystem::Assembly::gathered_share() const {
  return home_.empty() ? 0 : 1 - static_cast<double>(loose_.size()) / static_cast<double>(home_.size());
}

/// Σ (λ + 2μ) V |∇f|² of each function: by Cauchy and Schwarz the terms of a block (f, g) sum up to the root of the
/// product of both at most, however tets have turned. Terms are rounded up to multiples of 2⁻³⁰ of the largest, so that
/// they add exactly in any order. Collective.
void ReducedSystem::Assembly::find_bounds(const dist::Mesh& mesh) {
  std::array<double, 2> largest{};
  for (const std::int32_t slot : home_) {
    const auto bounds = bounds_of_tet(mesh, LocalElement(slot));
    for (std::size_t k = 0; k < 2; ++k) largest[k] = std::max(largest[k], bounds[k]);
  }
  largest = mesh.comm().max(largest);
  const std::array<double, 2> unit{std::ldexp(largest[0], -30), std::ldexp(largest[1], -30)};
  std::array<std::vector<double>*, 2> sums{&bounds_.stiffness, &bounds_.damping};
  for (auto* const sum : sums) sum->assign(static_cast<std::size_t>(functions_.count()), 0);
  for (const std::int32_t slot : home_) {
    const LocalElement e(slot);
    const auto bounds = bounds_of_tet(mesh, e);
    double corners = 0;
    for (const Vec3& g : gradients_of_tet(mesh, e)) corners = std::max(corners, g.norm());
    find_gradients(mesh, e);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const double share = gradients_[i].norm() / (4 * corners), rounding = 0x1p-40;
      for (std::size_t k = 0; k < 2; ++k)
        if (unit[k] > 0)
          (*sums[k])[static_cast<std::size_t>(chosen_[i])] +=
              unit[k] * std::ceil(bounds[k] * (share * share + rounding) / unit[k]);
    }
  }
  for (auto* const sum : sums) core::sum_rounded(mesh.comm(), *sum);
}

void ReducedSystem::Assembly::find_quanta(const dist::Mesh& mesh, const StepEquation& equation,
                                          std::span<const NodeBlock> blocks) {
  const double stiff = equation.stiffness_weight(), damped = equation.inertia * equation.damping_weight();
  std::vector<double> bound(static_cast<std::size_t>(functions_.count()));
  for (std::size_t f = 0; f < bound.size(); ++f) bound[f] = stiff * bounds_.stiffness[f] + damped * bounds_.damping[f];
  if (mesh.comm().any(!blocks.empty())) {
    std::vector<double> largest(bound.size(), 0), count(bound.size(), 0);
    for (const NodeBlock& block : blocks)
      for (const Functions::Link& link : functions_.of(static_cast<std::size_t>(block.node))) {
        const auto f = static_cast<std::size_t>(link.function);
        largest[f] = std::max(largest[f], block.block.cwiseAbs().maxCoeff());
        count[f] += 1;
      }
    reduce(mesh.comm(), largest, MPI_MAX);
    reduce(mesh.comm(), count, MPI_SUM);
    for (std::size_t f = 0; f < bound.size(); ++f) bound[f] += largest[f] * count[f];
  }
  exponent_.clear();
  int least = 0, most = 0;
  for (const double of_function : bound) {
    int exponent = 0;
    if (std::isfinite(of_function) && of_function > 0) std::frexp(of_function, &exponent);
    least = exponent_.empty() ? exponent : std::min(least, exponent);
    most = exponent_.empty() ? exponent : std::max(most, exponent);
    exponent_.push_back(exponent);
  }
  quanta_.clear();
  least_exponent_ = 2 * least;
  for (int sum = 2 * least; sum <= 2 * most; ++sum)
    quanta_.emplace_back(std::ldexp(1.0, (sum - (sum & 1)) / 2 + (sum & 1) + kSumsOfRounding));
}

void ReducedSystem::Assembly::fill(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion,
                                   const Parameters& parameters, const StepEquation& equation,
                                   std::span<const NodeBlock> blocks) {
  find_quanta(mesh, equation, blocks);
  matrix_.clear_terms();
  if (equation.damping_weight() > 0) {
    for (const Cell& cell : cells_)
      add_cell(mesh, cell, rotation_at(mesh, cell.turns, motion, parameters.strain), equation);
    for (std::size_t i = 0; i < loose_.size(); ++i) add_tet(mesh, i, motion, parameters, equation);
  }
  for (const NodeBlock& block : blocks) add_block(block);
  matrix_.gather();
  add_masses(mass_weight(parameters, equation));
  leave_out_dependent(matrix_.values(), 9);
}

std::vector<Mat3> ReducedSystem::Assembly::rotations(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion,
                                                     Strain strain) const {
  // Entries of a rotation are at most 1.
  const core::Quantum quantum(static_cast<double>(mesh.comm().sum(static_cast<std::int64_t>(home_.size()))));
  std::vector<double> sums(9 * num_pieces_, 0);
  const auto add = [&](LocalElement e, double weight, std::int32_t piece) {
    const Mat3 rotation = weight * rotation_at(mesh, e, motion, strain);
    for (std::size_t v = 0; v < 9; ++v)
      sums[9 * static_cast<std::size_t>(piece) + v] += quantum.rounded(rotation.data()[v]);
  };
  for (const Cell& cell : cells_) add(cell.turns, cell.num_tets, cell.piece);
  for (std::size_t i = 0; i < loose_.size(); ++i) add(LocalElement(loose_[i]), 1, piece_of_loose_[i]);
  core::sum_rounded(mesh.comm(), sums);
  std::vector<Mat3> rotations;
  for (std::size_t piece = 0; piece < num_pieces_; ++piece) {
    const Mat3 sum = Eigen::Map<const Mat3>(&sums[9 * piece]);
    const double size = sum.norm() / std::sqrt(3.0);
    rotations.push_back(size > 0 ? elements::rotation_of(sum / size) : Mat3::Identity());
  }
  return rotations;
}

/// The sums are complete, so that one operation an entry has the same bits for any division.
void ReducedSystem::Assembly::add_masses(double weight) {
  for (std::size_t row = 0; row < matrix_.num_rows(); ++row)
    for (std::size_t k = matrix_.first(row); k < matrix_.first(row + 1); ++k)
      for (std::size_t a = 0; a < 3; ++a) matrix_.block(k)[4 * a] += weight * masses_[3 * k + a];
}

void ReducedSystem::Assembly::add(std::size_t row, std::int32_t column, std::size_t place, const double* block) {
  const int sum = exponent_[row] + exponent_[static_cast<std::size_t>(column)];
  const core::Quantum& quantum = quanta_[static_cast<std::size_t>(sum - least_exponent_)];
  double* const to = matrix_.term(place);
  for (int v = 0; v < 9; ++v) to[v] += quantum.rounded(block[v]);
}

/// K = λ S + μ Sᵀ + μ tr(S) I with S = Σ V ∇f ∇gᵀ (elements::elastic_stiffness), turned.
void ReducedSystem::Assembly::add_cell(const dist::Mesh& mesh, const Cell& cell, const Mat3& rotation,
                                       const StepEquation& equation) {
  using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const material::Material& m = mesh.materials[static_cast<std::size_t>(cell.material)];
  const double stiff = equation.stiffness_weight(), damped = equation.inertia * equation.damping_weight();
  const Block turn = rotation;
  const auto of_sum = [](const double* sum, double lambda, double mu) -> Block {
    const Eigen::Map<const Block> s(sum);
    Block k = lambda * s + mu * s.transpose();
    k.diagonal().array() += mu * s.trace();
    return k;
  };
  for (std::size_t i = 0; i < cell.functions.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t k = pair_index(i, j);
      Block sum = of_sum(&cell.stiffness[9 * k], stiff * m.lame_lambda, stiff * m.lame_mu);
      if (is_damped_) sum += of_sum(&cell.damping[9 * k], damped * m.damping_phi, damped * m.damping_psi);
      const Block half = turn * sum, turned = half * turn.transpose();
      add(static_cast<std::size_t>(cell.functions[i]), cell.functions[j], static_cast<std::size_t>(cell.places[k]),
          turned.data());
    }
}

void ReducedSystem::Assembly::add_tet(const dist::Mesh& mesh, std::size_t which,
                                      std::span<const dist::NodeMotion> motion, const Parameters& parameters,
                                      const StepEquation& equation) {
  const LocalElement e(loose_[which]);
  StiffnessMatrix<3> k = element_stiffness(mesh, e, motion, parameters.strain, equation);
  const auto corners = mesh.corners(e);
  for (int i = 0; i < 4; ++i)
    for (int a = 0; a < 3; ++a)
      if (is_held(held_[static_cast<std::size_t>(corners[static_cast<std::size_t>(i)].value)], a)) {
        k.row(3 * i + a).setZero();
        k.col(3 * i + a).setZero();
      }
  const CornerLinks here = links(mesh, e);
  if (std::ranges::all_of(here, [](const auto& of_corner) { return of_corner.size() <= 1; })) {
    add_free_tet(k, here, &loose_places_[first_loose_place_[which]]);
    return;
  }
  functions_of(here, chosen_);
  terms_.choose(chosen_);
  values_.assign(9 * num_pairs(chosen_.size()), 0);
  terms_.add_stiffness(k, here, values_);
  const std::int32_t* place = &loose_places_[first_loose_place_[which]];
  for (std::size_t i = 0; i < chosen_.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      add(static_cast<std::size_t>(chosen_[i]), chosen_[j], static_cast<std::size_t>(*place++),
          &values_[9 * pair_index(i, j)]);
}

/// The blocks of free nodes are those of the tet. Has the same bits as the general way.
void ReducedSystem::Assembly::add_free_tet(const StiffnessMatrix<3>& k, const CornerLinks& corners,
                                           const std::int32_t* place) {
  std::array<std::pair<std::int32_t, int>, 4> order;  // of corners; those that never move come first
  for (int c = 0; c < 4; ++c) {
    const auto& links = corners[static_cast<std::size_t>(c)];
    order[static_cast<std::size_t>(c)] = {links.empty() ? -1 : links.front().function, c};
  }
  std::ranges::sort(order);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      if (order[j].first < 0) continue;
      const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> block =
          k.block<3, 3>(3 * order[i].second, 3 * order[j].second);
      add(static_cast<std::size_t>(order[i].first), order[j].first, static_cast<std::size_t>(*place++), block.data());
    }
}

void ReducedSystem::Assembly::add_block(const NodeBlock& block) {
  const auto slot = static_cast<std::size_t>(block.node);
  if (held_[slot] == kHeld) return;
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
    matrix_.find(chosen_[i], std::span(chosen_).first(i + 1), places_);
    for (std::size_t j = 0; j <= i; ++j) {
      const Mat3 term = links[i].weight * links[j].weight * free;
      add(row, chosen_[j], static_cast<std::size_t>(places_[j]), term.data());
    }
  }
}

}  // namespace brisance::dynamics
