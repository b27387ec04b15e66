#include "brisance/elements/partitioned_tet.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace brisance::elements {

namespace {

/// Cuts are multiples of this: 1 − t is exact, and an edge has finer places than any mesh resolves.
constexpr double kCutGrid = 0x1.0p30;

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Mean of the points on these edges (bits), of all six if there are none. Each weight is summed over edges in the
/// order of the vertices at their other ends' weights, so that any numbering of the vertices gives the same bits.
Barycentric mean_point(const Partition& p, std::uint8_t edges, std::uint8_t all) {
  if (edges == 0) edges = all;
  Barycentric mean{};
  int count = 0;
  for (int v = 0; v < 4; ++v) {
    std::array<double, 3> weights{};  // on the edges to the other vertices
    std::size_t n = 0;
    for (int w = 0; w < 4; ++w) {
      if (w == v) continue;
      const int e = kTetEdgeOf[at(v)][at(w)];
      weights[n++] = (edges >> e & 1) != 0 ? edge_point(p, e)[at(v)] : 0;
    }
    std::ranges::sort(weights);
    mean[at(v)] = weights[0] + weights[1] + weights[2];
  }
  for (int e = 0; e < 6; ++e) count += edges >> e & 1;
  for (double& w : mean) w /= count;
  return mean;
}

struct Points {
  std::array<Barycentric, 6> edge;
  std::array<Barycentric, 4> face;
  Barycentric centre;
};

Points points_of(const Partition& p) {
  Points points{};
  for (int e = 0; e < 6; ++e) points.edge[at(e)] = edge_point(p, e);
  for (int f = 0; f < 4; ++f) points.face[at(f)] = face_point(p, f);
  points.centre = centre(p);
  return points;
}

/// Calls visit(vertex, edge, face, is_even) for the 24 small tets (vertex, edge point, face point, centre) that make up
/// the tet. `is_even`: the vertices are in positive order.
template <class Visit>
void for_each_flag(const Visit& visit) {
  for (int v = 0; v < 4; ++v)
    for (int w = 0; w < 4; ++w)
      for (int f = 0; f < 4; ++f) {
        if (w == v || f == v || f == w) continue;
        const std::array<int, 4> order{v, w, 6 - v - w - f, f};
        int inversions = 0;
        for (std::size_t i = 0; i < 4; ++i)
          for (std::size_t j = i + 1; j < 4; ++j) inversions += order[i] > order[j] ? 1 : 0;
        visit(v, kTetEdgeOf[at(v)][at(w)], f, inversions % 2 == 0);
      }
}

/// Volume of the small tet (vertex v, a, b, c) over that of the tet.
double flag_volume(int v, const Barycentric& a, const Barycentric& b, const Barycentric& c) {
  std::array<std::size_t, 3> o{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < 4; ++i)
    if (i != at(v)) o[n++] = i;
  const auto minor = [&](std::size_t i, std::size_t j) { return b[o[i]] * c[o[j]] - b[o[j]] * c[o[i]]; };
  return std::abs(a[o[0]] * minor(1, 2) - a[o[1]] * minor(0, 2) + a[o[2]] * minor(0, 1));
}

SurfaceTriangle outward(const Barycentric& a, const Barycentric& b, const Barycentric& c, bool is_even) {
  return is_even ? SurfaceTriangle{a, b, c} : SurfaceTriangle{a, c, b};
}

Barycentric vertex(int v) {
  Barycentric b{};
  b[at(v)] = 1;
  return b;
}

}  // namespace

Barycentric edge_point(const Partition& partition, int edge) {
  Barycentric b{};
  b[at(kTetEdges[at(edge)][0])] = 1 - partition.cut_at[at(edge)];
  b[at(kTetEdges[at(edge)][1])] = partition.cut_at[at(edge)];
  return b;
}

Barycentric face_point(const Partition& partition, int opposite) {
  return mean_point(partition, partition.face_first[at(opposite)], kFaceEdges[at(opposite)]);
}

Barycentric centre(const Partition& partition) { return mean_point(partition, partition.first, 0b111111); }

double rounded_cut(double t) {
  const double in_range = std::isfinite(t) ? std::clamp(t, kLeastCut, kMostCut) : 0.5;
  return std::clamp(std::round(in_range * kCutGrid), std::ceil(kLeastCut * kCutGrid), std::floor(kMostCut * kCutGrid)) /
         kCutGrid;
}

