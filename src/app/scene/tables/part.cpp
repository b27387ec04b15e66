/// Keys of [[part]]: what of an object is made of another material.
#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

using sim::PartParameters;
using sim::Scene;

constexpr auto kPart = [](auto& s, std::size_t i) -> auto& { return s.parts.at(i); };

}  // namespace

Table part_table() {
  return {
      .path = "part",
      .sentence =
          "A part of an object that is made of another material: tets that the object's file gives a name "
          "(docs/MESHES.md). With one that concerns an object, its other tets are made of object.material; where "
          "several hold, the last one.",
      .keys =
          {
              bind(kPart, &PartParameters::group,
                   {.name = "group",
                    .sentence = "The name in the file: of a solid, group, material or physical group.",
                    .example = "handle"}),
              bind(kPart, &PartParameters::material, {.name = "material", .sentence = "Name of a [[material]]."}),
              bind(kPart, &PartParameters::object,
                   {.name = "object", .sentence = "Name of the only [[object]] it concerns; empty: all that have it."}),
          },
      .count = [](const Scene& s) { return s.parts.size(); },
      .append = [](Scene& s) { s.parts.emplace_back(); },
  };
}

}  // namespace brisance::app
