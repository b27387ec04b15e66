#include "brisance/dynamics/couplings.hpp"

#include "brisance/core/rounded_sums.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace brisance::dynamics {

Couplings::Couplings(const core::Comm& comm, std::size_t num_rows, std::vector<Term> terms)
    : terms_(std::move(terms)), sums_(num_rows, 0) {
  if (num_rows == 0) return;
  std::ranges::sort(terms_,
                    [](const Term& a, const Term& b) { return std::pair(a.node, a.row) < std::pair(b.node, b.row); });
  for (const Term& term : terms_) ++sums_[static_cast<std::size_t>(term.row)];
  core::sum_rounded(comm, sums_);  // terms of each row on all ranks; whole numbers, so their sum is exact
  most_terms_ = *std::ranges::max_element(sums_);
}

void Couplings::add_product(const core::Comm& comm, Part part, std::span<const Vec3> x, std::span<Vec3> y) const {
  if (sums_.empty()) return;
  const auto size = [&](const Term& term) { return term.gradient.dot(x[static_cast<std::size_t>(term.node)]); };
  double largest = 0;
  for (const Term& term : terms_) {
    const double here = std::abs(size(term));
    largest = here <= largest ? largest : here;  // NaN stays NaN, unlike with std::max
  }
  if (std::isnan(largest)) largest = INFINITY;  // MPI's maximum may drop NaN
  largest = comm.max(largest);
  if (largest == 0) return;
  const core::Quantum quantum(largest * most_terms_);
  std::ranges::fill(sums_, 0.0);
  for (const Term& term : terms_) sums_[static_cast<std::size_t>(term.row)] += quantum.rounded(size(term));
  core::sum_rounded(comm, sums_);
  for (const Term& term : terms_) {
    const double in_matrix = part == Part::off_diagonal ? size(term) : 0;
    y[static_cast<std::size_t>(term.node)] += (sums_[static_cast<std::size_t>(term.row)] - in_matrix) * term.gradient;
  }
}

void Couplings::append_blocks(std::vector<NodeBlock>& blocks) const {
  std::int32_t last = -1;
  for (const Term& term : terms_) {
    if (term.node != last) blocks.push_back({term.node, Mat3::Zero()});
    last = term.node;
    blocks.back().block += term.gradient * term.gradient.transpose();
  }
}

}  // namespace brisance::dynamics
