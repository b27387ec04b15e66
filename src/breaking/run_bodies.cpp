// Joins pieces by the rest positions that both sides of a crack share.
#include "brisance/breaking/run_frame.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace brisance::breaking {

namespace {

class Unions {
public:
  explicit Unions(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::int32_t root(std::int32_t i) {
    while (parent_[static_cast<std::size_t>(i)] != i) {
      auto& up = parent_[static_cast<std::size_t>(i)];
      up = parent_[static_cast<std::size_t>(up)];
      i = up;
    }
    return i;
  }
  /// The lowest of all joined entries is the root.
  void join(std::int32_t i, std::int32_t j) {
    const auto [low, high] = std::minmax({root(i), root(j)});
    parent_[static_cast<std::size_t>(high)] = low;
  }

private:
  std::vector<std::int32_t> parent_;
};

struct Corner {
  double x, y, z;  ///< rest position [m]
  std::int32_t piece;
  [[nodiscard]] auto place() const { return std::tie(x, y, z); }
};

/// The rest positions on all faces of cracks, with their pieces, sorted and without duplicates.
std::vector<Corner> crack_corners(const RunFrame& frame) {
  std::vector<Corner> corners;
  for (std::size_t t = 0; t < frame.triangles.size(); ++t) {
    if (frame.source_triangle[t] >= 0) continue;
    const std::int32_t piece = frame.piece[static_cast<std::size_t>(frame.triangle_tet[t])];
    for (const std::int32_t node : frame.triangles[t]) {
      const Vec3& x = frame.rest_position[static_cast<std::size_t>(node)];
      corners.push_back({x.x(), x.y(), x.z(), piece});
    }
  }
  std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) {
    return std::tuple(a.place(), a.piece) < std::tuple(b.place(), b.piece);
  });
  return corners;
}

}  // namespace

std::vector<std::int32_t> bodies_of_pieces(const RunFrame& frame) {
  Unions unions(static_cast<std::size_t>(frame.header.num_pieces));
  const std::vector<Corner> corners = crack_corners(frame);
  for (std::size_t i = 1; i < corners.size(); ++i)
    if (corners[i - 1].place() == corners[i].place()) unions.join(corners[i - 1].piece, corners[i].piece);
  std::vector<std::int32_t> body(static_cast<std::size_t>(frame.header.num_pieces));
  std::int32_t bodies = 0;
  for (std::size_t p = 0; p < body.size(); ++p) {
    const std::int32_t root = unions.root(static_cast<std::int32_t>(p));
    body[p] = root == static_cast<std::int32_t>(p) ? bodies++ : body[static_cast<std::size_t>(root)];
  }
  return body;
}

}  // namespace brisance::breaking
