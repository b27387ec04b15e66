/// Plates one tet thick with a straight slit, meshed at random, and their static shapes in plane strain.
#pragma once

#include "brisance/core/random.hpp"
#include "brisance/material/material.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include "support/slit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>

namespace brisance::test {

using Point2 = Eigen::Vector2d;

/// Delaunay triangles of points in general position (Bowyer and Watson), counter-clockwise; slow, for some hundreds.
inline std::vector<std::array<int, 3>> triangulate(std::vector<Point2> points) {
  const int n = static_cast<int>(points.size());
  for (const Point2& far : {Point2(-1e4, -1e4), Point2(1e4, -1e4), Point2(0, 1e4)}) points.push_back(far);
  const auto twice_area = [&](int a, int b, int c) {
    const Point2 u = points[b] - points[a], v = points[c] - points[a];
    return u.x() * v.y() - u.y() * v.x();
  };
  const auto is_inside = [&](const std::array<int, 3>& t, int p) {
    Eigen::Matrix3d m;
    for (int k = 0; k < 3; ++k) {
      const Point2 d = points[t[k]] - points[p];
      m.row(k) << d.x(), d.y(), d.squaredNorm();
    }
    return m.determinant() > 0;
  };
  std::vector<std::array<int, 3>> triangles{{n, n + 1, n + 2}};
  for (int p = 0; p < n; ++p) {
    std::map<std::pair<int, int>, int> rim;
    std::erase_if(triangles, [&](const std::array<int, 3>& t) {
      if (!is_inside(t, p)) return false;
      for (int k = 0; k < 3; ++k) {
        const std::pair edge(t[k], t[(k + 1) % 3]), back(edge.second, edge.first);
        if (rim.erase(back) == 0) rim[edge] = 1;
      }
      return true;
    });
    for (const auto& entry : rim) triangles.push_back({entry.first.first, entry.first.second, p});
  }
  std::erase_if(triangles, [&](const auto& t) { return *std::max_element(t.begin(), t.end()) >= n; });
  const double least = 1e-7;
  std::erase_if(triangles, [&](const auto& t) { return twice_area(t[0], t[1], t[2]) < least; });
  return triangles;
}

/// The plate [−half_length, half_length] × [−1, 1] m, about `per_metre` nodes a metre, their distance thick, slit along
/// y = 0 up to x = 0: as VALIDATION C3's unstructured meshes, another for each seed. Or without the slit, and without
/// nodes on its line.
inline mesh::TetMesh cracked_plate(int per_metre, double half_length, std::uint64_t seed, bool is_slit = true) {
  const double h = 1.0 / per_metre;
  const auto draw = [&](std::size_t i, int purpose) {
    return core::hash_uniform(seed, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(purpose));
  };
  std::vector<Point2> points;
  const int nx = static_cast<int>(std::lround(half_length * per_metre));
  for (int i = -nx; i <= nx; ++i)
    for (const double y : {-1.0, 1.0}) points.emplace_back(i * h, y);
  for (int j = -per_metre + 1; j < per_metre; ++j)
    for (const double x : {-half_length, half_length}) points.emplace_back(x, j * h);
  for (int i = -nx + 1; is_slit && i <= 0; ++i) points.emplace_back(i * h, 0);
  const std::size_t fixed = points.size();
  for (std::size_t i = 0; i < static_cast<std::size_t>(16 * nx * per_metre); ++i) {
    const Point2 p((2 * draw(i, 1) - 1) * half_length, 2 * draw(i, 2) - 1);
    if (is_slit && std::abs(p.y()) < 0.35 * h && p.x() < 0.2 * h) continue;
    if (std::all_of(points.begin(), points.end(), [&](const Point2& q) { return (p - q).norm() > 0.72 * h; }))
      points.push_back(p);
  }
  std::vector<Point2> shaken = points;  // displaced a little: points on a line or circle are in no general position
  for (std::size_t i = 0; i < fixed; ++i) shaken[i] += 1e-6 * h * Point2(draw(i, 3) - 0.5, draw(i, 4) - 0.5);
  const auto triangles = triangulate(shaken);

  mesh::TetMesh mesh;
  const auto n = static_cast<std::int32_t>(points.size());
  for (const double z : {0.0, h})
    for (const Point2& p : points) mesh.nodes.emplace_back(p.x(), p.y(), z);
  std::vector<double> order(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) order[i] = draw(i, 5);
  for (auto t : triangles) {
    std::sort(t.begin(), t.end(), [&](int a, int b) { return order[a] < order[b]; });
    const std::array<std::int32_t, 3> low{t[0], t[1], t[2]}, high{t[0] + n, t[1] + n, t[2] + n};
    for (std::array<std::int32_t, 4> tet :
         {std::array{low[0], low[1], low[2], high[2]}, std::array{low[0], low[1], high[1], high[2]},
          std::array{low[0], high[0], high[1], high[2]}}) {
      const auto& x = mesh.nodes;
      if (mesh::tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 0) std::swap(tet[0], tet[1]);
      mesh.tets.push_back(tet);
    }
  }
  std::map<std::array<std::int32_t, 3>, int> count;
  const auto face = [&](const std::array<std::int32_t, 4>& tet, int f) {
    const auto& c = mesh::kFaceCorners[f];
    std::array<std::int32_t, 3> key{tet[c[0]], tet[c[1]], tet[c[2]]};
    std::sort(key.begin(), key.end());
    return key;
  };
  for (const auto& tet : mesh.tets)
    for (int f = 0; f < 4; ++f) ++count[face(tet, f)];
  std::int32_t source = 0;
  for (const auto& tet : mesh.tets) {
    auto& tags = mesh.face_source.emplace_back();
    for (int f = 0; f < 4; ++f) tags[f] = count[face(tet, f)] == 1 ? source++ : mesh::kNoSourceTriangle;
  }
  if (!is_slit) return mesh;
  return with_slit(std::move(mesh), 0, [](const Vec3& x) { return x.x() < -1e-9; });
}

/// A linear elastic body in plane strain: no motion along z, constrained nodes have prescribed displacements, and there
/// is no other load. `shares`: of each tet that are filled with material; none: all of it.
class PlaneStatics {
public:
  PlaneStatics(const mesh::TetMesh& mesh, const material::Material& m, const std::function<bool(std::size_t)>& is_held,
               const std::vector<double>& shares = {})
      : unknown_(mesh.nodes.size(), -1) {
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
      if (!is_held(i)) unknown_[i] = 2 * num_free_++;
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
      const auto& tet = mesh.tets[t];
      Mat3 edges;
      for (int k = 0; k < 3; ++k) edges.col(k) = mesh.nodes[tet[k + 1]] - mesh.nodes[tet[0]];
      const Mat3 inverse = edges.inverse();
      const double volume = (shares.empty() ? 1 : shares[t]) * edges.determinant() / 6;
      std::array<Vec3, 4> g;
      g[0] = -(inverse.row(0) + inverse.row(1) + inverse.row(2)).transpose();
      for (int k = 0; k < 3; ++k) g[k + 1] = inverse.row(k).transpose();
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          const Mat3 block = volume * (m.lame_lambda * g[i] * g[j].transpose() + m.lame_mu * g[j] * g[i].transpose() +
                                       m.lame_mu * g[i].dot(g[j]) * Mat3::Identity());
          const int row = unknown_[tet[i]], column = unknown_[tet[j]];
          if (row < 0) continue;
          for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b) {
              if (column >= 0) entries.emplace_back(row + a, column + b, block(a, b));
              if (column < 0) held_.push_back({row + a, static_cast<std::size_t>(tet[j]), b, block(a, b)});
            }
        }
    }
    Eigen::SparseMatrix<double> stiffness(2 * num_free_, 2 * num_free_);
    stiffness.setFromTriplets(entries.begin(), entries.end());
    solver_.compute(stiffness);
  }

  [[nodiscard]] std::vector<Vec3> displacements(const std::vector<Vec3>& of_held) const {
    Eigen::VectorXd right = Eigen::VectorXd::Zero(2 * num_free_);
    for (const Held& h : held_) right[h.row] -= h.stiffness * of_held[h.node][h.axis];
    const Eigen::VectorXd solution = solver_.solve(right);
    std::vector<Vec3> result = of_held;
    for (std::size_t i = 0; i < result.size(); ++i)
      if (unknown_[i] >= 0) result[i] = Vec3(solution[unknown_[i]], solution[unknown_[i] + 1], 0);
    return result;
  }

private:
  struct Held {
    int row;
    std::size_t node;
    int axis;
    double stiffness;
  };
  std::vector<int> unknown_;  ///< first of a node's two; −1: constrained
  int num_free_ = 0;
  std::vector<Held> held_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver_;
};

}  // namespace brisance::test
