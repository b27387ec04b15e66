/// Selection of the tets of an object's part.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/parameters.hpp"

#include <span>
#include <string>
#include <vector>

namespace brisance::sim {

/// An object's tets in both frames of a scene's entries.
struct PlacedObject {
  const ObjectParameters& object;
  std::string name;           ///< name of the mesh in messages
  mesh::TetMesh& mesh;        ///< after placement
  std::span<const Vec3> own;  ///< its nodes before placement [m]

  [[nodiscard]] std::span<const Vec3> nodes(Frame frame) const {
    return frame == Frame::world ? std::span<const Vec3>(mesh.nodes) : own;
  }
};

/// Corners of a tet in a frame. Local.
[[nodiscard]] std::array<Vec3, 4> corners_of(const PlacedObject& placed, Frame frame, std::size_t tet);

/// The centroid of a tet [m]. Local.
[[nodiscard]] Vec3 middle_of(const std::array<Vec3, 4>& corners);

/// Numbers of the tets that the part selects, by group or by position of the centroid. Local; throws core::Error for a
/// surface that cannot be read.
[[nodiscard]] std::vector<std::size_t> tets_of_part(const PartParameters& part, const PlacedObject& placed);

}  // namespace brisance::sim
