/// Keys of a scene that stand above the first table, and those for tests.
#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

using sim::Scene;

constexpr auto kScene = [](auto& s, std::size_t) -> auto& { return s; };

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

Table parallel_table() {
  return {.path = "parallel",
          .sentence = "For tests: by design neither key changes a bit of the result.",
          .keys = {
              bind(kScene, &Scene::random_partition,
                   {.name = "random_partition", .sentence = "Draw the owners of nodes at random instead of by METIS."}),
              bind(kScene, &Scene::migrate_every_steps,
                   {.name = "migrate_every_steps",
                    .unit = "–",
                    .sentence = "Give every node a new random owner every so many steps; 0: never.",
                    .example = "50",
                    .range = {.low = 0, .high = 1000000000}}),
          }};
}

}  // namespace brisance::app
