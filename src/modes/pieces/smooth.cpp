/// Computes the upper envelope, one label after the other: cells where the new label is larger than all before get that
/// label. Every decision is the sign of one number at a node, and every cut a bisection of edges in the order of their
/// new nodes, so neighbouring cells agree without comparing coordinates. Only labels that can be the largest in a cell
/// cut it: cuts along others would remain in the mesh after the largest label has covered both sides.
#include "brisance/modes/pieces/smooth.hpp"

#include "modes/pieces/label_shares.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace brisance::modes {

namespace {

using Tet = std::array<std::int32_t, 4>;

/// A node made by cutting the edge from a (share 0) to b (share 1).
struct CutNode {
  std::int32_t a, b;
  double share;
};

/// The fourth corner of a triangle: on no side of any crack, so that cuts ignore it.
constexpr std::int32_t kNoCorner = -1;

/// A tet or triangle with the data that its parts inherit.
struct Cell {
  Tet tet, source;
  std::int32_t parent, label;  ///< parent: the cell of the input that contains it
};

/// An edge from above to below the crack, and the node that cuts it.
struct Crossing {
  std::int32_t node, above, below;
};

class UpperEnvelope {
public:
  /// @param source  for the face opposite each corner of a cell; empty: none
  UpperEnvelope(const Simplices& mesh, const std::vector<Tet>& source)
      : corners_per_cell_(mesh.corners_per_cell),
        nodes_(mesh.nodes),
        num_input_nodes_(mesh.nodes.size()),
        largest_(mesh.nodes.size(), kNoValue) {
    const Tet none{mesh::kNoSourceTriangle, mesh::kNoSourceTriangle, mesh::kNoSourceTriangle, mesh::kNoSourceTriangle};
    for (std::int32_t c = 0; c < mesh.num_cells(); ++c) {
      Tet corners{kNoCorner, kNoCorner, kNoCorner, kNoCorner};
      std::ranges::copy(mesh.cell(c), corners.begin());
      cells_.push_back({corners, source.empty() ? none : source[c], c, 0});
    }
  }

  /// Assigns a label to all places where its values exceed all earlier ones'.
  void add_label(std::int32_t label, std::span<const LabelShare> shares) {
    set_values(shares);
    first_new_node_ = static_cast<std::int32_t>(values_.size());
    node_on_edge_.clear();
    std::vector<Cell> cut_cells;
    for (Cell& cell : cells_) {
      const auto count = [&](Side side) {
        return std::ranges::count_if(cell.tet, [&](std::int32_t node) { return side_of(node) == side; });
      };
      const auto num_above = count(Side::above);
      if (num_above == 0) continue;
      if (num_above == corners_per_cell_)
        cell.label = label;
      else
        cut(cell, label, cut_cells);
    }
    cells_.insert(cells_.end(), cut_cells.begin(), cut_cells.end());
    for (std::size_t node = 0; node < largest_.size(); ++node) largest_[node] = std::max(largest_[node], values_[node]);
  }

  [[nodiscard]] const std::vector<Vec3>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }

private:
  /// Value at a node where the label is no rival.
  static constexpr double kNoValue = -1;
  enum class Side { above, below, neither };

  /// At cut nodes the value is interpolated on the edge; an edge whose tets have the label has it at both ends.
  void set_values(std::span<const LabelShare> shares) {
    values_.assign(num_input_nodes_, kNoValue);
    for (const LabelShare& share : shares) values_[share.node] = share.value;
    for (const CutNode& cut : cut_nodes_) {
      const double a = values_[cut.a], b = values_[cut.b];
      values_.push_back(a < 0 || b < 0 ? kNoValue : (1 - cut.share) * a + cut.share * b);
    }
  }

  /// Side of a node; a node on the new crack is on neither side.
  [[nodiscard]] Side side_of(std::int32_t node) const {
    if (node == kNoCorner || node >= first_new_node_ || values_[node] < 0) return Side::neither;
    return values_[node] > largest_[node] ? Side::above : Side::below;
  }
  [[nodiscard]] bool is_above(std::int32_t node) const { return side_of(node) == Side::above; }
  [[nodiscard]] bool is_below(std::int32_t node) const { return side_of(node) == Side::below; }
  /// May the label be the largest in a cell of the input with this corner?
  [[nodiscard]] bool is_rival(std::int32_t node) const { return node == kNoCorner || values_[node] >= 0; }

  /// Number of the new node between one node above and one below.
  std::int32_t node_between(std::int32_t p, std::int32_t q) {
    const auto [a, b] = std::minmax(p, q);
    const auto key = (static_cast<std::uint64_t>(a) << 32) | static_cast<std::uint64_t>(b);
    const auto [entry, is_new] = node_on_edge_.try_emplace(key, static_cast<std::int32_t>(nodes_.size()));
    if (!is_new) return entry->second;
    constexpr double kLeastShare = 0.01;
    const double lead_a = values_[a] - largest_[a], lead_b = values_[b] - largest_[b];
    const double share = std::clamp(lead_a / (lead_a - lead_b), kLeastShare, 1 - kLeastShare);
    nodes_.emplace_back((1 - share) * nodes_[a] + share * nodes_[b]);
    values_.push_back((1 - share) * values_[a] + share * values_[b]);
    largest_.push_back((1 - share) * largest_[a] + share * largest_[b]);
    cut_nodes_.push_back({a, b, share});
    return entry->second;
  }

