#include "mesh/solids/graded_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <CGAL/boost/graph/Euler_operations.h>

namespace brisance::mesh::solids {
namespace {

// Relative to the wanted edge length.
constexpr double kLongest = 4.0 / 3, kShortest = 4.0 / 5;
constexpr double kLeastGap = 0.1;           // difference of two diagonals: below it the triangles' shape decides
constexpr double kLeastGain = 0.05;         // decrease of the distance from the shape for which an edge is flipped
constexpr double kLeastAltitude = 0.3;      // triangle altitude above which vertices move freely
constexpr double kLeastFlipAltitude = 0.2;  // altitude of the triangles after a flip towards the shape
constexpr double kMostMove = 0.5;           // displacement of a vertex in one pass
constexpr double kMostOff = 0.2;            // distance of a crease's middle from its polyline
constexpr double kNeedle = 0.25;            // triangles of smaller altitude are removed
constexpr double kLongestMended = 1.8;      // longest edge after the removal of needles

constexpr double kMostSag = 0.2;  // of a crease's middle over its length, so that both halves are shorter than it
constexpr double kMostTurnCosine = 0.2;  // turn of a triangle's normal when a corner moves
constexpr double kFoldCosine = -0.98;    // between two triangles' normals
constexpr double kLeastBetter = 1.02;    // ratio of shapes for which an edge is flipped
constexpr double kLeastMending = 1.2;    // ratio of altitudes for which a needle is removed
constexpr int kMostSweeps = 8;
constexpr int kMostHalvings = 40;
constexpr double kFewChanges = 0.002;  // share of the edges below which sweeps end

Vec3 twice_area(const Vec3& a, const Vec3& b, const Vec3& c) { return (b - a).cross(c - a); }

double altitude_m(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double longest = std::sqrt(std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()}));
  return longest > 0 ? twice_area(a, b, c).norm() / longest : 0;
}

/// 1 for an equilateral triangle, 0 for one without area.
double evenness(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double squares = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
  return squares > 0 ? 2 * std::sqrt(3.0) * twice_area(a, b, c).norm() / squares : 0;
}

/// Is the angle between two normals, of any length, within the bound?
bool agree(const Vec3& a, const Vec3& b) { return a.dot(b) > kMostTurnCosine * a.norm() * b.norm(); }

}  // namespace

GradedMesh::GradedMesh(const Surface& surface, const CreaseNet& creases, const TargetShape& shape,
                       const Polylines& polylines, const SizeField& sizes, bool keep_triangles)
    : mesh_(as_cgal(surface)),
      shape_(shape),
      polylines_(polylines),
      sizes_(sizes),
      is_crease_(mesh_.add_property_map<Edge, bool>("e:crease", false).first),
      is_corner_(mesh_.add_property_map<Vertex, bool>("v:corner", false).first),
      is_own_(mesh_.add_property_map<Face, bool>("f:own", false).first),
      size_(mesh_.add_property_map<Vertex, double>("v:size", sizes.edge_m()).first) {
  for (std::size_t e = 0; e < creases.edges.size(); ++e) {
    if (!creases.is_kept[e]) continue;
    const auto [a, b] = creases.edges[e];
    is_crease_[mesh_.edge(mesh_.halfedge(Vertex(a), Vertex(b)))] = true;
  }
  for (const auto v : creases.corners) is_corner_[Vertex(v)] = true;
  if (keep_triangles)
    for (const Face f : mesh_.faces()) is_own_[f] = true;
  ask_sizes_again();
}

bool GradedMesh::fits_wanted(Face f) const {
  double shortest = std::numeric_limits<double>::infinity(), longest = 0, product = 1;
  const double size = size_m(f);
  for (const auto h : mesh_.halfedges_around_face(mesh_.halfedge(f))) {
    const double length = length_m(mesh_.edge(h)) / size;
    shortest = std::min(shortest, length), longest = std::max(longest, length), product *= length;
  }
  // The smallest angle is opposite the shortest edge: sin = 2 area / (product of the other two).
  const double sine = twice_area_at(f).norm() / (size * size) * shortest / product;
  return shortest >= kShortestKept && longest <= kLongestKept &&
         sine >= std::sin(kLeastKeptAngleDeg * std::numbers::pi / 180);
}

