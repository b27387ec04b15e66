/// Divides the vertices of a frame's surface at cracks and creases.
#include "plain_fragments.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

/// Corners at each node, as 3 × triangle + corner.
struct CornersOfNodes {
  std::vector<std::int32_t> first, corner;

  explicit CornersOfNodes(const SurfaceFrame& frame)
      : first(frame.node_id.size() + 1, 0), corner(3 * frame.triangles.size()) {
    for (const auto& triangle : frame.triangles)
      for (const std::int32_t n : triangle) ++first[static_cast<std::size_t>(n) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::int32_t> next(first.begin(), first.end() - 1);
    for (std::size_t t = 0; t < frame.triangles.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k)
        corner[static_cast<std::size_t>(next[static_cast<std::size_t>(frame.triangles[t][k])]++)] =
            static_cast<std::int32_t>(3 * t + k);
  }
  [[nodiscard]] std::span<const std::int32_t> at(std::size_t node) const {
    return std::span(corner).subspan(static_cast<std::size_t>(first[node]),
                                     static_cast<std::size_t>(first[node + 1] - first[node]));
  }
};

std::vector<Vec3> triangle_normals(const SurfaceFrame& frame, const std::vector<Vec3>& positions) {
  std::vector<Vec3> normals;
  normals.reserve(frame.triangles.size());
  for (const auto& corner : frame.triangles) {
    const auto at = [&](int k) -> const Vec3& { return positions[static_cast<std::size_t>(corner[k])]; };
    normals.push_back((at(1) - at(0)).cross(at(2) - at(0)));  // length: twice the area
  }
  return normals;
}

/// Do two triangles at a node share another one, too?
bool share_edge(const std::array<std::int32_t, 3>& a, const std::array<std::int32_t, 3>& b, std::int32_t node) {
  return std::ranges::any_of(a, [&](std::int32_t n) { return n != node && std::ranges::find(b, n) != b.end(); });
}

/// Vertex of each corner: corners at a node belong together where their triangles meet at an edge that is no crease.
class VertexDivision {
public:
  VertexDivision(const SurfaceFrame& frame, const std::vector<Vec3>& rest_normals)
      : frame_(frame), normals_(rest_normals), vertex_of_corner(3 * frame.triangles.size(), -1) {
    const CornersOfNodes corners(frame);
    for (std::size_t n = 0; n < frame.node_id.size(); ++n) divide(static_cast<std::int32_t>(n), corners.at(n));
  }

private:
  const SurfaceFrame& frame_;
  const std::vector<Vec3>& normals_;

public:
  std::vector<std::int32_t> vertex_of_corner;
  std::vector<std::int32_t> node_of_vertex;

private:
  [[nodiscard]] bool is_smooth(std::size_t a, std::size_t b) const {
    static const double kCosine = std::cos(kCreaseDegrees * std::numbers::pi / 180);
    if (frame_.is_crack(a) != frame_.is_crack(b) || frame_.material[a] != frame_.material[b] ||
        frame_.piece[a] != frame_.piece[b])
      return false;
    return normals_[a].dot(normals_[b]) >= kCosine * normals_[a].norm() * normals_[b].norm();
  }

  void divide(std::int32_t node, std::span<const std::int32_t> corners) {
    std::vector<std::size_t> group(corners.size());
    std::iota(group.begin(), group.end(), std::size_t{0});
    const auto root = [&](std::size_t i) {
      while (group[i] != i) i = group[i] = group[group[i]];
      return i;
    };
    for (std::size_t i = 0; i < corners.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const auto a = static_cast<std::size_t>(corners[i] / 3), b = static_cast<std::size_t>(corners[j] / 3);
        if (root(i) != root(j) && share_edge(frame_.triangles[a], frame_.triangles[b], node) && is_smooth(a, b))
          group[root(i)] = root(j);
      }
    std::vector<std::int32_t> vertex(corners.size(), -1);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      std::int32_t& v = vertex[root(i)];
      if (v < 0) {
        v = static_cast<std::int32_t>(node_of_vertex.size());
        node_of_vertex.push_back(node);
      }
      vertex_of_corner[static_cast<std::size_t>(corners[i])] = v;
    }
  }
};

