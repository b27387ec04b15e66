#include "crack_front.hpp"

#include <algorithm>

namespace brisance::fracture {

namespace {

using elements::kTetEdges;

Vec3 place(const elements::Barycentric& weights, const std::array<Vec3, 4>& corners) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < 4; ++i) sum += weights[at(i)] * corners[at(i)];
  return sum;
}

/// The tet's corners at rest, from the vertex that the star is about.
std::array<Vec3, 4> arms_at_rest(const dist::Mesh& mesh, const StarTet& tet) {
  const LocalElement copy = tet.copy[at(tet.block_of(tet.at))];
  const Vec3& origin = mesh.rest[mesh.corner(copy, tet.at)];
  std::array<Vec3, 4> arms;
  for (int i = 0; i < 4; ++i) arms[at(i)] = mesh.rest[mesh.corner(copy, i)] - origin;
  return arms;
}

/// Does the tet separate the vertices of this edge of another one?
bool separates_edge(const StarTet& tet, const StarTet& other, int edge) {
  const int i = tet.place_of(other.vertex[at(kTetEdges[at(edge)][0])]),
            j = tet.place_of(other.vertex[at(kTetEdges[at(edge)][1])]);
  return tet.block_of(i) != tet.block_of(j);
}

struct FrontSums {
  Vec3 tangent = Vec3::Zero(), growth = Vec3::Zero(), middle = Vec3::Zero();
  double length = 0;

  /// Adds the lines in the face opposite a vertex of `behind` at which its crack ends.
  void add(const dist::Mesh& mesh, const StarTet& behind, const StarTet& ahead, int opposite) {
    const std::array<Vec3, 4> arms = arms_at_rest(mesh, behind);
    const elements::Partition& p = behind.partition;
    for (int e = 0; e < 6; ++e) {
      const auto [i, j] = kTetEdges[at(e)];
      if (i == opposite || j == opposite || !p.separates(e) || separates_edge(ahead, behind, e)) continue;
      const Vec3 area = crack_face_area(p, behind.block_of(behind.at), e, arms);
      const Vec3 from = place(elements::edge_point(p, e), arms), to = place(elements::face_point(p, opposite), arms);
      const Vec3 line = to - from, half = 0.5 * (from + to);
      const double part = line.norm();
      if (!(part > 0) || !(area.norm() > 0)) continue;
      Vec3 ahead_of = half - place(elements::centre(p), arms);
      ahead_of -= ahead_of.dot(line) / (part * part) * line;
      if (!(ahead_of.norm() > 0)) continue;
      ahead_of.normalize();
      tangent += line.dot(area.cross(ahead_of)) < 0 ? Vec3(-line) : line;
      growth += part * ahead_of;
      middle += part * half;
      length += part;
    }
  }
};

}  // namespace

bool is_front_face(std::span<const StarTet> star, const StarFace& face) {
  const StarTet &a = star[at(face.a)], &b = star[at(face.b)];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) {
      if (i == face.opposite_a || j == face.opposite_a) continue;
      const bool here = a.block_of(i) == a.block_of(j);
      const bool there = b.block_of(b.place_of(a.vertex[at(i)])) == b.block_of(b.place_of(a.vertex[at(j)]));
      if (here != there) return true;
    }
  return false;
}

bool is_at_front(const dist::Mesh& mesh, const VirtualNodes& nodes, GlobalNode vertex) {
  const std::vector<StarTet> star = tets_around(mesh, nodes, vertex);
  return std::ranges::any_of(faces_between(star), [&](const StarFace& face) { return is_front_face(star, face); });
}

Vec3 crack_face_area(const elements::Partition& p, int block, int edge, const std::array<Vec3, 4>& corners) {
  auto [here, across] = kTetEdges[at(edge)];
  if (p.block[at(here)] != block) std::swap(here, across);
  if (p.block[at(here)] != block || !p.separates(edge)) return Vec3::Zero();
  std::array<int, 2> opposite{};
  auto next = opposite.begin();
  for (int i = 0; i < 4; ++i)
    if (i != here && i != across) *next++ = i;
  const Vec3 area =
      (place(elements::face_point(p, opposite[0]), corners) - place(elements::face_point(p, opposite[1]), corners))
          .cross(place(elements::centre(p), corners) - place(elements::edge_point(p, edge), corners));
  return area.dot(corners[at(across)] - corners[at(here)]) < 0 ? Vec3(-area) : area;
}

std::optional<Front> crack_front(const dist::Mesh& mesh, std::span<const StarTet> star) {
  FrontSums sums;
  for (const StarFace& face : faces_between(star)) {
    if (!is_front_face(star, face)) continue;
    const StarTet &a = star[at(face.a)], &b = star[at(face.b)];
    sums.add(mesh, a, b, face.opposite_a);
    sums.add(mesh, b, a, face.opposite_b);
  }
  if (!(sums.length > 0)) return std::nullopt;
  return orthonormal_front(sums.tangent, sums.growth, sums.middle / sums.length);
}

}  // namespace brisance::fracture
