#include "lattice_preconditioner.hpp"

#include "brisance/core/random.hpp"
#include "brisance/core/rounded_sums.hpp"
#include "brisance/la/star_forest.hpp"

#include "chebyshev.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::dynamics {

namespace {

constexpr int kPowers = 10;               ///< power iterations for the estimate of the largest eigenvalue
constexpr double kEstimateMargin = 1.15;  ///< factor on the estimate
constexpr double kCare = 2;               ///< further factor where an estimate was too small (smooth_with_care)
constexpr double kMostOfTets = 4;         ///< bound of the eigenvalues of D⁻¹A of the nodes: a tet has four corners
constexpr double kLeastPivot = 1e-11;  ///< smaller pivots, over the largest diagonal entry, count as dependent rows [–]
constexpr std::size_t kDivided = 512;  ///< from this number of rows on, ranks divide a matrix product

// A: matrix of the nodes, or of a level; D: its diagonal 3×3 blocks.

/// Entry of the random start vector of power iterations. It is scaled to about the same energy everywhere, so that a
/// small region with a large eigenvalue is not missed.
Vec3 start_value(std::uint64_t id, const Mat3& inverse) {
  Vec3 start;
  for (int axis = 0; axis < 3; ++axis)
    start[axis] = core::hash_uniform(0x1A77, id, static_cast<std::uint64_t>(axis)) - 0.5;
  return std::sqrt(std::max(0.0, inverse.trace())) * start;
}

}  // namespace

/// The matrix of the nodes, as smooth() (chebyshev.hpp) needs it.
class LatticePreconditioner::Nodes {
public:
  explicit Nodes(const LatticePreconditioner& all) : all_(all) {}
  [[nodiscard]] std::size_t size() const { return all_.rows_.num_rows(); }
  [[nodiscard]] std::size_t at(std::size_t i) const { return all_.rows_.slot(i); }
  [[nodiscard]] const Mat3& inverse(std::size_t i) const { return all_.inverse_[i]; }
  void multiply(std::span<Vec3> x, std::span<Vec3> y) const { all_.rows_.multiply(*all_.mesh_, x, y); }

private:
  const LatticePreconditioner& all_;
};

/// The matrix of a level, as smooth() needs it. Every rank has whole vectors and the whole matrix. If it is large, each
/// rank multiplies its share of the rows.
class LatticePreconditioner::Points {
public:
  Points(const core::Comm& comm, const Level& level) : comm_(comm), level_(level) {}
  [[nodiscard]] std::size_t size() const { return level_.inverse.size(); }
  [[nodiscard]] std::size_t at(std::size_t i) const { return i; }
  [[nodiscard]] const Mat3& inverse(std::size_t i) const { return level_.inverse[i]; }
  void multiply(std::span<const Vec3> x, std::span<Vec3> y) const {
    const auto ranks = static_cast<std::size_t>(comm_.size());
    if (ranks == 1 || size() < kDivided) {
      level_.matrix.multiply(0, size(), x, y);
      return;
    }
    std::vector<int> counts, offsets;
    for (std::size_t r = 0; r < ranks; ++r) {
      const std::size_t begin = size() * r / ranks, end = size() * (r + 1) / ranks;
      offsets.push_back(static_cast<int>(3 * begin));
      counts.push_back(static_cast<int>(3 * (end - begin)));
    }
    const auto here = static_cast<std::size_t>(comm_.rank());
    level_.matrix.multiply(size() * here / ranks, size() * (here + 1) / ranks, x, y);
    la::check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y.data(), counts.data(), offsets.data(), MPI_DOUBLE,
                             comm_.raw()),
              "MPI_Allgatherv");
  }

private:
  const core::Comm& comm_;
  const Level& level_;
};

LatticePreconditioner::LatticePreconditioner(const dist::Mesh& mesh, const OrderedRows& rows, double spacing,
                                             int sweeps)
    : mesh_(&mesh),
      rows_(rows),
      lattice_(mesh, spacing),
      sweeps_(sweeps),
      num_nodes_(mesh.comm().sum(static_cast<std::int64_t>(rows.num_rows()))) {
  const auto geometry = lattice_.levels();
  levels_.resize(geometry.size());
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    Level& level = levels_[l];
    level.matrix = l == 0 ? finest_pattern(mesh.comm(), lattice_, rows)
                          : coarser_pattern(levels_[l - 1].matrix, geometry[l - 1], geometry[l].num_points);
    const auto count = static_cast<std::size_t>(geometry[l].num_points);
    level.inverse.resize(count);
    for (auto* const vector : {&level.x, &level.r, &level.step, &level.product}) vector->assign(count, Vec3::Zero());
  }
  const auto slots = static_cast<std::size_t>(mesh.num_node_slots());
  for (auto* const vector : {&r_, &step_, &product_}) vector->assign(slots, Vec3::Zero());
  inverse_.resize(rows.num_rows());
}

