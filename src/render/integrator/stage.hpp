/// What a path can meet: one frame's geometry, materials and lights.
#pragma once

#include "brisance/render/appearance.hpp"

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

/// Rays of a picture, for its log.
struct RayCount {
  std::uint64_t paths = 0, shadows = 0, samples = 0;
  RayCount& operator+=(const RayCount& other) {
    paths += other.paths;
    shadows += other.shadows;
    samples += other.samples;
    return *this;
  }
};

}  // namespace brisance::render
