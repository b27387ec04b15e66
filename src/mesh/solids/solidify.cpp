#include "brisance/core/error.hpp"
#include "brisance/core/failed_meshing.hpp"
#include "brisance/mesh/meshers/tetgen_child.hpp"
#include "brisance/mesh/tets/tet_neighbours.hpp"

#include "mesh/solids/operations.hpp"
#include "mesh/solids/resolve_intersections.hpp"
#include "mesh/surface/flat_triangles.hpp"
#include "mesh/surface/weld.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <CGAL/boost/graph/alpha_expansion_graphcut.h>
#include <spdlog/fmt/fmt.h>

namespace brisance::mesh::solids {
namespace {

/// Adds a box around everything, oriented outward: TetGen needs a closed surface to fill.
void add_box(Surface& surface) {
  Vec3 lower = surface.vertices[0], upper = lower;
  for (const Vec3& x : surface.vertices) lower = lower.cwiseMin(x), upper = upper.cwiseMax(x);
  const Vec3 centre = (lower + upper) / 2, half = Vec3::Constant(0.75 * (upper - lower).maxCoeff());
  const auto first = static_cast<std::int32_t>(surface.vertices.size());
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
    surface.vertices.emplace_back(centre + half.cwiseProduct(corner));
  }
  constexpr std::array<std::array<int, 4>, 6> sides{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (const auto& [a, b, c, d] : sides) {
    surface.triangles.push_back({first + a, first + b, first + c});
    surface.triangles.push_back({first + a, first + c, first + d});
    surface.source_face.insert(surface.source_face.end(), 2, kNoSourceTriangle);
  }
}

TetMesh fill_space(const Surface& sheets) {
  TetgenOptions options;
  options.keep_cavities = false;
  return tetrahedralize(sheets, options);
}

/// Area of patches that a triangle on the outside may cost, over its own area. At 2 a hole as large as the surface
/// around it is closed; above, cavities around closed surfaces inside others would begin to pay.
constexpr double kWorth = 2;

/// Grid spacings to which vertices are rounded, over the diagonal; the first is none.
constexpr std::array kGrids{0.0, 1e-6, 1e-5, 1e-4};

/// Assignment of tets to inside and outside: the minimum cut, changed until its boundary is manifold.
class Inside {
public:
  Inside(const TetMesh& mesh, const Surface& sheets)
      : mesh_(mesh), neighbours_(tet_neighbours(mesh)), star_(mesh.nodes.size()), cost_(mesh.tets.size(), {0, 0}) {
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(mesh.tets.size()); ++t) {
      for (int corner = 0; corner < 4; ++corner) add_cost(t, corner, sheets);
      for (const std::int32_t v : mesh.tets[t]) star_[v].push_back(t);
    }
    cut();
  }

  /// At a vertex where tets inside (or outside) are connected only through it or an edge, the group that costs least
  /// changes side. After many sweeps, tets only change to the outside, which terminates.
  void make_manifold() {
    constexpr int kFreeSweeps = 20;
    for (int sweep = 0;; ++sweep) {
      bool changed = false;
      for (const auto& star : star_) changed |= mend(star, sweep >= kFreeSweeps);
      if (!changed) return;
    }
  }

  /// Triangles between inside and outside, with the triangle of `sheets` under each.
  [[nodiscard]] Surface boundary() const {
    Surface made;
    made.vertices = mesh_.nodes;
    for (std::size_t t = 0; t < mesh_.tets.size(); ++t)
      for (int corner = 0; corner < 4; ++corner) {
        const std::int32_t across = neighbours_[t][corner];
        if (is_in_[t] == 0 || across == kNoTet || is_in_[across] != 0) continue;
        auto& triangle = made.triangles.emplace_back();
        for (int k = 0; k < 3; ++k) triangle[k] = mesh_.tets[t][kFaceCorners[corner][k]];
        made.source_face.push_back(mesh_.face_source[t][corner]);
      }
    return made;
  }

private:
  [[nodiscard]] std::array<std::int32_t, 3> face(std::size_t t, int corner) const {
    std::array<std::int32_t, 3> nodes{};
    for (int k = 0; k < 3; ++k) nodes[k] = mesh_.tets[t][kFaceCorners[corner][k]];
    return nodes;
  }

  [[nodiscard]] double face_area(std::size_t t, int corner) const {
    const auto [a, b, c] = face(t, corner);
    return (mesh_.nodes[b] - mesh_.nodes[a]).cross(mesh_.nodes[c] - mesh_.nodes[a]).norm() / 2;
  }

  [[nodiscard]] bool is_on_input(std::size_t t, int corner, const Surface& sheets) const {
    const std::int32_t source = mesh_.face_source[t][corner];
    return source != kNoSourceTriangle && sheets.source_face[source] != kNoSourceTriangle;
  }

  /// Cost of the face opposite a corner: its tet should be inside behind a triangle of the input, outside in front of
  /// it.
  void add_cost(std::int32_t t, int corner, const Surface& sheets) {
    if (neighbours_[t][corner] == kNoTet) {
      cost_[t][1] = std::numeric_limits<double>::max() / 4;
      return;
    }
    if (!is_on_input(t, corner, sheets)) {
      if (t < neighbours_[t][corner]) {
        faces_.emplace_back(t, neighbours_[t][corner]);
        face_cost_.push_back(face_area(t, corner));
      }
      return;
    }
    const auto [a, b, c] = sheets.triangles[mesh_.face_source[t][corner]];
    const auto [p, q, r] = face(t, corner);
    const auto& x = mesh_.nodes;
    const bool is_behind = (x[b] - x[a]).cross(x[c] - x[a]).dot((x[q] - x[p]).cross(x[r] - x[p])) > 0;
    cost_[t][is_behind ? 0 : 1] += kWorth * face_area(t, corner) / 2;
  }