/// Keeps a triangle only where all around it fit too: a single one would constrain the remeshing around it.
void GradedMesh::keep_what_fits() {
  std::vector<Face> misfits, go;
  for (const Face f : mesh_.faces())
    if (is_own_[f] && !fits_wanted(f)) misfits.push_back(f);
  for (const Face f : misfits)
    for (const auto v : mesh_.vertices_around_face(mesh_.halfedge(f)))
      for (const auto around : mesh_.faces_around_target(mesh_.halfedge(v)))
        if (is_own_[around]) go.push_back(around);
  for (const Face f : go) is_own_[f] = false;
}

bool GradedMesh::is_kept(Vertex v) const {
  for (const auto f : mesh_.faces_around_target(mesh_.halfedge(v)))
    if (is_own_[f]) return true;
  return false;
}

bool GradedMesh::is_kept(Edge e) const {
  return is_own_[mesh_.face(mesh_.halfedge(e, 0))] || is_own_[mesh_.face(mesh_.halfedge(e, 1))];
}

double GradedMesh::kept_area_m2() const {
  double area = 0;
  for (const Face f : mesh_.faces())
    if (is_own_[f]) area += twice_area_at(f).norm() / 2;
  return area;
}

double GradedMesh::old_altitude_m(const Quad& quad) {
  const auto& [a, b, c, d] = quad;
  return std::min(altitude_m(a, b, c), altitude_m(b, a, d));
}

double GradedMesh::new_altitude_m(const Quad& quad) {
  const auto& [a, b, c, d] = quad;
  return std::min(altitude_m(a, d, c), altitude_m(d, b, c));
}

Vec3 GradedMesh::twice_area_at(Face f) const {
  const Halfedge h = mesh_.halfedge(f);
  return twice_area(at(mesh_.source(h)), at(mesh_.target(h)), at(mesh_.target(mesh_.next(h))));
}

/// The normal, not normalised.
Vec3 GradedMesh::normal_at(Vertex v) const {
  Vec3 sum = Vec3::Zero();
  for (const auto h : mesh_.halfedges_around_target(mesh_.halfedge(v))) sum += twice_area_at(mesh_.face(h));
  return sum;
}

double GradedMesh::altitude_of_m(Face f) const {
  const Halfedge h = mesh_.halfedge(f);
  return altitude_m(at(mesh_.source(h)), at(mesh_.target(h)), at(mesh_.target(mesh_.next(h))));
}

double GradedMesh::size_m(Face f) const {
  const Halfedge h = mesh_.halfedge(f);
  return std::min(size_m(mesh_.edge(h)), size_[mesh_.target(mesh_.next(h))]);
}

double GradedMesh::size_m(Edge e) const { return std::min(size_[mesh_.vertex(e, 0)], size_[mesh_.vertex(e, 1)]); }

int GradedMesh::num_creases_at(Vertex v) const {
  int count = 0;
  for (const auto h : mesh_.halfedges_around_target(mesh_.halfedge(v))) count += is_crease_[mesh_.edge(h)];
  return count;
}

bool GradedMesh::is_fixed(Vertex v) const {
  const int count = num_creases_at(v);
  return is_corner_[v] || (count != 0 && count != 2) || is_kept(v);
}

void GradedMesh::put(Vertex v, const Vec3& x) {
  mesh_.point(v) = as_point(x);
  size_[v] = sizes_.at(x);
}

void GradedMesh::ask_sizes_again() {
  for (const auto v : mesh_.vertices()) size_[v] = sizes_.at(at(v));
  keep_what_fits();
}

void GradedMesh::release_creases() {
  for (const Edge e : mesh_.edges()) {
    const Vec3 middle = (at(mesh_.vertex(e, 0)) + at(mesh_.vertex(e, 1))) / 2;
    if (is_crease_[e] && polylines_.distance_m(middle) > kMostOff * size_m(e)) is_crease_[e] = false;
  }
  for (const Vertex v : mesh_.vertices()) is_corner_[v] = is_corner_[v] && num_creases_at(v) > 0;
}

