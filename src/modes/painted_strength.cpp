/// Paint on the surface, carried inwards by the harmonic extension.
#include "brisance/core/error.hpp"
#include "brisance/modes/strength.hpp"

#include "modes/p1_laplacian.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <nanoflann.hpp>
#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

constexpr double kUnknown = -1;  ///< of a node inside, in a field of positive numbers

/// The view of the points that nanoflann asks for.
struct PointCloud {
  std::span<const Vec3> points;
  [[nodiscard]] std::size_t kdtree_get_point_count() const { return points.size(); }
  [[nodiscard]] double kdtree_get_pt(std::size_t point, std::size_t axis) const {
    return points[point][static_cast<Eigen::Index>(axis)];
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, PointCloud>, PointCloud, 3, std::size_t>;

void require_paint(std::span<const Vec3> points, std::span<const double> eta) {
  if (points.empty()) throw core::BadInput("The painted strength has no points. Give at least one.");
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!(eta[i] > 0) || !std::isfinite(eta[i]))
      throw core::BadInput(fmt::format(
          "The painted strength of point {} (counted from 0) is {:g}; it must be positive and finite.", i, eta[i]));
}

/// True for the nodes that are seen: those of faces that only one cell has, all of a flat body.
std::vector<bool> outer_nodes(const Simplices& mesh, const CellGraph& graph) {
  if (mesh.dimension() == 2) return std::vector<bool>(mesh.nodes.size(), true);
  std::vector<std::uint8_t> is_shared(mesh.corner.size(), 0);  // the face opposite each corner
  const auto mark = [&](std::int32_t cell, std::int32_t other) {
    const auto mine = mesh.cell(cell), theirs = mesh.cell(other);
    for (std::size_t k = 0; k < mine.size(); ++k)
      if (std::find(theirs.begin(), theirs.end(), mine[k]) == theirs.end()) is_shared[cell * mine.size() + k] = 1;
  };
  for (const Face& face : graph.faces) {
    mark(face.a, face.b);
    mark(face.b, face.a);
  }
  std::vector<bool> is_outer(mesh.nodes.size(), false);
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c) {
    const auto cell = mesh.cell(c);
    for (std::size_t k = 0; k < cell.size(); ++k)
      for (std::size_t j = 0; j < cell.size(); ++j)
        if (j != k && is_shared[c * cell.size() + k] == 0) is_outer[cell[j]] = true;
  }
  return is_outer;
}

/// Fills in the unknown nodes: (L η)_i = 0 there.
void extend_inwards(const P1Laplacian& laplacian, std::vector<double>& eta) {
  std::vector<int> unknown(eta.size(), -1);
  int count = 0;
  for (std::size_t i = 0; i < eta.size(); ++i)
    if (eta[i] == kUnknown) unknown[i] = count++;
  if (count == 0) return;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd right_side = Eigen::VectorXd::Zero(count);
  for (std::int32_t i = 0; i < laplacian.num_nodes(); ++i) {
    if (unknown[i] < 0) continue;
    for (std::int32_t k = laplacian.row_begin[i]; k < laplacian.row_begin[i + 1]; ++k) {
      const std::int32_t j = laplacian.column[k];
      if (unknown[j] < 0)
        right_side[unknown[i]] -= laplacian.value[k] * eta[j];
      else
        entries.emplace_back(unknown[i], unknown[j], laplacian.value[k]);
    }
  }
  Eigen::SparseMatrix<double> matrix(count, count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(matrix);
  if (factor.info() != Eigen::Success)
    throw core::Error("The painted strength could not be carried inwards: the mesh has elements of almost no volume.");
  const Eigen::VectorXd inside = factor.solve(right_side);
  for (std::size_t i = 0; i < eta.size(); ++i)
    if (unknown[i] >= 0) eta[i] = inside[unknown[i]];
}

}  // namespace

std::vector<double> painted_strength(const Simplices& mesh, const CellGraph& graph, std::span<const Vec3> points,
                                     std::span<const double> eta) {
  require_paint(points, eta);
  const PointCloud cloud{points};
  const Tree tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  const std::vector<bool> is_outer = outer_nodes(mesh, graph);
  std::vector<double> on_node(mesh.nodes.size(), kUnknown);
  double least = HUGE_VAL, most = 0;
  for (std::size_t i = 0; i < on_node.size(); ++i) {
    if (!is_outer[i]) continue;
    std::size_t nearest = 0;
    double squared_distance = 0;
    tree.knnSearch(mesh.nodes[i].data(), 1, &nearest, &squared_distance);
    on_node[i] = eta[nearest];
    least = std::min(least, on_node[i]);
    most = std::max(most, on_node[i]);
  }
  extend_inwards(p1_laplacian(mesh), on_node);
  for (double& value : on_node) value = std::clamp(value, least, most);

  std::vector<double> on_face;
  on_face.reserve(graph.faces.size());
  for (const Face& face : graph.faces) {
    const auto a = mesh.cell(face.a), b = mesh.cell(face.b);
    double sum = 0;
    for (const std::int32_t corner : a)
      if (std::find(b.begin(), b.end(), corner) != b.end()) sum += on_node[corner];
    on_face.push_back(sum / mesh.dimension());
  }
  return on_face;
}

}  // namespace brisance::modes
