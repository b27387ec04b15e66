#include "render/integrator/vertex.hpp"

#include <cmath>

namespace brisance::render {
namespace {

/// The shading normal, or, where it is turned away from the viewer, the true one.
const Vec3f& seen_normal(const Hit& hit, const Vec3f& incoming) {
  return hit.shading_normal.dot(incoming) < 0 ? hit.shading_normal : hit.face_normal;
}

/// What a plane is at rest: itself, in the world.
void add_plane_details(SurfacePoint& point, const Geometry& geometry, const Hit& hit) {
  point.rest_position = hit.position + geometry.origin.cast<float>();
  point.rest_normal = hit.face_normal;
}

void add_triangle_details(SurfacePoint& point, const Triangle& triangle, const Hit& hit) {
  const float u = hit.barycentric.x(), v = hit.barycentric.y(), w = 1 - u - v;
  point.rest_position = w * triangle.rest[0] + u * triangle.rest[1] + v * triangle.rest[2];
  point.rest_normal = (triangle.rest[1] - triangle.rest[0]).cross(triangle.rest[2] - triangle.rest[0]).normalized();
  point.texture = w * triangle.texture[0] + u * triangle.texture[1] + v * triangle.texture[2];
}

SurfacePoint surface_point(const Stage& stage, const Hit& hit, const Material& material, float relative_index) {
  SurfacePoint point{.albedo = hit.albedo, .relative_index = relative_index};
  const Needs needs = material.needs();
  if (!needs.rest && !needs.texture) return point;
  const Geometry& geometry = stage.tracer.geometry();
  if (hit.is_plane)
    add_plane_details(point, geometry, hit);
  else
    add_triangle_details(point, geometry.triangles[hit.triangle], hit);
  return point;
}

}  // namespace

Vertex::Vertex(const Stage& stage, const Hit& hit, const Vec3f& incoming, float relative_index, float least_alpha)
    : Vertex(stage, stage.material_of(hit.surface), hit, incoming, relative_index, least_alpha) {}

Vertex::Vertex(const Stage& stage, const Material& material, const Hit& hit, const Vec3f& incoming,
               float relative_index, float least_alpha)
    : material_(material),
      point_(surface_point(stage, hit, material, relative_index)),
      face_normal_(hit.face_normal),
      outgoing_(-incoming),
      frame_(seen_normal(hit, incoming)),
      wo_(frame_.to_local(outgoing_)) {
  point_.least_alpha = least_alpha;
  if (material_.is_specular()) take_true_normal_if_refused();
}

void Vertex::take_true_normal_if_refused() {
  const auto both = branches();
  if (!is_refused(both->reflected.wi, false) && !(both->transmitted && is_refused(both->transmitted->wi, true))) return;
  frame_ = FrameOfNormal(face_normal_);
  wo_ = frame_.to_local(outgoing_);
}

Rgb Vertex::evaluate(const Vec3f& direction) const {
  const Vec3f wi = frame_.to_local(direction);
  if (is_refused(direction, wi.z() < 0)) return Rgb::Zero();
  return std::abs(wi.z()) * material_.evaluate(point_, wo_, wi);
}

float Vertex::pdf(const Vec3f& direction) const { return material_.pdf(point_, wo_, frame_.to_local(direction)); }

std::optional<Scattered> Vertex::sample(Point2 random, float choice) const {
  auto scattered = material_.sample(point_, wo_, random, choice);
  if (!scattered) return std::nullopt;
  scattered->wi = frame_.to_world(scattered->wi);
  if (!is_refused(scattered->wi, scattered->is_transmission)) return scattered;
  if (scattered->is_transmission) return std::nullopt;
  // A reflected direction below the surface is mirrored above it: refused, rims of rounded bodies would darken.
  scattered->wi -= 2 * scattered->wi.dot(face_normal_) * face_normal_;
  return scattered;
}

Rgb tint_at(const Stage& stage, const Hit& hit) {
  const Material& material = stage.material_of(hit.surface);
  return material.tint(surface_point(stage, hit, material, 1));
}

std::optional<SpecularPair> Vertex::branches() const {
  auto both = material_.branches(point_, wo_);
  if (!both) return std::nullopt;
  both->reflected.wi = frame_.to_world(both->reflected.wi);
  if (both->transmitted) both->transmitted->wi = frame_.to_world(both->transmitted->wi);
  return both;
}

}  // namespace brisance::render