std::uint8_t Partition::separated() const {
  std::uint8_t bits = 0;
  for (int e = 0; e < 6; ++e)
    if (separates(e)) bits |= static_cast<std::uint8_t>(1U << e);
  return bits;
}

std::array<BlockMaterial, 4> block_materials(const Partition& partition) {
  std::array<BlockMaterial, 4> materials{};
  if (partition.is_whole()) {
    materials[0] = {1, {0.25, 0.25, 0.25, 0.25}};
    return materials;
  }
  const Points points = points_of(partition);
  for_each_flag([&](int v, int e, int f, bool) {
    const Barycentric &on_edge = points.edge[at(e)], &on_face = points.face[at(f)];
    const double volume = flag_volume(v, on_edge, on_face, points.centre);
    BlockMaterial& material = materials[partition.block[at(v)]];
    material.share += volume;
    for (std::size_t i = 0; i < 4; ++i)
      material.centroid[i] += 0.25 * volume * (vertex(v)[i] + on_edge[i] + on_face[i] + points.centre[i]);
  });
  double sum = 0;
  for (const BlockMaterial& material : materials) sum += material.share;
  for (BlockMaterial& material : materials) {
    if (material.share > 0)
      for (double& w : material.centroid) w /= material.share;
    material.share /= sum;  // rounding alone
  }
  return materials;
}

void append_crack_faces(const Partition& partition, int block, std::vector<SurfaceTriangle>& triangles) {
  if (partition.is_whole()) return;
  const Points points = points_of(partition);
  for_each_flag([&](int v, int e, int f, bool is_even) {
    if (partition.block[at(v)] == block && partition.separates(e))
      triangles.push_back(outward(points.edge[at(e)], points.face[at(f)], points.centre, is_even));
  });
}

