/// The materials of a picture, made from their specifications.
#pragma once

#include "brisance/render/kinds.hpp"

#include "render/materials/material.hpp"

#include <memory>
#include <vector>

namespace brisance::render {

/// The material of a specification. Throws core::Error naming it for a wrong value, a missing image and the like.
[[nodiscard]] std::unique_ptr<Material> make_material(const Specification& specification);

/// Materials by number: 0 is diffuse in the colour of the surface, i + 1 the i-th specification's.
[[nodiscard]] std::vector<std::unique_ptr<Material>> make_materials(const std::vector<Specification>& specifications);

}  // namespace brisance::render
