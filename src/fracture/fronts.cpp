/// Crack fronts: folded boundary edges of a node's star.
#include "brisance/fracture/fronts.hpp"

#include "brisance/fracture/fields.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include <Eigen/LU>

namespace brisance::fracture {

namespace {

constexpr double kFoldCosine = 0.70710678118654752;  ///< of 45°: largest angle between two faces of a front
constexpr double kRounding = 1e-6;

/// A face of the star that contains the node: its two other corners, and the opposite corner of the tet.
struct Face {
  LocalNode low, high;  ///< by id
  LocalNode off;
};

/// Boundary faces through the node, in ascending ids of their corners.
std::vector<Face> boundary_faces(const dist::Mesh& mesh, LocalNode n) {
  std::vector<Face> faces;
  for (const std::int32_t slot : mesh.star(n)) {
    const LocalElement e(slot);
    if (!mesh.surface().touches_boundary(e)) continue;
    const auto corners = mesh.corners(e);
    for (int k = 0; k < 4; ++k) {
      if (corners[k] == n || !mesh.surface().is_boundary(e, k)) continue;
      std::array<LocalNode, 2> others;
      auto other = others.begin();
      for (int i = 0; i < 4; ++i)
        if (i != k && corners[i] != n) *other++ = corners[i];
      if (mesh.node_id[others[1]] < mesh.node_id[others[0]]) std::swap(others[0], others[1]);
      faces.push_back({others[0], others[1], corners[k]});
    }
  }
  const auto ids = [&](const Face& f) { return std::tuple(mesh.node_id[f.low], mesh.node_id[f.high]); };
  std::sort(faces.begin(), faces.end(), [&](const Face& x, const Face& y) { return ids(x) < ids(y); });
  return faces;
}

/// A boundary face relative to one of its edges through the node.
struct Side {
  LocalNode end;    ///< end of the edge
  LocalNode third;  ///< third corner of the face
  LocalNode off;    ///< corner of its tet opposite the face
};

struct FrontEdge {
  LocalNode end;
  Vec3 arm;     ///< from the node along the edge [m]
  Vec3 growth;  ///< unit, perpendicular to it
};

/// Is an edge from `origin` in which two boundary faces meet a front edge?
std::optional<FrontEdge> front_edge(const dist::Mesh& mesh, const Vec3& origin, const Side& one, const Side& other) {
  const Vec3 edge = mesh.rest[one.end] - origin, along = edge.normalized();
  const auto into = [&](LocalNode third) -> Vec3 {  // perpendicular to the edge, in the face
    const Vec3 arm = mesh.rest[third] - origin;
    return arm - arm.dot(along) * along;
  };
  Vec3 into_one = into(one.third), into_other = into(other.third);
  // Most edges are far from folded: this test needs no unit vectors.
  constexpr double kFarFromFolded = 0.9 * kFoldCosine * kFoldCosine;
  const double product = into_one.dot(into_other);
  if (product <= 0 || product * product < kFarFromFolded * into_one.squaredNorm() * into_other.squaredNorm())
    return std::nullopt;
  into_one.normalize();
  into_other.normalize();
  if (!(into_one.dot(into_other) > kFoldCosine)) return std::nullopt;
  Vec3 outward = along.cross(into_one);  // of the first face, away from its tet
  if (outward.dot(mesh.rest[one.off] - origin) > 0) outward = -outward;
  if (outward.dot(into_other) < -kRounding) return std::nullopt;  // a wedge of material, not a void
  return FrontEdge{one.end, edge, -(into_one + into_other).normalized()};
}

std::vector<FrontEdge> front_edges(const dist::Mesh& mesh, LocalNode n) {
  const std::vector<Face> faces = boundary_faces(mesh, n);
  std::vector<Side> sides;
  sides.reserve(2 * faces.size());
  for (const Face& face : faces) {
    sides.push_back({face.low, face.high, face.off});
    sides.push_back({face.high, face.low, face.off});
  }
  std::stable_sort(sides.begin(), sides.end(),
                   [&](const Side& x, const Side& y) { return mesh.node_id[x.end] < mesh.node_id[y.end]; });
  std::vector<FrontEdge> edges;
  for (std::size_t i = 0, next; i < sides.size(); i = next) {
    for (next = i + 1; next < sides.size() && sides[next].end == sides[i].end;) ++next;
    if (next - i != 2) continue;  // more than two faces: pinched
    if (auto edge = front_edge(mesh, mesh.rest[n], sides[i], sides[i + 1])) edges.push_back(*edge);
  }
  return edges;
}

/// The two with the largest angle between them.
std::pair<const FrontEdge*, const FrontEdge*> most_opposite(const std::vector<FrontEdge>& edges) {
  std::pair<const FrontEdge*, const FrontEdge*> best{edges.data(), edges.data()};
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t j = i + 1; j < edges.size(); ++j)
      if (const double cosine = edges[i].arm.normalized().dot(edges[j].arm.normalized()); cosine < least) {
        least = cosine;
        best = {&edges[i], &edges[j]};
      }
  return best;
}

std::array<double, 3> numbers(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

std::optional<Front> orthonormal_front(Vec3 tangent, Vec3 growth, const Vec3& offset) {
  const double length = tangent.norm();
  if (!(length > 0)) return std::nullopt;
  tangent /= length;
  const double size = growth.norm();
  growth -= growth.dot(tangent) * tangent;
  if (!(growth.norm() > kRounding * size)) return std::nullopt;
  growth.normalize();
  Vec3::Index largest = 0;
  tangent.cwiseAbs().maxCoeff(&largest);
  if (tangent[largest] < 0) tangent = -tangent;
  return Front{tangent, growth, offset};
}

std::optional<Front> front_at(const dist::Mesh& mesh, LocalNode n) {
  const std::vector<FrontEdge> edges = front_edges(mesh, n);
  if (edges.empty()) return std::nullopt;
  if (edges.size() == 1) return orthonormal_front(edges[0].arm, edges[0].growth);
  const auto [one, other] = most_opposite(edges);
  const Vec3 chord = other->arm - one->arm;
  const Vec3 growth = one->arm.norm() * one->growth + other->arm.norm() * other->growth;
  if (auto front = orthonormal_front(chord, growth)) return front;
  return orthonormal_front(one->arm, one->growth);  // the front reverses its direction at the node
}

std::vector<LocalNode> front_neighbours(const dist::Mesh& mesh, LocalNode n) {
  std::vector<LocalNode> ends;
  for (const FrontEdge& edge : front_edges(mesh, n)) ends.push_back(edge.end);
  return ends;
}

void note_front(dist::Mesh& mesh, LocalNode n, const std::optional<Front>& front, double time_s) {
  auto& is_front = mesh.field(kFront);
  if (!front || is_front[n] == 0) mesh.field(kFrontBorn)[n] = front ? time_s : kFrontBorn.initial;
  is_front[n] = front ? 1 : 0;
  mesh.field(kFrontTangent)[n] = front ? numbers(front->tangent) : kFrontTangent.initial;
  mesh.field(kFrontGrowth)[n] = front ? numbers(front->growth) : kFrontGrowth.initial;
  if (auto* offset = mesh.find_field(kFrontOffset))
    (*offset)[n] = front ? numbers(front->offset) : kFrontOffset.initial;
}

void note_fronts(dist::Mesh& mesh, std::span<const LocalNode> nodes, double time_s) {
  for (const LocalNode n : nodes) note_front(mesh, n, front_at(mesh, n), time_s);
}

void note_fronts(dist::Mesh& mesh) {
  std::vector<LocalNode> owned;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) owned.emplace_back(i);
  note_fronts(mesh, owned, 0);
}

std::optional<Front> noted_front(const dist::Mesh& mesh, LocalNode n) {
  if (mesh.field(kFront)[n] == 0) return std::nullopt;
  Front front{Vec3(mesh.field(kFrontTangent)[n].data()), Vec3(mesh.field(kFrontGrowth)[n].data())};
  if (const auto* offset = mesh.find_field(kFrontOffset)) front.offset = Vec3((*offset)[n].data());
  return front;
}

std::optional<Front> present_front(const dist::Mesh& mesh, LocalNode n) {
  const std::optional<Front> at_rest = noted_front(mesh, n);
  if (!at_rest) return std::nullopt;
  Mat3 weighted = Mat3::Zero();
  double volume = 0;
  for (const std::int32_t slot : mesh.star(n)) {
    const auto c = mesh.corners(LocalElement(slot));
    Mat3 rest, present;
    for (int k = 0; k < 3; ++k) {
      rest.col(k) = mesh.rest[c[k + 1]] - mesh.rest[c[0]];
      present.col(k) = Vec3(mesh.motion[c[k + 1]].position) - Vec3(mesh.motion[c[0]].position);
    }
    weighted += mesh.volume(LocalElement(slot)) * present * rest.inverse();
    volume += mesh.volume(LocalElement(slot));
  }
  return orthonormal_front(weighted * at_rest->tangent, weighted * at_rest->growth,
                           weighted * at_rest->offset / volume);
}

}  // namespace brisance::fracture
