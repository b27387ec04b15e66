/// Makes every piece's boundary first as an abstract closed surface (each half-edge has one twin, found by a walk
/// around the edge inside the piece), then with the fewest vertices that make it manifold.
#include "brisance/modes/pieces/pieces_surface.hpp"

#include "brisance/mesh/tets/tet_neighbours.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace brisance::modes {

namespace {

using mesh::kFaceCorners;
using mesh::PieceSurface;

constexpr std::int32_t kNone = -1;

/// A face of a tet, identified by the opposite corner.
struct Side {
  std::int32_t tet;
  int corner;
};

/// Boundary triangles of all pieces and the twins of their half-edges. Half-edge 3t + k runs from corner k of triangle
/// t to the next one.
class Boundary {
public:
  Boundary(const mesh::TetMesh& mesh, std::span<const std::int32_t> label)
      : mesh_(mesh), label_(label), neighbours_(mesh::tet_neighbours(mesh)), triangle_of_(mesh.tets.size()) {
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(mesh.tets.size()); ++t)
      for (int corner = 0; corner < 4; ++corner) {
        triangle_of_[t][corner] = is_boundary({t, corner}) ? static_cast<std::int32_t>(sides_.size()) : kNone;
        if (is_boundary({t, corner})) sides_.push_back({t, corner});
      }
    twin_.resize(3 * sides_.size());
    for (std::int32_t h = 0; h < static_cast<std::int32_t>(twin_.size()); ++h) twin_[h] = find_twin(h);
  }

  [[nodiscard]] std::int32_t num_triangles() const { return static_cast<std::int32_t>(sides_.size()); }
  [[nodiscard]] std::int32_t twin(std::int32_t half_edge) const { return twin_[half_edge]; }
  [[nodiscard]] std::int32_t label(std::int32_t triangle) const { return label_[sides_[triangle].tet]; }
  /// The label across the triangle, kNoNeighbour outside.
  [[nodiscard]] std::int32_t neighbour(std::int32_t triangle) const {
    const std::int32_t across = neighbours_[sides_[triangle].tet][sides_[triangle].corner];
    return across == mesh::kNoTet ? mesh::kNoNeighbour : label_[across];
  }
  [[nodiscard]] std::int32_t source(std::int32_t triangle) const {
    if (neighbour(triangle) != mesh::kNoNeighbour || mesh_.face_source.empty()) return mesh::kNoSourceTriangle;
    return mesh_.face_source[sides_[triangle].tet][sides_[triangle].corner];
  }
  /// Mesh node at corner k of a triangle.
  [[nodiscard]] std::int32_t node(std::int32_t triangle, int k) const {
    return mesh_.tets[sides_[triangle].tet][kFaceCorners[sides_[triangle].corner][k]];
  }

private:
  [[nodiscard]] bool is_boundary(const Side& side) const {
    const std::int32_t across = neighbours_[side.tet][side.corner];
    return across == mesh::kNoTet || label_[across] != label_[side.tet];
  }

  /// Walks around the edge through tets of the piece, away from the triangle, to the next boundary face.
  [[nodiscard]] std::int32_t find_twin(std::int32_t half_edge) const {
    const std::int32_t triangle = half_edge / 3;
    const std::int32_t from = node(triangle, half_edge % 3), to = node(triangle, (half_edge + 1) % 3);
    Side side = sides_[triangle];
    while (true) {
      side.corner = other_face_at(side, from, to);
      if (is_boundary(side)) return half_edge_of(triangle_of_[side.tet][side.corner], to);
      const std::int32_t across = neighbours_[side.tet][side.corner];
      side.corner = static_cast<int>(std::ranges::find(neighbours_[across], side.tet) - neighbours_[across].begin());
      side.tet = across;
    }
  }

  /// Of the two faces of a tet at the edge (p, q), the one that is not `side`.
  [[nodiscard]] int other_face_at(const Side& side, std::int32_t p, std::int32_t q) const {
    const auto& tet = mesh_.tets[side.tet];
    int corner = 0;
    while (corner == side.corner || tet[corner] == p || tet[corner] == q) ++corner;
    return corner;
  }

  [[nodiscard]] std::int32_t half_edge_of(std::int32_t triangle, std::int32_t from) const {
    int k = 0;
    while (node(triangle, k) != from) ++k;
    return 3 * triangle + k;
  }

  const mesh::TetMesh& mesh_;
  std::span<const std::int32_t> label_;
  std::vector<std::array<std::int32_t, 4>> neighbours_;
  std::vector<std::array<std::int32_t, 4>> triangle_of_;  ///< for each side of each tet; kNone inside a piece
  std::vector<Side> sides_;
  std::vector<std::int32_t> twin_;
};

std::int32_t next(std::int32_t half_edge) { return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1; }

/// One number for all triangle corners around the same vertex of the abstract surface: the lowest of them.
std::vector<std::int32_t> corners_by_vertex(const Boundary& boundary) {
  std::vector<std::int32_t> vertex(3 * boundary.num_triangles(), kNone);
  for (std::int32_t first = 0; first < static_cast<std::int32_t>(vertex.size()); ++first)
    for (std::int32_t corner = first; vertex[corner] == kNone; corner = next(boundary.twin(corner)))
      vertex[corner] = first;
  return vertex;
}

