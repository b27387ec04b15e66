#include "exports/skin/walls.hpp"

#include "exports/skin/divide_borders.hpp"
#include "exports/skin/places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

namespace brisance::exports {
namespace {

constexpr double kOutwards = 0.2;  // over the mean edge: by how much a crack is continued at least
constexpr double kBeyond = 2;      // over the distance of the input from the crack's edge

/// The outside around a place at rest, of all pieces that meet there.
struct Around {
  Vec3 area = Vec3::Zero();  ///< sum of the faces' area vectors [m²]
  double edges = 0;          ///< sum of their edges' lengths [m]
  int num_edges = 0;
  double outwards = 0;  ///< by how much cracks are continued there [m]
};
using Surroundings = std::unordered_map<Place, Around, HashOfPlace>;

Surroundings surroundings_of(const BrokenShape& shape, const std::vector<char>& chosen) {
  Surroundings around;
  for (const BoundaryTriangle& triangle : shape.triangles) {
    if (!triangle.is_outside() || chosen[static_cast<std::size_t>(triangle.piece)] == 0) continue;
    const auto corners = corners_of(shape.rest, triangle.corners);
    const Vec3 area = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    for (std::size_t k = 0; k < 3; ++k) {
      Around& here = around[place_of(corners[k])];
      here.area += area;
      here.edges += (corners[(k + 1) % 3] - corners[k]).norm();
      ++here.num_edges;
    }
  }
  return around;
}

/// How the outside of a piece turned, around each of its nodes: sum of its faces' rotations, weighted by area.
std::vector<Mat3> turns_of(const BrokenShape& shape) {
  std::vector<Mat3> turns(shape.rest.size(), Mat3::Zero());
  for (const BoundaryTriangle& triangle : shape.triangles) {
    if (!triangle.is_outside()) continue;
    const auto rest = corners_of(shape.rest, triangle.corners), now = corners_of(shape.points, triangle.corners);
    const Mat3 turn = (rest[1] - rest[0]).cross(rest[2] - rest[0]).norm() * rotation_of(rest, now);
    for (const std::int32_t node : triangle.corners) turns[static_cast<std::size_t>(node)] += turn;
  }
  return turns;
}

/// Adds the cracks and cavities with their nodes.
void add_inner(const BrokenShape& shape, const std::vector<char>& chosen, Walls& walls,
               std::vector<std::int32_t>& row_of_node, std::vector<std::int32_t>& node_of_row) {
  for (const BoundaryTriangle& triangle : shape.triangles) {
    if (triangle.is_outside() || chosen[static_cast<std::size_t>(triangle.piece)] == 0) continue;
    Triangle& corners = walls.net.triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t node = triangle.corners[k];
      std::int32_t& row = row_of_node[static_cast<std::size_t>(node)];
      if (row < 0) {
        row = static_cast<std::int32_t>(walls.points.size());
        walls.net.points.push_back(shape.rest[node]);
        walls.points.push_back(shape.points[node]);
        walls.velocities.push_back(shape.velocities[node]);
        node_of_row.push_back(node);
      }
      corners[k] = row;
    }
    walls.piece.push_back(triangle.piece);
    walls.kind.push_back(triangle.is_cavity ? WallKind::cavity : WallKind::crack);
  }
}

/// Sets the distances, by how far the input is from the crack's edges there, their middles included.
void measure(const std::vector<Border>& borders, const Walls& walls, const TriangleSearch& skin, Surroundings& around) {
  std::unordered_map<Place, double, HashOfPlace> distance;
  for (const Border& border : borders)
    for (const std::int32_t node : {border.u, border.v}) {
      const auto [found, is_new] = distance.try_emplace(place_of(walls.net.points[node]), 0.0);
      if (is_new) found->second = std::sqrt(skin.nearest(walls.net.points[node]).at.distance_squared);
    }
  for (const Border& border : borders) {
    const Place u = place_of(walls.net.points[border.u]), v = place_of(walls.net.points[border.v]);
    double farthest = std::max(distance[u], distance[v]);
    for (const double along : {0.25, 0.5, 0.75}) {  // tets may cut off an edge of the input
      const Vec3 x = (1 - along) * walls.net.points[border.u] + along * walls.net.points[border.v];
      farthest = std::max(farthest, std::sqrt(skin.nearest(x).at.distance_squared));
    }
    for (const Place& place : {u, v})
      if (const auto here = around.find(place); here != around.end())
        here->second.outwards = std::max(here->second.outwards, kBeyond * farthest);
  }
  for (auto& [place, here] : around) here.outwards += kOutwards * here.edges / std::max(here.num_edges, 1);
}

}  // namespace

