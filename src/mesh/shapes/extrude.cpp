#include "mesh/shapes/extrude.hpp"

#include "brisance/core/random.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::mesh {
namespace {

constexpr double kEdgeJitter = 0.1;  // over a piece's length, either way: points of sharp edges move along the edge
constexpr std::uint64_t kCapSeed = 1000, kColumnSeed = 2000, kSideSeed = 3000;

/// Fractions in (0, 1) that divide a length into pieces of about the edge length.
std::vector<double> inner_cuts(double length, double edge, std::uint64_t seed) {
  const auto pieces = std::max<std::int64_t>(1, std::llround(length / edge));
  std::vector<double> cuts;
  for (std::int64_t i = 1; i < pieces; ++i) {
    const double shift = kEdgeJitter * (2 * core::hash_uniform(seed, static_cast<std::uint64_t>(i), 0) - 1);
    cuts.push_back((static_cast<double>(i) + shift) / static_cast<double>(pieces));
  }
  return cuts;
}

class Prism {
public:
  Prism(const std::vector<Vec2>& polygon, double height, double edge)
      : polygon_(polygon), height_(height), edge_(edge) {
    cut_outline();
    heights_ = inner_cuts(height, edge, kColumnSeed);
    add_caps();
    add_columns();
    for (std::size_t side = 0; side < polygon_.size(); ++side) add_side(side);
  }
  Surface take() { return std::move(surface_); }

private:
  std::int32_t add_vertex(const Vec2& p, double fraction) {
    surface_.vertices.emplace_back(p.x(), p.y(), (fraction - 0.5) * height_);
    return static_cast<std::int32_t>(surface_.vertices.size()) - 1;
  }

  void add_triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
    surface_.source_face.push_back(static_cast<std::int32_t>(surface_.triangles.size()));
    surface_.triangles.push_back({a, b, c});
  }

  void cut_outline() {
    for (std::size_t side = 0; side < polygon_.size(); ++side) {
      const Vec2 &a = polygon_[side], &b = polygon_[(side + 1) % polygon_.size()];
      first_of_side_.push_back(outline_.size());
      outline_.push_back(a);
      for (const double t : inner_cuts((b - a).norm(), edge_, side)) outline_.emplace_back(a + t * (b - a));
    }
    first_of_side_.push_back(outline_.size());
  }

  /// Bottom vertices first (outline, then inner), then the top ones in the same order.
  void add_caps() {
    const PolygonFill fill = fill_polygon(outline_, edge_, kCapSeed);
    for (const double fraction : {0.0, 1.0}) {
      for (const Vec2& p : outline_) add_vertex(p, fraction);
      for (const Vec2& p : fill.inner) add_vertex(p, fraction);
    }
    top_ = static_cast<std::int32_t>(surface_.vertices.size() / 2);
    for (const auto& [a, b, c] : fill.triangles) {
      add_triangle(a, c, b);
      add_triangle(top_ + a, top_ + b, top_ + c);
    }
  }

  void add_columns() {
    for (const Vec2& corner : polygon_) {
      columns_.emplace_back();
      for (const double fraction : heights_) columns_.back().push_back(add_vertex(corner, fraction));
    }
  }

  /// Triangulates the rectangle below one polygon side, in coordinates (distance along the side, height).
  void add_side(std::size_t side) {
    const std::size_t next = (side + 1) % polygon_.size();
    const Vec2 origin = polygon_[side], direction = (polygon_[next] - origin).normalized();
    std::vector<std::int32_t> loop;
    for (std::size_t i = first_of_side_[side]; i < first_of_side_[side + 1]; ++i)
      loop.push_back(static_cast<std::int32_t>(i));
    const auto last = static_cast<std::int32_t>(first_of_side_[side + 1] % outline_.size());
    loop.push_back(last);
    loop.insert(loop.end(), columns_[next].begin(), columns_[next].end());
    loop.push_back(top_ + last);
    for (std::size_t i = first_of_side_[side + 1]; i-- > first_of_side_[side];)
      loop.push_back(top_ + static_cast<std::int32_t>(i));
    loop.insert(loop.end(), columns_[side].rbegin(), columns_[side].rend());

    std::vector<Vec2> flat;
    for (const auto v : loop) {
      const Vec3& x = surface_.vertices[v];
      flat.emplace_back((x.head<2>() - origin).dot(direction), x.z() + height_ / 2);
    }
    const PolygonFill fill = fill_polygon(flat, edge_, kSideSeed + side);
    for (const Vec2& p : fill.inner) loop.push_back(add_vertex(origin + p.x() * direction, p.y() / height_));
    for (const auto& [a, b, c] : fill.triangles) add_triangle(loop[a], loop[b], loop[c]);
  }

  std::vector<Vec2> polygon_, outline_;
  double height_, edge_;
  std::vector<std::size_t> first_of_side_;  // outline index of each polygon corner, and the end
  std::vector<double> heights_;             // inner cuts of the vertical edges, as fractions
  std::vector<std::vector<std::int32_t>> columns_;
  std::int32_t top_ = 0;  // top vertex = bottom vertex + top_
  Surface surface_;
};

}  // namespace

Surface extrude(const std::vector<Vec2>& polygon, double height_m, double edge_length_m) {
  return Prism(polygon, height_m, edge_length_m).take();
}

}  // namespace brisance::mesh
