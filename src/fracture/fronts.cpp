/// Where a crack ends: folded boundary edges of a node's star.
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

constexpr double kFoldCosine = 0.70710678118654752;  ///< of 45°: what two faces of a front may enclose
constexpr double kRounding = 1e-6;

/// A face of the star that holds the node, by its two other corners, and the tet's corner off it.
struct Face {
  LocalNode low, high;  ///< by id
  LocalNode off;
};

/// Faces through the node that one tet alone has: they come in pairs otherwise. In ascending ids of their corners.
std::vector<Face> boundary_faces(const dist::Mesh& mesh, LocalNode n) {
  struct Candidate {
    std::uint64_t key;  // slots do to find pairs, and compare faster than ids
    LocalNode off;
  };
  std::vector<Candidate> faces;
  const auto star = mesh.star(n);
  faces.reserve(3 * star.size());
  for (const std::int32_t slot : star) {
    std::array<LocalNode, 3> others;
    auto other = others.begin();
    for (const LocalNode c : mesh.corners(LocalElement(slot)))
      if (c != n) *other++ = c;
    for (int off = 0; off < 3; ++off) {
      const auto [low, high] = std::minmax(others[(off + 1) % 3].value, others[(off + 2) % 3].value);
      faces.push_back({static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high), others[off]});
    }
  }
  std::sort(faces.begin(), faces.end(), [](const Candidate& x, const Candidate& y) { return x.key < y.key; });
  std::vector<Face> alone;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (i + 1 < faces.size() && faces[i].key == faces[i + 1].key) {
      ++i;
      continue;
    }
    LocalNode low(static_cast<std::int32_t>(faces[i].key >> 32)), high(static_cast<std::int32_t>(faces[i].key));
    if (mesh.node_id[high] < mesh.node_id[low]) std::swap(low, high);
    alone.push_back({low, high, faces[i].off});
  }
  const auto ids = [&](const Face& f) { return std::tuple(mesh.node_id[f.low], mesh.node_id[f.high]); };
  std::sort(alone.begin(), alone.end(), [&](const Face& x, const Face& y) { return ids(x) < ids(y); });
  return alone;
}

/// A boundary face as one of its edges through the node sees it.
struct Side {
  LocalNode end;  ///< of the edge
  Vec3 into;      ///< unit, perpendicular to the edge, in the face
  Vec3 outward;   ///< unit normal of the face, away from its tet
};

struct FrontEdge {
  LocalNode end;
  Vec3 arm;     ///< from the node along the edge [m]
  Vec3 growth;  ///< unit, perpendicular to it
};

std::vector<FrontEdge> front_edges(const dist::Mesh& mesh, LocalNode n) {
  const std::vector<Face> faces = boundary_faces(mesh, n);
  if (faces.empty()) return {};
  std::vector<Side> sides;
  sides.reserve(2 * faces.size());
  const Vec3& origin = mesh.rest[n];
  for (const Face& face : faces)
    for (const auto& [end, third] : {std::pair(face.low, face.high), std::pair(face.high, face.low)}) {
      const Vec3 along = (mesh.rest[end] - origin).normalized(), arm = mesh.rest[third] - origin;
      const Vec3 into = (arm - arm.dot(along) * along).normalized();
      Vec3 outward = along.cross(into);
      if (outward.dot(mesh.rest[face.off] - origin) > 0) outward = -outward;
      sides.push_back({end, into, outward});
    }
  std::stable_sort(sides.begin(), sides.end(),
                   [&](const Side& x, const Side& y) { return mesh.node_id[x.end] < mesh.node_id[y.end]; });
  std::vector<FrontEdge> edges;
  for (std::size_t i = 0, next; i < sides.size(); i = next) {
    for (next = i + 1; next < sides.size() && sides[next].end == sides[i].end;) ++next;
    if (next - i != 2) continue;  // pinched
    const Side &one = sides[i], &other = sides[i + 1];
    const bool is_folded = one.into.dot(other.into) > kFoldCosine;
    const bool is_wedge = one.outward.dot(other.into) < -kRounding;  // of matter, not of void
    if (is_folded && !is_wedge)
      edges.push_back({one.end, mesh.rest[one.end] - origin, -(one.into + other.into).normalized()});
  }
  return edges;
}

/// The two that point apart the most.
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

/// Unit vectors perpendicular to each other, the tangent's sign fixed; none if they have no direction.
std::optional<Front> orthonormal(Vec3 tangent, Vec3 growth) {
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
  return Front{tangent, growth};
}

std::array<double, 3> numbers(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

std::optional<Front> front_at(const dist::Mesh& mesh, LocalNode n) {
  const std::vector<FrontEdge> edges = front_edges(mesh, n);
  if (edges.empty()) return std::nullopt;
  if (edges.size() == 1) return orthonormal(edges[0].arm, edges[0].growth);
  const auto [one, other] = most_opposite(edges);
  const Vec3 chord = other->arm - one->arm;
  const Vec3 growth = one->arm.norm() * one->growth + other->arm.norm() * other->growth;
  if (auto front = orthonormal(chord, growth)) return front;
  return orthonormal(one->arm, one->growth);  // the front turns back upon itself
}

std::vector<LocalNode> front_neighbours(const dist::Mesh& mesh, LocalNode n) {
  std::vector<LocalNode> ends;
  for (const FrontEdge& edge : front_edges(mesh, n)) ends.push_back(edge.end);
  return ends;
}

void note_fronts(dist::Mesh& mesh, std::span<const LocalNode> nodes, double time_s) {
  auto& is_front = mesh.field(kFront);
  auto &tangent = mesh.field(kFrontTangent), &growth = mesh.field(kFrontGrowth);
  auto& born = mesh.field(kFrontBorn);
  for (LocalNode n : nodes) {
    const std::optional<Front> front = front_at(mesh, n);
    if (!front || is_front[n] == 0) born[n] = front ? time_s : kFrontBorn.initial;
    is_front[n] = front ? 1 : 0;
    tangent[n] = front ? numbers(front->tangent) : kFrontTangent.initial;
    growth[n] = front ? numbers(front->growth) : kFrontGrowth.initial;
  }
}

void note_fronts(dist::Mesh& mesh) {
  std::vector<LocalNode> owned;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) owned.emplace_back(i);
  note_fronts(mesh, owned, 0);
}

std::optional<Front> noted_front(const dist::Mesh& mesh, LocalNode n) {
  if (mesh.field(kFront)[n] == 0) return std::nullopt;
  return Front{Vec3(mesh.field(kFrontTangent)[n].data()), Vec3(mesh.field(kFrontGrowth)[n].data())};
}

std::optional<Front> present_front(const dist::Mesh& mesh, LocalNode n) {
  const std::optional<Front> at_rest = noted_front(mesh, n);
  if (!at_rest) return std::nullopt;
  Mat3 weighted = Mat3::Zero();
  for (const std::int32_t slot : mesh.star(n)) {
    const auto c = mesh.corners(LocalElement(slot));
    Mat3 rest, present;
    for (int k = 0; k < 3; ++k) {
      rest.col(k) = mesh.rest[c[k + 1]] - mesh.rest[c[0]];
      present.col(k) = Vec3(mesh.motion[c[k + 1]].position) - Vec3(mesh.motion[c[0]].position);
    }
    weighted += mesh.volume(LocalElement(slot)) * present * rest.inverse();
  }
  return orthonormal(weighted * at_rest->tangent, weighted * at_rest->growth);
}

}  // namespace brisance::fracture
