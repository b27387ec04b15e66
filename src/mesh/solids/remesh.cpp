#include "brisance/mesh/plane/plane_mesh.hpp"

#include "mesh/solids/cgal_mesh.hpp"
#include "mesh/solids/graded_mesh.hpp"
#include "mesh/solids/operations.hpp"
#include "mesh/solids/shape_distance.hpp"
#include "mesh/solids/thin_remesh.hpp"
#include "mesh/surface/creases.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <CGAL/Polygon_mesh_processing/repair_self_intersections.h>

namespace brisance::mesh::solids {
namespace {

namespace processing = CGAL::Polygon_mesh_processing;

constexpr int kRoughPasses = 2, kPasses = 3, kDetailPasses = 2;  // rough passes ignore sharp features
constexpr double kLongestAtFirst = 0.6;                          // longest edge at first, over the wanted one
constexpr int kMostRounds = 3;  // each round drops the creases that made needles in the last one
// Altitude of a triangle over the wanted edge: shallow creases are given up earlier than sharp ones.
constexpr double kNeedle = 0.1, kShallowNeedle = 0.16;
constexpr double kShallowDeg = 60;
constexpr double kPatchSize = 0.75;  // size of the patches that sample the shape, over the wanted edge
constexpr double kMostMiss = 0.16;   // distance from the shape that asks for finer edges, over the wanted edge
constexpr double kFarMiss = 0.35;    // distance that asks for the finest edges at once
constexpr double kShorter = 0.5, kFinest = 0.3;  // finer edges over those before, and over the wanted edge
constexpr int kDetailLevels = 2;
constexpr double kMostFine = 0.25;      // largest share of the surface with finer edges
constexpr double kSampleSpacing = 0.2;  // spacing of the samples of distances, over the wanted edge
constexpr double kMostKept = 0.9;       // share of the creases' length that a suggested edge length keeps

/// Middles of triangles whose altitude is below a bound.
std::vector<Vec3> needles(const Surface& surface, double altitude_m) {
  std::vector<Vec3> middles;
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 &p = surface.vertices[a], &q = surface.vertices[b], &r = surface.vertices[c];
    const double longest = std::max({(q - p).norm(), (r - q).norm(), (p - r).norm()});
    if ((q - p).cross(r - p).norm() < altitude_m * longest) middles.emplace_back((p + q + r) / 3);
  }
  return middles;
}

double kept_length_m(const CreaseNet& net) {
  double length = 0;
  for (std::size_t e = 0; e < net.edges.size(); ++e) length += net.is_kept[e] ? net.length_m[e] : 0;
  return length;
}

struct Remeshed {
  Surface surface;
  Segments polylines;
  double kept_area_m2 = 0;
};

Segments segments_of(const CreaseNet& net, const Surface& surface, bool all) {
  Segments segments;
  for (std::size_t e = 0; e < net.edges.size(); ++e)
    if (all || net.is_kept[e])
      segments.push_back({surface.vertices[net.edges[e][0]], surface.vertices[net.edges[e][1]]});
  return segments;
}

/// Middles of triangles that intersect others.
std::vector<Vec3> crossing_middles(const CgalMesh& mesh) {
  std::vector<std::pair<CgalMesh::Face_index, CgalMesh::Face_index>> pairs;
  processing::self_intersections(mesh, std::back_inserter(pairs));
  std::vector<Vec3> middles;
  for (const auto& [one, other] : pairs) {
    Vec3 middle = Vec3::Zero();
    for (const auto v : mesh.vertices_around_face(mesh.halfedge(one))) middle += as_vec3(mesh.point(v)) / 3;
    middles.push_back(middle);
  }
  return middles;
}

/// Share of a surface's area with wanted edges shorter than elsewhere.
double fine_share(const Surface& made, const SizeField& sizes) {
  double fine = 0, all = 0;
  for (const auto& [a, b, c] : made.triangles) {
    const Vec3 &p = made.vertices[a], &q = made.vertices[b], &r = made.vertices[c];
    const double area = (q - p).cross(r - p).norm();
    all += area;
    if (sizes.at((p + q + r) / 3) < sizes.edge_m()) fine += area;
  }
  return fine / all;
}

/// Remeshes a shape in passes.
class Remesher {
public:
  /// Keeps references to all; creases that make needles are dropped from the net.
  /// @param keep_creases  true: no crease is dropped
  Remesher(const Surface& surface, const TargetShape& shape, CreaseNet& net, const RemeshOptions& options,
           bool keep_creases = false)
      : surface_(surface),
        shape_(shape),
        net_(net),
        keep_triangles_(options.keep_triangles),
        keep_creases_(keep_creases),
        patches_(shape.patches(kPatchSize * options.edge_length_m)),
        polylines_(segments_of(net, surface, false)),
        sizes_(options.edge_length_m) {}

