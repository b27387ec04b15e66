#include "exports/skin/walls_between.hpp"

#include "exports/skin/exact_side.hpp"

namespace brisance::exports {

WallsBetween::WallsBetween(const Walls& walls) : walls_(walls), search_(walls.net.points, walls.net.triangles) {}

bool WallsBetween::separate(const Vec3& on_skin, const Vec3& other, std::int32_t piece) const {
  Eigen::AlignedBox3d box(on_skin);
  box.extend(other);
  bool is_crossed = false;
  search_.each_in(box, [&](std::int32_t w) {
    if (is_crossed || walls_.piece[w] != piece) return;
    const auto [a, b, c] = walls_.net.corners(w);
    if (side_of_moved_point(a, b, c, on_skin) == side_of_moved_point(a, b, c, other)) return;
    const int turn = turn_of_edges(a, b, on_skin, other);
    is_crossed = turn == turn_of_edges(b, c, on_skin, other) && turn == turn_of_edges(c, a, on_skin, other);
  });
  return is_crossed;
}

}  // namespace brisance::exports
