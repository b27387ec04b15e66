/// An animated GLB (glTF 2.0 in one file): meshes that move as rigid bodies.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/rigid/body.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::breaking {

/// A mesh about the origin of its node, and whether it is drawn as a crack.
struct AnimatedMesh {
  std::string name;
  std::vector<Vec3> points;                            ///< [m]
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< outward
  std::vector<bool> is_crack;                          ///< of each triangle
};

/// A closed outward ball, box or mesh about its centre. Of a ball `size` begins with the radius, of a box it has the
/// edges [m].
[[nodiscard]] AnimatedMesh obstacle_mesh(const std::string& name, const rigid::Obstacle& obstacle);

/// One node a mesh, below one that turns z up to glTF's y up; keyframes of translation and rotation, linear in between.
/// Translations are of single precision: where that is too little for where the meshes are, the upper node stands amid
/// them, and they count from there.
class Animation {
public:
  explicit Animation(std::vector<AnimatedMesh> meshes);

  /// A keyframe of all nodes: where the origin of each is, and how it is turned. Times ascend [s]. Local.
  void add(double time_s, const std::vector<rigid::Motion>& motions);
  [[nodiscard]] std::size_t num_keyframes() const { return times_s_.size(); }
  /// What translations count from, z up; known after the first keyframe [m].
  [[nodiscard]] const Vec3& origin() const { return origin_; }

  /// Atomic. Local; throws core::Error if it cannot be written, or is larger than the 4 GiB that a GLB can be.
  /// @param left_out  not 0 for each mesh that the file goes without; may end early
  void write(const std::filesystem::path& file, const std::vector<std::uint8_t>& left_out = {}) const;

private:
  std::vector<AnimatedMesh> meshes_;
  Vec3 origin_ = Vec3::Zero();
  std::vector<float> times_s_;
  std::vector<std::vector<float>> translations_, rotations_;  ///< of each node: x y z, x y z w
};

}  // namespace brisance::breaking
