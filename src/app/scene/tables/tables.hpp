/// The tables of scene keys, one function and file each.
#pragma once

#include "app/scene/key.hpp"

namespace brisance::app {

/// The scene itself, for keys outside of lists.
inline constexpr auto kScene = [](auto& s, std::size_t) -> auto& { return s; };

[[nodiscard]] Table top_table();
[[nodiscard]] Table material_table();
[[nodiscard]] Table object_table();
[[nodiscard]] Table mesh_table();
[[nodiscard]] Table part_table();
[[nodiscard]] Table factor_table();
[[nodiscard]] Table region_table();
[[nodiscard]] Table collider_table();
[[nodiscard]] Table contact_table();
[[nodiscard]] Table load_table();
[[nodiscard]] Table time_table();
[[nodiscard]] Table fracture_table();
[[nodiscard]] Table output_table();
[[nodiscard]] Table camera_table();
[[nodiscard]] Table camera_key_table();
[[nodiscard]] Table render_table();
[[nodiscard]] Table render_material_table();
[[nodiscard]] Table render_object_table();
[[nodiscard]] Table render_light_table();

}  // namespace brisance::app
