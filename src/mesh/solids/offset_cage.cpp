#include "brisance/core/error.hpp"
#include "brisance/mesh/meshers/tetgen_child.hpp"
#include "brisance/mesh/surface/check.hpp"

#include "mesh/solids/cgal_mesh.hpp"
#include "mesh/solids/distance_grid.hpp"
#include "mesh/solids/operations.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Labeled_mesh_domain_3.h>
#include <CGAL/Mesh_complex_3_in_triangulation_3.h>
#include <CGAL/Mesh_criteria_3.h>
#include <CGAL/Mesh_triangulation_3.h>
#include <CGAL/Polygon_mesh_processing/connected_components.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Polygon_mesh_processing/orientation.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh_simplification/Policies/Edge_collapse/Count_stop_predicate.h>
#include <CGAL/Surface_mesh_simplification/edge_collapse.h>
#include <CGAL/facets_in_complex_3_to_triangle_mesh.h>
#include <CGAL/make_mesh_3.h>
#include <spdlog/fmt/fmt.h>

namespace brisance::mesh::solids {
namespace {

using Kernel = CgalKernel;
using Triangles = std::vector<Kernel::Triangle_3>;
using Tree =
    CGAL::AABB_tree<CGAL::AABB_traits<Kernel, CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>>>;
using Domain = CGAL::Labeled_mesh_domain_3<Kernel>;
using Triangulation = CGAL::Mesh_triangulation_3<Domain, CGAL::Default, CGAL::Sequential_tag>::type;
using Complex = CGAL::Mesh_complex_3_in_triangulation_3<Triangulation>;
using Criteria = CGAL::Mesh_criteria_3<Triangulation>;

namespace processing = CGAL::Polygon_mesh_processing;
namespace simplification = CGAL::Surface_mesh_simplification;

constexpr int kMostSearches = 10;
constexpr double kSharpEnough = 0.1;     // relative accuracy of d at which the search ends
constexpr double kLevelSetEdge = 0.5;    // over the edge length
constexpr double kLevelSetError = 0.04;  // distance of the level set from its triangles, over the edge length
constexpr double kGridSpacing = 0.25;    // over the edge length
constexpr double kLeastOffset = 0.125;   // over the edge length: half a grid spacing, the least that tells sides
constexpr double kMostOffset = 4;        // over the edge length
constexpr double kLevelSetAngleDeg = 25;
const double kAreaPerSquaredEdge = std::numbers::sqrt3 / 4;

Triangles triangles_of(const Surface& surface) {
  const auto point = [&](std::int32_t v) {
    const Vec3& x = surface.vertices[v];
    return Kernel::Point_3(x[0], x[1], x[2]);
  };
  Triangles triangles;
  for (const auto& [a, b, c] : surface.triangles) triangles.emplace_back(point(a), point(b), point(c));
  return triangles;
}

/// The surface to be caged, prepared for distance and intersection queries.
class Input {
public:
  explicit Input(const Surface& surface)
      : surface_(surface), triangles_(triangles_of(surface)), tree_(triangles_.cbegin(), triangles_.cend()) {
    tree_.accelerate_distance_queries();
  }

  [[nodiscard]] CGAL::Bbox_3 box() const { return tree_.bbox(); }
  [[nodiscard]] double diagonal() const { return std::hypot(box().x_span(), box().y_span(), box().z_span()); }
  /// The distance to it on a grid, up to a margin around it.
  [[nodiscard]] DistanceGrid distances(double spacing_m, double margin_m) const {
    const Vec3 lower(box().xmin(), box().ymin(), box().zmin()), upper(box().xmax(), box().ymax(), box().zmax());
    const Vec3 margin = Vec3::Constant(margin_m);
    return {lower - margin, upper + margin, spacing_m, [&](const Vec3& x) {
              return std::sqrt(tree_.squared_distance({x[0], x[1], x[2]}));
            }};
  }
  /// A ball that contains everything nearer than a margin.
  [[nodiscard]] Kernel::Sphere_3 ball(double margin_m) const {
    const double radius = diagonal() / 2 + 2 * margin_m;
    return {Kernel::Point_3((box().xmin() + box().xmax()) / 2, (box().ymin() + box().ymax()) / 2,
                            (box().zmin() + box().zmax()) / 2),
            radius * radius};
  }

  /// Does all of it lie strictly inside a closed outward surface? Exact predicates.
  [[nodiscard]] bool is_inside(const Surface& cage) const {
    const CgalMesh mesh = as_cgal(cage);
    const CGAL::Side_of_triangle_mesh<CgalMesh, Kernel> side(mesh);
    for (const auto& triangle : triangles_)
      if (side(triangle.vertex(0)) != CGAL::ON_BOUNDED_SIDE) return false;
    return std::ranges::none_of(triangles_of(cage), [&](const auto& triangle) { return tree_.do_intersect(triangle); });
  }

