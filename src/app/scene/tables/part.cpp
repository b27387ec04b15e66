/// Keys of [[part]]: parts of an object with another material.
#include "app/scene/binding.hpp"
#include "app/scene/tables/place_keys.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

using sim::PartParameters;
using sim::Scene;

constexpr auto kPart = [](auto& s, std::size_t i) -> auto& { return s.parts.at(i); };

std::vector<Key> picked_tets() {
  return {
      bind(kPart, &PartParameters::group,
           {.name = "group",
            .sentence = "group: name in the object's file, of a solid, group, material or physical group.",
            .example = "handle"}),
      bind(kPart, &PartParameters::material, {.name = "material", .sentence = "Name of the part's [[material]]."}),
      bind(kPart, &PartParameters::object,
           {.name = "object", .sentence = "The part belongs to this [[object]] only; empty: to all that have it."}),
      bind_choice(kPart, &PartParameters::shape,
                  {"group", "box", "sphere", "half_space", "cylinder", "surface", "mortar"},
                  {.name = "shape",
                   .sentence = "Selects tets by a name in the file (group) or by their middle at rest. A key described "
                               "as \"mortar: …\" applies to that shape alone."}),
      bind_choice(kPart, &PartParameters::frame, {"world", "object"},
                  {.name = "frame",
                   .sentence = "Axes of positions: the world after placement, or the object's own mesh before it is "
                               "rotated and translated."}),
  };
}

std::vector<Key> part_places() {
  return {
      bind(kPart, &PartParameters::from,
           {.name = "from_m", .unit = "m", .sentence = "cylinder: start of its axis.", .example = "[0, 0, 0]"}),
      bind(kPart, &PartParameters::to,
           {.name = "to_m", .unit = "m", .sentence = "cylinder: end of its axis.", .example = "[0, 0, 0.1]"}),
      bind(kPart, &PartParameters::file,
           {.name = "file",
            .sentence = "surface: file of a closed surface; tets inside it are selected.",
            .example = "core.stl"}),
      bind(kPart, &PartParameters::scale,
           {.name = "scale",
            .unit = "–",
            .sentence = "surface: factor that turns the file's lengths into metres.",
            .example = "0.001 for a file in millimetres",
            .range = kPositive}),
      bind(
          kPart, &PartParameters::brick,
          {.name = "brick_m",
           .unit = "m",
           .sentence = "mortar: length (x), thickness (y) and height (z) of a brick. inf: no joints in that direction.",
           .example = "[0.24, inf, 0.07]",
           .range = kPositiveOrInfinite}),
      bind(kPart, &PartParameters::joint_m,
           {.name = "joint_m",
            .unit = "m",
            .sentence = "mortar: thickness of the joints. Where tets are larger, a joint consists of the tets that its "
                        "middle plane cuts.",
            .example = "0.01",
            .range = kNotNegative}),
      bind(kPart, &PartParameters::overlap,
           {.name = "overlap",
            .unit = "–",
            .sentence = "mortar: shift of every second course, as a share of a brick and a joint.",
            .example = "0.5",
            .range = {.low = 0, .high = 1}}),
  };
}

}  // namespace

Table part_table() {
  Table table{
      .path = "part",
      .sentence =
          "A part of an object that is made of another material (docs/MATERIALS.md): tets with a name in the object's "
          "file (docs/MESHES.md), with their middle in a shape, or in the joints between bricks. Where several parts "
          "apply, the last one counts. In an object with parts the other tets are made of object.material.",
      .keys = picked_tets(),
      .count = [](const Scene& s) { return s.parts.size(); },
      .append = [](Scene& s) { s.parts.emplace_back(); },
  };
  append(table.keys,
         place_keys<PartParameters>(
             kPart, "sphere: centre; half_space: a point of its plane; mortar: the lowest corner of a brick.",
             "sphere, cylinder: radius."));
  append(table.keys, part_places());
  return table;
}

}  // namespace brisance::app