Mat3 rotation_of(const std::array<Vec3, 3>& rest, const std::array<Vec3, 3>& now) {
  const auto axes = [](const std::array<Vec3, 3>& t) {
    const Vec3 u = t[1] - t[0], normal = u.cross(t[2] - t[0]);
    Mat3 frame;
    frame.col(0) = u.normalized();
    frame.col(2) = normal.normalized();
    frame.col(1) = frame.col(2).cross(frame.col(0));
    return frame;
  };
  return axes(now) * axes(rest).transpose();
}

Walls build_walls(const BrokenShape& shape, const std::vector<char>& chosen, const TriangleSearch& skin) {
  Walls walls;
  std::vector<std::int32_t> row_of_node(shape.rest.size(), -1), node_of_row;
  add_inner(shape, chosen, walls, row_of_node, node_of_row);
  std::vector<Mat3> turns;
  {
    const std::vector<Mat3> of_nodes = turns_of(shape);
    for (const std::int32_t node : node_of_row) turns.push_back(of_nodes[static_cast<std::size_t>(node)]);
  }
  divide_borders(walls, turns);
  const std::vector<Border> borders = borders_of(walls);
  Surroundings around = surroundings_of(shape, chosen);
  measure(borders, walls, skin, around);
  std::map<std::int32_t, std::int32_t> outer;  // the point beyond each point of the border
  const auto beyond = [&](std::int32_t row) {
    const auto [found, is_new] = outer.try_emplace(row, static_cast<std::int32_t>(walls.points.size()));
    if (!is_new) return found->second;
    const auto here = around.find(place_of(walls.net.points[row]));
    const Vec3 normal = here == around.end() ? Vec3(Vec3::Zero()) : here->second.area.normalized();
    const double far = here == around.end() ? 0 : here->second.outwards;
    const Vec3 turned = turns[static_cast<std::size_t>(row)] * normal;
    walls.net.points.emplace_back(walls.net.points[row] + far * normal);
    walls.points.emplace_back(walls.points[row] + far * (turned.isZero(0) ? turned : turned.normalized()));
    walls.velocities.push_back(Vec3(walls.velocities[row]));
    return found->second;
  };
  for (const Border& border : borders) {
    const std::int32_t u = border.u, v = border.v;
    const Vec3 &at_u = walls.net.points[u], &at_v = walls.net.points[v];
    const bool is_up = is_lower(at_u, at_v);  // both faces of a crack are divided along the same diagonal
    if (!around.contains(place_of(at_u)) || !around.contains(place_of(at_v))) continue;
    const std::int32_t u_out = beyond(u), v_out = beyond(v);
    // The crack's triangle runs from u to v, so this one runs from v to u.
    if (is_up)
      walls.net.triangles.insert(walls.net.triangles.end(), {{v, u, u_out}, {v, u_out, v_out}});
    else
      walls.net.triangles.insert(walls.net.triangles.end(), {{v, u, v_out}, {u, u_out, v_out}});
    for (int i = 0; i < 2; ++i) walls.piece.push_back(border.piece), walls.kind.push_back(WallKind::extension);
  }
  walls.net.find_edges();
  return walls;
}

}  // namespace brisance::exports
