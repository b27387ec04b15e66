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
/// Both ends store their cohesive link, and compute the same bits for it on any ranks.
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

/// A cohesive link of one node with another; both nodes store it.
struct Tie {
  GlobalNode partner;  ///< invalid: there is no link
  double area = 0;     ///< area of the crack at rest [m²]
  double energy = 0;   ///< G: energy to tear it [J]
  double peak = 0;     ///< F [N]
  double slope = 0;    ///< k up to the peak; 0: chosen in the next step [N/m]
  double damage = 0;   ///< share of the energy that is spent [–]
};

/// Most links of a node. A further one is not made, and its area opens without traction.
inline constexpr std::size_t kMostCohesiveLinks = 6;

/// Links of a node, in ascending id of their partners, the valid ones first.
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
/// Opening at which it begins to soften [m]. Requires a slope.
[[nodiscard]] inline double peak_opening(const Tie& tie) { return tie.peak / tie.slope; }
/// Damage after this opening; never less than before. Requires a slope.
[[nodiscard]] double damage_at(const Tie& tie, double opening);
/// Force over opening [N/m] for openings up to the one that has done this damage; 0 where it has torn.
[[nodiscard]] double secant_stiffness(const Tie& tie, double damage);
/// The cohesive link with a slope of at most `slope` and equal damage. Its peak falls to √(G k) where that is less, so
/// that it begins to soften at half of the tearing opening or before; its energy stays.
[[nodiscard]] Tie softened_to(Tie tie, double slope);

// -- fields

/// Cohesive links of the node. Its copies get theirs when it is split (Rounds).
inline constexpr dist::NodeFieldDeclaration<Ties> kCohesiveLinks{
    .name = "cohesive_ties", .unit = "mixed", .copy = dist::AtCopy::initial};
/// A third of the area of each face pair at the node that opened while the node was whole: it is linked when the node
/// is split.
inline constexpr dist::NodeFieldDeclaration<double> kWaitingArea{
    .name = "cohesive_waiting_area", .unit = "m2", .copy = dist::AtCopy::initial};
/// G_c times that area.
inline constexpr dist::NodeFieldDeclaration<double> kWaitingEnergy{
    .name = "cohesive_waiting_energy", .unit = "J", .copy = dist::AtCopy::initial};
/// Energy and area of torn cohesive links, accounted at the end of lower id.
inline constexpr dist::NodeFieldDeclaration<double> kTornEnergy{
    .name = "cohesive_torn_energy", .unit = "J", .copy = dist::AtCopy::initial};
inline constexpr dist::NodeFieldDeclaration<double> kTornArea{
    .name = "cohesive_torn_area", .unit = "m2", .copy = dist::AtCopy::initial};

/// Fields of a mesh in addition to fields() with Parameters::cohesive.
[[nodiscard]] inline dist::FieldList cohesive_fields() {
  return dist::FieldList().add(kCohesiveLinks).add(kWaitingArea).add(kWaitingEnergy).add(kTornEnergy).add(kTornArea);
}

/// Sums over all present and torn cohesive links at the present positions; add up over ranks.
struct CohesiveAccount {
  core::ExactSum stored;        ///< elastic energy of stretched links [J]
  core::ExactSum dissipated;    ///< G d of present links, and G of torn ones [J]
  core::ExactSum tied_area;     ///< of present links [m²]
  core::ExactSum torn_area;     ///< of torn links [m²]
  core::ExactSum waiting_area;  ///< kWaitingArea [m²]
};

/// Forces of all cohesive links. Its data follows from the fields, and is recomputed after forget().
class CohesiveLinks {
public:
  /// To be called when nodes have changed owners, on all ranks. Local.
  void forget() { knows_tied_ = knows_ends_ = false; }

  /// To be called after cuts that made or moved cohesive links, on all ranks if on any.
  /// @param touched  owned nodes with another star, ascending
  /// The cost grows with the number of cohesive links, not of nodes. Local.
  void take_in(const dist::Mesh& mesh, std::span<const LocalNode> touched);

  /// Adds the forces of cohesive links to owned nodes, in ascending id of their partners, and updates their damage for
  /// the present opening. Their slopes are limited so that their own vibrations, 4/dt² · `share` at most, leave a step
  /// of dt stable (VALIDATION A8); returns the energy that stretched cohesive links lose where that makes them softer
  /// than before [J]. Collective.
  core::ExactSum add_forces(dist::Mesh& mesh, double step_s, double share, std::span<dist::NodeForce> forces);

  /// Changes nothing in the mesh. Collective.
  [[nodiscard]] CohesiveAccount account(const dist::Mesh& mesh);

private:
  /// Data of an end of a cohesive link that the other end needs.
  struct End {
    GlobalNode id;
    std::array<double, 3> position{};  ///< [m]
    double mass_share = 0;             ///< node mass over the number of its cohesive links [kg]
  };
  void gather(const dist::Mesh& mesh);
  /// Finds all ends of cohesive links of owned nodes, by id. Collective.
  void find_ends(const dist::Mesh& mesh);

  bool knows_tied_ = false, knows_ends_ = false;
  std::vector<LocalNode> tied_;                  ///< owned nodes that have cohesive links
  std::map<int, std::vector<LocalNode>> shown_;  ///< of these, those that are sent to other ranks
  bool crosses_ = false;                         ///< is any cohesive link between two ranks?
  std::unordered_map<GlobalNode, End> ends_;
};

}  // namespace brisance::fracture
