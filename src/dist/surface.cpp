#include "brisance/dist/surface.hpp"

#include "brisance/dist/mesh.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace brisance::dist {

namespace {

constexpr unsigned kOnSurface = 1, kOnBoundary = 1U << 4;  ///< of the face opposite corner 0

/// Are these three different values an even permutation of their ascending order? Elements at a face are on opposite
/// sides of it where its corners, in the order of each, have opposite parity.
template <class T>
bool is_even(const T& a, const T& b, const T& c) {
  return (a < b) == ((b < c) == (a < c));
}

/// Its corners counter-clockwise seen from outside the element.
std::array<LocalNode, 3> face_of(const std::array<LocalNode, 4>& corners, int opposite) {
  const auto& order = mesh::kFaceCorners[opposite];
  return {corners[order[0]], corners[order[1]], corners[order[2]]};
}

/// Is there no element on the other side of this face? Copies of one element (Mesh::copy_element) lie on one side.
/// @param owned  a corner of the face that is owned here: its star is complete
bool is_open(const Mesh& mesh, LocalElement e, const std::array<LocalNode, 3>& face, LocalNode owned) {
  const bool parity = is_even(face[0], face[1], face[2]);
  for (const std::int32_t slot : mesh.star(owned)) {
    if (slot == e.value) continue;
    const auto corners = mesh.corners(LocalElement(slot));
    const auto is_in_face = [&](LocalNode n) { return n == face[0] || n == face[1] || n == face[2]; };
    const auto outside = std::find_if_not(corners.begin(), corners.end(), is_in_face);
    if (std::count_if(corners.begin(), corners.end(), is_in_face) != 3) continue;
    const auto same = face_of(corners, static_cast<int>(outside - corners.begin()));
    if (is_even(same[0], same[1], same[2]) != parity) return false;
  }
  return true;
}

std::uint8_t boundary_of(const Mesh& mesh, LocalElement e) {
  std::uint8_t bits = 0;
  if (!mesh.is_held(e)) return bits;
  const auto corners = mesh.corners(e);
  for (int k = 0; k < 4; ++k) {
    const std::array<LocalNode, 3> face = face_of(corners, k);
    const LocalNode lowest = *std::min_element(
        face.begin(), face.end(), [&](LocalNode a, LocalNode b) { return mesh.node_id[a] < mesh.node_id[b]; });
    const auto owned = mesh.is_owned(lowest)
                           ? std::ranges::find(face, lowest)
                           : std::find_if(face.begin(), face.end(), [&](LocalNode n) { return mesh.is_owned(n); });
    if (owned == face.end() || !is_open(mesh, e, face, *owned)) continue;
    bits |= static_cast<std::uint8_t>(kOnBoundary << k);
    if (mesh.is_owned(lowest)) bits |= static_cast<std::uint8_t>(kOnSurface << k);
  }
  return bits;
}

}  // namespace

// As boundary_of for every element, but in one pass over each star: a short sort pairs its faces.
void BoundarySurface::rebuild(const Mesh& mesh) {
  faces_.assign(static_cast<std::size_t>(mesh.num_element_slots()), 0);
  const auto is_lower = [&](LocalNode a, LocalNode b) { return mesh.node_id[a] < mesh.node_id[b]; };
  struct Side {
    std::pair<std::int32_t, std::int32_t> others;  // the face's other two corners: slots, ascending
    LocalElement element;
    std::uint8_t bits;
    bool is_even;  // which side of the face the element is on
  };
  std::vector<Side> sides;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    sides.clear();
    for (const std::int32_t slot : mesh.star(n)) {
      const LocalElement e(slot);
      const auto corners = mesh.corners(e);
      for (int k = 0; k < 4; ++k) {
        if (corners[k] == n) continue;
        std::array<LocalNode, 2> others;
        auto next = others.begin();
        for (int c = 0; c < 4; ++c)
          if (c != k && corners[c] != n) *next++ = corners[c];
        // A face is handled at the lowest of its owned corners.
        const auto is_before = [&](LocalNode other) { return mesh.is_owned(other) && is_lower(other, n); };
        if (is_before(others[0]) || is_before(others[1])) continue;
        const bool is_lowest = is_lower(n, others[0]) && is_lower(n, others[1]);
        const auto face = face_of(corners, k);
        sides.push_back({std::minmax(others[0].value, others[1].value), e,
                         static_cast<std::uint8_t>((kOnBoundary | (is_lowest ? kOnSurface : 0)) << k),
                         is_even(face[0], face[1], face[2])});
      }
    }
    std::ranges::sort(sides, {}, &Side::others);
    for (std::size_t first = 0, last = 0; first < sides.size(); first = last) {
      while (last < sides.size() && sides[last].others == sides[first].others) ++last;
      const auto group = std::span(sides).subspan(first, last - first);
      const bool is_open = std::ranges::all_of(group, [&](const Side& s) { return s.is_even == group[0].is_even; });
      for (const Side& side : group)
        if (is_open) faces_[side.element] |= side.bits;
    }
  }
}

void BoundarySurface::refresh(const Mesh& mesh, std::span<const LocalElement> touched) {
  faces_.resize(static_cast<std::size_t>(mesh.num_element_slots()), 0);
  for (LocalElement e : touched) faces_[e] = boundary_of(mesh, e);
}

std::vector<BoundaryFace> BoundarySurface::faces() const {
  std::vector<BoundaryFace> list;
  for (std::size_t i = 0; i < faces_.size(); ++i)
    for (int k = 0; k < 4; ++k)
      if (const LocalElement e(static_cast<std::int32_t>(i)); has(e, k)) list.push_back({e, k});
  return list;
}

}  // namespace brisance::dist
