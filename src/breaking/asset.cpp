/// Makes an asset from modes: atoms, smooth cracks, hulls, bonds, levels.
#include "brisance/breaking/asset.hpp"

#include "brisance/breaking/prefracture.hpp"
#include "brisance/core/error.hpp"
#include "brisance/modes/pieces/pieces_surface.hpp"
#include "brisance/runtime/impact_file.hpp"

#include "thinned_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

/// Tets with the number of their atom; atoms of which smoothing left nothing have volume 0.
struct AtomTets {
  mesh::TetMesh mesh;
  modes::PieceLabels atoms;
};

AtomTets atom_tets(const Breakable& object, const AssetParameters& parameters) {
  AtomTets made;
  // Atoms that smoothing makes a little smaller than the bound stay: only what has come off elsewhere joins others.
  constexpr double kCrumb = 0.1;
  TetPieces pieces = tet_pieces(object.mesh, object.atoms,
                                {parameters.object.gluing, kCrumb * parameters.object.smallest_piece,
                                 smoothing_m2(object.atoms, parameters.smoothing)});
  made.mesh = std::move(pieces.mesh);
  made.atoms.volume.assign(object.atoms.volume.size(), 0);
  for (const std::int32_t part : pieces.parts.of_cell) made.atoms.of_cell.push_back(pieces.label_of_part[part]);
  for (std::int32_t part = 0; part < pieces.parts.num_pieces(); ++part)
    made.atoms.volume[pieces.label_of_part[part]] += pieces.parts.volume[part];
  return made;
}

/// Shapes of the atoms that are there, and the names of all.
std::vector<AssetPiece> named_pieces(const AtomTets& tets) {
  std::vector<AssetPiece> pieces(tets.atoms.volume.size());
  std::vector<std::int32_t> row(pieces.size(), -1), present;
  for (std::size_t a = 0; a < pieces.size(); ++a) {
    pieces[a].name = runtime::atom_name(static_cast<std::int32_t>(a));
    if (tets.atoms.volume[a] == 0) continue;
    row[a] = static_cast<std::int32_t>(present.size());
    present.push_back(static_cast<std::int32_t>(a));
  }
  modes::PieceLabels labels;
  for (const std::int32_t atom : tets.atoms.of_cell) labels.of_cell.push_back(row[atom]);
  labels.volume.resize(present.size());
  const std::vector<runtime::SolidShape> shapes = modes::atom_shapes(modes::simplices(tets.mesh), labels);
  for (std::size_t i = 0; i < present.size(); ++i) pieces[present[i]].solid = shapes[i];
  return pieces;
}

void add_surfaces(const AtomTets& tets, const AssetParameters& parameters, Asset& asset) {
  auto surfaces = modes::piece_surfaces(tets.mesh, tets.atoms.of_cell, tets.atoms.num_pieces());
  std::erase_if(surfaces, [](const mesh::PieceSurface& piece) { return piece.surface.triangles.empty(); });
  const std::vector<ThinnedPiece> thin = thinned_pieces(surfaces, parameters.triangles_per_piece);
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    AssetPiece& piece = asset.pieces[surfaces[i].label];
    piece.points = thin[i].points;
    piece.triangles = thin[i].triangles;
    piece.is_crack = thin[i].is_crack;
  }
  asset.solids.volume_m3 = std::accumulate(tets.atoms.volume.begin(), tets.atoms.volume.end(), 0.0);
  asset.solids.gluing = parameters.object.gluing;
  asset.solids.smallest_share = parameters.object.smallest_piece;
  asset.solids.smoothing_m2 = smoothing_m2(tets.atoms, parameters.smoothing);
  asset.solids.pieces = std::move(surfaces);
}

void add_hulls(const AtomTets& tets, const EnclosingHullParameters& parameters, Asset& asset) {
  std::vector<std::vector<std::array<std::int32_t, 4>>> of_atom(asset.pieces.size());
  for (std::size_t t = 0; t < tets.mesh.tets.size(); ++t) of_atom[tets.atoms.of_cell[t]].push_back(tets.mesh.tets[t]);
  for (std::size_t a = 0; a < of_atom.size(); ++a)
    if (!of_atom[a].empty()) asset.pieces[a].hulls = enclosing_hulls(tets.mesh.nodes, of_atom[a], parameters);
}

/// Mean weight of the modes' faces between two atoms, over their area.
std::map<Pair, double> mean_strength(const Breakable& object) {
  const modes::CellGraph graph = modes::cell_graph(object.mesh);
  std::map<Pair, Vec3> sums;  // weight, area, unused
  for (std::size_t f = 0; f < graph.faces.size() && f < object.face_weight.size(); ++f) {
    const std::int32_t a = object.atoms.of_cell[graph.faces[f].a], b = object.atoms.of_cell[graph.faces[f].b];
    if (a != b)
      sums.try_emplace(std::minmax(a, b), Vec3::Zero()).first->second +=
          Vec3(object.face_weight[f], graph.faces[f].area, 0);
  }
  std::map<Pair, double> strength;
  for (const auto& [pair, sum] : sums) strength[pair] = sum[0] / sum[1];
  return strength;
}

void add_bonds(const AtomTets& tets, const Breakable& object, Asset& asset) {
  const std::map<Pair, double> strength = mean_strength(object);
  for (const runtime::AtomFace& face : modes::atom_faces(modes::cell_graph(tets.mesh), tets.atoms)) {
    const auto found = strength.find({face.a, face.b});  // smoothing may make atoms meet that did not
    asset.bonds.push_back({face.a, face.b, face.area, found == strength.end() ? 1.0 : found->second});
  }
}

