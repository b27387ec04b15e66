/// Which tets of an object a part of it holds.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/parameters.hpp"

#include <span>
#include <string>
#include <vector>

namespace brisance::sim {

/// An object's tets as entries of a scene look at them.
struct PlacedObject {
  const ObjectParameters& object;
  std::string name;           ///< what the user calls the mesh
  mesh::TetMesh& mesh;        ///< turned and shifted
  std::span<const Vec3> own;  ///< its nodes before that [m]

  [[nodiscard]] std::span<const Vec3> nodes(Frame frame) const {
    return frame == Frame::world ? std::span<const Vec3>(mesh.nodes) : own;
  }
};

/// Corners of a tet in a frame. Local.
[[nodiscard]] std::array<Vec3, 4> corners_of(const PlacedObject& placed, Frame frame, std::size_t tet);

/// The middle of a tet [m]. Local.
[[nodiscard]] Vec3 middle_of(const std::array<Vec3, 4>& corners);

/// Numbers of the tets that the part picks: by group, or by the place of their middle. Local; throws core::Error for a
/// surface that cannot be read.
[[nodiscard]] std::vector<std::size_t> tets_of_part(const PartParameters& part, const PlacedObject& placed);

}  // namespace brisance::sim
