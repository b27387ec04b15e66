#include "thinned_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <meshoptimizer.h>

namespace brisance::breaking {

namespace {

using Corners = std::array<std::int32_t, 3>;

/// Points of a piece by their coordinates, so that patches are joined where they meet.
class WeldedPiece {
public:
  void add(const Vec3& a, const Vec3& b, const Vec3& c, bool is_crack) {
    const Corners corners{row(a), row(b), row(c)};
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) return;
    piece.triangles.push_back(corners);
    piece.is_crack.push_back(is_crack);
  }

  ThinnedPiece piece;

private:
  std::int32_t row(const Vec3& x) {
    const auto [found, is_new] = rows_.try_emplace({x[0], x[1], x[2]}, static_cast<std::int32_t>(piece.points.size()));
    if (is_new) piece.points.push_back(x);
    return found->second;
  }

  std::map<std::array<double, 3>, std::int32_t> rows_;
};

/// Share of its triangles that a piece keeps.
double kept_share(const mesh::PieceSurface& piece, std::int64_t most_triangles) {
  if (most_triangles == 0) return 1;
  return std::min(1.0, static_cast<double>(most_triangles) / static_cast<double>(piece.surface.triangles.size()));
}

/// The patch with a share of its triangles; corners are vertices of the piece.
std::vector<Corners> thinned(const mesh::Surface& surface, const std::vector<Corners>& patch, double share) {
  if (share >= 1) return patch;
  std::map<std::int32_t, unsigned> row;
  std::vector<std::int32_t> vertex;
  std::vector<unsigned> indices;
  for (const Corners& t : patch)
    for (const std::int32_t v : t) {
      const auto [found, is_new] = row.try_emplace(v, static_cast<unsigned>(vertex.size()));
      if (is_new) vertex.push_back(v);
      indices.push_back(found->second);
    }
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const std::int32_t v : vertex) {
    low = low.cwiseMin(surface.vertices[v]);
    high = high.cwiseMax(surface.vertices[v]);
  }
  const double size = (high - low).maxCoeff();
  std::vector<float> points;
  for (const std::int32_t v : vertex)
    for (int k = 0; k < 3; ++k) points.push_back(static_cast<float>((surface.vertices[v][k] - low[k]) / size));
  constexpr float kLargestError = 0.1F;  // of the patch's size
  std::vector<unsigned> kept(indices.size());
  const auto target = static_cast<std::size_t>(std::lround(share * static_cast<double>(patch.size()))) * 3;
  kept.resize(meshopt_simplify(kept.data(), indices.data(), indices.size(), points.data(), vertex.size(),
                               3 * sizeof(float), target, kLargestError, meshopt_SimplifyLockBorder, nullptr));
  std::vector<Corners> result;
  for (std::size_t i = 0; i + 2 < kept.size(); i += 3)
    result.push_back({vertex[kept[i]], vertex[kept[i + 1]], vertex[kept[i + 2]]});
  return result;
}

}  // namespace

std::vector<ThinnedPiece> thinned_pieces(std::span<const mesh::PieceSurface> pieces, std::int64_t most_triangles) {
  std::map<std::int32_t, std::size_t> piece_of_label;
  for (std::size_t p = 0; p < pieces.size(); ++p) piece_of_label[pieces[p].label] = p;
  std::vector<WeldedPiece> made(pieces.size());
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const mesh::PieceSurface& piece = pieces[p];
    std::map<std::int32_t, std::vector<Corners>> patches;  // by the label beyond
    for (std::size_t t = 0; t < piece.surface.triangles.size(); ++t)
      patches[piece.neighbour[t]].push_back(piece.surface.triangles[t]);
    for (const auto& [beyond, patch] : patches) {
      const bool is_crack = beyond != mesh::kNoNeighbour;
      if (is_crack && beyond < piece.label) continue;  // done from the other side
      double share = kept_share(piece, most_triangles);
      if (is_crack) share = std::min(share, kept_share(pieces[piece_of_label.at(beyond)], most_triangles));
      const auto& x = piece.surface.vertices;
      for (const auto& [a, b, c] : thinned(piece.surface, patch, share)) {
        made[p].add(x[a], x[b], x[c], is_crack);
        if (is_crack) made[piece_of_label.at(beyond)].add(x[a], x[c], x[b], true);
      }
    }
  }
  std::vector<ThinnedPiece> result;
  for (WeldedPiece& welded : made) result.push_back(std::move(welded.piece));
  return result;
}

}  // namespace brisance::breaking