  /// Cuts a cell into cells on one side each; the first of them replaces it. A cell where the label is no rival only
  /// follows the cuts of its neighbours.
  void cut(Cell& cell, std::int32_t label, std::vector<Cell>& more) {
    const bool is_contested = std::ranges::all_of(cell.tet, [&](std::int32_t node) { return is_rival(node); });
    std::vector<Crossing> crossings;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        if (is_above(cell.tet[i]) && is_below(cell.tet[j]))
          crossings.push_back({node_between(cell.tet[i], cell.tet[j]), cell.tet[i], cell.tet[j]});
    // Ascending new nodes: two tets cut their common face in the same order, so its halves match.
    std::ranges::sort(crossings, {}, &Crossing::node);
    std::vector<Cell> parts{cell};
    for (const Crossing& crossing : crossings)
      for (std::size_t i = 0, count = parts.size(); i < count; ++i) bisect(parts, i, crossing);
    for (Cell& part : parts)
      if (is_contested && std::ranges::any_of(part.tet, [&](std::int32_t node) { return is_above(node); }))
        part.label = label;
    cell = parts.front();
    more.insert(more.end(), parts.begin() + 1, parts.end());
  }

  /// Splits parts[i] at the new node of an edge, if it has that edge: one half keeps `above`, the other `below`.
  static void bisect(std::vector<Cell>& parts, std::size_t i, const Crossing& crossing) {
    const Tet& tet = parts[i].tet;
    const auto above = std::ranges::find(tet, crossing.above) - tet.begin();
    const auto below = std::ranges::find(tet, crossing.below) - tet.begin();
    if (above == 4 || below == 4) return;
    Cell other = parts[i];
    parts[i].tet[below] = other.tet[above] = crossing.node;
    // The new face between the halves is opposite the corner that each keeps.
    parts[i].source[above] = other.source[below] = mesh::kNoSourceTriangle;
    parts.push_back(other);
  }

  int corners_per_cell_;
  std::vector<Vec3> nodes_;
  std::size_t num_input_nodes_;
  std::vector<Cell> cells_;
  std::vector<CutNode> cut_nodes_;  ///< numbered after the input's nodes
  std::vector<double> largest_;     ///< at each node, over the labels so far
  // used while a label is added
  std::vector<double> values_;  ///< of the present label at each node
  std::int32_t first_new_node_ = 0;
  std::unordered_map<std::uint64_t, std::int32_t> node_on_edge_;
};

UpperEnvelope envelope_of(const Simplices& mesh, const std::vector<Tet>& source, std::span<const std::int32_t> label,
                          std::int32_t num_labels, double lambda_m2) {
  const LabelDiffusion diffusion(mesh, label, num_labels, lambda_m2);
  const auto shares = rival_shares(mesh, diffusion, num_labels);
  UpperEnvelope envelope(mesh, source);
  for (std::int32_t l = 0; l < num_labels; ++l) envelope.add_label(l, shares[l]);
  return envelope;
}

}  // namespace

SmoothedPieces smooth_pieces(const mesh::TetMesh& mesh, std::span<const std::int32_t> label, std::int32_t num_labels,
                             double lambda_m2) {
  const UpperEnvelope envelope = envelope_of(simplices(mesh), mesh.face_source, label, num_labels, lambda_m2);
  SmoothedPieces smoothed;
  smoothed.mesh.nodes = envelope.nodes();
  for (const Cell& cell : envelope.cells()) {
    smoothed.mesh.tets.push_back(cell.tet);
    smoothed.mesh.face_source.push_back(cell.source);
    if (!mesh.region.empty()) smoothed.mesh.region.push_back(mesh.region[cell.parent]);
    smoothed.label.push_back(cell.label);
  }
  return smoothed;
}

SmoothedPlane smooth_pieces(const mesh::PlaneMesh& plane, std::span<const std::int32_t> label, std::int32_t num_labels,
                            double lambda_m2) {
  const UpperEnvelope envelope = envelope_of(simplices(plane), {}, label, num_labels, lambda_m2);
  SmoothedPlane smoothed;
  smoothed.mesh.surface.vertices = envelope.nodes();
  for (const Cell& cell : envelope.cells()) {
    smoothed.mesh.surface.triangles.push_back({cell.tet[0], cell.tet[1], cell.tet[2]});
    smoothed.mesh.surface.source_face.push_back(plane.surface.source_face[cell.parent]);
    if (!plane.region.empty()) smoothed.mesh.region.push_back(plane.region[cell.parent]);
    smoothed.label.push_back(cell.label);
  }
  return smoothed;
}

}  // namespace brisance::modes
