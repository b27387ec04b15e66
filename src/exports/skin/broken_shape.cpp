#include "exports/skin/broken_shape.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/finite_frame.hpp"
#include "brisance/mesh/tets/name_cavities.hpp"

#include "exports/skin/edge_points.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace brisance::exports {
namespace {

constexpr std::int64_t kFirstInnerPoint = std::int64_t{1} << 48;  // ids of points inside elements: docs/FORMAT.md
constexpr double kInnerGrid = 1LL << 30;                          // cells across the largest coordinate, for these

constexpr double kSameEdge = 1e-6;  // over the edge's length

/// A place at rest and now, in a piece.
struct NodeKey {
  std::array<std::uint64_t, 7> words;
  bool operator==(const NodeKey&) const = default;
};
struct HashOfKey {
  std::size_t operator()(const NodeKey& key) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : key.words) hash = (hash ^ word) * 0x9E3779B97F4A7C15U, hash ^= hash >> 29;
    return hash;
  }
};

class NodeRows {
public:
  explicit NodeRows(BrokenShape& shape) : shape_(shape) {}

  /// Row of node n of a part, as a node of a piece.
  [[nodiscard]] std::int32_t row(const io::SnapshotPart& part, std::size_t n, std::int64_t piece) {
    const Vec3 &rest = part.rest_position[n], &now = part.position[n];
    const bool is_inner = part.node_id[n] >= kFirstInnerPoint;
    NodeKey key{};
    key.words[6] = static_cast<std::uint64_t>(piece);
    for (int i = 0; i < 3; ++i) {
      key.words[static_cast<std::size_t>(i)] = is_inner ? rounded(rest[i]) : bits(rest[i]);
      key.words[static_cast<std::size_t>(3 + i)] = is_inner ? rounded(now[i]) : bits(now[i]);
    }
    const auto [found, is_new] = rows_.try_emplace(key, static_cast<std::int32_t>(shape_.rest.size()));
    if (is_new) {
      shape_.rest.push_back(rest);
      shape_.points.push_back(now);
      shape_.velocities.push_back(part.velocity.empty() ? Vec3(Vec3::Zero()) : part.velocity[n]);
      shape_.piece_of_node.push_back(static_cast<std::int32_t>(piece));
    }
    return found->second;
  }
  void set_size(double largest) { cell_ = std::max(largest, 1e-300) / kInnerGrid; }

private:
  [[nodiscard]] static std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x + 0.0); }
  /// Elements compute a point that they share each for itself.
  [[nodiscard]] std::uint64_t rounded(double x) const {
    return static_cast<std::uint64_t>(std::llround(x / cell_)) + (std::uint64_t{1} << 62);
  }

  BrokenShape& shape_;
  double cell_ = 1;
  std::unordered_map<NodeKey, std::int32_t, HashOfKey> rows_;
};

/// Piece and material of a tet.
struct TetFacts {
  std::int64_t id;
  std::int32_t piece, material;
};

/// Of all tets of the frame, by id: a boundary triangle may be of a tet in another part.
std::vector<TetFacts> tets_of(const std::vector<io::SnapshotPart>& parts) {
  std::vector<TetFacts> tets;
  for (const io::SnapshotPart& part : parts)
    for (std::size_t e = 0; e < part.element_id.size(); ++e)
      tets.push_back({part.element_id[e], static_cast<std::int32_t>(part.piece[e]), part.material[e]});
  std::ranges::sort(tets, {}, &TetFacts::id);
  return tets;
}

/// Playbacks of modes say so first of all in their scene.
bool is_playback(const io::SnapshotHeader& header) { return header.scene.starts_with("[play]\nmodes"); }

constexpr std::string_view kPieceIds = "piece_id";  // state column of playbacks of modes: docs/FORMAT.md

/// Ids that the frame has for its pieces.
void add_piece_ids(const io::SnapshotPart& part, BrokenShape& shape) {
  if (!shape.header.piece_names.empty()) return;
  const auto column = std::ranges::find(part.element_state, kPieceIds, &io::StateColumn::name);
  if (column == part.element_state.end()) return;
  shape.piece_ids.resize(static_cast<std::size_t>(shape.header.num_pieces), 0);
  for (std::size_t e = 0; e < part.piece.size(); ++e)
    shape.piece_ids[static_cast<std::size_t>(part.piece[e])] = static_cast<std::int32_t>(column->values[e]);
}

/// The tet below a boundary triangle of a whole frame.
const TetFacts& tet_below(const std::filesystem::path& file, const std::vector<TetFacts>& tets, std::int64_t id) {
  const auto found = std::ranges::lower_bound(tets, id, {}, &TetFacts::id);
  if (found == tets.end() || found->id != id)
    throw core::Error(file.string() +
                      ": a boundary triangle is of a tet that no part has; the file is damaged. Write or "
                      "copy it again.");
  return *found;
}

std::int32_t group_of(const mesh::Groups& groups, std::int64_t source) {
  return groups.empty() ? mesh::kNoGroup : groups.group_of_source(static_cast<std::int32_t>(source));
}

/// Removes pairs of cracks' triangles on the same nodes that face each other.
void close_closed_cracks(std::vector<BoundaryTriangle>& triangles) {
  std::vector<std::pair<Triangle, std::size_t>> sorted;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (triangles[t].source >= 0) continue;
    Triangle corners = triangles[t].corners;
    std::ranges::sort(corners);
    sorted.emplace_back(corners, t);
  }
  std::ranges::sort(sorted);
  std::vector<char> is_gone(triangles.size(), 0);
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    if (sorted[i].first != sorted[i + 1].first) continue;
    is_gone[sorted[i].second] = is_gone[sorted[i + 1].second] = 1;
    ++i;
  }
  std::size_t kept = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    if (is_gone[t] == 0) triangles[kept++] = triangles[t];
  triangles.resize(kept);
}

