/// Pieces of a prefractured object in one file (pieces.h5); docs/FORMAT.md is the contract.
#pragma once

#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/tets/piece_surface.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace brisance::io {

/// Version of the layout that this program writes and the only one it reads.
inline constexpr std::int64_t kPiecesVersion = 1;

struct PiecesFile {
  double volume_m3 = 0;           ///< of the whole object; 0 of a flat one
  double area_m2 = 0;             ///< of a flat object, whose pieces are flat surfaces; 0 of a solid
  double gluing = 0;              ///< threshold on the modes' jumps, in 1/√V
  double smallest_share = 0;      ///< of the volume: smaller pieces were joined to a neighbour
  double smoothing_m2 = 0;        ///< λ of the cracks' diffusion; negative: cracks follow the faces of the mesh
  bool is_exact_outside = false;  ///< cut back from a cage to the input's surface
  std::vector<mesh::PieceSurface> pieces;

  [[nodiscard]] bool is_flat() const { return area_m2 > 0; }
  /// Volume [m³], of flat objects area [m²]: of all, and of one piece.
  [[nodiscard]] double size() const { return is_flat() ? area_m2 : volume_m3; }
  [[nodiscard]] double size(const mesh::PieceSurface& piece) const {
    return is_flat() ? mesh::area_m2(piece.surface) : mesh::enclosed_volume_m3(piece.surface);
  }
};

/// Writes a file that appears under its name only when complete. Local; throws core::Error.
void write_pieces(const std::filesystem::path& file, const PiecesFile& pieces);

/// Local; throws core::Error if the file is missing, damaged, of another version or not one of pieces.
[[nodiscard]] PiecesFile read_pieces(const std::filesystem::path& file);

/// True for an HDF5 file that says it holds pieces. Local; does not throw.
[[nodiscard]] bool is_pieces_file(const std::filesystem::path& file);

}  // namespace brisance::io
