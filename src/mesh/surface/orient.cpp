#include "mesh/surface/orient.hpp"

#include "mesh/surface/surface_edges.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>

namespace brisance::mesh {
namespace {

struct Neighbour {
  std::int32_t triangle = -1;  ///< across the edge; −1 if the edge has not exactly two triangles
  bool same_way = true;        ///< both have consistent orientation
};
using Adjacency = std::vector<std::array<Neighbour, 3>>;

struct Component {
  std::vector<std::int32_t> triangles;
  bool closed = true;  ///< and orientable
  Vec3 lower = Vec3::Constant(1e300), upper = Vec3::Constant(-1e300);
};

/// The position (0, 1, 2) of the edge between two vertices in a triangle.
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

/// The component of `seed`: `turn[t]` becomes 1 for the triangles that must be reversed to agree with it.
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

/// Does a closed component surround a point? Its winding number there is ±1, and 0 outside.
bool surrounds(const Surface& surface, const Component& component, const Vec3& point) {
  double angle = 0;
  for (const std::int32_t t : component.triangles) {
    const auto& [a, b, c] = surface.triangles[t];
    angle += solid_angle(point, surface.vertices[a], surface.vertices[b], surface.vertices[c]);
  }
  return std::abs(angle) > 2 * std::numbers::pi;
}

/// For each component the closed components that surround it; none around open ones.
std::vector<std::vector<std::size_t>> enclosing(const Surface& surface, const std::vector<Component>& components) {
  std::vector<std::vector<std::size_t>> around(components.size());
  for (std::size_t i = 0; i < components.size(); ++i) {
    const Component& self = components[i];
    const Vec3& point = surface.vertices[surface.triangles[self.triangles[0]][0]];
    for (std::size_t j = 0; j < components.size() && self.closed; ++j) {
      const Component& other = components[j];
      if (j != i && other.closed && (other.lower.array() <= self.lower.array()).all() &&
          (self.upper.array() <= other.upper.array()).all() && surrounds(surface, other, point))
        around[i].push_back(j);
    }
  }
  return around;
}

enum class Role { open, body, cavity, swallowed };

/// The role of each component, from the outermost in. In material, one that faces as the outermost around it adds
/// nothing; one that faces the other way bounds a cavity. Elsewhere any closed component is a body.
std::vector<Role> roles(const Surface& surface, const std::vector<Component>& components) {
  const auto around = enclosing(surface, components);
  std::vector<std::size_t> order(components.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return around[i].size(); });
  std::vector<Role> role(components.size(), Role::open);
  std::vector<bool> faces_out(components.size());
  for (const std::size_t i : order) {
    if (!components[i].closed) continue;
    faces_out[i] = enclosed_volume(surface, components[i]) > 0;
    const auto walls = std::ranges::count_if(around[i], [&](std::size_t j) { return role[j] != Role::swallowed; });
    const auto outermost = std::ranges::find_if(around[i], [&](std::size_t j) { return around[j].empty(); });
    if (walls % 2 == 0)
      role[i] = Role::body;
    else
      role[i] = faces_out[i] == faces_out[*outermost] ? Role::swallowed : Role::cavity;
  }
  return role;
}

/// Removes the triangles of components inside the material.
void remove_swallowed(Surface& surface, const std::vector<Component>& components, const std::vector<Role>& role) {
  std::vector<bool> goes(surface.triangles.size(), false);
  for (std::size_t i = 0; i < components.size(); ++i)
    if (role[i] == Role::swallowed)
      for (const std::int32_t t : components[i].triangles) goes[t] = true;
  std::size_t kept = 0;
  for (std::size_t t = 0; t < goes.size(); ++t) {
    if (goes[t]) continue;
    surface.triangles[kept] = surface.triangles[t];
    surface.source_face[kept++] = surface.source_face[t];
  }
  surface.triangles.resize(kept);
  surface.source_face.resize(kept);
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
    // Most of the triangles keep their orientation.
    const auto num_to_turn = std::ranges::count_if(component.triangles, [&](std::int32_t t) { return turn[t] == 1; });
    const bool minority_stays = 2 * num_to_turn > static_cast<std::int64_t>(component.triangles.size());
    for (const std::int32_t t : component.triangles)
      if ((turn[t] == 1) != minority_stays) turn_triangle(surface, t);
  }
  const std::vector<Role> role = roles(surface, components);
  report.num_cavities = std::ranges::count(role, Role::cavity);
  report.num_swallowed = std::ranges::count(role, Role::swallowed);
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (role[i] == Role::open || role[i] == Role::swallowed) continue;
    if ((enclosed_volume(surface, components[i]) < 0) != (role[i] == Role::cavity))
      for (const std::int32_t t : components[i].triangles) turn_triangle(surface, t);
  }
  for (std::size_t t = 0; t < before.size(); ++t)
    if (surface.triangles[t] != before[t]) ++report.num_turned;
  if (report.num_swallowed > 0) remove_swallowed(surface, components, role);
  return report;
}

}  // namespace brisance::mesh
