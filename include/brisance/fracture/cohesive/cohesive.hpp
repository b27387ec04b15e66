/// Tractions between the crack faces of new cracks, so that opening them takes G_c times their area.
///
/// When a node is split its copies lie at one place, and a cohesive link joins each two of them that share new crack
/// area: a central spring, as strong as the node was, that softens linearly with the opening until its energy is spent.
///
///   f
///   │ peak ┌\            peak  F = σ_c A,  energy G = G_c A = ½ F δ_c,  slope k = F/δ_0
///   │     / │ \           damage d: 0 at δ_0, 1 at δ_c; spent so far: G d
///   │    /  │   \         unloading and reloading go straight to the origin
///   └───/───┴─────\── opening
///          δ_0    δ_c
///
/// Both ends know their cohesive link, and find the same bits for it wherever they live.
#pragma once

#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/fields.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/parameters.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace brisance::fracture {

/// Of one node with another, as each of both has it.
struct Tie {
  GlobalNode partner;  ///< invalid: there is none
  double area = 0;     ///< of the crack, at rest [m²]
  double energy = 0;   ///< G: what it takes until it has torn [J]
  double peak = 0;     ///< F [N]
  double slope = 0;    ///< k up to the peak; 0: the next step chooses [N/m]
  double damage = 0;   ///< share of the energy that is spent [–]
};

/// One that would be more than these is not made, and its area opens without traction.
inline constexpr std::size_t kMostCohesiveLinks = 6;

/// In ascending id of their partners; what there is comes first.
struct Ties {
  std::array<Tie, kMostCohesiveLinks> tie;
  [[nodiscard]] std::size_t count() const {
    std::size_t n = 0;
    while (n < kMostCohesiveLinks && tie[n].partner.valid()) ++n;
    return n;
  }
  [[nodiscard]] std::span<const Tie> span() const { return std::span(tie).first(count()); }
};

}  // namespace brisance::fracture

template <>
struct brisance::dist::Components<brisance::fracture::Ties> {
  static constexpr std::size_t width = 6 * brisance::fracture::kMostCohesiveLinks;
  static void write(const brisance::fracture::Ties& ties, double* out) {
    for (const brisance::fracture::Tie& t : ties.tie)
      for (const double x : {static_cast<double>(t.partner.value), t.area, t.energy, t.peak, t.slope, t.damage})
        *out++ = x;
  }
};

namespace brisance::fracture {

// -- the law of one cohesive link

/// Opening at which it tears [m].
[[nodiscard]] inline double tearing_opening(const Tie& tie) { return 2 * tie.energy / tie.peak; }
/// Opening at which it begins to soften [m]; the slope is chosen.
[[nodiscard]] inline double peak_opening(const Tie& tie) { return tie.peak / tie.slope; }
/// Damage once it was open so far; never less than it has. The slope is chosen.
[[nodiscard]] double damage_at(const Tie& tie, double opening);
/// Force over opening [N/m] for openings up to the one that has done this damage; 0 where it has torn.
[[nodiscard]] double secant_stiffness(const Tie& tie, double damage);
/// The cohesive link with a slope of at most this, as much damaged. Its peak falls to √(G k) where that is less, so
/// that it begins to soften at half of the opening at which it tears or before; its energy stays.
[[nodiscard]] Tie softened_to(Tie tie, double slope);

// -- fields

/// Ties of the node. Its copies get theirs when it is split (Rounds).
inline constexpr dist::NodeFieldDeclaration<Ties> kCohesiveLinks{
    .name = "cohesive_ties", .unit = "mixed", .copy = dist::AtCopy::initial};
/// A third of each face pair at the node that opened while the node was whole: it is tied when the node is split.
inline constexpr dist::NodeFieldDeclaration<double> kWaitingArea{
    .name = "cohesive_waiting_area", .unit = "m2", .copy = dist::AtCopy::initial};
/// G_c times that.
inline constexpr dist::NodeFieldDeclaration<double> kWaitingEnergy{
    .name = "cohesive_waiting_energy", .unit = "J", .copy = dist::AtCopy::initial};
/// Accounts of cohesive links that have torn, at the end of lower id: energy and area.
inline constexpr dist::NodeFieldDeclaration<double> kTornEnergy{
    .name = "cohesive_torn_energy", .unit = "J", .copy = dist::AtCopy::initial};
inline constexpr dist::NodeFieldDeclaration<double> kTornArea{
    .name = "cohesive_torn_area", .unit = "m2", .copy = dist::AtCopy::initial};

/// What a mesh has beside fields() where Parameters::cohesive holds.
[[nodiscard]] inline dist::FieldList cohesive_fields() {
  return dist::FieldList().add(kCohesiveLinks).add(kWaitingArea).add(kWaitingEnergy).add(kTornEnergy).add(kTornArea);
}

/// Of all cohesive links there are and were, where nodes are now; add up over ranks.
struct CohesiveAccount {
  core::ExactSum stored;        ///< in cohesive links that are stretched: what would come back [J]
  core::ExactSum dissipated;    ///< G d of those there are, and G of those that have torn [J]
  core::ExactSum tied_area;     ///< of those there are [m²]
  core::ExactSum torn_area;     ///< of those that have torn [m²]
  core::ExactSum waiting_area;  ///< kWaitingArea [m²]
};

/// The forces of all cohesive links. What it keeps follows from the fields, and is found again after forget().
class CohesiveLinks {
public:
  /// Nodes have new owners: on all ranks. Local.
  void forget() { knows_tied_ = knows_ends_ = false; }

  /// Cuts have made or moved cohesive links; on all ranks where any has. @param touched  owned nodes with another star,
  /// ascending. Costs what there are of cohesive links, not of nodes. Local.
  void take_in(const dist::Mesh& mesh, std::span<const LocalNode> touched);

  /// Adds what cohesive links do to owned nodes, in ascending id of their partners, and takes in how far they are open
  /// now. Their slopes are such that their own vibrations, 4/dt² · `share` at most, leave a step of dt stable
  /// (VALIDATION A8); returns the energy that stretched cohesive links lose where that makes them softer than they were
  /// [J]. Collective.
  core::ExactSum add_forces(dist::Mesh& mesh, double step_s, double share, std::span<dist::NodeForce> forces);

  /// Changes nothing in the mesh. Collective.
  [[nodiscard]] CohesiveAccount account(const dist::Mesh& mesh);

private:
  /// An end of a cohesive link: what the other end needs to know of it.
  struct End {
    GlobalNode id;
    std::array<double, 3> position{};  ///< [m]
    double mass_share = 0;             ///< its mass over the number of its cohesive links [kg]
  };
  void gather(const dist::Mesh& mesh);
  /// All ends of cohesive links of owned nodes, by id. Collective.
  void find_ends(const dist::Mesh& mesh);

  bool knows_tied_ = false, knows_ends_ = false;
  std::vector<LocalNode> tied_;                  ///< owned nodes that have cohesive links
  std::map<int, std::vector<LocalNode>> shown_;  ///< of these, to other ranks
  bool crosses_ = false;                         ///< is any cohesive link between two ranks?
  std::unordered_map<GlobalNode, End> ends_;
};

}  // namespace brisance::fracture
