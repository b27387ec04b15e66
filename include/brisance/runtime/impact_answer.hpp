// SPDX-License-Identifier: MIT
/// Computes the pieces after a blow: [S22] section 3.3 on atoms, in time proportional to atoms × modes + faces between
/// atoms.
#pragma once

#include "brisance/runtime/impact_set.hpp"

#include <memory>

namespace brisance::runtime {

/// Projection of the smeared blow to a displacement that is constant on each atom.
enum class Method {
  modes,          ///< projection on the modes, [S22] eq. (20): breaks along whole modes, also far from the blow
  least_squares,  ///< mean over each atom, [S22] figure 20: breaks at the blow
};

/// A blow. It would move the unbroken object by `strength` along `direction` on average (a length, a speed, or a pure
/// number: only strength / threshold counts). Faces whose sides would move apart by `threshold` or more break.
///
/// In the modes' own scale 1/√V this threshold is σ/√V with σ = threshold/strength. To relate it to a force, use as
/// strength the change of speed, impulse/mass [m/s], and as threshold the difference of speed that opens a face [m/s].
struct Impact {
  std::array<double, 3> point{};             ///< [m]; the vertex nearest to it is struck
  std::array<double, 3> direction{0, 0, 1};  ///< of any nonzero length
  double strength = 1;
  double threshold = 0.2;
  Smear smear = Smear::elastic;
  Method method = Method::modes;
};

/// Result of an impact.
struct Answer {
  std::int32_t num_pieces = 0;
  std::vector<std::int32_t> piece_of_atom;  ///< pieces numbered by their lowest atom; -1 outside the body struck
  std::vector<double> displacement;         ///< num_atoms × 3, in the unit of Impact::strength
  std::int32_t vertex = 0;                  ///< vertex that was struck
};

/// An object that can be struck. Immutable: several threads may call it at once.
class Target {
public:
  /// Builds the tree of vertices. Throws Error if the set holds no vertex.
  explicit Target(ImpactSet set);
  ~Target();
  Target(Target&&) noexcept;
  Target& operator=(Target&&) noexcept;

  [[nodiscard]] const ImpactSet& set() const { return set_; }

  /// Strikes the whole object. Throws Error for invalid numbers or a smear that the set lacks.
  [[nodiscard]] Answer strike(const Impact& impact) const;

  /// Strikes one of its pieces, which may break further: the modes are restricted to it and orthonormalised again. Here
  /// `strength` is the mean displacement of that piece alone.
  /// @param body_of_atom  for every atom; those with the value `body` are struck
  [[nodiscard]] Answer strike(const Impact& impact, Span<const std::int32_t> body_of_atom, std::int32_t body) const;

private:
  struct VertexTree;
  [[nodiscard]] Answer strike(const Impact& impact, Span<const double> weight, bool whole) const;

  ImpactSet set_;
  std::vector<double> volume_;  ///< volume of each atom
  std::unique_ptr<VertexTree> tree_;
};

}  // namespace brisance::runtime
