/// Surfaces as the arrays that a page draws.
#pragma once

#include "brisance/exports/fragments.hpp"
#include "brisance/exports/surface_frame.hpp"

#include "exports/report/packed_arrays.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::exports {

/// Coordinates as 16-bit integers: 32767 is `reach` from the centre.
struct RoundedPoints {
  Vec3 centre;
  double reach = 1;  ///< [m]
  [[nodiscard]] std::int16_t rounded(double coordinate) const;
};

/// Vertices and triangles of several surfaces, one after the other.
struct SurfaceArrays {
  std::vector<std::int16_t> points;
  std::vector<std::uint32_t> corners;  ///< count from 0 in each surface if added by `add` alone
  std::vector<std::uint8_t> kind;      ///< of each vertex: 1 on a crack
  std::vector<std::uint32_t> piece;    ///< of each vertex
  std::vector<float> speed, stress;    ///< of each vertex

  /// @param positions  of the surface's vertices; `about` is subtracted first
  void add(const Surface& surface, const std::vector<Vec3>& positions, const RoundedPoints& rounding,
           const Vec3& about);
  /// Speeds, stresses and the piece's number, for the surface just added; its corners then count from the first.
  /// @param nodes  rows in the frame of the surface's vertices
  void add_values(const SurfaceFrame& frame, const Surface& surface, const std::vector<std::int32_t>& nodes,
                  std::uint32_t number);

  /// All but the values. `suffix` ends the arrays' names.
  void pack(const std::string& suffix, PackedArrays& arrays) const;
  void pack_points(const std::string& suffix, PackedArrays& arrays) const;
  void pack_topology(const std::string& suffix, PackedArrays& arrays) const;
  /// Rounded to 8 bits; returns the largest values, 0 where there is no such array.
  [[nodiscard]] nlohmann::json pack_values(const std::string& suffix, PackedArrays& arrays) const;
};

}  // namespace brisance::exports
