/// All tables of scene keys in their order. A new setting is one row in one of them; everything else is generated from
/// it.
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

const std::vector<Table>& scene_tables() {
  static const std::vector<Table> tables{
      top_table(),    material_table(),        object_table(),        mesh_table(),        part_table(),
      factor_table(), region_table(),          collider_table(),      contact_table(),     load_table(),
      time_table(),   fracture_table(),        output_table(),        camera_table(),      camera_key_table(),
      render_table(), render_material_table(), render_object_table(), render_light_table()};
  return tables;
}

}  // namespace brisance::app
