#include "exports/skin/divide_borders.hpp"

#include "exports/skin/edge_points.hpp"
#include "exports/skin/places.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <utility>

namespace brisance::exports {
namespace {

/// Places of the ends of borders, each once.
std::vector<Vec3> ends_of(const std::vector<Border>& borders, const std::vector<Vec3>& points) {
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

DividedEdges divided_borders(const std::vector<Border>& borders, Walls& walls, std::vector<Mat3>& turns) {
  const PlacesOnEdges places(ends_of(borders, walls.net.points));
  DividedEdges divided;
  for (const Border& border : borders) {
    const auto [low, high] = std::minmax(border.u, border.v);
    const auto a = static_cast<std::size_t>(low), b = static_cast<std::size_t>(high);
    const auto inside = places.on_edge(walls.net.points[a], walls.net.points[b]);
    if (inside.empty()) continue;
    const auto [found, is_new] = divided.try_emplace(undirected_edge(low, high));
    if (!is_new) continue;
    for (const auto& [along, place] : inside) {
      found->second.push_back(static_cast<std::int32_t>(walls.points.size()));
      walls.net.points.push_back(places.place(place));
      walls.points.emplace_back((1 - along) * walls.points[a] + along * walls.points[b]);
      walls.velocities.emplace_back((1 - along) * walls.velocities[a] + along * walls.velocities[b]);
      turns.emplace_back((1 - along) * turns[a] + along * turns[b]);
    }
  }
  return divided;
}

}  // namespace

std::vector<Border> borders_of(const Walls& walls) {
  std::unordered_map<std::uint64_t, std::pair<int, std::int32_t>> balance;
  for (std::size_t w = 0; w < walls.net.triangles.size(); ++w)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t a = walls.net.triangles[w][k], b = walls.net.triangles[w][(k + 1) % 3];
      auto& [sum, piece] = balance[undirected_edge(a, b)];
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
  const DividedEdges divided = divided_borders(borders_of(walls), walls, turns);
  if (divided.empty()) return;
  std::vector<Triangle> triangles;
  std::vector<std::int32_t> piece;
  std::vector<WallKind> kind;
  for (std::size_t w = 0; w < walls.net.triangles.size(); ++w) {
    if (!divide_triangle(walls.net.triangles[w], divided, triangles)) triangles.push_back(walls.net.triangles[w]);
    piece.resize(triangles.size(), walls.piece[w]);
    kind.resize(triangles.size(), walls.kind[w]);
  }
  walls.net.triangles = std::move(triangles);
  walls.piece = std::move(piece);
  walls.kind = std::move(kind);
}

}  // namespace brisance::exports
