/// Writes an asset: two GLBs, JSON, the runtime file and the solids.
#include "brisance/breaking/asset.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"

#include "breaking/glb.hpp"

#include <Eigen/Geometry>
#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

constexpr const char* kSmaller = "ask for fewer triangles (--triangles-per-piece) or tets";

Json row(const Vec3& x) { return {x[0], x[1], x[2]}; }
Vec3 centre_of(const AssetPiece& piece) {
  return {piece.solid.centre[0], piece.solid.centre[1], piece.solid.centre[2]};
}

Eigen::AlignedBox3d box_of(const AssetPiece& piece) {
  Eigen::AlignedBox3d box;
  for (const Vec3& x : piece.points) box.extend(x);
  return box;
}

Json bounds(const Eigen::AlignedBox3d& box) {
  return box.isEmpty() ? Json(nullptr) : Json{{"low", row(box.min())}, {"high", row(box.max())}};
}

std::string hull_name(const AssetPiece& piece, std::size_t hull) { return fmt::format("UCX_{}_{}", piece.name, hull); }

Json hull_names(const AssetPiece& piece) {
  Json names = Json::array();
  for (std::size_t h = 0; h < piece.hulls.size(); ++h) names.push_back(hull_name(piece, h));
  return names;
}

std::string parent_name(const Asset& asset, const AssetPiece& piece) {
  return piece.cluster < 0 ? asset.name : asset.levels.back().clusters[piece.cluster].name;
}

/// Numbers of a piece that its node and the JSON file both have.
Json numbers(const Asset& asset, const AssetPiece& piece) {
  return {{"volume_m3", piece.solid.volume},
          {"centre_of_mass_m", piece.solid.centre},
          {"bounds_m", bounds(box_of(piece))},
          {"parent", parent_name(asset, piece)},
          {"hulls", hull_names(piece)}};
}

/// Volume, centre and bounds of several pieces together.
Json numbers(const Asset& asset, const std::vector<std::int32_t>& pieces, const std::string& parent) {
  std::vector<runtime::SolidShape> solids;
  Eigen::AlignedBox3d box;
  for (const std::int32_t p : pieces) {
    solids.push_back(asset.pieces[p].solid);
    box.extend(box_of(asset.pieces[p]));
  }
  const runtime::SolidShape whole = runtime::combined(solids);
  Json made{{"volume_m3", whole.volume}, {"centre_of_mass_m", whole.centre}, {"bounds_m", bounds(box)}};
  if (!parent.empty()) made["parent"] = parent;
  return made;
}

std::string parent_name(const Asset& asset, std::size_t level, const AssetCluster& cluster) {
  return cluster.parent < 0 ? asset.name : asset.levels[level - 1].clusters[cluster.parent].name;
}

/// A node below another one; returns its number.
std::size_t add_node(Json& document, std::size_t parent, Json node) {
  const std::size_t number = document["nodes"].size();
  document["nodes"][parent]["children"].push_back(number);
  document["nodes"].push_back(std::move(node));
  return number;
}

void add_piece(const Asset& asset, const AssetPiece& piece, std::size_t parent, Glb& glb) {
  Json& document = glb.document;
  const Vec3 centre = centre_of(piece);
  Json node{{"name", piece.name}, {"translation", row(centre)}, {"extras", numbers(asset, piece)}};
  if (!piece.triangles.empty()) {
    std::vector<Vec3> points;
    for (const Vec3& x : piece.points) points.emplace_back(x - centre);
    Json primitives = glb.primitives(points, piece.triangles, piece.is_crack, document["meshes"].size());
    node["mesh"] = document["meshes"].size();
    document["meshes"].push_back({{"name", piece.name}, {"primitives", std::move(primitives)}});
  }
  add_node(document, parent, std::move(node));
}

std::vector<std::int32_t> all_pieces(const Asset& asset) {
  std::vector<std::int32_t> all;
  for (std::size_t p = 0; p < asset.pieces.size(); ++p) all.push_back(static_cast<std::int32_t>(p));
  return all;
}

/// glTF forbids empty lists of children.
void remove_empty_children(Json& document) {
  for (Json& node : document["nodes"])
    if (node.contains("children") && node["children"].empty()) node.erase("children");
}

std::string scene(const Asset& asset, const std::filesystem::path& file) {
  Glb glb;
  glb.document = Glb::start();
  Json& document = glb.document;
  const std::size_t whole =
      add_node(document, 0,
               {{"name", asset.name}, {"children", Json::array()}, {"extras", numbers(asset, all_pieces(asset), "")}});
  std::vector<std::size_t> above{whole}, here;
  for (std::size_t l = 0; l < asset.levels.size(); ++l) {
    here.clear();
    for (const AssetCluster& cluster : asset.levels[l].clusters) {
      Json extras = numbers(asset, cluster.pieces, parent_name(asset, l, cluster));
      extras["level"] = l + 1;
      here.push_back(add_node(document, cluster.parent < 0 ? whole : above[cluster.parent],
                              {{"name", cluster.name}, {"children", Json::array()}, {"extras", std::move(extras)}}));
    }
    above = here;
  }
  for (const AssetPiece& piece : asset.pieces)
    add_piece(asset, piece, piece.cluster < 0 ? whole : above[piece.cluster], glb);
  remove_empty_children(document);
  return glb.bytes(file, kSmaller);
}

