#include "modes/spectral/conductivity.hpp"

#include "brisance/la/sums.hpp"

#include "modes/body/face_normal.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace brisance::modes {

namespace {

constexpr double kUniform = 1e-12;  ///< relative differences of η below this are rounding errors
constexpr double kContrast = 1e4;  ///< bound on η² over its mean: enough for the starts, and the solver stays accurate
constexpr double kIsotropy = 1e-6;  ///< weight of "close to isotropic", relative to that of all faces

/// Least-squares fit of a cell's tensor d: Σ area (r·d − η²)² over some faces, r·d = nᵀ D n.
struct Fit {
  Eigen::Matrix<double, 6, 6> normal_matrix = Eigen::Matrix<double, 6, 6>::Zero();
  SymMat3 right_side = SymMat3::Zero();
  double area = 0, sum = 0;  ///< Σ area, Σ area·η²
  double least = HUGE_VAL, most = 0;

  void add_face(const Vec3& n, double face_area, double eta_squared) {
    SymMat3 r;
    r << n.x() * n.x(), n.y() * n.y(), n.z() * n.z(), 2 * n.x() * n.y(), 2 * n.y() * n.z(), 2 * n.z() * n.x();
    normal_matrix += face_area * r * r.transpose();
    right_side += face_area * eta_squared * r;
    area += face_area;
    sum += face_area * eta_squared;
    least = std::min(least, eta_squared);
    most = std::max(most, eta_squared);
  }

  [[nodiscard]] SymMat3 solve() const {
    const SymMat3 isotropic = symmetric_part(sum / area * Mat3::Identity());
    if (most <= least) return isotropic;
    const double pull = kIsotropy * area;
    const Eigen::Matrix<double, 6, 6> matrix = normal_matrix + pull * Eigen::Matrix<double, 6, 6>::Identity();
    const SymMat3 d = matrix.ldlt().solve(right_side + pull * isotropic);
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(full_matrix(d));
    const Vec3 values = axes.eigenvalues().cwiseMax(least).cwiseMin(most);
    return symmetric_part(axes.eigenvectors() * values.asDiagonal() * axes.eigenvectors().transpose());
  }
};

/// Range of η over all faces of a body.
struct EtaRange {
  double least = HUGE_VAL, most = 0;
  double area = 0, log_sum = 0;  ///< Σ area, Σ area·log η

  void add_face(double face_area, double eta) {
    least = std::min(least, eta);
    most = std::max(most, eta);
    area += face_area;
    log_sum += face_area * std::log(eta);
  }
  [[nodiscard]] bool is_uniform() const { return most <= least * (1 + kUniform); }
};

/// η² of each face over its geometric mean, which is weighted by area.
std::vector<double> scaled_squares(std::span<const double> eta, const EtaRange& range) {
  std::vector<double> squares;
  squares.reserve(eta.size());
  for (const double e : eta)
    squares.push_back(std::clamp(std::exp(2 * (std::log(e) - range.log_sum / range.area)), 1 / kContrast, kContrast));
  return squares;
}

/// The faces of each cell, cell after cell.
struct FacesOfCells {
  std::vector<std::int32_t> begin, face;

  explicit FacesOfCells(const CellGraph& graph) : begin(graph.volume.size() + 1, 0), face(2 * graph.faces.size()) {
    for (const Face& f : graph.faces) {
      ++begin[f.a + 1];
      ++begin[f.b + 1];
    }
    for (std::size_t c = 1; c < begin.size(); ++c) begin[c] += begin[c - 1];
    std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t f = 0; f < graph.faces.size(); ++f)
      for (const std::int32_t cell : {graph.faces[f].a, graph.faces[f].b})
        face[next[cell]++] = static_cast<std::int32_t>(f);
  }
  [[nodiscard]] std::span<const std::int32_t> of(std::int32_t cell) const {
    return std::span(face).subspan(begin[cell], begin[cell + 1] - begin[cell]);
  }
};

std::vector<SymMat3> fitted(const Simplices& mesh, const CellGraph& graph, const std::vector<double>& squares) {
  const FacesOfCells faces(graph);
  std::vector<Vec3> normal;
  normal.reserve(graph.faces.size());
  for (const Face& face : graph.faces) normal.push_back(face_normal(mesh, face));
  std::vector<SymMat3> conductivity;
  conductivity.reserve(graph.volume.size());
  for (std::int32_t c = 0; c < graph.num_cells(); ++c) {
    Fit fit;
    const auto add_faces_of = [&](std::int32_t cell) {
      for (const std::int32_t f : faces.of(cell)) fit.add_face(normal[f], graph.faces[f].area, squares[f]);
    };
    add_faces_of(c);
    for (const std::int32_t f : faces.of(c)) add_faces_of(graph.faces[f].a == c ? graph.faces[f].b : graph.faces[f].a);
    conductivity.push_back(fit.area > 0 ? fit.solve() : symmetric_part(Mat3::Identity()));
  }
  return conductivity;
}

}  // namespace

std::vector<SymMat3> cell_conductivity(const Simplices& mesh, const CellGraph& graph, std::span<const double> eta) {
  EtaRange range;
  for (std::size_t f = 0; f < eta.size(); ++f) range.add_face(graph.faces[f].area, eta[f]);
  if (range.is_uniform()) return {};
  return fitted(mesh, graph, scaled_squares(eta, range));
}

std::vector<SymMat3> cell_conductivity(const DividedBody& body) {
  const Body& local = body.local;
  EtaRange range;
  if (!local.eta.empty())
    for (const std::int32_t f : body.own_faces) range.add_face(local.graph.faces[f].area, local.eta[f]);
  range.least = body.comm.min(range.least);
  range.most = body.comm.max(range.most);
  range.area = la::sum_over_ranks(body.comm, range.area);
  range.log_sum = la::sum_over_ranks(body.comm, range.log_sum);
  if (range.is_uniform()) return {};
  const auto conductivity = fitted(local.mesh, local.graph, scaled_squares(local.eta, range));
  return body.cells.fetch(DividedBody::pick(conductivity, body.own_cells));  // outer copies lack faces
}

}  // namespace brisance::modes
