#include "brisance/render/camera.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::render {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// The axes of a camera at the origin for a view's direction.
CameraAxes view_axes(const View& view) {
  const Vec3 up = view.up.normalized();
  const Vec3 hint = std::abs(up.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 right = (hint - hint.dot(up) * up).normalized();
  const Vec3 front = up.cross(right);
  const double azimuth = view.azimuth_deg * kDegree, elevation = view.elevation_deg * kDegree;
  const Vec3 horizontal = std::cos(azimuth) * front - std::sin(azimuth) * right;
  return camera_axes({.eye = Vec3::Zero(),
                      .target = std::cos(elevation) * horizontal - std::sin(elevation) * up,
                      .up = up,
                      .field_of_view_deg = view.field_of_view_deg});
}

}  // namespace

CameraAxes camera_axes(const Camera& camera) {
  const Vec3 forward = (camera.target - camera.eye).normalized();
  const Vec3 right = forward.cross(camera.up.normalized());
  if (!forward.allFinite() || !(forward.norm() > 0.5))
    throw core::Error("camera: eye and target are the same point. Move one of them.");
  if (!(right.norm() > 1e-6))
    throw core::Error("camera: its view direction is parallel to its up direction. Choose another up.");
  const Vec3 unit_right = right.normalized();
  return {.right = unit_right, .up = unit_right.cross(forward), .forward = forward};
}

std::array<double, 2> view_tangents(double field_of_view_deg, int width, int height) {
  const double tangent = std::tan(0.5 * field_of_view_deg * kDegree) / std::min(width, height);
  return {tangent * width, tangent * height};
}

std::array<double, 2> project(const Camera& camera, const Vec3& point, int width, int height) {
  const CameraAxes axes = camera_axes(camera);
  const auto [tangent_x, tangent_y] = view_tangents(camera.field_of_view_deg, width, height);
  const Vec3 offset = point - camera.eye;
  const double depth = offset.dot(axes.forward);
  if (!(depth > 0)) return {std::nan(""), std::nan("")};
  return {offset.dot(axes.right) / (tangent_x * depth), offset.dot(axes.up) / (tangent_y * depth)};
}

Framing::Framing(const View& view, int width, int height)
    : view_(view), axes_(view_axes(view)), tangents_(view_tangents(view.field_of_view_deg, width, height)) {
  for (double& tangent : tangents_) tangent *= 1 - view.margin;
  side_normals_ = {axes_.right - tangents_[0] * axes_.forward, -axes_.right - tangents_[0] * axes_.forward,
                   axes_.up - tangents_[1] * axes_.forward, -axes_.up - tangents_[1] * axes_.forward};
}

void Framing::add_ball(const Vec3& centre, double radius_m) {
  for (int side = 0; side < 4; ++side) {
    const Vec3& normal = side_normals_[side];
    support_[side] = std::max(support_[side], centre.dot(normal) + radius_m * normal.norm());
  }
  const double depth = centre.dot(axes_.forward);
  depth_[0] = std::max(depth_[0], depth + radius_m);
  depth_[1] = std::max(depth_[1], radius_m - depth);
}

void Framing::merge(const core::Comm& comm) {
  for (double& support : support_) support = comm.max(support);
  for (double& depth : depth_) depth = comm.max(depth);
}

Camera Framing::camera() const {
  if (!std::isfinite(support_[0]))
    throw core::Error("there is nothing to frame: no boundary triangle in any snapshot.");
  // A point p is inside the pyramid of an eye e if (p − e)·n ≤ 0 for all four sides, so e·n ≥ max p·n. Each pair of
  // opposite sides gives the middle of the picture and the distance of the eye; the larger distance satisfies both.
  const auto [right, left, top, bottom] = support_;
  const double along_right = 0.5 * (right - left), along_up = 0.5 * (top - bottom);
  const double along_forward = std::min(-0.5 * (right + left) / tangents_[0], -0.5 * (top + bottom) / tangents_[1]);
  const Vec3 eye = along_right * axes_.right + along_up * axes_.up + along_forward * axes_.forward;
  const double to_middle = std::max(0.5 * (depth_[0] - depth_[1]) - along_forward, 1e-9);
  return {.eye = eye,
          .target = eye + to_middle * axes_.forward,
          .up = view_.up,
          .field_of_view_deg = view_.field_of_view_deg};
}

}  // namespace brisance::render