/// Edges whose triangles run more often one way than the other.
std::vector<std::array<std::int32_t, 2>> open_edges(const std::vector<BoundaryTriangle>& triangles) {
  std::unordered_map<std::uint64_t, int> balance;
  balance.reserve(2 * triangles.size());
  for (const BoundaryTriangle& triangle : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t a = triangle.corners[k], b = triangle.corners[(k + 1) % 3];
      balance[undirected_edge(a, b)] += a < b ? 1 : -1;
    }
  std::vector<std::array<std::int32_t, 2>> open;
  for (const auto& [edge, sum] : balance)
    if (sum != 0)
      open.push_back({static_cast<std::int32_t>(edge >> 32), static_cast<std::int32_t>(edge & 0xFFFFFFFFU)});
  std::ranges::sort(open);
  return open;
}

/// Divides triangles in whose edge a neighbour's corner lies: a crack may divide an element and not the one beside it.
void close_junctions(BrokenShape& shape) {
  const std::vector<std::array<std::int32_t, 2>> open = open_edges(shape.triangles);
  if (open.empty()) return;
  std::vector<std::int32_t> nodes;
  for (const auto& [a, b] : open) nodes.push_back(a), nodes.push_back(b);
  std::ranges::sort(nodes);
  const auto [first, last] = std::ranges::unique(nodes);
  nodes.erase(first, last);
  std::vector<Vec3> places;
  for (const std::int32_t node : nodes) places.push_back(shape.rest[static_cast<std::size_t>(node)]);
  const PlacesOnEdges ends(std::move(places));
  DividedEdges divided;
  for (const auto& [a, b] : open) {
    std::vector<std::int32_t> inside;
    const Vec3 &at_a = shape.points[static_cast<std::size_t>(a)], &at_b = shape.points[static_cast<std::size_t>(b)];
    for (const auto& [along, place] :
         ends.on_edge(shape.rest[static_cast<std::size_t>(a)], shape.rest[static_cast<std::size_t>(b)])) {
      const std::int32_t node = nodes[static_cast<std::size_t>(place)];
      const auto n = static_cast<std::size_t>(node);
      const bool is_on_edge_now =
          (shape.points[n] - (1 - along) * at_a - along * at_b).norm() <= kSameEdge * (at_b - at_a).norm();
      if (shape.piece_of_node[n] == shape.piece_of_node[static_cast<std::size_t>(a)] && is_on_edge_now)
        inside.push_back(node);
    }
    if (!inside.empty()) divided.emplace(undirected_edge(a, b), std::move(inside));
  }
  if (divided.empty()) return;
  std::vector<BoundaryTriangle> triangles;
  std::vector<Triangle> parts;
  for (const BoundaryTriangle& triangle : shape.triangles) {
    parts.clear();
    if (!divide_triangle(triangle.corners, divided, parts)) parts.push_back(triangle.corners);
    for (const Triangle& corners : parts) {
      triangles.push_back(triangle);
      triangles.back().corners = corners;
    }
  }
  shape.triangles = std::move(triangles);
}

}  // namespace

BrokenShape read_broken_shape(const std::filesystem::path& file) {
  BrokenShape shape;
  shape.header = io::read_snapshot_header(file);
  const io::FrameForm& form = shape.header.form;
  if (!form.has("rest_position"))
    throw core::Error(file.string() +
                      " has no positions at rest, by which the skin is found. Run again with rest_position in "
                      "output.fields, or export without the skin.");
  for (const io::PieceName& name : shape.header.piece_names) shape.piece_ids.push_back(name.id);
  const mesh::Groups& groups = shape.header.groups;
  NodeRows nodes(shape);
  std::vector<io::SnapshotPart> parts;
  const std::int64_t num_parts = io::num_parts(file);
  const auto columns = is_playback(shape.header) ? io::ReadColumns::all : io::ReadColumns::motion;
  double largest = 0;
  for (std::int64_t p = 0; p < num_parts; ++p) {
    const io::SnapshotPart& part = parts.emplace_back(io::read_snapshot(file, p, 1, columns).part);
    add_piece_ids(part, shape);
    io::require_finite(file, part);
    for (const Vec3& x : part.rest_position) largest = std::max(largest, x.cwiseAbs().maxCoeff());
  }
  nodes.set_size(largest);
  if (!parts.empty()) shape.dust = parts.front().dust;
  const std::vector<TetFacts> tets = form.surface_only ? std::vector<TetFacts>() : tets_of(parts);
  for (const io::SnapshotPart& part : parts)
    for (std::size_t t = 0; t < part.boundary.size(); ++t) {
      const TetFacts below = form.surface_only ? TetFacts{0, static_cast<std::int32_t>(part.piece[t]), part.material[t]}
                                               : tet_below(file, tets, part.boundary_element[t]);
      BoundaryTriangle& triangle = shape.triangles.emplace_back();
      triangle.piece = below.piece;
      triangle.material = below.material;
      triangle.source = part.source_triangle[t];
      triangle.is_cavity = mesh::has_name(groups, group_of(groups, triangle.source), mesh::kCavityName);
      for (std::size_t k = 0; k < 3; ++k)
        triangle.corners[k] = nodes.row(part, static_cast<std::size_t>(part.boundary[t][k]), triangle.piece);
    }
  close_closed_cracks(shape.triangles);
  close_junctions(shape);
  return shape;
}

}  // namespace brisance::exports