/// Normals of the vertices, each triangle's weighted by its area.
std::vector<Vec3> vertex_normals(const VertexDivision& division, const std::vector<Vec3>& triangle_normals) {
  std::vector<Vec3> normals(division.node_of_vertex.size(), Vec3::Zero());
  for (std::size_t c = 0; c < division.vertex_of_corner.size(); ++c)
    normals[static_cast<std::size_t>(division.vertex_of_corner[c])] += triangle_normals[c / 3];
  for (Vec3& n : normals) n = n.norm() > 0 ? Vec3(n.normalized()) : Vec3::UnitZ();
  return normals;
}

void add_vertex(Surface& s, const SurfaceFrame& frame, std::size_t node, const Vec3& normal) {
  s.points.push_back(frame.position[node]);
  s.rest.push_back(frame.rest[node]);
  s.normals.push_back(normal);
  if (!frame.velocity.empty()) s.velocities.push_back(frame.velocity[node]);
}

}  // namespace

std::vector<Particle> particles_of(const io::DustRows& dust) {
  std::vector<Particle> particles;
  for (std::size_t i = 0; i < dust.size(); ++i)
    particles.push_back({dust.id[i], dust.position[i], dust.radius[i], dust.velocity[i], dust.birth_s[i], true});
  std::ranges::sort(particles, {}, &Particle::id);
  return particles;
}

PlainFragments plain_fragments(const SurfaceFrame& frame) {
  PlainFragments result;
  FragmentFrame& f = result.frame;
  f = {frame.time_s, frame.frame, frame.material_names, {}, particles_of(frame.dust), frame.colliders};
  f.materials.emplace_back("crack");
  const auto crack = static_cast<std::int32_t>(frame.material_names.size());
  const VertexDivision division(frame, triangle_normals(frame, frame.rest));
  const std::vector<Vec3> normals = vertex_normals(division, triangle_normals(frame, frame.position));
  const std::vector<double> volumes = piece_volumes_m3(frame, frame.rest);
  std::vector<Fragment> of_piece(static_cast<std::size_t>(frame.num_pieces));
  std::vector<std::vector<std::int32_t>> nodes(of_piece.size());
  std::vector<std::int32_t> row(division.node_of_vertex.size(), -1);
  for (std::size_t t = 0; t < frame.triangles.size(); ++t) {
    const auto p = static_cast<std::size_t>(frame.piece[t]);
    Surface& s = of_piece[p].surface;
    std::array<std::int32_t, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto v = static_cast<std::size_t>(division.vertex_of_corner[3 * t + k]);
      if (row[v] < 0) {
        row[v] = static_cast<std::int32_t>(s.points.size());
        nodes[p].push_back(division.node_of_vertex[v]);
        add_vertex(s, frame, static_cast<std::size_t>(division.node_of_vertex[v]), normals[v]);
      }
      corners[k] = row[v];
    }
    s.triangles.push_back(corners);
    s.material.push_back(frame.is_crack(t) ? crack : frame.material[t]);
    s.kinds.push_back(frame.is_crack(t) ? FaceKind::crack : FaceKind::outside);
  }
  for (std::size_t p = 0; p < of_piece.size(); ++p) {
    Fragment& fragment = of_piece[p];
    if (fragment.surface.triangles.empty()) continue;
    fragment.id = fragment.piece = static_cast<std::int32_t>(p);
    fragment.name = fmt::format("piece_{:04}", p);
    fragment.volume_m3 = volumes[p];
    for (const Vec3& x : fragment.surface.points) fragment.centre += x;
    fragment.centre /= static_cast<double>(fragment.surface.points.size());
    f.fragments.push_back(std::move(fragment));
    result.nodes.push_back(std::move(nodes[p]));
  }
  return result;
}

}  // namespace brisance::exports
