// Parts of a mesh's bounds that it does not reach, as under a table or in a bowl: nodes there need no search.
#include "brisance/contact/shapes/rigid_mesh.hpp"

namespace brisance::contact {
namespace {

constexpr int kCells = 64;  ///< along each axis of the bounds; a power of two

int cell_index(const std::array<int, 3>& cell) { return (cell[2] * kCells + cell[1]) * kCells + cell[0]; }

}  // namespace

void RigidMesh::find_outside() {
  outside_.assign(static_cast<std::size_t>(kCells) * kCells * kCells, false);
  cells_per_metre_ = kCells * (bounds_.high - bounds_.low).cwiseInverse();
  mark_outside({0, 0, 0}, kCells);
}

/// A block of cells whose middle is farther from the body than from its own corners is outside as a whole.
void RigidMesh::mark_outside(const std::array<int, 3>& first, int count) {
  constexpr double kMargin = 1e-6;  // a point at the border of a cell may be assigned to its neighbour
  const Vec3 cell = cells_per_metre_.cwiseInverse();
  const Vec3 half = 0.5 * count * cell;
  const Vec3 middle = bounds_.low + Vec3(first[0], first[1], first[2]).cwiseProduct(cell) + half;
  const double radius = (1 + kMargin) * half.norm();
  Vec3 normal;
  const double distance = signed_distance(middle, normal);
  if (distance > radius) {
    for (int z = first[2]; z < first[2] + count; ++z)
      for (int y = first[1]; y < first[1] + count; ++y)
        for (int x = first[0]; x < first[0] + count; ++x) outside_[cell_index({x, y, z})] = true;
    return;
  }
  if (distance < -radius || count == 1) return;
  for (int child = 0; child < 8; ++child) {
    std::array<int, 3> start = first;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (child >> axis & 1) start[axis] += count / 2;
    mark_outside(start, count / 2);
  }
}

bool RigidMesh::may_hold(const Vec3& point) const {
  if ((point.array() < bounds_.low.array()).any() || (point.array() > bounds_.high.array()).any()) return false;
  const Vec3 place = (point - bounds_.low).cwiseProduct(cells_per_metre_);
  std::array<int, 3> cell;
  for (int axis = 0; axis < 3; ++axis)
    cell[static_cast<std::size_t>(axis)] = std::min(static_cast<int>(place[axis]), kCells - 1);
  return !outside_[cell_index(cell)];
}

}  // namespace brisance::contact
