#include "page_arrays.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace brisance::exports {

namespace {

/// Shares of the largest value as 8 bits; negative ones become 0.
float pack_shares(const std::vector<float>& values, const std::string& name, PackedArrays& arrays) {
  if (values.empty()) return 0;
  const float largest = *std::ranges::max_element(values);
  if (!(largest > 0)) return 0;
  std::vector<std::uint8_t> shares;
  shares.reserve(values.size());
  for (const float v : values)
    shares.push_back(static_cast<std::uint8_t>(std::lround(255 * std::clamp(v / largest, 0.0F, 1.0F))));
  arrays.add(name, std::span<const std::uint8_t>(shares));
  return largest;
}

}  // namespace

std::int16_t RoundedPoints::rounded(double coordinate) const {
  if (!(reach > 0)) return 0;
  return static_cast<std::int16_t>(std::lround(32767 * std::clamp(coordinate / reach, -1.0, 1.0)));
}

void SurfaceArrays::add(const Surface& surface, const std::vector<Vec3>& positions, const RoundedPoints& rounding,
                        const Vec3& about) {
  const std::size_t first = kind.size();
  for (const Vec3& x : positions)
    for (int k = 0; k < 3; ++k) points.push_back(rounding.rounded(x[k] - about[k] - rounding.centre[k]));
  kind.resize(first + positions.size(), 0);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (const std::int32_t n : surface.triangles[t]) {
      corners.push_back(static_cast<std::uint32_t>(n));
      if (surface.kinds[t] == FaceKind::crack) kind[first + static_cast<std::size_t>(n)] = 1;
    }
}

void SurfaceArrays::add_values(const SurfaceFrame& frame, const Surface& surface,
                               const std::vector<std::int32_t>& nodes, std::uint32_t number) {
  const auto first = static_cast<std::uint32_t>(piece.size());
  for (std::size_t i = corners.size() - 3 * surface.triangles.size(); i < corners.size(); ++i) corners[i] += first;
  piece.insert(piece.end(), surface.points.size(), number);
  for (const Vec3& v : surface.velocities) speed.push_back(static_cast<float>(v.norm()));
  if (frame.stress.empty()) return;
  for (const std::int32_t n : nodes) stress.push_back(frame.stress[static_cast<std::size_t>(n)]);
}

void SurfaceArrays::pack(const std::string& suffix, PackedArrays& arrays) const {
  pack_points(suffix, arrays);
  arrays.add("corners" + suffix, std::span<const std::uint32_t>(corners));
  arrays.add("kind" + suffix, std::span<const std::uint8_t>(kind));
}

void SurfaceArrays::pack_points(const std::string& suffix, PackedArrays& arrays) const {
  arrays.add("points" + suffix, std::span<const std::int16_t>(points));
}

void SurfaceArrays::pack_topology(const std::string& suffix, PackedArrays& arrays) const {
  arrays.add("corners" + suffix, std::span<const std::uint32_t>(corners));
  arrays.add("kind" + suffix, std::span<const std::uint8_t>(kind));
  arrays.add("piece" + suffix, std::span<const std::uint32_t>(piece));
}

nlohmann::json SurfaceArrays::pack_values(const std::string& suffix, PackedArrays& arrays) const {
  return {{"speed", pack_shares(speed, "speed" + suffix, arrays)},
          {"stress", pack_shares(stress, "stress" + suffix, arrays)}};
}

}  // namespace brisance::exports