  Remeshed remeshed() {
    begin();
    for (int i = 0; i < kRoughPasses; ++i) pass({}, false);
    pass(patches_, false);
    refine();
    begin();  // from the input again: detail lost in too large triangles cannot be recovered
    // Finer than wanted at first: repeated halving would give the same length for a range of wanted ones.
    graded_->split_long_edges(kLongestAtFirst);
    for (int i = 0; i < kRoughPasses; ++i) pass({}, false);
    for (int i = 0; i < kPasses; ++i) pass(patches_, false);
    for (int round = 1; round < kMostRounds && !keep_creases_ && drop_bad_creases(); ++round) pass(patches_, false);
    for (int level = 0; level < kDetailLevels && refine(); ++level) {
      const auto patches = fine_patches();
      for (int i = 0; i < kDetailPasses; ++i) pass(patches, true);
    }
    // In noisy scans creases fix vertices that settling would separate: the few intersections are cut out and refilled.
    CgalMesh& mesh = graded_->mesh();
    processing::experimental::remove_self_intersections(mesh, processing::parameters::preserve_genus(true));
    graded_->mend_folds();
    mesh.collect_garbage();
    return {as_surface(mesh), graded_->creases(), graded_->kept_area_m2()};
  }

  /// Only halves triangles of the input, so that the shape is the same to rounding.
  Remeshed divided() {
    keep_triangles_ = false;
    begin();
    graded_->split_long_edges();
    return {as_surface(graded_->mesh()), graded_->creases(), area_m2(surface_)};
  }

private:
  void begin() { graded_.emplace(surface_, net_, shape_, polylines_, sizes_, keep_triangles_); }

  void pass(const std::vector<Patch>& patches, bool only_fine) {
    graded_->split_long_edges();
    graded_->collapse_short_edges();
    graded_->flip_edges();
    graded_->settle(patches, only_fine);
    graded_->flip_edges();
    graded_->mend_needles();
    graded_->mesh().collect_garbage();
  }

  /// Drops the creases that make needles or intersections.
  /// @return whether there are any
  bool drop_bad_creases() {
    const double before = kept_length_m(net_), edge = sizes_.edge_m();
    const Surface made = as_surface(graded_->mesh());
    const auto worst = needles(made, kNeedle * edge), bad = needles(made, kShallowNeedle * edge);
    if (!bad.empty()) drop_creases_near(net_, surface_, edge, bad, kShallowDeg);
    if (!worst.empty()) drop_creases_near(net_, surface_, edge, worst, kNoFeatures);
    if (const auto crossings = crossing_middles(graded_->mesh()); !crossings.empty())
      drop_creases_near(net_, surface_, edge, crossings, kNoFeatures);
    if (kept_length_m(net_) == before) return false;
    polylines_.replace(segments_of(net_, surface_, false));
    graded_->release_creases();
    return true;
  }

  [[nodiscard]] std::vector<Patch> fine_patches() const {
    std::vector<Patch> fine;
    for (const Patch& patch : patches_)
      if (sizes_.at(patch.middle) < sizes_.edge_m()) fine.push_back(patch);
    return fine;
  }

  /// Places where the mesh misses the shape, sharp edges above all, and the distances.
  [[nodiscard]] std::vector<std::pair<double, Vec3>> missed(const Surface& made) const {
    const double edge = sizes_.edge_m();
    std::vector<Vec3> points = samples(segments_of(net_, surface_, true), kSampleSpacing * edge);
    points.insert(points.end(), surface_.vertices.begin(), surface_.vertices.end());
    const TargetShape now(made);
    std::vector<std::pair<double, Vec3>> found;
    for (const Vec3& x : points)
      if (const double miss = now.distance_m(x); miss > kMostMiss * edge) found.emplace_back(miss, x);
    return found;
  }

