#include "render/integrator/interface.hpp"

#include <algorithm>

namespace brisance::render {
namespace {

/// Applies one crossing. A second of the same solid in the same direction is the neighbour of an edge that was hit.
void cross(Interface& at, const Crossing& crossing, const Interior& interior, bool is_first_of_solid) {
  const std::uint32_t solid = crossing.solid;
  if (is_first_of_solid && crossing.is_exit != at.media_before.contains(solid)) {
    if (crossing.is_exit) {
      at.media_before.assume(solid, interior);
    } else {
      at.media_before.leave(solid);
      at.media_beyond.leave(solid);
    }
  }
  if (crossing.is_exit) {
    at.media_beyond.leave(solid);
  } else if (!at.media_beyond.contains(solid)) {
    at.media_beyond.enter(solid, interior);
  }
}

bool is_known(std::span<const Crossing> before, std::uint32_t solid) {
  return std::ranges::find(before, solid, &Crossing::solid) != before.end();
}

/// The crossings around a hit, the hit itself at least.
Crossings crossings_around(const Tracer& tracer, const Hit& hit, const Ray& ray, float reach) {
  const float back = std::min(0.25F * tracer.closed_gap(), 0.5F * hit.distance);
  Crossings found = tracer.crossings({hit.position - back * ray.direction, ray.direction, back + reach, ray.time});
  if (!is_known(found.list(), hit.solid))
    found.add({.distance = back,
               .triangle = hit.triangle,
               .surface = hit.surface,
               .solid = hit.solid,
               .is_exit = hit.from_inside});
  return found;
}

bool is_same(const Interior* a, const Interior* b) { return a == b || (a != nullptr && b != nullptr && *a == *b); }

}  // namespace

bool Interface::is_optical() const { return !is_same(media_before.current(), media_beyond.current()); }

Interface interface_at(const Stage& stage, const Hit& hit, const Ray& ray, const EnclosingMedia& media) {
  constexpr float kGrazing = 0.1F;  // a ray this oblique stays within the gap for ten times its width
  const float cosine = std::max(kGrazing, -hit.face_normal.dot(ray.direction));
  Interface at{.media_before = media, .media_beyond = media, .reach = stage.tracer.closed_gap() / cosine};
  const Crossings found = crossings_around(stage.tracer, hit, ray, at.reach);
  for (std::size_t i = 0; i < found.list().size(); ++i) {
    const Crossing& crossing = found.list()[i];
    const Interior* interior = stage.material_of(crossing.surface).interior();
    if (interior != nullptr) {
      cross(at, crossing, *interior, !is_known(found.list().first(i), crossing.solid));
    } else if (!crossing.is_exit) {
      at.contact = crossing;
      return at;
    }
  }
  return at;
}

Hit contact_hit(const Stage& stage, Hit glass, const Crossing& contact) {
  const Geometry& geometry = stage.tracer.geometry();
  glass.is_plane = contact.triangle == kNoTriangle;
  glass.triangle = contact.triangle;
  glass.surface = contact.surface;
  glass.solid = contact.solid;
  glass.albedo = glass.is_plane ? geometry.plane_view.albedo : geometry.triangles[contact.triangle].albedo[0];
  return glass;
}

}  // namespace brisance::render
