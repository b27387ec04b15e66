#include "exports/skin/surface_maker.hpp"

namespace brisance::exports {

std::size_t SurfaceMaker::HashOfVertex::operator()(const VertexKey& key) const {
  std::size_t hash = std::hash<PointName>()(key.name);
  for (const double value : key.appearance) hash = (hash ^ std::hash<double>()(value)) * 0x9E3779B97F4A7C15U;
  return hash;
}

std::int32_t SurfaceMaker::vertex(PointName name, const Spot& spot, const Appearance& appearance) {
  const VertexKey key{name,
                      {appearance.normal.x(), appearance.normal.y(), appearance.normal.z(), appearance.texture[0],
                       appearance.texture[1], appearance.colour[0], appearance.colour[1], appearance.colour[2]}};
  const auto [found, is_new] = known_.try_emplace(key, static_cast<std::int32_t>(surface_.points.size()));
  if (!is_new) return found->second;
  surface_.points.push_back(spot.point);
  surface_.rest.push_back(spot.rest);
  surface_.velocities.push_back(spot.velocity);
  surface_.normals.push_back(appearance.normal);
  if (has_texture_) surface_.texture.push_back(appearance.texture);
  if (has_colours_) surface_.colours.push_back(appearance.colour);
  return found->second;
}

void SurfaceMaker::triangle(const Triangle& vertices, std::int32_t material, FaceKind kind) {
  const auto &rest = surface_.rest, &points = surface_.points;
  const auto& [a, b, c] = vertices;
  const auto is_same = [&](std::int32_t p, std::int32_t q) { return rest[p] == rest[q] && points[p] == points[q]; };
  if (is_same(a, b) || is_same(b, c) || is_same(c, a)) return;
  surface_.triangles.push_back(vertices);
  surface_.material.push_back(material);
  surface_.kinds.push_back(kind);
}

}  // namespace brisance::exports
