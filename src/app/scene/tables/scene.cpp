/// Keys of a scene above the first table.
#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

using sim::Scene;

}  // namespace

Table top_table() {
  return {.path = "",
          .sentence = "At the top of the file, before the first table.",
          .keys = {
              bind(kScene, &Scene::title, {.name = "title", .sentence = "A line that says what the scene shows."}),
              bind(kScene, &Scene::gravity,
                   {.name = "gravity_m_s2",
                    .unit = "m/s²",
                    .sentence = "Acceleration of gravity.",
                    .example = "[0, 0, -9.81]"}),
          }};
}

}  // namespace brisance::app
