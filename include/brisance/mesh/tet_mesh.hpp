/// A whole tetrahedral mesh on one rank, before it is distributed, or as read by a tool.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/mesh/groups.hpp"
#include "brisance/mesh/reference.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace brisance::mesh {

/// The three corners of the face opposite each corner, ordered so that the face normal points out of a positive tet.
inline constexpr std::array<std::array<int, 3>, 4> kFaceCorners{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// Value of a face tag on interior faces and on crack surfaces.
inline constexpr std::int32_t kNoSourceTriangle = -1;

/// A number that the input file gives to each node or to each tet.
struct ScalarField {
  std::string name;
  bool on_nodes;
  std::vector<double> values;
};

/// A region with the material of another one, scaled in stiffness.
struct GradedRegion {
  std::int32_t of;
  double stiffness;
};

/// Tets a b c d with (b−a)×(c−a)·(d−a) > 0.
struct TetMesh {
  std::vector<Vec3> nodes;                        ///< rest positions [m]
  std::vector<std::array<std::int32_t, 4>> tets;  ///< corner indices
  /// Triangle of the input surface under the face opposite each corner; kNoSourceTriangle inside. For a mesh read
  /// without a surface, the boundary faces are numbered in order of (tet, corner).
  std::vector<std::array<std::int32_t, 4>> face_source;
  std::vector<std::int32_t> region;   ///< material region of each tet; empty means all 0
  std::vector<GradedRegion> graded;   ///< regions beyond those of the scene's materials, in their order
  std::vector<double> strength;       ///< factor on the strength of each tet's material; empty means all 1
  std::vector<double> stiffness;      ///< factor on the stiffness of each tet's material, until graded regions are made
  Groups groups;                      ///< groups named by the input file; of_source is indexed by face_source
  std::vector<std::int32_t> group;    ///< of each tet, or kNoGroup; empty means that none has one
  std::vector<ScalarField> scalars;   ///< requested fields of the file
  std::vector<Reference> references;  ///< surfaces that its boundary approximates, where it is to be refined
  /// World positions and velocities where they differ from rest (evaluate, drops); empty means rest and zero.
  std::vector<Vec3> displacement, velocity;
};

/// Volume of a tet, positive for the orientation above [m³].
[[nodiscard]] inline double tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a) / 6;
}

}  // namespace brisance::mesh
