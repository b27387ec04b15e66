/// The options of `brisance modes` beyond the reduced problem: deforming cells, tensor weights, ADMM.
#pragma once

#include "brisance/modes/general/general_problem.hpp"

#include <array>
#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

namespace brisance::app {

enum class SearchMethod : std::uint8_t {
  automatic,  ///< exact if it fits into memory
  exact,
  admm,
};

struct GeneralArguments {
  SearchMethod method = SearchMethod::automatic;
  modes::StrainEnergy strain = modes::StrainEnergy::none;
  double omega = 1, poisson = 0.3, sliding = 1;
  std::string tensor;

  /// True if the search is by ADMM.
  [[nodiscard]] bool given() const { return method == SearchMethod::admm || needed(); }
  /// Do the options ask for more than the reduced problem?
  [[nodiscard]] bool needed() const { return strain != modes::StrainEnergy::none || sliding != 1 || !tensor.empty(); }
};

void add_general_arguments(CLI::App& command, GeneralArguments& arguments);

/// The search method in words that a file stores and a resumed search compares: "exact" or "admm ...".
[[nodiscard]] std::string method_of(const GeneralArguments& arguments);

/// The problem of a body with its strengths.
/// @param axis_strength  of its ModeSet
/// Collective. Throws core::BadInput on all ranks.
[[nodiscard]] modes::GeneralProblem general_problem(const GeneralArguments& arguments,
                                                    const std::array<double, 3>& axis_strength,
                                                    modes::DividedBody body);

}  // namespace brisance::app
