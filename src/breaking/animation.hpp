/// An animated GLB (glTF 2.0 in one file) of meshes that move as rigid bodies.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/rigid/body.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::breaking {

/// A mesh relative to its node's origin, with the triangles to be drawn as cracks.
struct AnimatedMesh {
  std::string name;
  std::vector<Vec3> points;                            ///< [m]
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< outward
  std::vector<bool> is_crack;                          ///< for each triangle
};

/// A closed outward ball, box or mesh about its centre. `size` begins with the radius of a ball, and holds the edges of
/// a box [m].
[[nodiscard]] AnimatedMesh obstacle_mesh(const std::string& name, const rigid::Obstacle& obstacle);

/// One node for each mesh, below one that rotates z up to glTF's y up; keyframes of translation and rotation, linearly
/// interpolated. Translations have single precision: where that does not suffice for the meshes' positions, the upper
/// node is placed amid them, and translations are relative to it.
class Animation {
public:
  explicit Animation(std::vector<AnimatedMesh> meshes);

  /// Adds a keyframe: position of each node's origin, and its orientation. Times ascend [s]. Local.
  void add(double time_s, const std::vector<rigid::Motion>& motions);
  [[nodiscard]] std::size_t num_keyframes() const { return times_s_.size(); }
  /// Origin of the translations, z up; known after the first keyframe [m].
  [[nodiscard]] const Vec3& origin() const { return origin_; }

  /// Writes the file atomically. Local; throws core::Error if it cannot be written, or exceeds the 4 GiB of a GLB.
  /// @param left_out  not 0 for each mesh to be omitted; may be shorter
  void write(const std::filesystem::path& file, const std::vector<std::uint8_t>& left_out = {}) const;

private:
  std::vector<AnimatedMesh> meshes_;
  Vec3 origin_ = Vec3::Zero();
  std::vector<float> times_s_;
  std::vector<std::vector<float>> translations_, rotations_;  ///< for each node: x y z, x y z w
};

}  // namespace brisance::breaking
