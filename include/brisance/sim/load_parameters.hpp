/// Loads of a scene: pressures, blasts and impulses (docs/LOADS.md).
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace brisance::sim {

enum class LoadKind : std::uint8_t { pressure, blast, impulse };
enum class LoadShape : std::uint8_t { all, box, sphere, half_space, group };

inline constexpr std::size_t kMostFaceLoads = 16;  ///< in a scene; a face holds its loads as bits of one word

struct LoadParameters {
  std::string name = "load";
  LoadKind kind = LoadKind::pressure;

  // Selection: faces of the uncut mesh by their centroid at rest, after placement, or nodes (impulse).
  LoadShape shape = LoadShape::all;
  std::string group;                             ///< group: name of the faces; "cavity" for walls of cavities
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< box corners [m]
  Vec3 centre = Vec3::Zero();                    ///< sphere centre; half space: a point on its plane [m]
  double radius_m = 0;
  Vec3 normal = Vec3::UnitZ();  ///< half space: inside is where (x − centre)·normal ≤ 0

  // pressure: positive values compress
  double pressure_pa = 0;                           ///< constant pressure, where there is no profile
  std::vector<std::array<double, 2>> profile = {};  ///< [s], [Pa], rising times; linear between, constant outside

  /// Acts along the current normals on the current area (a follower load); false: those at rest (a dead load).
  bool follows = true;

  // blast and impulse
  Vec3 point = Vec3::Zero();  ///< [m]
  double start_s = 0;         ///< time at which the blast leaves its point, or the impulse acts [s]
  double reference_distance_m = 1;
  double falloff = 1;  ///< n: beyond the reference distance r₀ the strength falls as (r₀/r)ⁿ

  // blast
  double peak_pressure_pa = 0;     ///< p_s up to the reference distance [Pa]
  double positive_phase_s = 0;     ///< t_d [s]
  double decay = 1;                ///< b of exp(−b t/t_d)
  double wave_speed_m_s = 340;     ///< infinite: the blast arrives everywhere at once
  bool has_negative_phase = true;  ///< false: the pressure ends after the positive one

  // impulse
  double speed_m_s = 0;  ///< speed, away from the point, that nodes up to the reference distance gain
};

[[nodiscard]] inline bool acts_on_faces(const LoadParameters& load) { return load.kind != LoadKind::impulse; }

}  // namespace brisance::sim
