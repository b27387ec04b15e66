/// What a path can meet: one frame's geometry, materials and lights.
#pragma once

#include "brisance/render/appearance.hpp"
#include "brisance/render/ray_count.hpp"

#include "render/lights/backdrop.hpp"
#include "render/lights/lights.hpp"
#include "render/materials/materials.hpp"
#include "render/tracing/tracer.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace brisance::render {

/// All references outlive it.
struct Stage {
  const Tracer& tracer;
  const std::vector<std::unique_ptr<Material>>& materials;  ///< by Surface::material
  const Lights& lights;
  const Backdrop& backdrop;
  Transport transport;
  bool has_glass = false;  ///< some material has an interior

  [[nodiscard]] const Material& material_of(std::uint32_t surface) const {
    return *materials[tracer.geometry().surfaces[surface].material];
  }
};

/// The stage of a picture. Local.
[[nodiscard]] inline Stage make_stage(const Tracer& tracer, const std::vector<std::unique_ptr<Material>>& materials,
                                      const Lights& lights, const Backdrop& backdrop, const Transport& transport) {
  bool has_glass = false;
  for (const Surface& surface : tracer.geometry().surfaces)
    has_glass = has_glass || materials[surface.material]->interior() != nullptr;
  return {tracer, materials, lights, backdrop, transport, has_glass};
}

}  // namespace brisance::render
