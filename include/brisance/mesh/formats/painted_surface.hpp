/// Vertex colours and texture coordinates of an input surface, extended to all of space.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <filesystem>
#include <memory>

namespace brisance::mesh {

class PaintedSurface {
public:
  /// What the file says at a point of its surface.
  struct Paint {
    std::array<double, 3> colour{1, 1, 1};  ///< red, green, blue as in the file, linear on each triangle
    std::array<double, 2> texture{0, 0};    ///< u, v
  };

  /// Reads what read_surface, FaceAppearance and Texture know of a file. Throws core::Error as they do, and if no
  /// triangle has an area. Local.
  /// @param scale  applied to positions
  PaintedSurface(const std::filesystem::path& file, double scale);
  ~PaintedSurface();
  PaintedSurface(PaintedSurface&&) noexcept;

  [[nodiscard]] bool has_colours() const;
  [[nodiscard]] bool has_texture() const;
  /// At the point of the surface that is nearest to x [m, the file's axes, scaled]. Local.
  [[nodiscard]] Paint at(const Vec3& x) const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace brisance::mesh
