#include "render/geometry/dust.hpp"

#include "render/geometry/surfaces.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace brisance::render {

namespace {

/// Corners and faces of a ball of radius 1.
struct UnitBall {
  std::vector<Vec3> corners;
  std::vector<std::array<int, 3>> faces;
};

/// An octahedron whose faces are divided into four, `times` times, with the new corners on the ball.
UnitBall divided_octahedron(int times) {
  UnitBall ball{{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitX(), -Vec3::UnitY(), -Vec3::UnitZ()},
                {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2}, {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}}};
  for (int i = 0; i < times; ++i) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [entry, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<int>(ball.corners.size()));
      if (is_new)
        ball.corners.push_back(
            (ball.corners[static_cast<std::size_t>(a)] + ball.corners[static_cast<std::size_t>(b)]).normalized());
      return entry->second;
    };
    std::vector<std::array<int, 3>> faces;
    for (const auto& [a, b, c] : ball.faces) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      faces.insert(faces.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    ball.faces = std::move(faces);
  }
  return ball;
}

Rgb albedo_of(const io::DustRows& dust, std::size_t i, const Options& options, const ValueRange& range) {
  const auto shaded = [](std::uint64_t key) { return Rgb(0.45F * distinct_colour(key) + 0.55F * Rgb::Constant(0.8F)); };
  switch (options.colour_by) {
    case ColourBy::piece:
      return shaded(static_cast<std::uint64_t>(dust.id[i]));
    case ColourBy::material:
      return shaded(static_cast<std::uint64_t>(dust.material[i]));
    case ColourBy::speed: {
      const double width = range.high > range.low ? range.high - range.low : 1;
      return field_colour((dust.velocity[i].norm() - range.low) / width);
    }
    default:  // particles have no stress or strain
      return options.palette.crack;
  }
}

}  // namespace

void add_dust(Geometry& geometry, const io::DustRows& dust, const Options& options, const ValueRange& range) {
  static const UnitBall ball = divided_octahedron(2);
  geometry.triangles.reserve(geometry.triangles.size() + dust.size() * ball.faces.size());
  for (std::size_t i = 0; i < dust.size(); ++i) {
    const Vec3 centre = dust.position[i] - geometry.origin;
    const Rgb albedo = albedo_of(dust, i, options, range);
    const std::uint32_t surface = surface_of(dust.material[i], true), solid = geometry.num_solids++;
    for (const auto& face : ball.faces) {
      Triangle& triangle = geometry.triangles.emplace_back();
      for (std::size_t c = 0; c < 3; ++c) {
        const Vec3& normal = ball.corners[static_cast<std::size_t>(face[c])];
        triangle.position[c] = (centre + dust.radius[i] * normal).cast<float>();
        triangle.normal[c] = normal.cast<float>();
        triangle.rest[c] = (dust.radius[i] * normal).cast<float>();
        triangle.albedo[c] = albedo;
      }
      triangle.surface = surface;
      triangle.solid = solid;
    }
  }
}

}  // namespace brisance::render