Segments GradedMesh::creases() const {
  Segments segments;
  for (const auto e : mesh_.edges())
    if (is_crease_[e]) segments.push_back({at(mesh_.vertex(e, 0)), at(mesh_.vertex(e, 1))});
  return segments;
}

void GradedMesh::split(Edge e) {
  const Vec3 middle = (at(mesh_.vertex(e, 0)) + at(mesh_.vertex(e, 1))) / 2;
  Vec3 place = is_crease_[e] ? polylines_.closest(middle) : middle;
  if ((place - middle).norm() > kMostSag * length_m(e))
    place = middle;  // on another polyline, or another part of this one
  const Halfedge first = CGAL::Euler::split_edge(mesh_.halfedge(e), mesh_);  // ends in the new vertex
  is_crease_[mesh_.edge(first)] = is_crease_[e];
  put(mesh_.target(first), place);
  const Halfedge back = mesh_.opposite(first);
  CGAL::Euler::split_face(first, mesh_.next(mesh_.next(first)), mesh_);
  CGAL::Euler::split_face(mesh_.prev(back), mesh_.next(back), mesh_);
}

void GradedMesh::split_long_edges(double longest) {
  for (int sweep = 0; sweep < kMostHalvings; ++sweep) {
    std::vector<std::pair<double, Edge>> longest_first;
    for (const Edge e : mesh_.edges())
      if (length_m(e) > longest * size_m(e) && !is_kept(e)) longest_first.emplace_back(-length_m(e), e);
    if (longest_first.empty()) return;
    std::sort(longest_first.begin(), longest_first.end());
    for (const auto& [length, e] : longest_first) split(e);
  }
}

/// Position of the vertex that two are merged into; none where that would move a crease or part of it.
std::optional<Vec3> GradedMesh::joined_place(Edge e) const {
  const Vertex a = mesh_.vertex(e, 0), b = mesh_.vertex(e, 1);
  const bool a_is_fixed = is_fixed(a), b_is_fixed = is_fixed(b);
  const bool a_is_held = a_is_fixed || num_creases_at(a) > 0, b_is_held = b_is_fixed || num_creases_at(b) > 0;
  if (is_crease_[e] ? a_is_fixed && b_is_fixed : a_is_held && b_is_held) return std::nullopt;
  if (is_crease_[e] ? a_is_fixed : a_is_held) return at(a);
  if (is_crease_[e] ? b_is_fixed : b_is_held) return at(b);
  if (is_crease_[e]) return polylines_.closest((at(a) + at(b)) / 2);
  return at(a);  // on the shape, unlike the middle; settled later
}

/// May the triangles of one vertex that are not the other's have it at another place?
bool GradedMesh::may_join(Vertex moved, Vertex other, const Vec3& place, const JoinLimits& limits) const {
  for (const auto h : mesh_.halfedges_around_target(mesh_.halfedge(moved))) {
    const Vertex q = mesh_.target(mesh_.next(h)), r = mesh_.source(h);
    if (r != other && (at(r) - place).norm() > limits.longest * std::min(size_[r], size_[moved])) return false;
    if (q == other || r == other) continue;
    const Vec3 before = twice_area(at(moved), at(q), at(r)), after = twice_area(place, at(q), at(r));
    if (!(after.norm() > 0) || !agree(before, after)) return false;
    if (altitude_m(place, at(q), at(r)) < limits.least_altitude_m) return false;
  }
  return true;
}

bool GradedMesh::collapse(Edge e, const JoinLimits& limits) {
  if (is_kept(e)) return false;
  const Halfedge h = mesh_.halfedge(e);
  const Vertex a = mesh_.source(h), b = mesh_.target(h);
  std::array<std::pair<Vertex, bool>, 2> sides;  // apexes, and whether a crease leads there
  for (int side = 0; side < 2; ++side) {
    const Halfedge along = side == 0 ? h : mesh_.opposite(h);
    const bool before = is_crease_[mesh_.edge(mesh_.prev(along))], after = is_crease_[mesh_.edge(mesh_.next(along))];
    if (before && after) return false;
    sides[side] = {mesh_.target(mesh_.next(along)), before || after};
  }
  const auto place = joined_place(e);
  if (!place || !CGAL::Euler::does_satisfy_link_condition(e, mesh_)) return false;
  if (!may_join(a, b, *place, limits) || !may_join(b, a, *place, limits)) return false;
  const bool is_corner = is_corner_[a] || is_corner_[b];
  const Vertex joined = CGAL::Euler::collapse_edge(e, mesh_);
  is_corner_[joined] = is_corner;
  for (const auto& [apex, is_crease] : sides) is_crease_[mesh_.edge(mesh_.halfedge(joined, apex))] = is_crease;
  put(joined, *place);
  return true;
}

