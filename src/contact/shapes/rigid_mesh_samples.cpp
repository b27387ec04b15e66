// The points of a mesh at which contact with other rigid bodies is tested, and their stiffness.
#include "brisance/contact/shapes/rigid_mesh.hpp"

#include "contact/box_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::contact {
namespace {

constexpr double kCorners = 8;        ///< total weight of the vertices: as the corners of a box
constexpr double kFaces = 2;          ///< total weight of points on faces, so that faces can rest on faces
constexpr double kLeast = 2;          ///< least weight of a vertex, times their number: a thorn has almost no area
constexpr double kSpacing = 1.0 / 5;  ///< of points on faces, over the extent
constexpr int kMostRows = 16;         ///< of points on a triangle

/// Centres of rows² small triangles.
void add_face_points(const std::array<Vec3, 3>& corners, int rows, double weight, std::vector<SurfaceSample>& samples) {
  const Vec3 u = (corners[1] - corners[0]) / rows, v = (corners[2] - corners[0]) / rows;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; i + j < rows; ++j) {
      samples.push_back({corners[0] + (i + 1.0 / 3) * u + (j + 1.0 / 3) * v, weight});
      if (i + j + 1 < rows) samples.push_back({corners[0] + (i + 2.0 / 3) * u + (j + 2.0 / 3) * v, weight});
    }
}

}  // namespace

void RigidMesh::place_samples() {
  std::vector<double> share(vertices_.size(), 0);  // of the area, by the triangles' angles at the vertex
  double area = 0;
  const auto corners_of = [&](const Triangle& t) {
    std::array<Vec3, 3> x;
    for (std::size_t k = 0; k < 3; ++k) x[k] = vertices_[static_cast<std::size_t>(t[k])];
    return x;
  };
  for (const Triangle& t : triangles_) {
    const auto x = corners_of(t);
    const double of_triangle = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).norm();
    area += of_triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 u = x[(k + 1) % 3] - x[k], v = x[(k + 2) % 3] - x[k];
      share[static_cast<std::size_t>(t[k])] += std::atan2(u.cross(v).norm(), u.dot(v)) / std::numbers::pi * of_triangle;
    }
  }
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    const double least = kLeast / static_cast<double>(vertices_.size());
    samples_.push_back({vertices_[v], std::min(1.0, std::max(kCorners * share[v] / area, least))});
  }
  const double spacing = kSpacing * (bounds_.high - bounds_.low).norm();
  for (const Triangle& t : triangles_) {
    const auto x = corners_of(t);
    const double longest = std::max({(x[1] - x[0]).norm(), (x[2] - x[1]).norm(), (x[0] - x[2]).norm()});
    const int rows = std::min(static_cast<int>(std::ceil(longest / spacing)), kMostRows);
    const double of_triangle = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).norm();
    if (rows > 1) add_face_points(x, rows, kFaces * of_triangle / area / (rows * rows), samples_);
  }
  std::vector<Box> boxes;
  for (const SurfaceSample& s : samples_) boxes.push_back({s.point, s.point});
  sample_tree_ = std::make_unique<const BoxTree>(boxes);
}

}  // namespace brisance::contact
