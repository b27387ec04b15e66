/// What a game needs of an object that can break: its pieces as a scene, hulls that enclose them, the bonds between
/// them, clusters from coarse to fine. Pieces have the numbers and names of the runtime file's atoms.
#pragma once

#include "brisance/breaking/breakable.hpp"
#include "brisance/breaking/enclosing_hulls.hpp"
#include "brisance/breaking/own_modes.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/mesh/surface/convex_hull.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::breaking {

struct AssetParameters {
  BreakableParameters object;
  double smoothing = 0.01;  ///< length over which cracks are rounded, over ∛V [–]; negative: they follow tets
  std::int64_t triangles_per_piece = 0;  ///< wanted in the scene; 0: those of the mesh
  EnclosingHullParameters hulls;
  OwnModesParameters own;  ///< a second generation of modes; pieces are then the smallest parts of both
};

/// One atom. Smoothing may leave nothing of a thin one: it keeps its number and name, with volume 0.
struct AssetPiece {
  std::string name;                                    ///< runtime::atom_name
  runtime::SolidShape solid;                           ///< for density 1
  std::int32_t cluster = -1;                           ///< of the finest level; -1 where there are no levels
  std::vector<Vec3> points;                            ///< of the simplified surface [m]
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< outward
  std::vector<bool> is_crack;                          ///< for each triangle
  std::vector<mesh::ConvexHull> hulls;
};

/// What holds two pieces together.
struct Bond {
  std::int32_t a, b;  ///< pieces, a < b
  double area_m2;     ///< of the crack between them
  double strength;    ///< mean η of that crack: 1 where the options of `brisance modes` name none
};

/// Pieces that the first fields of the modes leave together, inside one of the level above.
struct AssetCluster {
  std::string name;                  ///< "cluster_LEVEL_NUMBER"
  std::int32_t parent = -1;          ///< number of the cluster above; -1: the whole
  std::vector<std::int32_t> pieces;  ///< ascending
};

struct AssetLevel {
  std::int32_t num_fields = 0;  ///< open are the cracks of so many fields; all where pieces have modes of their own
  std::vector<AssetCluster> clusters;
};

struct Asset {
  std::string name;  ///< of the object
  std::vector<AssetPiece> pieces;
  std::vector<Bond> bonds;         ///< ascending
  std::vector<AssetLevel> levels;  ///< coarse to fine, each with more clusters than the one before
  std::string runtime_file;        ///< its bytes
  io::PiecesFile solids;           ///< the pieces with all triangles

  [[nodiscard]] double volume_m3() const;
  /// Volume of all hulls over that of all pieces.
  [[nodiscard]] double hull_ratio() const;
  [[nodiscard]] std::int64_t num_hulls() const;
  [[nodiscard]] std::int64_t num_triangles() const;
};

/// Makes it from a file of `brisance modes`. Local; throws core::Error (as read_breakable; a flat body).
[[nodiscard]] Asset make_asset(const std::filesystem::path& modes_file, const std::string& name,
                               const AssetParameters& parameters);

/// Writes NAME.glb (a node for each piece below those of its clusters; extras: volume, centre of mass, bounds, parent,
/// hulls), NAME.hulls.glb (a mesh for each hull, "UCX_PIECE_HULL"), NAME.json (all numbers), NAME.impact and
/// NAME.pieces.h5 into an existing folder. Local; throws core::Error.
void write_asset(const Asset& asset, const std::filesystem::path& folder);

}  // namespace brisance::breaking
