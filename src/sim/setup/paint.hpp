/// Factors painted on an object's input surface (docs/MATERIALS.md, "Materials in space").
#pragma once

#include "brisance/mesh/formats/painted_surface.hpp"
#include "brisance/sim/parameters.hpp"

#include "part_selection.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brisance::sim {

/// One channel of an image, 0 to 1 as stored, interpolated between pixels. (0, 0) is its lower left corner; outside 0
/// to 1 it is repeated.
class PaintImage {
public:
  /// Throws core::Error if the file cannot be read, lacks the channel, or has a value outside 0 to 1. Local.
  PaintImage(const std::filesystem::path& file, PaintChannel channel);

  [[nodiscard]] double at(const std::array<double, 2>& texture) const;

private:
  std::int64_t width_ = 0, height_ = 0;
  std::vector<double> values_;  ///< row by row from the top left
};

/// The paint of one [[factor]] on one object.
class Paint {
public:
  /// Reads the object's surface, and the image. Throws core::Error if the object has no input surface, or that lacks
  /// what the factor reads. Local.
  Paint(const FactorParameters& factor, const PlacedObject& placed);

  /// The factor at the point of the surface nearest to x: black + (white − black) value. Throws core::Error for a
  /// colour outside 0 to 1. Local.
  /// @param x  in the object's own axes, before placement [m]
  [[nodiscard]] double at(const Vec3& x);
  /// A line for the log if texture coordinates were outside 0 to 1, so that the image was repeated.
  [[nodiscard]] std::optional<std::string> note() const;

private:
  [[nodiscard]] double colour(const std::array<double, 3>& rgb) const;

  const FactorParameters& factor_;
  const std::string object_;
  const mesh::PaintedSurface surface_;
  std::optional<PaintImage> image_;
  std::int64_t num_beyond_ = 0;  ///< calls outside the image
};

}  // namespace brisance::sim
