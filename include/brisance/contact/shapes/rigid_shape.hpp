/// Rigid shapes: what contact, the motion of bodies, output and playbacks need of one. Each kind is a file in
/// src/contact/shapes; shape_kinds.hpp has the table of kinds.
#pragma once

#include "brisance/contact/box.hpp"
#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace brisance::contact {

struct PlacedShape;

/// Place of a body in the world.
struct Pose {
  Vec3 centre = Vec3::Zero();    ///< of mass; of a half space, a point on its surface [m]
  Mat3 axes = Mat3::Identity();  ///< columns: the axes of the body's frame
};

/// Distance of a point from the surface.
struct SurfaceDistance {
  double distance = 0;          ///< negative inside [m]
  Vec3 normal = Vec3::UnitZ();  ///< unit outward normal of the nearest surface point
};

/// A half space: n·x < offset inside.
struct HalfSpace {
  Vec3 normal = Vec3::UnitZ();  ///< unit, outward
  double offset = 0;            ///< [m]
};

/// A shape lies within `half` of a point, measured along one direction [m].
struct Extent {
  Vec3 middle = Vec3::Zero();
  double half = 0;
};

/// Moments of inertia about the centre of mass, along the columns of `axes`.
struct Inertia {
  Vec3 principal = Vec3::Zero();  ///< for a mass [kg m²], or for a volume [m⁵]
  Mat3 axes = Mat3::Identity();   ///< in the body's frame
};

/// A point of one body inside another.
struct InsidePoint {
  Vec3 point = Vec3::Zero();   ///< [m]
  double depth = 0;            ///< [m], positive
  Vec3 normal = Vec3::Zero();  ///< outward, of the body it is inside
  double weight = 1;           ///< share of the pair's stiffness [–]
};

/// A closed surface in the body's frame; triangles are counter-clockwise as seen from outside.
struct ShapeSurface {
  std::vector<Vec3> vertices;  ///< about the centre of mass [m]
  std::vector<std::array<std::int32_t, 3>> triangles;
};

/// Does a point of the world lie in a body other than the one asked?
using IsInOtherBody = std::function<bool(const Vec3& point)>;

/// A shape in a frame of its own, whose origin is its centre of mass. It never changes and has the same bits on every
/// rank, and so have all results: choices between equal candidates are fixed. Functions are local and do not throw.
class RigidShape {
public:
  RigidShape() = default;
  virtual ~RigidShape() = default;
  RigidShape(const RigidShape&) = delete;
  RigidShape& operator=(const RigidShape&) = delete;

  /// Signed distance and outward normal. Inside, the depth is that to the nearest side: a point beyond the middle
  /// leaves on the other side.
  [[nodiscard]] virtual SurfaceDistance signed_distance(const Pose& at, const Vec3& point) const = 0;
  /// The same if only the inside matters: the distance of a point that is clearly outside may be infinite.
  [[nodiscard]] virtual SurfaceDistance distance_inside(const Pose& at, const Vec3& point) const {
    return signed_distance(at, point);
  }

  /// The same for a point inside, where another body may lie against a side: points slide over the seam of two bodies
  /// that are flush, and are not stopped in it. If the mirror image of the point in the nearest side lies in another
  /// body, the nearest side counts at which both bodies end alike, if there is one. None: distance_inside counts, as
  /// for all shapes that do not tell their sides apart.
  [[nodiscard]] virtual std::optional<SurfaceDistance> distance_to_free_side(
      const Pose& /*at*/, const Vec3& /*point*/, const IsInOtherBody& /*is_in_other*/) const {
    return std::nullopt;
  }

  /// The half space that it is, or none: then it is bounded, and the functions from here to points_inside apply.
  [[nodiscard]] virtual std::optional<HalfSpace> half_space(const Pose& /*at*/) const { return std::nullopt; }
  /// Radius of a ball about the centre that contains all of it [m].
  [[nodiscard]] virtual double reach() const = 0;
  /// Axis-aligned box that contains all of it [m].
  [[nodiscard]] virtual Box bounds(const Pose& at) const = 0;
  /// Extent along a unit vector.
  [[nodiscard]] virtual Extent extent(const Pose& at, const Vec3& /*direction*/) const { return {at.centre, reach()}; }
  /// False only if no point of the bounded `other` lies inside: a finer test than that of the balls around both.
  [[nodiscard]] virtual bool may_hold_part_of(const Pose& /*at*/, const PlacedShape& /*other*/) const { return true; }
  /// Points at which a body of this shape meets another one: those inside it, with weights.
  [[nodiscard]] virtual std::vector<InsidePoint> points_inside(const Pose& at, const PlacedShape& other) const = 0;
  /// Is the deepest point in points_inside all of its contact? The other body's points are not needed then.
  [[nodiscard]] virtual bool has_one_contact() const { return false; }

  /// [m³]
  [[nodiscard]] virtual double volume() const = 0;
  /// Moments of inertia of a uniform solid of this mass [kg m²].
  [[nodiscard]] virtual Inertia inertia(double mass_kg) const = 0;
  /// Centre of mass in the frame in which a scene places the shape [m].
  [[nodiscard]] virtual Vec3 centre_in_scene() const { return Vec3::Zero(); }

  /// The three numbers that frames have of a shape (docs/FORMAT.md): of one with a surface its bounding box [m].
  [[nodiscard]] virtual Vec3 size_in_frame(const Eigen::Quaterniond& orientation) const = 0;
  /// The surface that frames have; empty where the three numbers say all.
  [[nodiscard]] virtual ShapeSurface surface_in_frame() const { return {}; }
  /// Hash of what a checkpoint must agree with but does not contain.
  [[nodiscard]] virtual std::optional<std::uint64_t> digest() const { return std::nullopt; }
};

/// A shape at one instant.
struct PlacedShape : Pose {
  std::shared_ptr<const RigidShape> shape;
};

[[nodiscard]] inline SurfaceDistance signed_distance(const PlacedShape& shape, const Vec3& point) {
  return shape.shape->signed_distance(shape, point);
}
[[nodiscard]] inline SurfaceDistance distance_inside(const PlacedShape& shape, const Vec3& point) {
  return shape.shape->distance_inside(shape, point);
}
[[nodiscard]] inline bool is_bounded(const PlacedShape& shape) { return !shape.shape->half_space(shape); }
[[nodiscard]] inline Box bounds(const PlacedShape& shape) { return shape.shape->bounds(shape); }
[[nodiscard]] inline double reach(const PlacedShape& shape) { return shape.shape->reach(); }

/// False only if no point lies inside both shapes. Two half spaces always count as overlapping. Local; does not throw.
[[nodiscard]] bool may_overlap(const PlacedShape& a, const PlacedShape& b);

}  // namespace brisance::contact
