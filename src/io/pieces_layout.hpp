/// The names of a pieces file beyond those of a snapshot (docs/FORMAT.md), once for writer and reader.
#pragma once

namespace brisance::io::layout {

inline constexpr const char* kPiecesGroup = "/brisance/pieces";
inline constexpr const char* kPieceLabel = "/brisance/pieces/label";
inline constexpr const char* kPieceName = "/brisance/pieces/name";
inline constexpr const char* kPieceVolume = "/brisance/pieces/volume_m3";
inline constexpr const char* kPieceArea = "/brisance/pieces/area_m2";  ///< area of flat pieces, instead of the volume
inline constexpr const char* kPieceOfTriangle = "/VTKHDF/CellData/piece";
inline constexpr const char* kNeighbour = "/VTKHDF/CellData/neighbour";
inline constexpr const char* kSource = "/VTKHDF/CellData/source_triangle";
inline constexpr const char* kTexture = "/VTKHDF/CellData/texture";

}  // namespace brisance::io::layout