  /// For each triangle of a cage, the file's face nearest to its middle.
  [[nodiscard]] std::vector<std::int32_t> nearest_faces(const Surface& cage) const {
    std::vector<std::int32_t> faces;
    for (const Kernel::Triangle_3& triangle : triangles_of(cage)) {
      const auto middle = CGAL::centroid(triangle);
      const auto nearest = tree_.closest_point_and_primitive(middle).second - triangles_.cbegin();
      faces.push_back(surface_.source_face[static_cast<std::size_t>(nearest)]);
    }
    return faces;
  }

private:
  const Surface& surface_;
  Triangles triangles_;
  Tree tree_;
};

/// Removes components within others: the inner side of the level set.
void keep_outermost(CgalMesh& mesh) {
  std::vector<CgalMesh> parts;
  processing::split_connected_components(mesh, parts);
  mesh.clear();
  for (CgalMesh& part : parts) {
    const bool is_within = std::ranges::any_of(parts, [&](const CgalMesh& other) {
      return &other != &part && CGAL::Side_of_triangle_mesh<CgalMesh, Kernel>(other)(
                                    part.point(*part.vertices_begin())) == CGAL::ON_BOUNDED_SIDE;
    });
    if (is_within) continue;
    if (!processing::is_outward_oriented(part)) processing::reverse_face_orientations(part);
    mesh.join(part);
  }
}

/// Triangles of the outer level set at a distance from the input.
CgalMesh level_set(const Input& input, const DistanceGrid& distances, double offset_m, double edge_m) {
  const auto domain = Domain::create_implicit_mesh_domain(
      [&](const Kernel::Point_3& point) {
        return distances.at({point.x(), point.y(), point.z()}) - offset_m;
      },
      input.ball(offset_m));
  const Criteria criteria(CGAL::parameters::facet_angle = kLevelSetAngleDeg,
                          CGAL::parameters::facet_size = kLevelSetEdge * edge_m,
                          CGAL::parameters::facet_distance = kLevelSetError * edge_m);
  const Complex complex = CGAL::make_mesh_3<Complex>(domain, criteria, CGAL::parameters::no_perturb(),
                                                     CGAL::parameters::no_exude(), CGAL::parameters::manifold());
  CgalMesh mesh;
  CGAL::facets_in_complex_3_to_triangle_mesh(complex, mesh);
  keep_outermost(mesh);
  return mesh;
}

/// Decimates to the number of triangles of the edge length that cover the surface.
void decimate(CgalMesh& mesh, double edge_m) {
  const double num_faces = processing::area(mesh) / (kAreaPerSquaredEdge * edge_m * edge_m);
  const auto num_edges = static_cast<std::size_t>(std::max(1.5 * num_faces, 6.0));
  simplification::edge_collapse(mesh, simplification::Count_stop_predicate<CgalMesh>(num_edges));
  mesh.collect_garbage();
}

bool can_be_filled(const Surface& surface) {
  try {
    return !tetrahedralize(surface, {}).tets.empty();
  } catch (const core::Error&) {
    return false;
  }
}

/// One step of the search: the cage at an offset, or nothing where it failed.
std::optional<Surface> cage_at(const Input& input, const DistanceGrid& distances, double offset_m, double edge_m) {
  CgalMesh mesh = level_set(input, distances, offset_m, edge_m);
  if (mesh.number_of_faces() == 0) return std::nullopt;
  decimate(mesh, edge_m);
  Surface cage = as_surface(mesh);
  cage.source_face.assign(cage.triangles.size(), 0);
  if (!check_surface(cage).meshable()) {
    try {
      SolidifyReport ignored;
      cage = solids::solidify(cage, ignored);
    } catch (const core::Error&) {
      return std::nullopt;
    }
  }
  if (!input.is_inside(cage) || !can_be_filled(cage)) return std::nullopt;
  return cage;
}

}  // namespace

Surface offset_cage(const Surface& surface, double edge_m, OffsetCageReport& report) {
  report = {};
  const Input input(surface);
  const DistanceGrid distances = input.distances(kGridSpacing * edge_m, (kMostOffset + 1) * edge_m);
  std::optional<Surface> best;
  double too_small = kLeastOffset * edge_m, offset = 2 * too_small;
  while (report.num_searches < kMostSearches && offset <= kMostOffset * edge_m &&
         (!best || report.offset_m - too_small > kSharpEnough * report.offset_m)) {
    ++report.num_searches;
    if (std::optional<Surface> cage = cage_at(input, distances, offset, edge_m)) {
      best = std::move(cage);
      report.offset_m = offset;
    } else {
      too_small = offset;
    }
    offset = best ? (too_small + report.offset_m) / 2 : 2 * offset;
  }
  if (!best)
    throw core::Error(
        fmt::format("No cage with edges of {:.3g} m was found at distances up to {:.3g} m. Ask for more tets, or take "
                    "the wrap (cage_method = \"wrap\").",
                    edge_m, too_small));
  best->source_face = input.nearest_faces(*best);
  return *std::move(best);
}

}  // namespace brisance::mesh::solids
