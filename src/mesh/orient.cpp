#include "mesh/orient.hpp"

#include "mesh/surface_edges.hpp"

#include <algorithm>
#include <numbers>

namespace brisance::mesh {
namespace {

struct Neighbour {
  std::int32_t triangle = -1;  ///< across the edge; −1 if the edge has not exactly two triangles
  bool same_way = true;        ///< whether both are turned the same way
};
using Adjacency = std::vector<std::array<Neighbour, 3>>;

struct Component {
  std::vector<std::int32_t> triangles;
  bool closed = true;  ///< and orientable
  Vec3 lower = Vec3::Constant(1e300), upper = Vec3::Constant(-1e300);
};

/// The place (0, 1, 2) of the edge between two vertices in a triangle.
int edge_place(const std::array<std::int32_t, 3>& t, std::int32_t low, std::int32_t high) {
  for (int i = 0; i < 3; ++i)
    if (std::minmax(t[i], t[(i + 1) % 3]) == std::pair<const std::int32_t&, const std::int32_t&>(low, high)) return i;
  return 0;
}

Adjacency adjacency(const Surface& surface) {
  Adjacency result(surface.triangles.size());
  const auto sides = edge_sides(surface);
  for_each_edge(sides, [&](std::span<const EdgeSide> edge) {
    if (edge.size() != 2) return;
    const bool same_way = edge[0].forward != edge[1].forward;
    for (int i = 0; i < 2; ++i) {
      const std::int32_t t = edge[i].triangle;
      result[t][edge_place(surface.triangles[t], edge[i].low, edge[i].high)] = {edge[1 - i].triangle, same_way};
    }
  });
  return result;
}

/// The component of `seed`: `turn[t]` becomes 1 for the triangles that must be turned to agree with it.
Component grow(const Surface& surface, const Adjacency& next_to, std::int32_t seed, std::vector<signed char>& turn) {
  Component component;
  component.triangles.push_back(seed);
  turn[seed] = 0;
  for (std::size_t i = 0; i < component.triangles.size(); ++i) {
    const std::int32_t t = component.triangles[i];
    for (const auto& [other, same_way] : next_to[t]) {
      if (other < 0) {
        component.closed = false;
        continue;
      }
      const auto wanted = static_cast<signed char>(same_way ? turn[t] : 1 - turn[t]);
      if (turn[other] < 0) {
        turn[other] = wanted;
        component.triangles.push_back(other);
      } else if (turn[other] != wanted) {
        component.closed = false;
      }
    }
    for (const std::int32_t v : surface.triangles[t]) {
      component.lower = component.lower.cwiseMin(surface.vertices[v]);
      component.upper = component.upper.cwiseMax(surface.vertices[v]);
    }
  }
  return component;
}

void turn_triangle(Surface& surface, std::int32_t t) { std::swap(surface.triangles[t][1], surface.triangles[t][2]); }

double enclosed_volume(const Surface& surface, const Component& component) {
  double six_volumes = 0;
  const Vec3 origin = component.lower;
  for (const std::int32_t t : component.triangles) {
    const auto& [a, b, c] = surface.triangles[t];
    six_volumes += (surface.vertices[a] - origin).cross(surface.vertices[b] - origin).dot(surface.vertices[c] - origin);
  }
  return six_volumes / 6;
}

/// Whether a closed component lies around a point: its winding number there is ±1, and 0 outside.
bool surrounds(const Surface& surface, const Component& component, const Vec3& point) {
  double angle = 0;
  for (const std::int32_t t : component.triangles) {
    const auto& [a, b, c] = surface.triangles[t];
    angle += solid_angle(point, surface.vertices[a], surface.vertices[b], surface.vertices[c]);
  }
  return std::abs(angle) > 2 * std::numbers::pi;
}

bool is_cavity(const Surface& surface, const std::vector<Component>& components, const Component& self) {
  const Vec3& point = surface.vertices[surface.triangles[self.triangles[0]][0]];
  int depth = 0;
  for (const auto& other : components)
    if (&other != &self && other.closed && (other.lower.array() <= self.lower.array()).all() &&
        (self.upper.array() <= other.upper.array()).all() && surrounds(surface, other, point))
      ++depth;
  return depth % 2 == 1;
}

}  // namespace

OrientReport orient_outward(Surface& surface) {
  const Adjacency next_to = adjacency(surface);
  const auto before = surface.triangles;
  std::vector<signed char> turn(surface.triangles.size(), -1);
  std::vector<Component> components;
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(turn.size()); ++t)
    if (turn[t] < 0) components.push_back(grow(surface, next_to, t, turn));

  OrientReport report;
  for (auto& component : components) {
    // The majority of the triangles keep their side.
    const auto num_to_turn = std::ranges::count_if(component.triangles, [&](std::int32_t t) { return turn[t] == 1; });
    const bool minority_stays = 2 * num_to_turn > static_cast<std::int64_t>(component.triangles.size());
    for (const std::int32_t t : component.triangles)
      if ((turn[t] == 1) != minority_stays) turn_triangle(surface, t);
  }
  for (const auto& component : components) {
    if (!component.closed) continue;
    const bool cavity = is_cavity(surface, components, component);
    report.num_cavities += cavity ? 1 : 0;
    if ((enclosed_volume(surface, component) < 0) != cavity)
      for (const std::int32_t t : component.triangles) turn_triangle(surface, t);
  }
  for (std::size_t t = 0; t < before.size(); ++t)
    if (surface.triangles[t] != before[t]) ++report.num_turned;
  return report;
}

}  // namespace brisance::mesh
