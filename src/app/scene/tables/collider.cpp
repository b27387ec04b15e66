/// Keys of [[collider]]: rigid bodies in contact with objects.
#include "app/scene/binding.hpp"
#include "app/scene/tables/collider_motion.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

using contact::ColliderParameters;
using sim::Scene;

Key collider_file() {
  return bind_computed(
      kCollider, Kind::file, 0, [](const ColliderParameters& c) -> std::optional<Value> { return c.file.string(); },
      [](ColliderParameters& c, const Value& v) { c.file = std::get<std::string>(v); },
      {.name = "file",
       .sentence = "mesh: a surface (OBJ, STL, PLY, OFF) that is closed and does not cross itself, relative to the "
                   "scene file.",
       .example = "\"meshes/step.obj\""});
}

}  // namespace

Table collider_table() {
  return {
      .path = "collider",
      .sentence = "A rigid body in contact with objects: fixed, on a prescribed path, or free with mass and inertia.",
      .keys =
          {
              bind(kCollider, &ColliderParameters::name,
                   {.name = "name", .sentence = "Its name in messages and output."}),
              bind_choice(
                  kCollider, &ColliderParameters::shape, {"plane", "sphere", "box", "mesh"},
                  {.name = "shape",
                   .sentence = "Its shape; a plane is the surface of a half space, a mesh the closed surface of a "
                               "file."}),
              bind_choice(
                  kCollider, &ColliderParameters::motion, {"fixed", "path", "free"},
                  {.name = "motion", .sentence = "fixed, moved along key frames, or moved by gravity and contact."}),
              bind(kCollider, &ColliderParameters::position,
                   {.name = "position_m",
                    .unit = "m",
                    .sentence = "Centre; of a plane, a point on it; of a mesh, the position of its file's origin.",
                    .example = "[0, 0, 0.5]"}),
              collider_rotation(),
              collider_orientation(),
              bind(kCollider, &ColliderParameters::normal,
                   {.name = "normal",
                    .unit = "–",
                    .sentence = "plane: the normal that points to the objects' side.",
                    .example = "[0, 0, 1]"}),
              bind(kCollider, &ColliderParameters::radius_m,
                   {.name = "radius_m",
                    .unit = "m",
                    .sentence = "sphere: radius.",
                    .example = "0.1",
                    .range = kNotNegative}),
              bind(kCollider, &ColliderParameters::size,
                   {.name = "size_m",
                    .unit = "m",
                    .sentence = "box: full edge lengths.",
                    .example = "[1, 1, 0.1]",
                    .range = kNotNegative}),
              collider_file(),
              bind(kCollider, &ColliderParameters::scale,
                   {.name = "scale",
                    .unit = "–",
                    .sentence = "mesh: factor that turns the file's lengths into metres.",
                    .example = "0.001 for millimetres",
                    .range = kPositive}),
              bind(kCollider, &ColliderParameters::mass_kg,
                   {.name = "mass_kg",
                    .unit = "kg",
                    .sentence = "free: mass; the inertia is that of a uniform solid of the shape.",
                    .example = "5",
                    .range = kNotNegative}),
              bind(kCollider, &ColliderParameters::density_kg_m3,
                   {.name = "density_kg_m3",
                    .unit = "kg/m³",
                    .sentence = "free: density, instead of the mass.",
                    .example = "2500",
                    .range = kNotNegative}),
              bind(kCollider, &ColliderParameters::velocity,
                   {.name = "velocity_m_s",
                    .unit = "m/s",
                    .sentence = "free: velocity at the start.",
                    .example = "[0, 5, 0]"}),
              bind(kCollider, &ColliderParameters::angular_velocity,
                   {.name = "angular_velocity_rad_s",
                    .unit = "rad/s",
                    .sentence = "free: angular velocity at the start.",
                    .example = "[0, 0, 1]"}),
              path_time(),
              path_position(),
              path_rotation(),
              path_orientation(),
              bind(kCollider, &ColliderParameters::stiffness_scale,
                   {.name = "stiffness_scale",
                    .unit = "–",
                    .sentence = "Multiplies the penalty stiffness that is chosen from material and mesh.",
                    .example = "1",
                    .range = kPositive}),
              bind(kCollider, &ColliderParameters::stiffness_n_per_m,
                   {.name = "stiffness_n_per_m",
                    .unit = "N/m",
                    .sentence = "Penalty stiffness of each node; 0 chooses mass · (wave speed / smallest altitude)².",
                    .example = "1e5",
                    .range = kNotNegative}),
              bind(kCollider, &ColliderParameters::damping_ratio,
                   {.name = "damping_ratio",
                    .unit = "–",
                    .sentence = "Damping of the contact, as a share of critical.",
                    .example = "0.1",
                    .range = {.low = 0, .high = 1}}),
              bind(kCollider, &ColliderParameters::friction,
                   {.name = "friction",
                    .unit = "–",
                    .sentence = "Coulomb coefficient of friction.",
                    .example = "0.3",
                    .range = kNotNegative}),
          },
      .count = [](const Scene& s) { return s.colliders.size(); },
      .append = [](Scene& s) { s.colliders.emplace_back(); },
  };
}

}  // namespace brisance::app
