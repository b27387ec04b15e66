#include "element_terms.hpp"

#include <algorithm>

namespace brisance::dynamics {

void functions_of(const CornerLinks& corners, std::vector<std::int32_t>& functions) {
  functions.clear();
  for (const auto& links : corners)
    for (const Functions::Link& link : links) functions.push_back(link.function);
  std::sort(functions.begin(), functions.end());
  functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
}

void TermSum::choose(std::span<const std::int32_t> functions) {
  for (std::size_t i = 0; i < functions.size(); ++i)
    place_[static_cast<std::size_t>(functions[i])] = static_cast<std::int32_t>(i);
  product_.resize(36 * functions.size());
}

template <class Round>
void TermSum::add_products(const CornerLinks& corners, std::span<double> to, const Round& round) const {
  for (std::size_t i = 0; i < 4; ++i)
    for (const Functions::Link& link : corners[i]) {
      const std::int32_t row = place_[static_cast<std::size_t>(link.function)];
      for (const std::int32_t p : here_) {
        if (p > row) break;
        const double* const from = &product_[36 * static_cast<std::size_t>(p) + 9 * i];
        double* const block = &to[9 * pair_index(static_cast<std::size_t>(row), static_cast<std::size_t>(p))];
        for (int v = 0; v < 9; ++v) block[v] += round(link.weight * from[v]);
      }
    }
}

void TermSum::add_stiffness(const elements::StiffnessMatrix<3>& k, const CornerLinks& corners, std::span<double> to,
                            const core::Quantum* quantum) {
  here_.clear();
  for (const auto& links : corners)
    for (const Functions::Link& link : links) here_.push_back(place_[static_cast<std::size_t>(link.function)]);
  std::sort(here_.begin(), here_.end());
  here_.erase(std::unique(here_.begin(), here_.end()), here_.end());
  // K P: for each function a column of 12 × 3 values.
  for (const std::int32_t p : here_) std::fill_n(product_.begin() + 36 * static_cast<std::ptrdiff_t>(p), 36, 0.0);
  for (int j = 0; j < 4; ++j)
    for (const Functions::Link& link : corners[static_cast<std::size_t>(j)]) {
      double* const column = &product_[36 * static_cast<std::size_t>(place_[static_cast<std::size_t>(link.function)])];
      for (int row = 0; row < 12; ++row)
        for (int b = 0; b < 3; ++b) column[3 * row + b] += link.weight * k(row, 3 * j + b);
    }
  if (quantum != nullptr)
    add_products(corners, to, [&](double term) { return quantum->rounded(term); });
  else
    add_products(corners, to, [](double term) { return term; });
}

void TermSum::add_mass(double corner_mass, const CornerLinks& corners, std::span<double> to,
                       const core::Quantum& quantum) const {
  for (const auto& links : corners)
    for (std::size_t i = 0; i < links.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        const auto row = static_cast<std::size_t>(place_[static_cast<std::size_t>(links[i].function)]);
        const auto column = static_cast<std::size_t>(place_[static_cast<std::size_t>(links[j].function)]);
        to[pair_index(row, column)] += quantum.rounded(corner_mass * links[i].weight * links[j].weight);
      }
}

}  // namespace brisance::dynamics