  /// Asks for shorter edges where the shape is missed; where that is in too many places, only in the worst.
  /// @return whether there are any
  bool refine() {
    const Surface made = as_surface(graded_->mesh());
    const auto all = missed(made);
    for (const double factor : {1.0, 1.5, 2.0, 3.0, 5.0}) {
      SizeField finer = sizes_;
      for (const auto& [miss, x] : all)
        if (miss > factor * kMostMiss * sizes_.edge_m())
          finer.refine(x, std::max(kFinest * sizes_.edge_m(),
                                   (miss > kFarMiss * sizes_.edge_m() ? kFinest : kShorter) * sizes_.at(x)));
      if (fine_share(made, finer) > kMostFine) continue;
      sizes_ = std::move(finer);
      graded_->ask_sizes_again();
      return !all.empty();
    }
    return false;
  }

  const Surface& surface_;
  const TargetShape& shape_;
  CreaseNet& net_;
  bool keep_triangles_, keep_creases_;
  std::vector<Patch> patches_;
  Polylines polylines_;
  SizeField sizes_;
  std::optional<GradedMesh> graded_;
};

RemeshReport report_on(const CreaseNet& net, const Surface& surface, const Remeshed& made, double edge_length) {
  const double spacing = kSampleSpacing * edge_length;
  const Segments kept = segments_of(net, surface, false);
  RemeshReport report;
  report.kept_share = made.kept_area_m2 / area_m2(surface);
  report.crease_distance_m = std::max(largest_distance_m(samples(kept, spacing), made.polylines),
                                      largest_distance_m(samples(made.polylines, spacing), kept));
  const Segments sharp = segments_of(net, surface, true);
  report.sharp_distance_m = largest_distance_m(samples(sharp, spacing), made.surface);
  report.missed_share = share_farther(sharp, made.surface, kMissed * edge_length, spacing);
  for (const double length : net.length_m) report.crease_m += length;
  report.kept_crease_m = kept_length_m(net);
  report.keeping_edge_m = edge_that_keeps_m(net, kMostKept);
  return report;
}

/// source[t]: the input triangle nearest to the middle of new triangle t, as numbered in the input.
std::vector<std::int32_t> nearest_source(const Surface& made, const TargetShape& shape, const Surface& named) {
  std::vector<std::int32_t> source;
  for (const auto& [a, b, c] : made.triangles) {
    const std::int32_t face = shape.closest_triangle((made.vertices[a] + made.vertices[b] + made.vertices[c]) / 3);
    source.push_back(named.source_face.empty() ? face : named.source_face[face]);
  }
  return source;
}

/// Makes a surface over a net of creases, names the faces it comes from, and reports.
/// @param make  of a TargetShape and the net
template <class Make>
Surface made_over(CreaseNet net, const Surface& surface, const RemeshOptions& options, RemeshReport& report,
                  const Make& make) {
  const TargetShape shape(surface);
  Remeshed made = make(shape, net);
  made.surface.source_face = nearest_source(made.surface, shape, surface);
  report = report_on(net, surface, made, options.edge_length_m);
  return std::move(made.surface);
}

}  // namespace

Surface remesh(const Surface& surface, const RemeshOptions& options, RemeshReport& report) {
  CreaseNet net = find_creases(surface, options.edge_length_m, options.feature_angle_deg);
  if (options.round_all) drop_all(net, options.edge_length_m);
  return made_over(std::move(net), surface, options, report, [&](const TargetShape& shape, CreaseNet& creases) {
    return Remesher(surface, shape, creases, options).remeshed();
  });
}

Surface remesh_with_all_creases(const Surface& surface, const RemeshOptions& options, RemeshReport& report) {
  CreaseNet net = find_all_creases(surface, options.edge_length_m, options.feature_angle_deg);
  return made_over(std::move(net), surface, options, report, [&](const TargetShape& shape, CreaseNet& creases) {
    return Remesher(surface, shape, creases, options, true).remeshed();
  });
}

Surface divide_triangles(const Surface& surface, const RemeshOptions& options, RemeshReport& report) {
  CreaseNet net = find_all_creases(surface, options.edge_length_m, options.feature_angle_deg);
  return made_over(std::move(net), surface, options, report, [&](const TargetShape& shape, CreaseNet& creases) {
    return Remesher(surface, shape, creases, options).divided();
  });
}

}  // namespace brisance::mesh::solids
