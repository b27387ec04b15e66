#include "mesh/solids/resolve_intersections.hpp"

#include "brisance/core/failed_meshing.hpp"
#include "brisance/core/words.hpp"

#include "mesh/surface/flat_triangles.hpp"
#include "mesh/surface/self_intersections.hpp"
#include "mesh/surface/weld.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include <CGAL/Constrained_Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <spdlog/fmt/fmt.h>

namespace brisance::mesh::solids {
namespace {

using Exact = CGAL::Exact_predicates_exact_constructions_kernel;
using Point = Exact::Point_3;
using Flat = Exact::Point_2;
using Triangulation = CGAL::Constrained_Delaunay_triangulation_2<Exact, CGAL::Default, CGAL::Exact_intersections_tag>;

constexpr int kMostRounds = 8;

Point exact(const Vec3& x) { return {x[0], x[1], x[2]}; }

/// Vertices identified by their exact positions; those of the input keep their numbers.
class Vertices {
public:
  explicit Vertices(Surface& surface) : surface_(surface) {}
  void add_known(std::int32_t v) { number_.emplace(exact(surface_.vertices[v]), v); }
  std::int32_t number(const Point& point) {
    const auto [entry, is_new] = number_.try_emplace(point, static_cast<std::int32_t>(surface_.vertices.size()));
    if (is_new) {
      // Rounds the exact value: a lazy one may round differently, depending on earlier evaluations.
      const auto rounded = [](const Exact::FT& value) { return CGAL::to_double(value.exact()); };
      surface_.vertices.emplace_back(rounded(point.x()), rounded(point.y()), rounded(point.z()));
    }
    return entry->second;
  }

private:
  Surface& surface_;
  std::map<Point, std::int32_t> number_;
};

/// One triangle and the segments and points along which it is cut, projected along its dominant axis.
class Sheet {
public:
  Sheet(const Point& a, const Point& b, const Point& c) : triangle_(a, b, c), corner_(a) {
    const auto normal = CGAL::cross_product(b - a, c - a);
    for (int i = 0; i < 3; ++i) normal_[i] = normal[i];
    for (int i = 1; i < 3; ++i)
      if (CGAL::abs(normal_[i]) > CGAL::abs(normal_[drop_])) drop_ = i;
    cut_between(a, b), cut_between(b, c), cut_between(c, a);
  }

  void cut_along(const Exact::Triangle_3& other) {
    const auto common = CGAL::intersection(triangle_, other);
    if (!common) return;
    if (const Point* point = boost::get<Point>(&*common)) {
      plane_.insert(flat(*point));
    } else if (const auto* segment = boost::get<Exact::Segment_3>(&*common)) {
      cut_between(segment->source(), segment->target());
    } else if (const auto* part = boost::get<Exact::Triangle_3>(&*common)) {
      for (int i = 0; i < 3; ++i) cut_between(part->vertex(i), part->vertex(i + 1));
    } else if (const auto* polygon = boost::get<std::vector<Point>>(&*common)) {
      for (std::size_t i = 0; i < polygon->size(); ++i)
        cut_between((*polygon)[i], (*polygon)[(i + 1) % polygon->size()]);
    }
  }

  /// Its parts, with the orientation of the triangle.
  [[nodiscard]] std::vector<std::array<Point, 3>> parts() const {
    std::vector<std::array<Point, 3>> parts;
    for (const auto face : plane_.finite_face_handles()) {
      auto& part = parts.emplace_back();
      for (int i = 0; i < 3; ++i) part[i] = lifted(face->vertex(i)->point());
      if (normal_[drop_] < 0) std::swap(part[1], part[2]);
    }
    return parts;
  }

private:
  void cut_between(const Point& p, const Point& q) { plane_.insert_constraint(flat(p), flat(q)); }

  [[nodiscard]] Flat flat(const Point& p) const { return {p[(drop_ + 1) % 3], p[(drop_ + 2) % 3]}; }
  [[nodiscard]] Point lifted(const Flat& p) const {
    const int i = (drop_ + 1) % 3, j = (drop_ + 2) % 3;
    std::array<Exact::FT, 3> x;
    x[i] = p.x();
    x[j] = p.y();
    x[drop_] =
        corner_[drop_] - (normal_[i] * (p.x() - corner_[i]) + normal_[j] * (p.y() - corner_[j])) / normal_[drop_];
    return {x[0], x[1], x[2]};
  }

  Exact::Triangle_3 triangle_;
  Point corner_;
  std::array<Exact::FT, 3> normal_;
  int drop_ = 0;
  Triangulation plane_;
};

using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// For each triangle, those along which it is cut.
std::map<std::int32_t, std::vector<std::int32_t>> partners(const Pairs& pairs) {
  std::map<std::int32_t, std::vector<std::int32_t>> result;
  for (const auto& [s, t] : pairs)
    if (s != t) result[s].push_back(t), result[t].push_back(s);
  return result;
}

Surface cut_once(Surface surface, const Pairs& pairs) {
  const auto partners_of = partners(pairs);
  Vertices vertices(surface);
  for (const auto& [t, others] : partners_of)
    for (const std::int32_t v : surface.triangles[t]) vertices.add_known(v);
  const auto corners = [&](std::int32_t t) {
    const auto& [a, b, c] = surface.triangles[t];
    return std::array{exact(surface.vertices[a]), exact(surface.vertices[b]), exact(surface.vertices[c])};
  };
  const auto whole = surface.triangles;
  Surface cut;
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(whole.size()); ++t) {
    const auto found = partners_of.find(t);
    if (found == partners_of.end()) {
      cut.triangles.push_back(whole[t]);
      cut.source_face.push_back(surface.source_face[t]);
      continue;
    }
    const auto [a, b, c] = corners(t);
    Sheet sheet(a, b, c);
    for (const std::int32_t other : found->second) {
      const auto [p, q, r] = corners(other);
      sheet.cut_along({p, q, r});
    }
    for (const auto& [p, q, r] : sheet.parts()) {
      cut.triangles.push_back({vertices.number(p), vertices.number(q), vertices.number(r)});
      cut.source_face.push_back(surface.source_face[t]);
    }
  }
  cut.vertices = std::move(surface.vertices);
  return cut;
}

/// Keeps the first triangle on each set of three vertices.
void remove_doubles(Surface& surface) {
  std::set<std::array<std::int32_t, 3>> seen;
  Surface kept;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    auto key = surface.triangles[t];
    std::ranges::sort(key);
    if (!seen.insert(key).second) continue;
    kept.triangles.push_back(surface.triangles[t]);
    kept.source_face.push_back(surface.source_face[t]);
  }
  surface.triangles = std::move(kept.triangles);
  surface.source_face = std::move(kept.source_face);
}

}  // namespace

Surface resolve_intersections(Surface surface) {
  for (int round = 0; round < kMostRounds; ++round) {
    const Pairs pairs = intersecting_pairs(surface);
    if (pairs.empty()) return surface;
    surface = cut_once(std::move(surface), pairs);
    weld_vertices(surface, 0);
    remove_flat_triangles(surface);
    remove_doubles(surface);
  }
  const SelfIntersections left = find_self_intersections(surface);
  throw core::FailedMeshing(
      fmt::format("{} after cutting them along each other {} times, the first near "
                  "({:.6g}, {:.6g}, {:.6g}). Mend the surface there in a mesh editor.",
                  core::counted(left.num_pairs, "pair of triangles still crosses", "pairs of triangles still cross"),
                  kMostRounds, left.place[0], left.place[1], left.place[2]));
}

}  // namespace brisance::mesh::solids