void LatticePreconditioner::set_up(const dist::Mesh& mesh, std::span<const ConstrainedAxes> held) {
  mesh_ = &mesh;
  held_.assign(held.begin(), held.end());
  for (std::size_t r = 0; r < rows_.num_rows(); ++r) inverse_[r] = inverse_of_block(rows_.diagonal(r));
  estimate_upper_bound();
  for (std::size_t l = 0; l < levels_.size(); ++l) set_up(l);
}

// The largest eigenvalue of D⁻¹A by power iterations: the last Rayleigh quotient in the inner product xᵀA y, in which
// D⁻¹A is symmetric.
void LatticePreconditioner::estimate_upper_bound() {
  const Nodes nodes(*this);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const LocalNode n(static_cast<std::int32_t>(nodes.at(i)));
    step_[nodes.at(i)] = start_value(static_cast<std::uint64_t>(mesh_->node_id[n].value), nodes.inverse(i));
  }
  double above = 0, below = 0;
  for (int power = 0; power < kPowers; ++power) {
    nodes.multiply(step_, product_);
    const auto sum = [&](const auto& term) { return core::rounded_sum(mesh_->comm(), nodes.size(), num_nodes_, term); };
    if (power + 1 == kPowers) {
      below = sum([&](std::size_t i) { return step_[nodes.at(i)].dot(product_[nodes.at(i)]); });
      above = sum([&](std::size_t i) { return product_[nodes.at(i)].dot(nodes.inverse(i) * product_[nodes.at(i)]); });
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) step_[nodes.at(i)] = nodes.inverse(i) * product_[nodes.at(i)];
  }
  upper_ = below > 0 ? std::min(kMostOfTets, kEstimateMargin * above / below) : kMostOfTets;
}

void LatticePreconditioner::set_up(std::size_t l) {
  Level& level = levels_[l];
  const LatticeLevel& geometry = lattice_.levels()[l];
  if (l == 0)
    fill_finest(mesh_->comm(), lattice_, rows_, held_, level.matrix);
  else
    fill_coarser(levels_[l - 1].matrix, lattice_.levels()[l - 1], level.matrix);

  for (std::size_t p = 0; p < level.inverse.size(); ++p) {
    const bool goes_on = geometry.first_link[p + 1] > geometry.first_link[p];
    level.inverse[p] = goes_on ? inverse_of_block(level.matrix.block(level.matrix.diagonal[p])) : Mat3(Mat3::Zero());
  }
  level.factors.clear();
  for (const LatticeLevel::Range& piece : geometry.solved) {
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(3 * piece.size(), 3 * piece.size());
    for (std::int32_t p = piece.first; p < piece.end; ++p)
      for (std::size_t k = level.matrix.first[static_cast<std::size_t>(p)];
           k < level.matrix.first[static_cast<std::size_t>(p) + 1]; ++k)
        dense.block<3, 3>(3 * (p - piece.first), 3 * (level.matrix.column[k] - piece.first)) =
            Eigen::Map<const Mat3>(level.matrix.block(k));
    level.factors.emplace_back(std::move(dense), kLeastPivot);
  }
  if (geometry.links.empty()) return;
  const Points points(mesh_->comm(), level);
  for (std::size_t p = 0; p < points.size(); ++p) level.step[p] = start_value(p, points.inverse(p));
  double above = 0, below = 0;
  for (int power = 0; power < kPowers; ++power) {
    points.multiply(level.step, level.product);
    above = below = 0;
    for (std::size_t p = 0; p < points.size(); ++p) {
      const Vec3 next = points.inverse(p) * level.product[p];
      below += level.step[p].dot(level.product[p]);
      above += level.product[p].dot(next);
      level.step[p] = next;
    }
  }
  level.upper = below > 0 ? kEstimateMargin * above / below : 1;
}

void LatticePreconditioner::smooth_with_care() {
  upper_ = kMostOfTets;
  for (Level& level : levels_) level.upper *= kCare;
}

