/// Settings of the fracture criterion and of the cuts. Filled by app from the scene's [fracture] table.
#pragma once

#include "brisance/material/material.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace brisance::fracture {

/// The stress that the criterion "principal_stress" evaluates.
enum class StressOf : std::uint8_t {
  star,     ///< mean over the node's star
  element,  ///< of the star's element that is nearest to its strength, or farthest beyond
};

/// Choice of the crack plane at a node of a front.
enum class Direction : std::uint8_t {
  separation,  ///< as at other nodes: perpendicular to the eigenvector of the largest eigenvalue
  hoop,        ///< through the front, perpendicular to the largest hoop stress around it (tip_field.hpp)
};

/// Limit for the stress at a node of a front.
enum class FrontToughness : std::uint8_t {
  strength,  ///< as at other nodes: the material's strength or toughness
  energy,    ///< 0.55 K_Ic/√(h_0/1.26): the mesh resolves the stress at a tip no better (VALIDATION C9)
};

/// Treatment of pieces that are too small to deform.
enum class Dust : std::uint8_t {
  automatic,  ///< particles with explicit steps, tets with implicit ones
  particles,  ///< they leave the mesh and move on as round particles
  tets,       ///< they remain tets
};

/// Toughness of a material against growing cracks: one of the two, or neither.
struct TipToughness {
  double energy = 0;            ///< G_c [J/m²]
  double stress_intensity = 0;  ///< K_Ic [Pa √m]
};

struct Parameters {
  bool enabled = true;
  std::string criterion = "separation";  ///< name of a kind (criteria/criterion.hpp)
  StressOf principal_stress_of = StressOf::star;
  Direction direction = Direction::separation;
  FrontToughness front_toughness = FrontToughness::strength;
  std::vector<TipToughness> tips = {};  ///< of the scene's materials, in their order; missing entries: not given
  bool suppress_back_cracking = false;  ///< a crack at a front cuts only ahead of it
  bool cohesive = false;                ///< crack faces transmit tractions until G_c is spent (cohesive.hpp)
  std::string cutter = "remeshing";     ///< how nodes that fail cut the mesh: cutter_names() in cutters/cutter.hpp
  // -- snapping: a crack plane that passes close to a link node goes through it
  double snap_fraction = 0.1;   ///< if closer than this share of the initial edge length [–]
  double snap_distance_m = 0;   ///< or closer than this; 0: not used (the paper's value is 0.005) [m]
  double snap_angle_rad = 0.1;  ///< or nearer to the plane than this angle, seen from the splitting node [rad]
  // -- quality
  double altitude_floor = 0.5;  ///< no cut leaves an altitude below this share of dist::kUncutAltitude there [–]
  double max_plane_deviation_rad = 0.4;  ///< a cut that must snap a node further off its plane is refused [rad]
  double refusal_angle_rad = 0.192;  ///< a refused node is tried again after its normal has turned by this (11°) [rad]
  /// Or when its severity is this many times that at the refusal, for steps without motion (statics); 0: never [–]
  double refusal_growth = 0;
  bool cap_damping_ratio = true;  ///< elements made by cuts keep the largest damping ratio of the uncut mesh
  /// The criterion takes the remaining area of a cut node, but no less than this share of its uncut area [–]
  double least_area_share = 1;
  // -- dust
  Dust dust = Dust::automatic;
  double dust_max_tets = 2;  ///< pieces below this many mean tets of the uncut mesh are dust, by volume [–]
  // -- speed
  double crack_speed_share = 0.6;  ///< front nodes wait distance / (share · c_R) before they fail; 0: no limit [–]
  double copy_speed_share = 1.2;   ///< copies of a split node wait h₀ / (share · c_R); 0: no limit [–]
  double evaluate_interval_share = 0;  ///< evaluate every share · h/c_p seconds; 0: every step [–]
  int max_rounds_per_step = 1000;      ///< further nodes wait for the next step
  std::uint64_t seed = 1;              ///< seed of the hash that orders equally severe nodes
  bool check_invariants = false;       ///< check after each round that copies agree and stars are complete (slow)
};

/// K_Ic of the scene's k-th material, given or √(E′ G_c) with E′ = E/(1 − ν²), for FrontToughness::energy; 0 otherwise,
/// and where neither is given [Pa √m].
[[nodiscard]] double tip_toughness(const Parameters& parameters, std::size_t k, const material::Material& m);

/// G_c of the scene's k-th material, given or K_Ic²/E′; 0 where neither is given [J/m²].
[[nodiscard]] double fracture_energy(const Parameters& parameters, std::size_t k, const material::Material& m);

/// Can the k-th material crack at all?
[[nodiscard]] inline bool is_breakable(const Parameters& parameters, std::size_t k, const material::Material& m) {
  return (m.toughness > 0 && std::isfinite(m.toughness)) || tip_toughness(parameters, k, m) > 0;
}

}  // namespace brisance::fracture
