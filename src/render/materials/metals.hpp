/// Optical constants of metals.
#pragma once

#include "render/materials/conductor.hpp"

#include <string>
#include <vector>

namespace brisance::render {

[[nodiscard]] std::vector<std::string> metal_names();
/// The metal of that name, which is in the list.
[[nodiscard]] const ComplexIndex& metal_named(const std::string& name);

}  // namespace brisance::render
