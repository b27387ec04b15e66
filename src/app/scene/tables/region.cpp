/// Keys of [[region]]: nodes with Dirichlet conditions.
#include "app/scene/binding.hpp"
#include "app/scene/tables/place_keys.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

using sim::RegionParameters;
using sim::Scene;

constexpr auto kRegion = [](auto& s, std::size_t i) -> auto& { return s.regions.at(i); };

std::vector<Key> region_nodes() {
  return {
      bind(kRegion, &RegionParameters::name, {.name = "name", .sentence = "Name used in messages."}),
      bind(kRegion, &RegionParameters::group,
           {.name = "group",
            .sentence = "Selects the nodes of this name in the objects' files (docs/MESHES.md): of the surface with "
                        "that name, or of tets where no surface has it. It makes the shape \"group\".",
            .example = "lid"}),
      bind_choice(kRegion, &RegionParameters::shape, {"box", "sphere", "half_space", "torus", "group"},
                  {.name = "shape", .sentence = "Shape that selects the nodes by their rest position."}),
  };
}

std::vector<Key> region_motion() {
  return {
      bind(kRegion, &RegionParameters::velocity,
           {.name = "velocity_m_s", .unit = "m/s", .sentence = "Prescribed velocity.", .example = "[0, 0, 0.5]"}),
      bind(kRegion, &RegionParameters::angular_velocity,
           {.name = "angular_velocity_rad_s",
            .unit = "rad/s",
            .sentence = "Prescribed angular velocity about an axis through pivot_m.",
            .example = "[0, 0, 5]"}),
      bind(kRegion, &RegionParameters::pivot,
           {.name = "pivot_m", .unit = "m", .sentence = "A point on the axis of rotation.", .example = "[0, 0, 0]"}),
      bind(kRegion, &RegionParameters::axes,
           {.name = "axes",
            .sentence = "Components x, y, z of the velocity that are prescribed. A node with all three does not crack; "
                        "one with fewer (rollers) does.",
            .example = "[false, false, true] leaves x and y free"}),
      bind(kRegion, &RegionParameters::ramp_s,
           {.name = "ramp_s",
            .unit = "s",
            .sentence = "Time over which the velocity grows linearly from zero.",
            .example = "0.001",
            .range = kNotNegative}),
      bind(kRegion, &RegionParameters::until_s,
           {.name = "until_s",
            .unit = "s",
            .sentence = "Time after which the nodes are released. inf: never.",
            .example = "0.1",
            .range = kNotNegativeOrInfinite}),
  };
}

}  // namespace

Table region_table() {
  Table table{
      .path = "region",
      .sentence =
          "A Dirichlet condition: nodes whose rest position, after placement, lies in a shape, or that belong to a "
          "group of the objects' files, are fixed or moved. With zero velocities they are clamped.",
      .keys = region_nodes(),
      .count = [](const Scene& s) { return s.regions.size(); },
      .append = [](Scene& s) { s.regions.emplace_back(); },
  };
  append(table.keys,
         place_keys<RegionParameters>(
             kRegion, "sphere, torus: centre; half_space: a point of its plane.",
             "sphere: radius; torus: radius of the circle in its middle.",
             "half_space: outward normal; points with (x − centre_m)·normal ≤ 0 are inside; torus: its axis."));
  table.keys.push_back(bind(kRegion, &RegionParameters::tube_radius_m,
                            {.name = "tube_radius_m",
                             .unit = "m",
                             .sentence = "torus: points no farther than this from its circle are inside.",
                             .example = "0.0005",
                             .range = kNotNegative}));
  append(table.keys, region_motion());
  return table;
}

}  // namespace brisance::app
