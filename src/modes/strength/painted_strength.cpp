/// Strength painted on the surface, extended inwards harmonically.
#include "brisance/core/error.hpp"
#include "brisance/la/handles.hpp"
#include "brisance/la/vector_view.hpp"
#include "brisance/modes/strength/strength.hpp"

#include "modes/spectral/p1_laplacian.hpp"

#include <algorithm>
#include <cmath>

#include <nanoflann.hpp>
#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

constexpr double kUnknown = -1;       ///< marks inner nodes in a field of positive numbers
constexpr double kTolerance = 1e-13;  ///< residual over right side

/// The view of the points that nanoflann requires.
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

/// True for nodes on the outside: those of faces that belong to only one cell; all of a flat body. Correct for nodes
/// around which all cells are held.
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

/// Solves by conjugate gradients with algebraic multigrid. @return this rank's rows
std::vector<double> solved(const core::Comm& comm, const la::Matrix& matrix, const std::vector<double>& right_side) {
  la::Vector b, x;
  la::check(MatCreateVecs(matrix.raw(), b.out(), x.out()), "MatCreateVecs");
  {
    const la::WriteView values(b.raw());
    std::copy(right_side.begin(), right_side.end(), values.values().begin());
  }
  la::LinearSolver solver;
  PC preconditioner = nullptr;
  la::check(KSPCreate(comm.raw(), solver.out()), "KSPCreate");
  la::check(KSPSetOptionsPrefix(solver.raw(), "paint_"), "KSPSetOptionsPrefix");
  la::check(KSPSetOperators(solver.raw(), matrix.raw(), matrix.raw()), "KSPSetOperators");
  la::check(KSPSetType(solver.raw(), KSPCG), "KSPSetType");
  la::check(KSPGetPC(solver.raw(), &preconditioner), "KSPGetPC");
  la::check(PCSetType(preconditioner, PCGAMG), "PCSetType");
  la::check(KSPSetTolerances(solver.raw(), kTolerance, 0, PETSC_DEFAULT, 1000), "KSPSetTolerances");
  la::check(KSPSetFromOptions(solver.raw()), "KSPSetFromOptions");
  la::check(KSPSolve(solver.raw(), b.raw(), x.raw()), "KSPSolve");
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  la::check(KSPGetConvergedReason(solver.raw(), &reason), "KSPGetConvergedReason");
  if (reason < 0)
    throw core::Error("The painted strength could not be carried inwards: the mesh has elements of almost no volume.");
  const la::ReadView values(x.raw());
  return {values.values().begin(), values.values().end()};
}

/// Sets the unknown nodes among all local ones: (L η)_i = 0 there.
void extend_inwards(const DividedBody& body, std::vector<double>& eta) {
  const P1Laplacian laplacian = p1_laplacian(body.local.mesh);
  std::vector<PetscInt> begin{0}, column;
  std::vector<double> value, right_side;
  for (const std::int32_t i : body.own_nodes) {
    const bool is_unknown = eta[i] == kUnknown;
    right_side.push_back(0);
    for (std::int32_t k = laplacian.row_begin[i]; k < laplacian.row_begin[i + 1]; ++k) {
      const std::int32_t j = laplacian.column[k];
      if (is_unknown ? eta[j] == kUnknown : j == i) {  // the row of a known node is the identity
        column.push_back(body.node_number[j]);
        value.push_back(laplacian.value[k]);
      }
      if (is_unknown && eta[j] != kUnknown) right_side.back() -= laplacian.value[k] * eta[j];
      if (!is_unknown && j == i) right_side.back() = laplacian.value[k] * eta[i];
    }
    begin.push_back(static_cast<PetscInt>(column.size()));
  }
  const la::Matrix matrix = la::matrix_from_rows(body.comm, begin, column, value);
  eta = body.nodes.fetch(solved(body.comm, matrix, right_side));
}

}  // namespace

std::vector<double> painted_strength(const DividedBody& body, std::span<const Vec3> points,
                                     std::span<const double> eta) {
  require_paint(points, eta);
  const Simplices& mesh = body.local.mesh;
  const PointCloud cloud{points};
  const Tree tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  const std::vector<bool> is_outer = outer_nodes(mesh, body.local.graph);
  std::vector<double> painted;  // own nodes: all cells around them are held
  double least = HUGE_VAL, most = 0;
  for (const std::int32_t i : body.own_nodes) {
    painted.push_back(kUnknown);
    if (!is_outer[i]) continue;
    std::size_t nearest = 0;
    double squared_distance = 0;
    tree.knnSearch(mesh.nodes[i].data(), 1, &nearest, &squared_distance);
    painted.back() = eta[nearest];
    least = std::min(least, eta[nearest]);
    most = std::max(most, eta[nearest]);
  }
  least = body.comm.min(least);
  most = body.comm.max(most);
  std::vector<double> on_node = body.nodes.fetch(painted);
  if (body.comm.any(std::find(painted.begin(), painted.end(), kUnknown) != painted.end()))
    extend_inwards(body, on_node);
  for (double& value : on_node) value = std::clamp(value, least, most);

  std::vector<double> on_face;
  on_face.reserve(body.local.graph.faces.size());
  for (const Face& face : body.local.graph.faces) {
    const auto a = mesh.cell(face.a), b = mesh.cell(face.b);
    double sum = 0;
    for (const std::int32_t corner : a)
      if (std::find(b.begin(), b.end(), corner) != b.end()) sum += on_node[corner];
    on_face.push_back(sum / mesh.dimension());
  }
  return on_face;
}

}  // namespace brisance::modes
