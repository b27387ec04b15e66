/// Parts: sets of tets of the objects with a material other than the object's (docs/MATERIALS.md).
#pragma once

#include "brisance/core/types.hpp"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace brisance::sim {

/// How a part selects its tets: by a name in the objects' files, or by the position of their centroid.
enum class PartShape : std::uint8_t {
  group,
  box,
  sphere,
  half_space,
  cylinder,
  surface,  ///< inside a closed surface of a file
  mortar,   ///< the joints of a running bond
};

/// Frame of the coordinates in a scene's entry.
enum class Frame : std::uint8_t {
  world,   ///< the rest position, after placement
  object,  ///< the position in the object's own mesh, before placement
};

/// A set of tets with another material than the object's.
struct PartParameters {
  std::string group;     ///< group: name of tets in the file
  std::string material;  ///< name of an entry of Scene::materials
  std::string object;    ///< name of the only object it applies to; empty: all
  PartShape shape = PartShape::group;
  Frame frame = Frame::world;                    ///< frame of all positions below
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< box corners [m]
  Vec3 centre = Vec3::Zero();   ///< sphere centre; half space: a point on its plane; mortar: a corner of a brick [m]
  double radius_m = 0;          ///< sphere, cylinder
  Vec3 normal = Vec3::UnitZ();  ///< half space: inside is where (x − centre)·normal ≤ 0
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  ///< ends of the cylinder's axis [m]
  std::filesystem::path file = {};              ///< surface
  double scale = 1;                             ///< scale of the file
  /// mortar: length (x), thickness (y) and height (z) of a brick; infinite: it has no joints in that direction [m]
  Vec3 brick = Vec3::Constant(std::numeric_limits<double>::infinity());
  double joint_m = 0;    ///< mortar: thickness of joints [m]
  double overlap = 0.5;  ///< mortar: every second course is shifted by this share of a brick and its joint
};

}  // namespace brisance::sim
