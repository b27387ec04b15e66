/// Makes solid pieces from modes, for `brisance prefracture`.
#pragma once

#include "brisance/io/pieces_file.hpp"
#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/body/mode_set.hpp"
#include "brisance/modes/pieces/pieces.hpp"

#include <span>

namespace brisance::breaking {

struct PrefractureParameters {
  double gluing = 1e-3;          ///< jumps below gluing/√V do not separate [–]
  double smallest_share = 1e-3;  ///< smaller shares of the volume are joined to a neighbour
  double smoothing_m2 = -1;      ///< λ of modes::smooth_pieces; negative: cracks follow the faces of the mesh
};

/// λ of modes::smooth_pieces for a length √λ that is a share of the cube root of the volume [m²]; −1 for a negative
/// share. Local; does not throw.
[[nodiscard]] double smoothing_m2(const modes::PieceLabels& pieces, double share);

/// Tets that end at the pieces' cracks.
struct TetPieces {
  mesh::TetMesh mesh;
  modes::PieceLabels parts;                 ///< connected; none is smaller than the smallest share
  std::vector<std::int32_t> label_of_part;  ///< label that has most of the part; several parts may have one, or none
};

/// The tets of pieces: those of the mesh, or with smoothed cracks tets cut along these. Local; throws core::Error as
/// prefracture.
[[nodiscard]] TetPieces tet_pieces(const mesh::TetMesh& mesh, const modes::PieceLabels& labels,
                                   const PrefractureParameters& parameters);

/// Pieces of a tet mesh as closed surfaces. Their labels are the numbers of the intersected modes' pieces (the atoms of
/// a runtime file made with the same gluing and smallest share). Smoothed labels of several parts give several pieces,
/// and parts below the smallest share are joined as before. Local. Throws core::Error if modes and mesh are
/// inconsistent, a parameter is out of range, or the pieces' volumes do not add up to the mesh's to 1e-9.
/// @param face_weight  of the faces of modes::cell_graph(mesh); empty uses areas
[[nodiscard]] io::PiecesFile prefracture(const mesh::TetMesh& mesh, const modes::ModeSet& modes,
                                         std::span<const double> face_weight, const PrefractureParameters& parameters);

/// The same for a flat body: pieces of a plate of that thickness as solids; for thickness 0 flat ones
/// (modes::flat_pieces).
[[nodiscard]] io::PiecesFile prefracture(const mesh::PlaneMesh& plane, const modes::ModeSet& modes,
                                         std::span<const double> face_weight, const PrefractureParameters& parameters,
                                         double thickness_m);

/// Pieces of a closed body by the modes of a mesh: of a cage, or of the body's own tets; where the body sticks out of
/// these the labels are extended (mesh::grown_around). Cracks must be smoothed (λ = 0 suffices). Local. Throws the
/// errors of prefracture, mesh::grown_around and cut_back_to.
[[nodiscard]] io::PiecesFile prefracture_within(const mesh::Surface& body, const mesh::TetMesh& mesh,
                                                const modes::ModeSet& modes, std::span<const double> face_weight,
                                                const PrefractureParameters& parameters);

/// Cuts the pieces of a cage back to the body inside it. Cracks must have been smoothed (λ = 0 suffices). The result of
/// a piece may be several solids, each a piece of its own, or none; solids below the smallest share are joined to a
/// neighbour again (mesh::join_small_pieces). Local. Throws core::Error if the body is not meshable or sticks out of
/// the cage (patches may, see mesh::intersect), or if the volumes do not add up to the body's (with patches: to that of
/// the cage's intersection with it) to 1e-6.
[[nodiscard]] io::PiecesFile cut_back_to(const mesh::Surface& body, const mesh::TetMesh& cage,
                                         const io::PiecesFile& cage_pieces);

}  // namespace brisance::breaking
