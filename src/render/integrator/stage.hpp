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

/// Smooth glass that does not scatter light inside: what a straight shadow ray may pass.
[[nodiscard]] inline bool is_clear(const Material& material) {
  const Interior* interior = material.interior();
  return interior != nullptr && (interior->scattering == 0).all() && material.is_specular();
}

/// All references outlive it.
struct Stage {
  const Tracer& tracer;
  const std::vector<std::unique_ptr<Material>>& materials;  ///< by Surface::material
  const Lights& lights;
  const Backdrop& backdrop;
  Transport transport;
  bool has_clear_glass = false;  ///< light may go straight through some material

  [[nodiscard]] const Material& material_of(std::uint32_t surface) const {
    return *materials[tracer.geometry().surfaces[surface].material];
  }
};

/// The stage of a picture. Local.
[[nodiscard]] inline Stage make_stage(const Tracer& tracer, const std::vector<std::unique_ptr<Material>>& materials,
                                      const Lights& lights, const Backdrop& backdrop, const Transport& transport) {
  bool has_clear_glass = false;
  for (const Surface& surface : tracer.geometry().surfaces)
    has_clear_glass = has_clear_glass || is_clear(*materials[surface.material]);
  return {tracer, materials, lights, backdrop, transport, has_clear_glass};
}

}  // namespace brisance::render
