#include "app/scene/collider_checks.hpp"

#include "brisance/contact/shapes/shape_kinds.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include <fmt/format.h>

namespace brisance::app {

namespace {

template <class Refuse>
void check_collider_file(const contact::ColliderParameters& collider, const Refuse& refuse) {
  const contact::ShapeKind& kind = contact::shape_kind(collider.shape);
  if (!kind.reads_file) {
    const auto reads = *std::ranges::find_if(contact::shape_kinds(), [](const auto* k) { return k->reads_file; });
    if (!collider.file.empty())
      refuse("file", fmt::format("collider.file goes with shape = \"{}\"; choose that, or leave it out.", reads->name));
    return;
  }
  if (collider.file.empty())
    refuse("shape",
           "a " + std::string(kind.name) + " needs collider.file, a closed surface (OBJ, STL, PLY, OFF, GLB ...).");
  if (!std::filesystem::exists(collider.file))
    refuse("file", "file = \"" + collider.file.string() + "\" does not exist. Relative names start at the scene file.");
}

}  // namespace

void check_collider(const contact::ColliderParameters& collider, std::size_t i, const Origins& origins) {
  using contact::ColliderMotion;
  const auto refuse = [&](const std::string& key, const std::string& text) {
    origins.refuse("collider", i, key, text);
  };
  if (const auto fault = contact::shape_kind(collider.shape).fault(collider)) refuse(fault->key, fault->text);
  if (collider.motion == ColliderMotion::free && collider.mass_kg <= 0 && collider.density_kg_m3 <= 0)
    refuse("mass_kg", "a free collider needs collider.mass_kg or collider.density_kg_m3, positive.");
  if (collider.mass_kg > 0 && collider.density_kg_m3 > 0)
    refuse("density_kg_m3", "density_kg_m3 and collider.mass_kg are both given; leave one out.");
  check_collider_file(collider, refuse);
  if (collider.motion == ColliderMotion::path && collider.path.empty())
    refuse("motion", "motion \"path\" needs collider.path_time_s and collider.path_position_m.");
}

}  // namespace brisance::app
