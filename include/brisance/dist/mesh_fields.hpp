/// Fields that every distributed mesh has: data of its nodes and elements from the uncut mesh and the scene.
#pragma once

#include "brisance/dist/fields.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <array>
#include <cstdint>

namespace brisance::dist {

/// h_0: mean length of the node's edges in the uncut mesh, each counted once an element.
inline constexpr NodeFieldDeclaration<double> kUncutEdgeLength{
    .name = "uncut_edge_length", .unit = "m", .birth = AtBirth::mean, .ghosts = Ghosts::refreshed};

/// Smallest altitude of the node's star in the uncut mesh, at most a quarter of kUncutEdgeLength: the reference for the
/// lower bound on altitudes made by cuts.
inline constexpr NodeFieldDeclaration<double> kUncutAltitude{
    .name = "uncut_altitude", .unit = "m", .birth = AtBirth::mean, .ghosts = Ghosts::refreshed};

/// Bit i: the node is in region i of the scene. A node made on an edge is in the regions of both ends.
inline constexpr NodeFieldDeclaration<std::uint32_t> kRegions{
    .name = "regions", .unit = "bits", .birth = AtBirth::common_bits, .ghosts = Ghosts::refreshed};

/// The face between the halves of a bisected element is an inner one: opposite corner ib of the child, ia of the
/// parent.
inline void forget_source_of_new_face(std::array<std::int32_t, 4>& parent, std::array<std::int32_t, 4>& child, int ia,
                                      int ib) {
  child[ib] = mesh::kNoSourceTriangle;
  parent[ia] = mesh::kNoSourceTriangle;
}

/// Triangle of the input surface opposite each corner, or kNoSourceTriangle.
inline constexpr ElementFieldDeclaration<std::array<std::int32_t, 4>> kFaceSource{
    .name = "face_source",
    .unit = "triangle",
    .initial = {mesh::kNoSourceTriangle, mesh::kNoSourceTriangle, mesh::kNoSourceTriangle, mesh::kNoSourceTriangle},
    .at_bisection = forget_source_of_new_face};

/// Group of the input file that the element belongs to (MeshFacts::groups), or mesh::kNoGroup.
inline constexpr ElementFieldDeclaration<std::int32_t> kTetGroup{
    .name = "tet_group", .unit = "group", .initial = mesh::kNoGroup};

/// Factor on the strength of the element's material; only in runs with varying strength.
inline constexpr ElementFieldDeclaration<double> kStrengthFactor{.name = "strength_factor", .unit = "-", .initial = 1};

[[nodiscard]] inline FieldList mesh_fields() {
  return FieldList()
      .add(kUncutEdgeLength)
      .add(kUncutAltitude)
      .add(kRegions)
      .add(kFaceSource)
      .add(kTetGroup)
      .add(kMaterialShare)
      .add(kPlace);
}

}  // namespace brisance::dist
