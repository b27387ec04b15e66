/// Chebyshev smoothing of the block Jacobi iteration, on nodes or on lattice points.
#pragma once

#include "brisance/core/types.hpp"

#include <cstddef>
#include <span>

namespace brisance::dynamics {

/// Ratio of the largest to the smallest eigenvalue of D⁻¹A that smoothing damps [–]. Errors of smaller eigenvalues are
/// left to the lattice.
inline constexpr double kSmoothedSpread = 10;

/// Scratch arrays of smooth(), as long as x.
struct SmoothingScratch {
  std::span<Vec3> step, product;
};

/// x ← x + p(D⁻¹A) D⁻¹ r, where 1 − λ p(λ) is as small as a polynomial of this degree can be on
/// [upper/kSmoothedSpread, upper] (Saad 2003, algorithm 12.1).
/// @tparam System  a matrix A with size() unknowns of three components; unknown i is entry at(i) of a vector:
///   std::size_t size() const, std::size_t at(std::size_t i) const,
///   const Mat3& inverse(std::size_t i) const: inverse of the diagonal block; if zero the unknown does not change;
///   or void precondition(std::span<const Vec3> r, std::span<Vec3> z) const: z = D⁻¹ r of any other D,
///   void multiply(std::span<Vec3> x, std::span<Vec3> y) const: y = A x
/// @param r  residual of x before the call; that after it only if `residual_wanted`, which costs a product
/// Collective if System::multiply is.
template <class System>
void smooth(const System& system, int degree, double upper, std::span<Vec3> x, std::span<Vec3> r,
            const SmoothingScratch& scratch, bool residual_wanted) {
  const double lower = upper / kSmoothedSpread;
  const double middle = 0.5 * (upper + lower), half = 0.5 * (upper - lower), sigma = middle / half;
  double rho = 1 / sigma;
  for (int k = 0; k < degree; ++k) {
    const double next = 1 / (2 * sigma - rho);
    const double keep = k == 0 ? 0 : next * rho, take = k == 0 ? 1 / middle : 2 * next / half;
    if (k > 0) rho = next;
    constexpr bool is_jacobi = requires { system.inverse(0); };
    if constexpr (!is_jacobi) system.precondition(r, scratch.product);
    for (std::size_t i = 0; i < system.size(); ++i) {
      const std::size_t at = system.at(i);
      Vec3 fresh;
      if constexpr (is_jacobi)
        fresh = take * (system.inverse(i) * r[at]);
      else
        fresh = take * scratch.product[at];
      scratch.step[at] = k == 0 ? fresh : Vec3(keep * scratch.step[at] + fresh);
      x[at] += scratch.step[at];
    }
    if (k + 1 == degree && !residual_wanted) return;
    system.multiply(scratch.step, scratch.product);
    for (std::size_t i = 0; i < system.size(); ++i) r[system.at(i)] -= scratch.product[system.at(i)];
  }
}

}  // namespace brisance::dynamics
