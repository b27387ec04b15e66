/// The table of collider shapes: scene keys, checks and factory of each kind.
#pragma once

#include "brisance/contact/parameters.hpp"
#include "brisance/contact/shapes/rigid_shape.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

namespace brisance::contact {

enum class KeyRange : std::uint8_t { any, not_negative, positive };

/// A key of [[collider]] that belongs to shapes; kinds with keys of one name share its member.
struct ShapeKey {
  const char* name;      ///< unit included
  const char* unit;      ///< [m] …; empty for files
  const char* sentence;  ///< its meaning for this shape
  const char* example;
  KeyRange range = KeyRange::any;
  std::variant<double ColliderParameters::*, Vec3 ColliderParameters::*, std::filesystem::path ColliderParameters::*>
      member;
};

/// A value that cannot be used, and what to do.
struct ShapeFault {
  const char* key;
  std::string text;
};

/// A row of the table.
struct ShapeKind {
  const char* name;      ///< value of collider.shape, and kind of the collider in frames
  const char* sentence;  ///< for the scene reference
  std::span<const ShapeKey> keys;
  bool reads_file = false;  ///< ColliderParameters::mesh is read from `file` before `make`
  /// The first fault of a collider's keys, or none. Local; does not throw.
  std::optional<ShapeFault> (*fault)(const ColliderParameters& collider);
  /// The shape of a collider without faults. Local.
  std::shared_ptr<const RigidShape> (*make)(const ColliderParameters& collider);
};

/// All kinds, in the order of ColliderShape.
[[nodiscard]] std::span<const ShapeKind* const> shape_kinds();
[[nodiscard]] const ShapeKind& shape_kind(ColliderShape shape);

/// Local.
[[nodiscard]] std::shared_ptr<const RigidShape> make_shape(const ColliderParameters& collider);

/// Shape of `collider` with its body at `position`, turned by `orientation`. Local.
[[nodiscard]] PlacedShape placed_shape(const ColliderParameters& collider, const Vec3& position,
                                       const Eigen::Quaterniond& orientation);

}  // namespace brisance::contact
