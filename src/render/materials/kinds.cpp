/// The table of kinds of materials: scene keys, their checks and the materials themselves come from it.
#include "brisance/core/error.hpp"

#include "render/materials/conductor.hpp"
#include "render/materials/dielectric.hpp"
#include "render/materials/diffuse.hpp"
#include "render/materials/glazed.hpp"
#include "render/materials/materials.hpp"
#include "render/materials/subsurface.hpp"
#include "render/materials/textured.hpp"

#include <array>

namespace brisance::render {
namespace {

struct Row {
  Kind (*kind)();
  std::unique_ptr<Material> (*make)(const Values&);
};

constexpr std::array<Row, 6> kMaterials{{
    {diffuse_kind, make_diffuse},
    {conductor_kind, make_conductor},
    {dielectric_kind, make_dielectric},
    {subsurface_kind, make_subsurface},
    {glazed_kind, make_glazed},
    {texture_kind, make_textured},
}};

}  // namespace

const std::vector<Kind>& material_kinds() {
  static const std::vector<Kind> kinds = [] {
    std::vector<Kind> all;
    for (const Row& row : kMaterials) all.push_back(row.kind());
    return all;
  }();
  return kinds;
}

std::unique_ptr<Material> make_material(const Specification& specification) {
  try {
    check(material_kinds(), specification);
    const Kind& kind = kind_named(material_kinds(), specification.kind);
    return kMaterials[static_cast<std::size_t>(&kind - material_kinds().data())].make(Values(kind, specification));
  } catch (const core::Error& e) {
    throw core::Error("render.material \"" + specification.name + "\": " + e.what());
  }
}

std::vector<std::unique_ptr<Material>> make_materials(const std::vector<Specification>& specifications) {
  std::vector<std::unique_ptr<Material>> materials;
  materials.push_back(std::make_unique<Diffuse>());
  for (const Specification& each : specifications) materials.push_back(make_material(each));
  return materials;
}

}  // namespace brisance::render
