#include "render/geometry/surfaces.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <string>

namespace brisance::render {
namespace {

/// A snapshot made by hand may have fewer names than materials.
std::size_t num_materials(const io::Snapshot& snapshot) {
  std::size_t count = snapshot.header.material_names.size();
  for (const auto* list : {&snapshot.part.material, &snapshot.part.dust.material})
    for (const std::int32_t material : *list) count = std::max(count, static_cast<std::size_t>(material) + 1);
  return count;
}

/// Crushed material is shown as what it was.
bool is_form_of(const std::string& name, const std::string& material) {
  return name == material || name == material + " (crushed)";
}

std::uint32_t material_number(const std::vector<Specification>& materials, const std::string& name) {
  if (name.empty()) return 0;
  const auto found = std::ranges::find(materials, name, &Specification::name);
  if (found == materials.end()) throw core::Error("there is no render.material \"" + name + "\".");
  return static_cast<std::uint32_t>(found - materials.begin()) + 1;
}

/// Numbers in the snapshot of the simulation materials that an assignment concerns.
std::vector<std::size_t> concerned(const Assignment& assignment, const io::Snapshot& snapshot) {
  const auto& names = snapshot.header.material_names;
  std::vector<std::size_t> found;
  for (std::size_t m = 0; m < num_materials(snapshot); ++m)
    if (assignment.materials.empty() ||
        (m < names.size() && std::ranges::any_of(assignment.materials,
                                                 [&](const std::string& each) { return is_form_of(names[m], each); })))
      found.push_back(m);
  if (found.empty())
    throw core::Error("render.object concerns material \"" + assignment.materials.front() +
                      "\", which the frame does not have.");
  return found;
}

void assign_collider(std::vector<Surface>& surfaces, const Assignment& assignment, std::uint32_t material,
                     const io::Snapshot& snapshot) {
  const auto& colliders = snapshot.header.colliders;
  const auto found = std::ranges::find(colliders, assignment.collider, &io::Collider::name);
  if (found == colliders.end())
    throw core::Error("render.object concerns collider \"" + assignment.collider +
                      "\", which the frame does not have.");
  surfaces[collider_surface(snapshot, static_cast<std::size_t>(found - colliders.begin()))].material = material;
}

}  // namespace

std::uint32_t collider_surface(const io::Snapshot& snapshot, std::size_t collider) {
  return static_cast<std::uint32_t>(2 * num_materials(snapshot) + collider);
}

std::vector<Surface> surfaces_of(const io::Snapshot& snapshot, const Options& options) {
  std::vector<Surface> surfaces(collider_surface(snapshot, snapshot.header.colliders.size()));
  for (std::size_t m = 0; m < num_materials(snapshot); ++m) surfaces[2 * m + 1].is_crack = true;
  if (options.colour_by != ColourBy::surface) return surfaces;
  const Appearance& appearance = options.appearance;
  for (const Assignment& each : appearance.assignments) {
    const std::uint32_t outside = material_number(appearance.materials, each.outside);
    const std::uint32_t cracks = material_number(appearance.materials, each.cracks);
    if (!each.collider.empty()) {
      assign_collider(surfaces, each, outside, snapshot);
      continue;
    }
    for (const std::size_t m : concerned(each, snapshot)) {
      surfaces[2 * m].material = outside;
      surfaces[2 * m + 1].material = cracks;
    }
  }
  return surfaces;
}

}  // namespace brisance::render