void append_face(const Partition& partition, int block, int opposite, std::vector<SurfaceTriangle>& triangles) {
  if (partition.is_whole()) {
    static constexpr std::array<std::array<int, 3>, 4> kCorners{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
    const auto& [a, b, c] = kCorners[at(opposite)];
    triangles.push_back({vertex(a), vertex(b), vertex(c)});
    return;
  }
  const Points points = points_of(partition);
  for_each_flag([&](int v, int e, int f, bool is_even) {
    if (f == opposite && partition.block[at(v)] == block)
      triangles.push_back(outward(vertex(v), points.face[at(f)], points.edge[at(e)], is_even));
  });
}

namespace {

/// Vertices of the face opposite each vertex, counter-clockwise seen from outside.
constexpr std::array<std::array<int, 3>, 4> kFaceVertices{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// Edges (bits) of a face that are separated and end in the block: two, or none.
std::uint8_t crossed_edges(const Partition& p, int block, int opposite) {
  std::uint8_t bits = 0;
  for (int e = 0; e < 6; ++e) {
    const auto& ends = kTetEdges[at(e)];
    const bool ends_here = p.block[at(ends[0])] == block || p.block[at(ends[1])] == block;
    if (ends_here && p.separates(e)) bits |= static_cast<std::uint8_t>(1U << e);
  }
  return bits & kFaceEdges[at(opposite)];
}

/// Is the face's point, seen from the block, a point of the straight line between two edge points?
bool is_straight(const Partition& p, int block, int opposite) {
  const std::uint8_t crossed = crossed_edges(p, block, opposite);
  return crossed != 0 && crossed == p.face_first[at(opposite)];
}

/// A block's part of a face: all of it, or the corner of one vertex, or the strip of two.
void append_part_of_face(const Partition& p, int block, int opposite, std::vector<NumberedTriangle>& triangles) {
  std::array<int, 3> v = kFaceVertices[at(opposite)];
  const auto is_in = [&](int i) { return p.block[at(i)] == block; };
  const auto count = std::ranges::count_if(v, is_in);
  int number = 3 * opposite;
  const auto add = [&](const Barycentric& a, const Barycentric& b, const Barycentric& c) {
    triangles.push_back({number++, {a, b, c}});
  };
  if (count == 0) return;
  if (count == 3) {
    add(vertex(v[0]), vertex(v[1]), vertex(v[2]));
    return;
  }
  // The corner's vertex first; of a strip, the vertex that is not the block's.
  while (is_in(v[0]) != (count == 1)) std::rotate(v.begin(), v.begin() + 1, v.end());
  const Barycentric after = edge_point(p, kTetEdgeOf[at(v[0])][at(v[1])]),
                    before = edge_point(p, kTetEdgeOf[at(v[0])][at(v[2])]);
  if (is_straight(p, block, opposite)) {
    if (count == 1) {
      add(vertex(v[0]), after, before);
    } else {
      add(vertex(v[1]), vertex(v[2]), before);
      add(after, vertex(v[1]), before);
    }
    return;
  }
  const Barycentric middle = face_point(p, opposite);
  if (count == 1) {
    add(vertex(v[0]), after, middle);
    add(vertex(v[0]), middle, before);
    return;
  }
  add(vertex(v[1]), vertex(v[2]), middle);
  add(vertex(v[2]), before, middle);
  add(after, vertex(v[1]), middle);
}

/// Number of a crack triangle by its edge and the vertex opposite its face.
int number_inside(int e, int f) {
  const auto& ends = kTetEdges[at(e)];
  const int other = 6 - ends[0] - ends[1] - f;  // the edge has two faces, opposite f and this vertex
  return kFirstInside + 2 * e + (f < other ? 0 : 1);
}

/// The vertex that a block's crack faces, in one plane, part from the three others; −1 if they are not in one plane.
int parted_vertex(const Partition& p, int block) {
  for (int v = 0; v < 4; ++v) {
    const std::uint8_t around = 0b111111 & ~kFaceEdges[at(v)];
    if (p.first != around || (p.separated() & around) != around) continue;
    bool is_plane = true;
    for (int f = 0; f < 4; ++f) {
      const std::uint8_t crossed = crossed_edges(p, block, f);
      is_plane = is_plane && (f == v ? crossed == 0 : is_straight(p, block, f) && (crossed & ~around) == 0);
    }
    if (is_plane) return v;
  }
  return -1;
}

/// The crack faces of a block whose crack parts the vertex v from the three others along a plane.
void append_plane(const Partition& p, int block, int v, std::vector<NumberedTriangle>& triangles) {
  const auto& [a, b, c] = kFaceVertices[at(v)];  // counter-clockwise seen from the side away from v
  const int first = kTetEdgeOf[at(v)][at(a)];
  const Barycentric at_a = edge_point(p, first), at_b = edge_point(p, kTetEdgeOf[at(v)][at(b)]),
                    at_c = edge_point(p, kTetEdgeOf[at(v)][at(c)]);
  triangles.push_back({number_inside(first, c), p.block[at(v)] == block ? SurfaceTriangle{at_a, at_b, at_c}
                                                                        : SurfaceTriangle{at_a, at_c, at_b}});
}

}  // namespace

void append_surface(const Partition& partition, int block, std::uint8_t outside,
                    std::vector<NumberedTriangle>& triangles) {
  for (int opposite = 0; opposite < 4; ++opposite)
    if ((outside >> opposite & 1) != 0) append_part_of_face(partition, block, opposite, triangles);
  if (partition.is_whole()) return;
  if (const int v = parted_vertex(partition, block); v >= 0) {
    append_plane(partition, block, v, triangles);
    return;
  }
  const Points points = points_of(partition);
  for_each_flag([&](int v, int e, int f, bool is_even) {
    if (partition.block[at(v)] != block || !partition.separates(e)) return;
    const Barycentric *from = &points.edge[at(e)], *to = &points.face[at(f)];
    if (is_straight(partition, block, f)) {
      const auto other = static_cast<std::uint8_t>(crossed_edges(partition, block, f) & ~(1U << e));
      const int e2 = std::countr_zero(other);
      if (e2 < e) return;  // the two triangles in a plane are one
      to = &points.edge[at(e2)];
    }
    triangles.push_back({number_inside(e, f), outward(*from, *to, points.centre, is_even)});
  });
  std::ranges::sort(triangles, {}, &NumberedTriangle::number);
}

Partition divided(const Partition& partition, int block, std::uint8_t second) {
  Partition next = partition;
  int first_of_second = -1, first_of_rest = -1;
  for (int v = 0; v < 4; ++v) {
    if (partition.block[at(v)] != block) continue;
    int& first = (second >> v & 1) != 0 ? first_of_second : first_of_rest;
    if (first < 0) first = v;
    next.block[at(v)] = static_cast<std::uint8_t>(first);
  }
  return next;
}

}  // namespace brisance::elements