/// Pᵀ r on the finest level; P interpolates from lattice points to nodes. Terms are rounded to multiples of a quantum,
/// so that sums have the same bits on any number of ranks. Collective.
void LatticePreconditioner::restrict_to_lattice(std::span<const Vec3> r) {
  Level& level = levels_[0];
  std::ranges::fill(level.r, Vec3::Zero());
  double largest = 0;
  for (std::size_t i = 0; i < rows_.num_rows(); ++i)
    largest = std::max(largest, r[rows_.slot(i)].cwiseAbs().maxCoeff());
  const core::Quantum quantum(mesh_->comm().max(largest) * static_cast<double>(lattice_.most_nodes()));
  for (std::size_t i = 0; i < rows_.num_rows(); ++i) {
    const std::size_t slot = rows_.slot(i);
    const auto& corners = lattice_.cells()[static_cast<std::size_t>(lattice_.cell_of(slot))];
    const auto& weights = lattice_.weights_of(slot);
    for (std::size_t which = 0; which < 8; ++which)
      for (int axis = 0; axis < 3; ++axis)
        if ((held_[slot] >> axis & 1) == 0)
          level.r[static_cast<std::size_t>(corners[which])][axis] += quantum.rounded(weights[which] * r[slot][axis]);
  }
  core::sum_rounded(mesh_->comm(), {level.r.front().data(), 3 * level.r.size()});
}

/// to = P x, x being the solution on the finest level. Constrained components become 0.
void LatticePreconditioner::take_from_lattice(std::span<Vec3> to) const {
  const Level& level = levels_[0];
  for (std::size_t i = 0; i < rows_.num_rows(); ++i) {
    const std::size_t slot = rows_.slot(i);
    const auto& corners = lattice_.cells()[static_cast<std::size_t>(lattice_.cell_of(slot))];
    const auto& weights = lattice_.weights_of(slot);
    Vec3 sum = Vec3::Zero();
    for (std::size_t which = 0; which < 8; ++which)
      sum += weights[which] * level.x[static_cast<std::size_t>(corners[which])];
    for (int axis = 0; axis < 3; ++axis)
      if ((held_[slot] >> axis & 1) != 0) sum[axis] = 0;
    to[slot] = sum;
  }
}

/// V-cycle from level l on: level.x ≈ A⁻¹ level.r.
void LatticePreconditioner::cycle(std::size_t l) {
  Level& level = levels_[l];
  const LatticeLevel& geometry = lattice_.levels()[l];
  const Points points(mesh_->comm(), level);
  const SmoothingScratch scratch{level.step, level.product};
  std::ranges::fill(level.x, Vec3::Zero());
  const bool goes_on = !geometry.links.empty();
  if (goes_on) smooth(points, sweeps_, level.upper, level.x, level.r, scratch, true);
  for (std::size_t i = 0; i < geometry.solved.size(); ++i) {
    const auto first = static_cast<std::size_t>(geometry.solved[i].first);
    const Eigen::Index size = 3 * geometry.solved[i].size();
    level.factors[i].solve(Eigen::Map<const Eigen::VectorXd>(level.r[first].data(), size),
                           Eigen::Map<Eigen::VectorXd>(level.x[first].data(), size));
  }
  if (!goes_on) return;
  Level& next = levels_[l + 1];
  std::ranges::fill(next.r, Vec3::Zero());
  for (std::int32_t p = 0; p < geometry.num_points; ++p)
    for (const LatticeLink& link : geometry.links_of(p))
      next.r[static_cast<std::size_t>(link.parent)] += link.weight * level.r[static_cast<std::size_t>(p)];
  cycle(l + 1);
  for (std::int32_t p = 0; p < geometry.num_points; ++p) {
    Vec3& step = level.step[static_cast<std::size_t>(p)];
    step.setZero();
    for (const LatticeLink& link : geometry.links_of(p))
      step += link.weight * next.x[static_cast<std::size_t>(link.parent)];
    level.x[static_cast<std::size_t>(p)] += step;
  }
  points.multiply(level.step, level.product);
  for (std::size_t p = 0; p < level.r.size(); ++p) level.r[p] -= level.product[p];
  smooth(points, sweeps_, level.upper, level.x, level.r, scratch, false);
}

void LatticePreconditioner::apply(const dist::Mesh& mesh, std::span<const Vec3> r, std::span<Vec3> z) {
  mesh_ = &mesh;
  const Nodes nodes(*this);
  const SmoothingScratch scratch{step_, product_};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    r_[nodes.at(i)] = r[nodes.at(i)];
    z[nodes.at(i)].setZero();
  }
  smooth(nodes, sweeps_, upper_, z, r_, scratch, true);
  restrict_to_lattice(r_);
  cycle(0);
  take_from_lattice(step_);
  nodes.multiply(step_, product_);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    z[nodes.at(i)] += step_[nodes.at(i)];
    r_[nodes.at(i)] -= product_[nodes.at(i)];
  }
  smooth(nodes, sweeps_, upper_, z, r_, scratch, false);
}

std::size_t LatticePreconditioner::memory_bytes() const {
  std::size_t bytes = 0;
  for (const Level& level : levels_) {
    bytes += level.matrix.values.size() * sizeof(double) + level.matrix.column.size() * sizeof(std::int32_t);
    for (const auto& factor : level.factors) bytes += sizeof(double) * factor.rank() * factor.rank();
  }
  return bytes;
}

}  // namespace brisance::dynamics
