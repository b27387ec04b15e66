/// Texture coordinates of an input file, evaluated on parts of its faces.
#pragma once

#include "brisance/mesh/tets/piece_surface.hpp"

#include <array>
#include <filesystem>
#include <vector>

namespace brisance::mesh {

/// Coordinates over the faces of a file, linear on each triangle of a face.
class Texture {
public:
  /// One triangle of a face.
  struct Patch {
    std::array<Vec3, 3> corners;                  ///< [m]
    std::array<std::array<double, 2>, 3> coords;  ///< u, v
  };

  /// The coordinates of an OBJ file (vt) or of one that Assimp reads; empty for STL, PLY and OFF, and without any.
  /// Faces without coordinates get (0, 0). Throws core::Error as read_surface, and for an index that is not in the
  /// file. Local.
  /// @param scale  applied to positions
  [[nodiscard]] static Texture read(const std::filesystem::path& file, double scale = 1);

  [[nodiscard]] bool empty() const { return patches_.empty(); }
  /// u, v at a point on a face (Surface::source_face). Not empty; face in range.
  [[nodiscard]] std::array<double, 2> at(std::int32_t face, const Vec3& point) const;

private:
  std::vector<std::vector<Patch>> patches_;  ///< of each face
};

/// Fills piece.texture on the outside of a piece; leaves it empty if the texture is. Local.
void set_texture(PieceSurface& piece, const Texture& texture);

}  // namespace brisance::mesh