/// Half-edges whose ends are also the ends of another edge of the same surface: such edges need a middle vertex of
/// their own.
std::vector<char> doubled_edges(const Boundary& boundary, const std::vector<std::int32_t>& vertex) {
  std::vector<std::pair<std::pair<std::int32_t, std::int32_t>, std::int32_t>> edges;
  for (std::int32_t h = 0; h < static_cast<std::int32_t>(vertex.size()); ++h)
    if (h < boundary.twin(h)) edges.push_back({std::minmax(vertex[h], vertex[next(h)]), h});
  std::ranges::sort(edges);
  std::vector<char> doubled(vertex.size(), 0);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i)
    if (edges[i].first == edges[i + 1].first)
      for (const std::int32_t h : {edges[i].second, edges[i + 1].second}) doubled[h] = doubled[boundary.twin(h)] = 1;
  return doubled;
}

/// Adds triangles to the surfaces of their pieces, numbering vertices in order of appearance.
class Assembly {
public:
  Assembly(const mesh::TetMesh& mesh, const Boundary& boundary, std::int32_t num_labels)
      : mesh_(mesh),
        boundary_(boundary),
        vertex_(corners_by_vertex(boundary)),
        doubled_(doubled_edges(boundary, vertex_)),
        number_(vertex_.size(), kNone),
        middle_(vertex_.size(), kNone),
        pieces_(num_labels) {
    for (std::int32_t label = 0; label < num_labels; ++label) pieces_[label].label = label;
  }

  std::vector<PieceSurface> assemble() && {
    for (std::int32_t t = 0; t < boundary_.num_triangles(); ++t) add(t);
    return std::move(pieces_);
  }

private:
  void add(std::int32_t t) {
    PieceSurface& piece = pieces_[boundary_.label(t)];
    if (doubled_[3 * t] == 0 && doubled_[3 * t + 1] == 0 && doubled_[3 * t + 2] == 0) {
      push(piece, t, {corner_vertex(piece, 3 * t), corner_vertex(piece, 3 * t + 1), corner_vertex(piece, 3 * t + 2)});
      return;
    }
    // A fan from the centre: edges of the fan are new, so they do not coincide with others.
    std::vector<std::int32_t> rim;
    for (std::int32_t h = 3 * t; h < 3 * t + 3; ++h) {
      rim.push_back(corner_vertex(piece, h));
      if (doubled_[h] != 0) rim.push_back(middle_vertex(piece, h));
    }
    const std::int32_t centre = new_vertex(piece, (position(3 * t) + position(3 * t + 1) + position(3 * t + 2)) / 3);
    for (std::size_t i = 0; i < rim.size(); ++i) push(piece, t, {rim[i], rim[(i + 1) % rim.size()], centre});
  }

  void push(PieceSurface& piece, std::int32_t t, const std::array<std::int32_t, 3>& triangle) {
    piece.surface.triangles.push_back(triangle);
    piece.surface.source_face.push_back(boundary_.source(t));
    piece.neighbour.push_back(boundary_.neighbour(t));
  }

  [[nodiscard]] const Vec3& position(std::int32_t corner) const {
    return mesh_.nodes[boundary_.node(corner / 3, corner % 3)];
  }

  static std::int32_t new_vertex(PieceSurface& piece, const Vec3& position) {
    piece.surface.vertices.push_back(position);
    return static_cast<std::int32_t>(piece.surface.vertices.size()) - 1;
  }

  std::int32_t corner_vertex(PieceSurface& piece, std::int32_t corner) {
    std::int32_t& number = number_[vertex_[corner]];
    if (number == kNone) number = new_vertex(piece, position(corner));
    return number;
  }

  std::int32_t middle_vertex(PieceSurface& piece, std::int32_t half_edge) {
    std::int32_t& number = middle_[std::min(half_edge, boundary_.twin(half_edge))];
    if (number == kNone) number = new_vertex(piece, (position(half_edge) + position(next(half_edge))) / 2);
    return number;
  }

  const mesh::TetMesh& mesh_;
  const Boundary& boundary_;
  std::vector<std::int32_t> vertex_;  ///< for each corner the lowest corner at the same vertex
  std::vector<char> doubled_;         ///< for each half-edge
  std::vector<std::int32_t> number_;  ///< number in its piece, by lowest corner
  std::vector<std::int32_t> middle_;  ///< number of the middle of a doubled edge, by its lower half-edge
  std::vector<PieceSurface> pieces_;
};

}  // namespace

std::vector<PieceSurface> piece_surfaces(const mesh::TetMesh& mesh, std::span<const std::int32_t> label,
                                         std::int32_t num_labels) {
  const Boundary boundary(mesh, label);
  return Assembly(mesh, boundary, num_labels).assemble();
}

}  // namespace brisance::modes