std::string scene_of_hulls(const Asset& asset, const std::filesystem::path& file) {
  Glb glb;
  glb.document = Glb::start();
  Json& document = glb.document;
  for (const AssetPiece& piece : asset.pieces)
    for (std::size_t h = 0; h < piece.hulls.size(); ++h) {
      const mesh::ConvexHull& hull = piece.hulls[h];
      const Vec3 centre = centre_of(piece);
      std::vector<Vec3> points;
      for (const Vec3& x : hull.vertices) points.emplace_back(x - centre);
      const std::vector<bool> outside(hull.triangles.size(), false);
      Json primitives = glb.primitives(points, hull.triangles, outside, document["meshes"].size());
      add_node(document, 0,
               {{"name", hull_name(piece, h)}, {"mesh", document["meshes"].size()}, {"translation", row(centre)}});
      document["meshes"].push_back({{"name", hull_name(piece, h)}, {"primitives", std::move(primitives)}});
    }
  remove_empty_children(document);
  return glb.bytes(file, kSmaller);
}

Json described_piece(const Asset& asset, const AssetPiece& piece) {
  Json made{{"name", piece.name}};
  made.update(numbers(asset, piece));
  made["inertia_m5"] = piece.solid.inertia;
  made["num_triangles"] = piece.triangles.size();
  Json hulls = Json::array();
  for (std::size_t h = 0; h < piece.hulls.size(); ++h) {
    Json points = Json::array();
    for (const Vec3& x : piece.hulls[h].vertices) points.push_back(row(x));
    hulls.push_back({{"name", hull_name(piece, h)},
                     {"volume_m3", piece.hulls[h].volume_m3},
                     {"points_m", std::move(points)},
                     {"triangles", piece.hulls[h].triangles}});
  }
  made["hulls"] = std::move(hulls);
  return made;
}

std::string description(const Asset& asset) {
  Json pieces = Json::array(), bonds = Json::array(), levels = Json::array();
  for (const AssetPiece& piece : asset.pieces) pieces.push_back(described_piece(asset, piece));
  std::vector<Json> neighbours(asset.pieces.size(), Json::array());
  for (const Bond& bond : asset.bonds) {
    bonds.push_back({{"a", asset.pieces[bond.a].name},
                     {"b", asset.pieces[bond.b].name},
                     {"area_m2", bond.area_m2},
                     {"strength", bond.strength}});
    neighbours[bond.a].push_back(asset.pieces[bond.b].name);
    neighbours[bond.b].push_back(asset.pieces[bond.a].name);
  }
  for (std::size_t p = 0; p < neighbours.size(); ++p) pieces[p]["neighbours"] = std::move(neighbours[p]);
  for (std::size_t l = 0; l < asset.levels.size(); ++l) {
    Json clusters = Json::array();
    for (const AssetCluster& cluster : asset.levels[l].clusters) {
      Json names = Json::array();
      for (const std::int32_t p : cluster.pieces) names.push_back(asset.pieces[p].name);
      clusters.push_back(
          {{"name", cluster.name}, {"parent", parent_name(asset, l, cluster)}, {"pieces", std::move(names)}});
    }
    levels.push_back({{"level", l + 1}, {"num_fields", asset.levels[l].num_fields}, {"clusters", std::move(clusters)}});
  }
  return io::json_text(Json{{"format", 1},
                            {"name", asset.name},
                            {"volume_m3", asset.volume_m3()},
                            {"num_triangles", asset.num_triangles()},
                            {"num_hulls", asset.num_hulls()},
                            {"hull_volume_ratio", asset.hull_ratio()},
                            {"pieces", std::move(pieces)},
                            {"bonds", std::move(bonds)},
                            {"levels", std::move(levels)}}) +
         '\n';
}

}  // namespace

void write_asset(const Asset& asset, const std::filesystem::path& folder) {
  const auto file = [&](const char* ending) { return folder / (asset.name + ending); };
  io::write_atomically(file(".glb"), scene(asset, file(".glb")));
  io::write_atomically(file(".hulls.glb"), scene_of_hulls(asset, file(".hulls.glb")));
  io::write_atomically(file(".impact"), asset.runtime_file);
  io::write_pieces(file(".pieces.h5"), asset.solids);
  io::write_atomically(file(".json"), description(asset));
}

}  // namespace brisance::breaking
