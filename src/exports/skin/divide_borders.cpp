#include "exports/skin/divide_borders.hpp"

#include "exports/skin/places.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <unordered_map>
#include <utility>

namespace brisance::exports {
namespace {

std::uint64_t edge_key(std::int32_t a, std::int32_t b) {
  return (static_cast<std::uint64_t>(std::min(a, b)) << 32) | static_cast<std::uint32_t>(std::max(a, b));
}

/// Places of the ends of borders, each once.
class EndPlaces {
public:
  EndPlaces(const std::vector<Border>& borders, const std::vector<Vec3>& points) : places_(ends(borders, points)) {
    std::vector<Triangle> each;
    for (std::int32_t i = 0; i < std::ssize(places_); ++i) each.push_back({i, i, i});
    search_.emplace(places_, each);
  }

  /// Those inside an edge, from a to b, with their shares of it.
  [[nodiscard]] std::vector<std::pair<double, Vec3>> on_edge(const Vec3& a, const Vec3& b) const {
    constexpr double kNear = 1e-7;  // over the edge's length: single precision is finer
    const Vec3 edge = b - a;
    const double length = edge.norm();
    Eigen::AlignedBox3d box(a);
    box.extend(b);
    box.min().array() -= kNear * length;
    box.max().array() += kNear * length;
    std::vector<std::pair<double, Vec3>> found;
    search_->each_in(box, [&](std::int32_t i) {
      const Vec3& x = places_[static_cast<std::size_t>(i)];
      const double along = (x - a).dot(edge) / (length * length);
      if (along > kNear && along < 1 - kNear && (x - a - along * edge).norm() <= kNear * length)
        found.emplace_back(along, x);
    });
    std::ranges::sort(found, {}, &std::pair<double, Vec3>::first);
    return found;
  }

private:
  static std::vector<Vec3> ends(const std::vector<Border>& borders, const std::vector<Vec3>& points) {
    std::vector<Vec3> places;
    for (const Border& border : borders) {
      places.push_back(points[static_cast<std::size_t>(border.u)]);
      places.push_back(points[static_cast<std::size_t>(border.v)]);
    }
    std::ranges::sort(places, is_lower);
    const auto [first, last] = std::ranges::unique(places);
    places.erase(first, last);
    return places;
  }

  std::vector<Vec3> places_;
  std::optional<TriangleSearch> search_;
};

/// Points inside edges, from the end of lower number to the other.
using Divided = std::unordered_map<std::uint64_t, std::vector<std::int32_t>>;

Divided divided_edges(const std::vector<Border>& borders, Walls& walls, std::vector<Mat3>& turns) {
  const EndPlaces places(borders, walls.net.points);
  Divided divided;
  for (const Border& border : borders) {
    const auto [low, high] = std::minmax(border.u, border.v);
    const auto a = static_cast<std::size_t>(low), b = static_cast<std::size_t>(high);
    const auto inside = places.on_edge(walls.net.points[a], walls.net.points[b]);
    if (inside.empty()) continue;
    const auto [found, is_new] = divided.try_emplace(edge_key(low, high));
    if (!is_new) continue;
    for (const auto& [along, place] : inside) {
      found->second.push_back(static_cast<std::int32_t>(walls.points.size()));
      walls.net.points.push_back(place);
      walls.points.emplace_back((1 - along) * walls.points[a] + along * walls.points[b]);
      walls.velocities.emplace_back((1 - along) * walls.velocities[a] + along * walls.velocities[b]);
      turns.emplace_back((1 - along) * turns[a] + along * turns[b]);
    }
  }
  return divided;
}

/// Divides a triangle along its first divided edge, and the parts along the others. False if it has none.
bool divide(const Triangle& corners, const Divided& divided, std::vector<Triangle>& parts) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::int32_t a = corners[k], b = corners[(k + 1) % 3], apex = corners[(k + 2) % 3];
    const auto found = divided.find(edge_key(a, b));
    if (found == divided.end()) continue;
    std::vector<std::int32_t> chain = found->second;
    if (a > b) std::ranges::reverse(chain);
    chain.push_back(b);
    std::int32_t before = a;
    for (const std::int32_t next : chain) {
      const Triangle part{before, next, apex};
      if (!divide(part, divided, parts)) parts.push_back(part);
      before = next;
    }
    return true;
  }
  return false;
}

}  // namespace

std::vector<Border> borders_of(const Walls& walls) {
  std::unordered_map<std::uint64_t, std::pair<int, std::int32_t>> balance;
  for (std::size_t w = 0; w < walls.net.triangles.size(); ++w)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t a = walls.net.triangles[w][k], b = walls.net.triangles[w][(k + 1) % 3];
      auto& [sum, piece] = balance[edge_key(a, b)];
      sum += a < b ? 1 : -1;
      piece = walls.piece[w];
    }
  std::vector<Border> borders;
  for (const auto& [edge, of] : balance) {
    const auto low = static_cast<std::int32_t>(edge >> 32), high = static_cast<std::int32_t>(edge & 0xFFFFFFFFU);
    for (int i = 0; i < std::abs(of.first); ++i)
      borders.push_back(of.first > 0 ? Border{low, high, of.second} : Border{high, low, of.second});
  }
  std::ranges::sort(borders, {}, [](const Border& b) { return std::pair(b.u, b.v); });
  return borders;
}

void divide_borders(Walls& walls, std::vector<Mat3>& turns) {
  const Divided divided = divided_edges(borders_of(walls), walls, turns);
  if (divided.empty()) return;
  std::vector<Triangle> triangles;
  std::vector<std::int32_t> piece;
  std::vector<WallKind> kind;
  for (std::size_t w = 0; w < walls.net.triangles.size(); ++w) {
    if (!divide(walls.net.triangles[w], divided, triangles)) triangles.push_back(walls.net.triangles[w]);
    piece.resize(triangles.size(), walls.piece[w]);
    kind.resize(triangles.size(), walls.kind[w]);
  }
  walls.net.triangles = std::move(triangles);
  walls.piece = std::move(piece);
  walls.kind = std::move(kind);
}

}  // namespace brisance::exports