/// For each atom the lowest atom that the first fields leave together with it.
std::vector<std::int32_t> joined_by(const runtime::ImpactSet& set, std::int32_t num_fields, double jump) {
  std::vector<std::int32_t> root(set.atoms.size());
  std::iota(root.begin(), root.end(), 0);
  const auto root_of = [&](std::int32_t a) {
    while (root[a] != a) a = root[a] = root[root[a]];
    return a;
  };
  const auto is_open = [&](const runtime::AtomFace& face) {
    for (std::int32_t m = 0; m < num_fields; ++m) {
      double squared = 0;
      for (std::int32_t k = 0; k < set.components; ++k) {
        const auto at = [&](std::int32_t atom) {
          return set.mode_value[(static_cast<std::size_t>(m) * set.atoms.size() + atom) * set.components + k];
        };
        squared += (at(face.a) - at(face.b)) * (at(face.a) - at(face.b));
      }
      if (squared >= jump * jump) return true;
    }
    return false;
  };
  for (const runtime::AtomFace& face : set.faces) {
    if (is_open(face)) continue;
    const std::int32_t a = root_of(face.a), b = root_of(face.b);
    root[std::max(a, b)] = std::min(a, b);
  }
  for (std::int32_t a = 0; a < set.num_atoms(); ++a) root[a] = root_of(a);
  return root;
}

/// Appends a level. @param cluster  of each piece @param above  of each piece, in the level before; then in this one
void add_level(const std::vector<std::int32_t>& cluster, std::size_t count, std::int32_t num_fields,
               std::vector<std::int32_t>& above, Asset& asset) {
  AssetLevel level{num_fields, std::vector<AssetCluster>(count)};
  for (std::size_t p = 0; p < cluster.size(); ++p) {
    const std::int32_t c = cluster[p];
    AssetCluster& made = level.clusters[c];
    made.name = fmt::format("cluster_{}_{}", asset.levels.size() + 1, c);
    made.parent = made.pieces.empty() ? above[p] : made.parent;
    made.pieces.push_back(static_cast<std::int32_t>(p));
    asset.pieces[p].cluster = c;
  }
  above = cluster;
  asset.levels.push_back(std::move(level));
}

/// Levels of 2, 4, 8, … fields that have more clusters than the one before, and fewer than there are first pieces; then
/// the first pieces, where these have modes of their own.
/// @param first_piece  of each piece
void add_levels(const runtime::ImpactSet& set, const std::vector<std::int32_t>& first_piece, double jump,
                Asset& asset) {
  std::vector<std::int32_t> above(first_piece.size(), -1), cluster(first_piece.size());
  std::size_t least = 1;
  for (std::int32_t num_fields = 2; num_fields < set.num_modes(); num_fields *= 2) {
    const std::vector<std::int32_t> root = joined_by(set, num_fields, jump);
    std::map<std::int32_t, std::int32_t> number;
    for (const std::int32_t r : root) number.try_emplace(r, static_cast<std::int32_t>(number.size()));
    if (number.size() <= least || number.size() >= set.atoms.size()) continue;
    least = number.size();
    for (std::size_t p = 0; p < cluster.size(); ++p) cluster[p] = number[root[first_piece[p]]];
    add_level(cluster, number.size(), num_fields, above, asset);
  }
  if (first_piece.size() > set.atoms.size()) add_level(first_piece, set.atoms.size(), set.num_modes(), above, asset);
}

/// Divides the object's atoms by modes of their own. Returns the first piece of each atom that results.
std::vector<std::int32_t> divide_further(Breakable& object, const AssetParameters& parameters) {
  OwnModes own = own_modes(object, parameters.object, parameters.own);
  std::vector<std::int32_t> first_piece;
  for (std::int32_t p = 0; p < object.set.num_atoms(); ++p) {
    const std::int32_t count = own.of_piece.empty() ? 1 : std::max(1, own.of_piece[p].num_atoms());
    first_piece.insert(first_piece.end(), static_cast<std::size_t>(count), p);
  }
  object.atoms = std::move(own.atoms);
  object.set.own = std::move(own.of_piece);
  return first_piece;
}

}  // namespace

double Asset::volume_m3() const {
  double sum = 0;
  for (const AssetPiece& piece : pieces) sum += piece.solid.volume;
  return sum;
}

double Asset::hull_ratio() const {
  double sum = 0;
  for (const AssetPiece& piece : pieces)
    for (const mesh::ConvexHull& hull : piece.hulls) sum += hull.volume_m3;
  return sum / volume_m3();
}

std::int64_t Asset::num_hulls() const {
  std::int64_t sum = 0;
  for (const AssetPiece& piece : pieces) sum += std::ssize(piece.hulls);
  return sum;
}

std::int64_t Asset::num_triangles() const {
  std::int64_t sum = 0;
  for (const AssetPiece& piece : pieces) sum += std::ssize(piece.triangles);
  return sum;
}

Asset make_asset(const std::filesystem::path& modes_file, const std::string& name, const AssetParameters& parameters) {
  Breakable object = read_breakable(modes_file, parameters.object);
  if (object.set.dimension == 2)
    throw core::BadInput(modes_file.string() +
                         " holds modes of a flat body, and assets are solids. Give --thickness, or a solid.");
  const std::vector<std::int32_t> first_piece = divide_further(object, parameters);
  const AtomTets tets = atom_tets(object, parameters);
  Asset asset;
  asset.name = name;
  asset.runtime_file = runtime::encode(object.set);
  asset.pieces = named_pieces(tets);
  add_surfaces(tets, parameters, asset);
  add_hulls(tets, parameters.hulls, asset);
  add_bonds(tets, object, asset);
  const double volume = std::accumulate(object.atoms.volume.begin(), object.atoms.volume.end(), 0.0);
  add_levels(object.set, first_piece, parameters.object.gluing / std::sqrt(volume), asset);
  return asset;
}

}  // namespace brisance::breaking
