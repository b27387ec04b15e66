/// What an input file says of the appearance of its faces, besides texture coordinates: materials and vertex colours.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace brisance::mesh {

inline constexpr std::int32_t kNoMaterial = -1;

class FaceAppearance {
public:
  /// Of an OBJ file the names of `usemtl` and the colours behind its vertices (`v x y z r g b`); of a PLY file the
  /// colours of its vertices (red, green, blue); both of formats that Assimp reads. Nothing of STL and OFF. Throws
  /// core::Error as read_surface. Local.
  [[nodiscard]] static FaceAppearance read(const std::filesystem::path& file);

  [[nodiscard]] const std::vector<std::string>& materials() const { return materials_; }
  /// Row of materials() of a face (Surface::source_face), or kNoMaterial.
  [[nodiscard]] std::int32_t material_of(std::int32_t face) const {
    return face >= 0 && static_cast<std::size_t>(face) < material_of_face_.size()
               ? material_of_face_[static_cast<std::size_t>(face)]
               : kNoMaterial;
  }
  [[nodiscard]] bool has_colours() const { return !colours_.empty(); }
  /// Red, green and blue, 0 to 1, of the vertex at bitwise this place in the file [the file's unit]; white where there
  /// is none.
  [[nodiscard]] std::array<double, 3> colour_at(const Vec3& vertex) const;

private:
  std::vector<std::string> materials_;
  std::vector<std::int32_t> material_of_face_;
  std::map<std::array<double, 3>, std::array<double, 3>> colours_;
};

}  // namespace brisance::mesh
