/// Keys of [[collider]]: rigid bodies in contact with objects.
#include "brisance/contact/shapes/shape_kinds.hpp"

#include "app/scene/binding.hpp"
#include "app/scene/tables/collider_motion.hpp"
#include "app/scene/tables/tables.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace brisance::app {

namespace {

using contact::ColliderParameters;
using sim::Scene;

Range range_of(contact::KeyRange range) {
  if (range == contact::KeyRange::positive) return kPositive;
  return range == contact::KeyRange::not_negative ? kNotNegative : kAny;
}

/// The row of a shape's key, so far without a sentence.
Key shape_key(const contact::ShapeKey& key) {
  Key row{.name = key.name, .unit = key.unit, .example = key.example, .range = range_of(key.range)};
  return std::visit([&](auto member) { return bind(kCollider, member, row); }, key.member);
}

/// A row for each name; its sentence says the meaning for each shape that has it.
std::vector<Key> shape_keys() {
  std::vector<Key> rows;
  for (const contact::ShapeKind* kind : contact::shape_kinds())
    for (const contact::ShapeKey& key : kind->keys) {
      auto row = std::ranges::find(rows, key.name, &Key::name);
      if (row == rows.end()) row = rows.insert(row, shape_key(key));
      row->sentence += fmt::format("{}{}: {}", row->sentence.empty() ? "" : "; ", kind->name, key.sentence);
    }
  for (Key& row : rows) row.sentence += ".";
  return rows;
}

Key shape_choice() {
  std::vector<std::string> names, meanings;
  for (const contact::ShapeKind* kind : contact::shape_kinds()) {
    names.emplace_back(kind->name);
    meanings.push_back(fmt::format("{}: {}", kind->name, kind->sentence));
  }
  return bind_choice(kCollider, &ColliderParameters::shape, std::move(names),
                     {.name = "shape", .sentence = fmt::format("Its shape. {}.", fmt::join(meanings, "; "))});
}

}  // namespace

Table collider_table() {
  Table table{
      .path = "collider",
      .sentence = "A rigid body in contact with objects: fixed, on a prescribed path, or free with mass and inertia.",
      .keys =
          {
              bind(kCollider, &ColliderParameters::name,
                   {.name = "name", .sentence = "Its name in messages and output."}),
              shape_choice(),
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
  std::vector<Key> of_shapes = shape_keys();
  table.keys.insert(std::ranges::find(table.keys, "mass_kg", &Key::name), std::make_move_iterator(of_shapes.begin()),
                    std::make_move_iterator(of_shapes.end()));
  return table;
}

}  // namespace brisance::app