  void cut() {
    std::vector<std::size_t> side(mesh_.tets.size(), 0);
    std::vector<std::vector<double>> cost(2);
    for (const auto& [out, in] : cost_) cost[0].push_back(out), cost[1].push_back(in);
    CGAL::alpha_expansion_graphcut(faces_, face_cost_, cost, side);
    is_in_.assign(side.begin(), side.end());
  }

  /// @return whether a group changed side
  bool mend(const std::vector<std::int32_t>& star, bool only_outward) {
    const std::vector<std::vector<std::int32_t>> groups = groups_of(star);
    std::array<std::vector<std::pair<double, std::size_t>>, 2> by_cost;  // groups outside, groups inside
    for (std::size_t g = 0; g < groups.size(); ++g) by_cost[is_in_[groups[g][0]]].emplace_back(cost(groups[g]), g);
    if (by_cost[0].size() < 2 && by_cost[1].size() < 2) return false;
    const auto& candidates = only_outward || by_cost[0].size() < 2 ? by_cost[1] : by_cost[0];
    for (const std::int32_t t : groups[std::ranges::min(candidates).second]) is_in_[t] ^= 1;
    return true;
  }

  /// Groups of a star's tets on one side that are connected through faces at the vertex.
  [[nodiscard]] std::vector<std::vector<std::int32_t>> groups_of(const std::vector<std::int32_t>& star) const {
    std::vector<std::vector<std::int32_t>> groups;
    std::vector<std::int32_t> left = star;
    while (!left.empty()) {
      auto& group = groups.emplace_back(1, left.back());
      left.pop_back();
      for (std::size_t i = 0; i < group.size(); ++i)
        for (const std::int32_t across : neighbours_[group[i]]) {
          const auto found = std::ranges::find(left, across);
          if (found == left.end() || is_in_[across] != is_in_[group[i]]) continue;
          group.push_back(across);
          left.erase(found);
        }
    }
    return groups;
  }

  /// Increase of the cut's cost if a group changes side.
  [[nodiscard]] double cost(const std::vector<std::int32_t>& group) const {
    double sum = 0;
    for (const std::int32_t t : group) sum += cost_[t][1 - is_in_[t]] - cost_[t][is_in_[t]];
    return sum;
  }

  const TetMesh& mesh_;
  std::vector<std::array<std::int32_t, 4>> neighbours_;
  std::vector<std::vector<std::int32_t>> star_;             ///< tets at each node
  std::vector<std::array<double, 2>> cost_;                 ///< cost of each tet if outside, if inside [m²]
  std::vector<std::pair<std::size_t, std::size_t>> faces_;  ///< tets at each face that is not part of the input
  std::vector<double> face_cost_;                           ///< cost of each such face as a patch [m²]
  std::vector<char> is_in_;
};

double area(const Surface& surface, std::size_t t) {
  const auto& [a, b, c] = surface.triangles[t];
  return (surface.vertices[b] - surface.vertices[a]).cross(surface.vertices[c] - surface.vertices[a]).norm() / 2;
}

/// Replaces indices of the sheets' triangles by the input's faces, and sums areas.
void name_sources(Surface& made, const Surface& sheets, SolidifyReport& report) {
  for (std::size_t t = 0; t < made.triangles.size(); ++t) {
    std::int32_t& source = made.source_face[t];
    if (source != kNoSourceTriangle) source = sheets.source_face[source];
    (source == kNoSourceTriangle ? report.patch_area_m2 : report.kept_area_m2) += area(made, t);
  }
}

/// The triangles cut along each other, in a box, and tets that fill the space around them.
struct FilledSpace {
  Surface sheets;
  TetMesh tets;
};

FilledSpace filled_space(const Surface& surface) {
  FilledSpace space{resolve_intersections(surface), {}};
  add_box(space.sheets);
  space.tets = fill_space(space.sheets);
  return space;
}

/// The surface with its vertices rounded to a grid: parts that nearly touched, then touch or are clearly separated.
Surface on_grid(Surface surface, double share_of_diagonal) {
  Eigen::AlignedBox3d box;
  for (const Vec3& x : surface.vertices) box.extend(x);
  const double spacing_m = std::exp2(std::round(std::log2(share_of_diagonal * box.diagonal().norm())));
  for (Vec3& x : surface.vertices) x = ((x / spacing_m).array().round() * spacing_m).matrix();
  weld_vertices(surface, 0);
  remove_flat_triangles(surface);
  return surface;
}

/// Where parts nearly touch, TetGen's tolerance can make the space unfillable: then vertices are rounded to ever
/// coarser grids.
FilledSpace filled_space_on_some_grid(const Surface& surface) {
  for (const double share : kGrids) try {
      return filled_space(share > 0 ? on_grid(surface, share) : surface);
    } catch (const core::FailedMeshing&) {
    }
  throw core::Error(
      "Its parts cross or nearly touch such that the space between them cannot be filled with tets. Unite them in a "
      "mesh "
      "editor.");
}

}  // namespace

Surface solidify(const Surface& surface, SolidifyReport& report) {
  report = {};
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) report.input_area_m2 += area(surface, t);
  const auto [sheets, space] = filled_space_on_some_grid(surface);
  Inside inside(space, sheets);
  inside.make_manifold();
  Surface made = inside.boundary();
  if (made.triangles.empty())
    throw core::Error(
        "It has no inside: closing it takes patches larger than itself. Turn its triangles outward, or give it a "
        "thickness, in a mesh editor.");
  remove_unused_vertices(made);
  name_sources(made, sheets, report);
  return made;
}

}  // namespace brisance::mesh::solids
