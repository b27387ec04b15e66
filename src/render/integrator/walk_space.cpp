#include "render/integrator/walk_space.hpp"

#include <algorithm>

namespace brisance::render {

std::optional<media::BoundaryPoint> WalkSpace::operator()(const Vec3& point, const Vec3& direction, double reach) {
  const Vec3f along = direction.cast<float>();
  Ray ray{.origin = point.cast<float>(), .direction = along, .far = static_cast<float>(reach), .time = time_};
  float passed = 0;
  constexpr int kMostNeighbours = 64;  // in a row, along one flight
  for (int i = 0; i < kMostNeighbours; ++i) {
    const auto hit = stage_.tracer.closest_exit(ray, media_.current_solid());
    if (!hit) return std::nullopt;
    exit_ = seen_from_outside(*hit);
    if (!enter_neighbour(along)) break;
    passed += hit->distance;
    ray = {.origin = hit->position, .direction = along, .far = ray.far - hit->distance, .time = time_};
  }
  return media::BoundaryPoint{passed + exit_.distance, exit_.face_normal.cast<double>()};
}

bool WalkSpace::enter_neighbour(const Vec3f& direction) {
  const float gap = stage_.tracer.closed_gap();
  const Crossings around = stage_.tracer.crossings(
      {.origin = exit_.position - gap * direction, .direction = direction, .far = 2 * gap, .time = time_});
  for (const Crossing& crossing : around.list()) {
    const Interior* interior = stage_.material_of(crossing.surface).interior();
    const bool is_neighbour = !crossing.is_exit && crossing.solid != exit_.solid && interior != nullptr;
    if (!is_neighbour || !(*interior == *media_.current()) || media_.contains(crossing.solid)) continue;
    media_.leave(exit_.solid);
    media_.enter(crossing.solid, *interior);
    return true;
  }
  return false;
}

EnclosingMedia WalkSpace::media_outside() const {
  EnclosingMedia outside = media_;
  outside.leave(media_.current_solid());
  return outside;
}

}  // namespace brisance::render
