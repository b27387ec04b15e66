#include "render/film/scene_names.hpp"

#include "render/geometry/surfaces.hpp"
#include "render/piece_keys.hpp"

#include <string>

namespace brisance::render {
namespace {

/// Name of a simulation material; both surfaces of one have it.
std::string material_name(const io::SnapshotHeader& header, std::uint32_t surface) {
  const std::size_t material = surface / 2;
  return material < header.material_names.size() ? header.material_names[material]
                                                 : "material_" + std::to_string(material);
}

void add_objects(SceneNames& names, const io::Snapshot& snapshot, std::size_t num_surfaces) {
  const std::uint32_t first_collider = collider_surface(snapshot, 0);
  for (std::uint32_t surface = 0; surface < num_surfaces; ++surface) {
    if (surface >= first_collider)
      names.object_of.push_back(names.objects.add(snapshot.header.colliders[surface - first_collider].name));
    else if (surface % 2 == 0)
      names.object_of.push_back(names.objects.add(material_name(snapshot.header, surface)));
    else
      names.object_of.push_back(names.object_of.back());
  }
}

/// Solids of colliders take the collider's name, those left are dust.
void name_other_solids(SceneNames& names, const io::Snapshot& snapshot, const Geometry& geometry) {
  const std::uint32_t first_collider = collider_surface(snapshot, 0), dust = names.pieces.add("dust");
  names.piece_of.resize(geometry.num_solids, dust);
  std::vector<std::uint32_t> number_of;
  for (const auto& collider : snapshot.header.colliders) number_of.push_back(names.pieces.add(collider.name));
  const auto name_solid = [&](std::uint32_t solid, std::uint32_t surface) {
    if (surface >= first_collider) names.piece_of[solid] = number_of[surface - first_collider];
  };
  for (const Triangle& triangle : geometry.triangles) name_solid(triangle.solid, triangle.surface);
  for (const Plane& plane : geometry.planes) name_solid(plane.solid, plane.surface);
}

}  // namespace

SceneNames scene_names(const io::Snapshot& snapshot, const Geometry& geometry) {
  SceneNames names;
  add_objects(names, snapshot, geometry.surfaces.size());
  const auto keys = piece_keys(snapshot.part);
  for (std::uint32_t piece = 0; piece < geometry.num_pieces; ++piece)
    names.piece_of.push_back(names.pieces.add("piece_" + std::to_string(keys.at(piece))));
  name_other_solids(names, snapshot, geometry);
  return names;
}

}  // namespace brisance::render
