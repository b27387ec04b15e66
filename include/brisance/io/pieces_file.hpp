/// Pieces of a prefractured object in one file (pieces.h5); docs/FORMAT.md is the contract.
#pragma once

#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/tets/piece_surface.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::io {

/// Version of the layout that this program writes and the only one it reads.
inline constexpr std::int64_t kPiecesVersion = 1;

struct PiecesFile {
  double volume_m3 = 0;           ///< volume of the whole object; 0 if it is flat
  double area_m2 = 0;             ///< area of a flat object, whose pieces are flat surfaces; 0 for a solid
  double gluing = 0;              ///< threshold on the modes' jumps, in 1/√V
  double smallest_share = 0;      ///< smaller shares of the volume were joined to a neighbour
  double smoothing_m2 = 0;        ///< λ of the cracks' diffusion; negative: cracks follow the faces of the mesh
  bool is_exact_outside = false;  ///< cut back from a cage to the input's surface
  std::vector<mesh::PieceSurface> pieces;
  std::vector<std::string> names;  ///< of the pieces, each once; empty: piece_names

  [[nodiscard]] bool is_flat() const { return area_m2 > 0; }
  /// Size of the whole and of one piece: volume [m³], for flat objects area [m²].
  [[nodiscard]] double size() const { return is_flat() ? area_m2 : volume_m3; }
  [[nodiscard]] double size(const mesh::PieceSurface& piece) const {
    return is_flat() ? mesh::area_m2(piece.surface) : mesh::enclosed_volume_m3(piece.surface);
  }
};

/// Names of the pieces: those of the file, or by label as runtime::atom_name. Of several parts of one label the largest
/// has the bare name, the others "_1", "_2" behind it in the file's order. Local.
[[nodiscard]] std::vector<std::string> piece_names(const PiecesFile& pieces);

/// Writes a file that appears under its name only when complete. Local; throws core::Error.
void write_pieces(const std::filesystem::path& file, const PiecesFile& pieces);

/// Reads a file. Local; throws core::Error if it is missing, damaged, of another version or not one of pieces.
[[nodiscard]] PiecesFile read_pieces(const std::filesystem::path& file);

/// Is it an HDF5 file that declares pieces? Local; does not throw.
[[nodiscard]] bool is_pieces_file(const std::filesystem::path& file);

}  // namespace brisance::io
