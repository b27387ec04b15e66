/// Settings of the fracture criterion and of the cuts. Filled by app from the scene's [fracture] table.
#pragma once

#include "brisance/material/material.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace brisance::fracture {

/// What has to be too large at a node for a crack to begin there.
enum class FailureCriterion : std::uint8_t {
  separation,        ///< largest eigenvalue of the separation tensor [OH99]
  principal_stress,  ///< largest principal Cauchy stress around the node (SYSTEMS D3)
};

/// Whose principal stress that is.
enum class StressOf : std::uint8_t {
  star,     ///< the mean over the node's star
  element,  ///< the one of the star's elements that is nearest to its strength, or farthest beyond
};

/// Across which plane a crack grows at a node of a front.
enum class Direction : std::uint8_t {
  separation,  ///< as everywhere: perpendicular to the eigenvector of the largest eigenvalue
  hoop,        ///< through the front, across the largest hoop stress around it (tip_field.hpp)
};

/// What a node of a front is compared with.
enum class FrontToughness : std::uint8_t {
  strength,  ///< as everywhere: the material's strength or toughness
  energy,    ///< 0.55 K_Ic/√(h_0/1.26), as the stress of a tip that the mesh resolves no better (VALIDATION C9)
};

/// What becomes of pieces that are too small to deform.
enum class Dust : std::uint8_t {
  automatic,  ///< particles with explicit steps, tets with implicit ones
  particles,  ///< they leave the mesh and fly on as round particles
  tets,       ///< they stay what they are
};

/// What a crack in a material costs; one of the two, or neither.
struct TipToughness {
  double energy = 0;            ///< G_c [J/m²]
  double stress_intensity = 0;  ///< K_Ic [Pa √m]
};

struct Parameters {
  bool enabled = true;
  FailureCriterion criterion = FailureCriterion::separation;
  StressOf principal_stress_of = StressOf::star;
  Direction direction = Direction::separation;
  FrontToughness front_toughness = FrontToughness::strength;
  std::vector<TipToughness> tips = {};  ///< of the scene's materials, in their order; may end early: none given
  bool suppress_back_cracking = false;  ///< a crack at a front cuts ahead of it alone
  bool cohesive = false;  ///< crack faces of new cracks hold on to each other until G_c is spent (cohesive.hpp)
  // -- snapping: a crack plane that passes close to a link node goes through it
  double snap_fraction = 0.1;   ///< closer than this share of the initial edge length [–]
  double snap_distance_m = 0;   ///< or closer than this; 0: not used (the paper's value is 0.005) [m]
  double snap_angle_rad = 0.1;  ///< or nearer to the plane than this angle, seen from the splitting node [rad]
  // -- quality
  double altitude_floor = 0.5;  ///< no cut leaves an altitude below this share of dist::kUncutAltitude there [–]
  double max_plane_deviation_rad = 0.4;  ///< a cut that must snap a node further off its plane is refused [rad]
  double refusal_angle_rad = 0.192;      ///< a refused node tries again when its normal has turned by this [rad] (11°)
  /// Or when it is this much more severe than when it was refused: for steps between which nothing stirs; 0: never [–]
  double refusal_growth = 0;
  bool cap_damping_ratio = true;  ///< elements made by cuts keep the largest damping ratio of the uncut mesh
  /// A cut node is judged by the area left to it, but by no less than this share of its uncut area [–]
  double least_area_share = 1;
  // -- dust
  Dust dust = Dust::automatic;
  double dust_max_tets = 2;  ///< pieces below this many mean tets of the uncut mesh are dust, by volume [–]
  // -- speed
  double crack_speed_share = 0.6;      ///< crack-front nodes wait distance / (share · c_R); 0: no limit [–]
  double copy_speed_share = 1.2;       ///< copies of a split node wait h₀ / (share · c_R); 0: no limit [–]
  double evaluate_interval_share = 0;  ///< evaluate every share · h/c_p seconds; 0: every step [–]
  int max_rounds_per_step = 1000;      ///< the rest waits for the next step
  std::uint64_t seed = 1;              ///< of the hashed order in which equally severe nodes crack
  bool check_invariants = false;       ///< after each round verify that copies agree and stars are complete (slow)
};

/// K_Ic of the scene's k-th material, given or √(E′ G_c) with E′ = E/(1 − ν²), where fronts go by energy; 0 where they
/// do not, and where neither is given [Pa √m].
[[nodiscard]] double tip_toughness(const Parameters& parameters, std::size_t k, const material::Material& m);

/// G_c of the scene's k-th material, given or K_Ic²/E′; 0 where neither is [J/m²].
[[nodiscard]] double fracture_energy(const Parameters& parameters, std::size_t k, const material::Material& m);

/// Can anything made of the k-th material crack at all?
[[nodiscard]] inline bool is_breakable(const Parameters& parameters, std::size_t k, const material::Material& m) {
  return (m.toughness > 0 && std::isfinite(m.toughness)) || tip_toughness(parameters, k, m) > 0;
}

}  // namespace brisance::fracture
