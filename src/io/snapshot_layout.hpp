/// The names of docs/FORMAT.md, shared by writer and reader, and the layout of a row of each C++ type in a dataset.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstddef>
#include <type_traits>

namespace brisance::io {

namespace layout {
// VTK's part of the file
inline constexpr const char* kVtk = "/VTKHDF";
inline constexpr const char* kNumPoints = "/VTKHDF/NumberOfPoints";
inline constexpr const char* kNumCells = "/VTKHDF/NumberOfCells";
inline constexpr const char* kNumConnectivity = "/VTKHDF/NumberOfConnectivityIds";
inline constexpr const char* kPoints = "/VTKHDF/Points";
inline constexpr const char* kConnectivity = "/VTKHDF/Connectivity";
inline constexpr const char* kOffsets = "/VTKHDF/Offsets";
inline constexpr const char* kTypes = "/VTKHDF/Types";
inline constexpr const char* kPointData = "/VTKHDF/PointData";
inline constexpr const char* kNodeId = "/VTKHDF/PointData/global_id";
inline constexpr const char* kOwned = "/VTKHDF/PointData/owned";
inline constexpr const char* kRestPosition = "/VTKHDF/PointData/rest_position";
inline constexpr const char* kVelocity = "/VTKHDF/PointData/velocity";
inline constexpr const char* kCellData = "/VTKHDF/CellData";
inline constexpr const char* kElementId = "/VTKHDF/CellData/global_id";
inline constexpr const char* kMaterial = "/VTKHDF/CellData/material";
inline constexpr const char* kTetGroup = "/VTKHDF/CellData/group";
inline constexpr const char* kPiece = "/VTKHDF/CellData/piece";
inline constexpr const char* kStress = "/VTKHDF/CellData/stress";
inline constexpr const char* kPlasticStrain = "/VTKHDF/CellData/plastic_strain";
inline constexpr const char* kSourceOfCell = "/VTKHDF/CellData/source_triangle";
inline constexpr const char* kFieldData = "/VTKHDF/FieldData";
inline constexpr const char* kFieldTime = "/VTKHDF/FieldData/time_s";
inline constexpr const char* kFieldStep = "/VTKHDF/FieldData/step";
inline constexpr const char* kFieldFrame = "/VTKHDF/FieldData/frame";
// ours
inline constexpr const char* kOurs = "/brisance";
inline constexpr const char* kScene = "/brisance/scene";
inline constexpr const char* kMaterialNames = "/brisance/material_names";
inline constexpr const char* kGroupNames = "/brisance/group_names";
inline constexpr const char* kGroupOfSource = "/brisance/group_of_source";
inline constexpr const char* kBoundary = "/brisance/boundary";
inline constexpr const char* kNumTriangles = "/brisance/boundary/num_triangles";
inline constexpr const char* kCorners = "/brisance/boundary/corners";
inline constexpr const char* kBoundaryElement = "/brisance/boundary/element";
inline constexpr const char* kSourceTriangle = "/brisance/boundary/source_triangle";
inline constexpr const char* kState = "/brisance/state";
inline constexpr const char* kNodeState = "/brisance/state/node_fields";
inline constexpr const char* kNodeStateUnits = "/brisance/state/node_units";
inline constexpr const char* kElementState = "/brisance/state/tet_fields";
inline constexpr const char* kElementStateUnits = "/brisance/state/tet_units";
inline constexpr const char* kDust = "/brisance/dust";
inline constexpr const char* kDustId = "/brisance/dust/id";
inline constexpr const char* kDustMaterial = "/brisance/dust/material";
inline constexpr const char* kDustBirth = "/brisance/dust/birth_s";
inline constexpr const char* kDustPosition = "/brisance/dust/position";
inline constexpr const char* kDustVelocity = "/brisance/dust/velocity";
inline constexpr const char* kDustSpin = "/brisance/dust/angular_momentum";
inline constexpr const char* kDustRadius = "/brisance/dust/radius";
inline constexpr const char* kDustMass = "/brisance/dust/mass";
inline constexpr const char* kPieceNames = "/brisance/piece_names";
inline constexpr const char* kPieceNamesId = "/brisance/piece_names/id";
inline constexpr const char* kPieceNamesParent = "/brisance/piece_names/parent";
inline constexpr const char* kPieceNamesName = "/brisance/piece_names/name";
inline constexpr const char* kColliders = "/brisance/colliders";
inline constexpr const char* kColliderName = "/brisance/colliders/name";
inline constexpr const char* kColliderKind = "/brisance/colliders/kind";
inline constexpr const char* kColliderCentre = "/brisance/colliders/centre";
inline constexpr const char* kColliderSize = "/brisance/colliders/size";
inline constexpr const char* kColliderOrientation = "/brisance/colliders/orientation";
inline constexpr const char* kColliderNumVertices = "/brisance/colliders/num_vertices";
inline constexpr const char* kColliderNumTriangles = "/brisance/colliders/num_triangles";
inline constexpr const char* kColliderVertices = "/brisance/colliders/vertices";
inline constexpr const char* kColliderTriangles = "/brisance/colliders/triangles";
inline constexpr const char* kColliderVelocity = "/brisance/colliders/velocity";
inline constexpr const char* kColliderSpin = "/brisance/colliders/angular_velocity";
}  // namespace layout

/// A row of a dataset: `width` values of type Scalar. Width 1 makes a one-dimensional dataset.
template <class Row>
struct RowLayout {
  static_assert(std::is_arithmetic_v<Row>);
  using Scalar = Row;
  static constexpr std::size_t width = 1;
};
template <class T, std::size_t N>
struct RowLayout<std::array<T, N>> {
  using Scalar = T;
  static constexpr std::size_t width = N;
};
template <class T, int N>
struct RowLayout<Eigen::Matrix<T, N, 1>> {
  static_assert(sizeof(Eigen::Matrix<T, N, 1>) == N * sizeof(T));
  using Scalar = T;
  static constexpr std::size_t width = N;
};

}  // namespace brisance::io
