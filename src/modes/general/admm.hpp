/// One convex step of the general problem by the alternating direction method of multipliers (ADMM).
#pragma once

#include "brisance/la/handles.hpp"

#include "modes/general/jump_problem.hpp"
#include "modes/general/normal_solver.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

namespace brisance::modes {

struct AdmmStep {
  la::Vector u;               ///< satisfies the constraints
  std::vector<double> jumps;  ///< ‖z_f‖ of this rank's faces, exactly 0 where the face stays closed
  double objective = 0;       ///< objective of u
  double lower_bound = 0;     ///< lower bound of the optimum, up to the linear solver's tolerance
  int iterations = 0;
};

/// Another u that satisfies the constraints, with its objective, which may be larger.
struct Rounded {
  la::Vector u;
  double objective;
  std::vector<double> multipliers;  ///< of the constraints (cᵀMu = 1 first) in the linear program that u solves
};
/// Rounding from the level sets of a field: an approximate solution or, with multipliers, a potential whose level sets
/// may violate the bound for these. Collective.
using Rounding = std::function<std::optional<Rounded>(const la::Vector& field, std::span<const double> multipliers)>;

/// min ½ uᵀSu + Σ‖z_f‖ such that z = Ku, cᵀMu = 1 and u is orthogonal in M to the known fields. With ŷ the multipliers
/// that belong to a u, scaled to ‖ŷ_f‖ ≤ 1, weak duality gives the lower bound. With a rounding, the multipliers of its
/// linear program give better bounds (FlowBound), and the sets it lacks.
class Admm {
public:
  Admm(const JumpProblem& problem, double relative_gap, int most_iterations);

  /// Makes all later u orthogonal to this field, too. Collective.
  void add_known(const la::Vector& mode);

  /// The problem's rigid fields are known from the start. Starts from the end of the last call unless `afresh`.
  /// Collective; throws core::Error if the linear solver fails or c depends on the known fields.
  [[nodiscard]] AdmmStep minimise(const la::Vector& c, bool afresh, const Rounding& rounding);

private:
  struct Constraint {
    la::Vector row;       ///< M·field
    la::Vector response;  ///< A⁺·row
  };

  void restart(const la::Vector& c);
  void set_penalty(double penalty);
  [[nodiscard]] Constraint constraint(const la::Vector& field);
  [[nodiscard]] Constraint prepare(const la::Vector& c);
  [[nodiscard]] Eigen::VectorXd against_rows(const Constraint& c, const la::Vector& x) const;
  /// Computes u, and sets multipliers_ to those of the constraints.
  void solve_for_u(const Constraint& c);
  void update_jumps();
  [[nodiscard]] std::vector<double> flow() const;
  void rate(AdmmStep& best, const Rounding& rounding);
  void take(std::optional<Rounded> rounded, AdmmStep& best);
  void certify(const Constraint& c, const Rounding& rounding, AdmmStep& best);
  [[nodiscard]] bool is_closed(const AdmmStep& best) const;
  void balance();

  const JumpProblem& problem_;
  double relative_gap_;
  int most_iterations_;
  NormalSolver normal_;
  std::vector<Constraint> known_;
  double penalty_ = 1;                     ///< ρ
  bool is_started_ = false;                ///< z and y are set (a rank may have no faces)
  la::Vector u_, v_, gradient_;            ///< gradient_ = Kᵀ(z − y/ρ), v_ = A⁺ of it
  la::Vector jump_u_, difference_;         ///< K u; work space of the same shape
  std::vector<double> z_, y_;              ///< for this rank's faces
  Eigen::LDLT<Eigen::MatrixXd> products_;  ///< BᵀA⁺B
  Eigen::VectorXd multipliers_;            ///< of Bᵀu = e over ρ: that of c first
  std::vector<double> prices_;             ///< multipliers of the best rounding of this step, if any
  double primal_ = 0, dual_ = 0;           ///< relative residuals of the last iteration
};

}  // namespace brisance::modes
