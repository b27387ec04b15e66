// The solid inside a closed surface of triangles. Of equally near triangles the first counts (rigid_mesh.hpp).
#include "brisance/contact/shapes/rigid_mesh.hpp"
#include "brisance/core/error.hpp"

#include "bounds_around.hpp"
#include "contact/box_tree.hpp"
#include "kinds.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

namespace brisance::contact {
namespace {

class MeshShape : public RigidShape {
public:
  explicit MeshShape(std::shared_ptr<const RigidMesh> mesh) : mesh_(std::move(mesh)) {}

  [[nodiscard]] SurfaceDistance signed_distance(const Pose& at, const Vec3& point) const override {
    return distance_of(at, in_body(at, point));
  }
  [[nodiscard]] SurfaceDistance distance_inside(const Pose& at, const Vec3& point) const override {
    const Vec3 there = in_body(at, point);
    if (!mesh_->may_hold(there)) return {std::numeric_limits<double>::infinity(), Vec3::UnitZ()};
    return distance_of(at, there);
  }
  [[nodiscard]] double reach() const override { return mesh_->reach(); }
  [[nodiscard]] Box bounds(const Pose& at) const override {
    return bounds_around(middle(at), at.axes.cwiseAbs() * half_edges(), at);
  }
  [[nodiscard]] Extent extent(const Pose& at, const Vec3& direction) const override {
    return {middle(at), (1 + 1e-12) * (at.axes.transpose() * direction).cwiseAbs().dot(half_edges())};
  }
  [[nodiscard]] bool may_hold_part_of(const Pose& at, const PlacedShape& other) const override {
    const Box mine = bounds(at), its = contact::bounds(other);
    return (mine.low.array() < its.high.array()).all() && (its.low.array() < mine.high.array()).all() &&
           signed_distance(at, other.centre).distance < contact::reach(other);
  }
  [[nodiscard]] std::vector<InsidePoint> points_inside(const Pose& at, const PlacedShape& other) const override;
  [[nodiscard]] double volume() const override { return mesh_->volume_m3(); }
  [[nodiscard]] Inertia inertia(double mass_kg) const override {
    return {mass_kg / mesh_->volume_m3() * mesh_->inertia_of_volume().principal, mesh_->inertia_of_volume().axes};
  }
  [[nodiscard]] Vec3 centre_in_scene() const override { return mesh_->centre_in_file(); }
  [[nodiscard]] Vec3 size_in_frame(const Eigen::Quaterniond& /*orientation*/) const override {
    return mesh_->bounds().high - mesh_->bounds().low;
  }
  [[nodiscard]] ShapeSurface surface_in_frame() const override {
    return {{mesh_->vertices().begin(), mesh_->vertices().end()},
            {mesh_->triangles().begin(), mesh_->triangles().end()}};
  }
  [[nodiscard]] std::optional<std::uint64_t> digest() const override { return mesh_->digest(); }

private:
  [[nodiscard]] SurfaceDistance distance_of(const Pose& at, const Vec3& local) const {
    Vec3 normal;
    const double distance = mesh_->signed_distance(local, normal);
    return {distance, at.axes * normal};
  }
  /// Half the edge lengths of the bounds in the mesh's own frame, and their middle in the world [m].
  [[nodiscard]] Vec3 half_edges() const { return 0.5 * (mesh_->bounds().high - mesh_->bounds().low); }
  [[nodiscard]] Vec3 middle(const Pose& at) const {
    return at.centre + at.axes * (0.5 * (mesh_->bounds().high + mesh_->bounds().low));
  }

  std::shared_ptr<const RigidMesh> mesh_;
};

/// Its samples; boxes of samples whose enclosing balls do not reach the other body are skipped.
std::vector<InsidePoint> MeshShape::points_inside(const Pose& at, const PlacedShape& other) const {
  std::vector<InsidePoint> points;
  const auto in_world = [&](const Vec3& local) { return Vec3(at.centre + at.axes * local); };
  const bool has_bounds = is_bounded(other);
  const Box around = has_bounds ? contact::bounds(other) : Box{};
  const auto reaches = [&](const Box& box) {
    const double radius = (1 + 1e-9) * 0.5 * (box.high - box.low).norm();
    const Vec3 middle = in_world(0.5 * (box.low + box.high));
    if (has_bounds &&
        ((middle.array() + radius < around.low.array()).any() || (middle.array() - radius > around.high.array()).any()))
      return false;
    return contact::signed_distance(other, middle).distance <= radius;
  };
  mesh_->sample_tree().for_each(reaches, [&](std::int32_t i) {
    const SurfaceSample& sample = mesh_->samples()[static_cast<std::size_t>(i)];
    const Vec3 point = in_world(sample.point);
    const SurfaceDistance s = contact::distance_inside(other, point);
    if (s.distance < 0) points.push_back({point, -s.distance, s.normal, sample.weight});
  });
  return points;
}

std::shared_ptr<const RigidShape> make_mesh(const ColliderParameters& p) {
  if (!p.mesh.mesh)
    throw core::Error(
        fmt::format("collider \"{}\": its mesh was not read (a fault of the program, please report).", p.name));
  return std::make_shared<MeshShape>(p.mesh.mesh);
}

constexpr std::array kMeshKeys{ShapeKey{.name = "file",
                                        .unit = "",
                                        .sentence = "a surface (OBJ, STL, PLY, OFF) that is closed and does not cross "
                                                    "itself, relative to the scene file",
                                        .example = "\"meshes/step.obj\"",
                                        .member = &ColliderParameters::file},
                               ShapeKey{.name = "scale",
                                        .unit = "–",
                                        .sentence = "factor that turns the file's lengths into metres",
                                        .example = "0.001 for millimetres",
                                        .range = KeyRange::positive,
                                        .member = &ColliderParameters::scale}};

}  // namespace

const ShapeKind kMesh{.name = "mesh",
                      .sentence = "the closed surface of a file",
                      .keys = kMeshKeys,
                      .reads_file = true,
                      .fault = [](const ColliderParameters& /*collider*/) -> std::optional<ShapeFault> { return {}; },
                      .make = make_mesh};

}  // namespace brisance::contact
