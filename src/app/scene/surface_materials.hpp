/// Which simulation materials the entries of [[render.object]] concern.
#pragma once

#include "brisance/render/appearance.hpp"
#include "brisance/sim/parameters.hpp"

#include <optional>
#include <string>
#include <vector>

namespace brisance::app {

/// Is the entry's object a collider?
[[nodiscard]] bool is_collider(const sim::Scene& scene, const sim::RenderObjectParameters& entry);

/// The entries as assignments to simulation materials and colliders. Local.
[[nodiscard]] std::vector<render::Assignment> assignments_of(const sim::Scene& scene);

/// A simulation material of several objects with different render materials, if there is one.
[[nodiscard]] std::optional<std::string> indistinct_material(const sim::Scene& scene);

}  // namespace brisance::app