void GradedMesh::collapse_short_edges() {
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    std::vector<std::pair<double, Edge>> shortest_first;
    for (const Edge e : mesh_.edges())
      if (length_m(e) < kShortest * size_m(e)) shortest_first.emplace_back(length_m(e), e);
    std::sort(shortest_first.begin(), shortest_first.end());
    std::size_t num_collapsed = 0;
    for (const auto& [length, e] : shortest_first)
      if (!mesh_.is_removed(e) && length_m(e) < kShortest * size_m(e)) num_collapsed += collapse(e, {kLongest});
    if (static_cast<double>(num_collapsed) <= kFewChanges * static_cast<double>(mesh_.number_of_edges())) return;
  }
}

std::optional<GradedMesh::Quad> GradedMesh::flippable(Edge e) const {
  if (is_crease_[e] || is_kept(e)) return std::nullopt;
  const Halfedge h = mesh_.halfedge(e);
  const Vertex vc = mesh_.target(mesh_.next(h)), vd = mesh_.target(mesh_.next(mesh_.opposite(h)));
  const Quad quad{at(mesh_.source(h)), at(mesh_.target(h)), at(vc), at(vd)};
  const auto& [a, b, c, d] = quad;
  const Vec3 before = twice_area(a, b, c) + twice_area(b, a, d);
  const bool folds = !agree(before, twice_area(a, d, c)) || !agree(before, twice_area(d, b, c));
  if (folds || mesh_.halfedge(vc, vd).is_valid()) return std::nullopt;
  return quad;
}

bool GradedMesh::flip_if_better(Edge e) {
  const auto quad = flippable(e);
  if (!quad) return false;
  const auto& [a, b, c, d] = *quad;
  bool is_better =
      std::min(evenness(a, d, c), evenness(d, b, c)) > kLeastBetter * std::min(evenness(a, b, c), evenness(b, a, d));
  const Vec3 across = (b - a).cross(d - c);
  const double gap = across.norm() > 0 ? std::abs((c - a).dot(across.normalized())) : 0, size = size_m(e);
  if (gap > kLeastGap * size && std::min(old_altitude_m(*quad), new_altitude_m(*quad)) > kLeastFlipAltitude * size) {
    const double gain = shape_.distance_m((a + b) / 2) - shape_.distance_m((c + d) / 2);
    if (std::abs(gain) > kLeastGain * size) is_better = gain > 0;
  }
  if (is_better) CGAL::Euler::flip_edge(mesh_.halfedge(e), mesh_);
  return is_better;
}

bool GradedMesh::flip_if_higher(Edge e) {
  const auto quad = flippable(e);
  if (!quad || new_altitude_m(*quad) <= kLeastMending * old_altitude_m(*quad)) return false;
  CGAL::Euler::flip_edge(mesh_.halfedge(e), mesh_);
  return true;
}

void GradedMesh::flip_edges() {
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    std::size_t num_flipped = 0;
    for (const Edge e : mesh_.edges()) num_flipped += flip_if_better(e);
    if (static_cast<double>(num_flipped) <= kFewChanges * static_cast<double>(mesh_.number_of_edges())) return;
  }
}

/// False where the move would fold a triangle, or lower its altitude below the bound.
bool GradedMesh::may_move(Vertex v, const Vec3& to) const {
  const Vec3 from = at(v);
  for (const auto h : mesh_.halfedges_around_target(mesh_.halfedge(v))) {
    const Vec3 q = at(mesh_.target(mesh_.next(h))), r = at(mesh_.source(h));
    if (!agree(twice_area(from, q, r), twice_area(to, q, r))) return false;
    const double altitude = altitude_m(to, q, r);
    if (altitude < kLeastAltitude * size_[v] && altitude < altitude_m(from, q, r)) return false;
  }
  return true;
}

