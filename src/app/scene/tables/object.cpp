/// Keys of [[object]]: a breakable body, its placement and its initial motion.
#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

using sim::ObjectParameters;
using sim::Scene;

constexpr auto kObject = [](auto& s, std::size_t i) -> auto& { return s.objects.at(i); };

}  // namespace

Table object_table() {
  return {
      .path = "object",
      .sentence = "A breakable object: a mesh of one material, placed in the world.",
      .keys =
          {
              bind(kObject, &ObjectParameters::name, {.name = "name", .sentence = "Name used in messages and output."}),
              bind(kObject, &ObjectParameters::material,
                   {.name = "material",
                    .sentence = "Name of its [[material]]. May be left out where the scene has only one."}),
              bind(kObject, &ObjectParameters::rotation_deg,
                   {.name = "rotation_deg",
                    .unit = "°",
                    .sentence = "Rotation about x, then y, then z, around the centre of the mesh's bounding box.",
                    .example = "[90, 0, 0] lays it on its side"}),
              bind(kObject, &ObjectParameters::translation,
                   {.name = "translation_m",
                    .unit = "m",
                    .sentence = "Translation after the rotation.",
                    .example = "[0, 0, 1]"}),
              bind(kObject, &ObjectParameters::drop_to_height_m,
                   {.name = "lowest_point_m",
                    .unit = "m",
                    .sentence = "Moves the object along z until its lowest point has this height. nan: no move.",
                    .example = "0.001 starts just above the ground",
                    .range = {.not_a_number = true}}),
              bind(kObject, &ObjectParameters::velocity,
                   {.name = "velocity_m_s",
                    .unit = "m/s",
                    .sentence = "Velocity at the start.",
                    .example = "[0, 0, -4.43] is a fall from 1 m"}),
              bind(kObject, &ObjectParameters::angular_velocity,
                   {.name = "angular_velocity_rad_s",
                    .unit = "rad/s",
                    .sentence = "Angular velocity at the start, about the centre of mass.",
                    .example = "[0, 0, 5]"}),
              bind_choice(
                  kObject, &ObjectParameters::start, {"rest", "file"},
                  {.name = "start",
                   .sentence = "For tetrahedral meshes from a file (VTU, snapshots). file: begins with the point "
                               "arrays displacement [m] and velocity [m/s], scaled and rotated with the mesh; "
                               "velocity_m_s and angular_velocity_rad_s are added. rest: begins undeformed."}),
          },
      .count = [](const Scene& s) { return s.objects.size(); },
      .append = [](Scene& s) { s.objects.emplace_back(); },
  };
}

}  // namespace brisance::app