Vec3 GradedMesh::middle_around(Vertex v) const {
  Vec3 sum = Vec3::Zero();
  double weights = 0;
  for (const auto h : mesh_.halfedges_around_target(mesh_.halfedge(v))) {
    const Vertex vq = mesh_.target(mesh_.next(h)), vr = mesh_.source(h);
    const Vec3 p = at(v), q = at(vq), r = at(vr);
    const double size = (size_[v] + size_[vq] + size_[vr]) / 3;
    const double weight = twice_area(p, q, r).norm() / (size * size);
    sum += weight * (p + q + r) / 3, weights += weight;
  }
  return weights > 0 ? Vec3(sum / weights) : at(v);
}

std::optional<Vec3> GradedMesh::settled_on_shape(Vertex v, const ShapeQuadrics& quadrics) const {
  const Vec3 from = at(v), normal = normal_at(v);
  const auto to = shape_.closest(quadrics.best_near(v, middle_around(v)), normal);
  const double step = to ? (*to - from).norm() : 0, most = kMostMove * size_[v];
  return step > most ? shape_.closest(from + (*to - from) * (most / step), normal) : to;
}

Vec3 GradedMesh::settled_on_crease(Vertex v) const {
  Vec3 sum = Vec3::Zero();
  for (const auto h : mesh_.halfedges_around_target(mesh_.halfedge(v)))
    if (is_crease_[mesh_.edge(h)]) sum += at(mesh_.source(h));
  return polylines_.closest(sum / 2);
}

bool GradedMesh::mend(Face f) {
  std::array<std::pair<double, Edge>, 3> shortest_first;
  int i = 0;
  for (const auto h : mesh_.halfedges_around_face(mesh_.halfedge(f)))
    shortest_first[i++] = {length_m(mesh_.edge(h)), mesh_.edge(h)};
  std::sort(shortest_first.begin(), shortest_first.end());
  const double altitude = altitude_of_m(f);
  if (flip_if_higher(shortest_first[2].second)) return true;
  return std::any_of(shortest_first.begin(), shortest_first.end(), [&](const auto& side) {
    return collapse(side.second, {kLongestMended, kLeastMending * altitude});
  });
}

void GradedMesh::mend_needles() {
  std::vector<Face> needles;
  for (const Face f : mesh_.faces())
    if (altitude_of_m(f) < kNeedle * size_m(f)) needles.push_back(f);
  for (const Face f : needles)
    if (!mesh_.is_removed(f) && altitude_of_m(f) < kNeedle * size_m(f)) mend(f);
}

void GradedMesh::mend_folds() {
  std::vector<Edge> folds;
  for (const Edge e : mesh_.edges()) {
    const Vec3 one = twice_area_at(mesh_.face(mesh_.halfedge(e, 0))),
               other = twice_area_at(mesh_.face(mesh_.halfedge(e, 1)));
    if (one.dot(other) < kFoldCosine * one.norm() * other.norm()) folds.push_back(e);
  }
  for (const Edge e : folds) {
    if (mesh_.is_removed(e)) continue;
    const Halfedge h = mesh_.halfedge(e), back = mesh_.opposite(h);
    const JoinLimits limits{kLongestMended, kLeastFlipAltitude * size_m(e)};
    for (const Halfedge side : {h, mesh_.next(h), mesh_.prev(h), mesh_.next(back), mesh_.prev(back)})
      if (collapse(mesh_.edge(side), limits)) break;
  }
}

void GradedMesh::settle(const std::vector<Patch>& patches, bool only_fine) {
  mesh_.collect_garbage();
  const ShapeQuadrics quadrics(mesh_, patches);
  for (const Vertex v : mesh_.vertices()) {
    if (is_fixed(v) || (only_fine && size_[v] >= sizes_.edge_m())) continue;
    const std::optional<Vec3> to = num_creases_at(v) > 0 ? settled_on_crease(v) : settled_on_shape(v, quadrics);
    if (to && may_move(v, *to)) put(v, *to);
  }
}

}  // namespace brisance::mesh::solids
