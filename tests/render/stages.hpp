/// Small scenes made of closed surfaces, for tests of light on its way.
#pragma once

#include "brisance/render/options.hpp"

#include "render/integrator/path_tracer.hpp"
#include "support/rigid_meshes.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace brisance::test {

/// Appends a closed surface as a solid of its own, of a surface in Geometry::surfaces. Positions in m.
inline void add_solid(render::Geometry& geometry, const std::vector<Vec3>& vertices,
                      const std::vector<std::array<std::int32_t, 3>>& triangles, std::uint32_t surface) {
  for (const auto& corners : triangles) {
    render::Triangle triangle;
    for (int c = 0; c < 3; ++c) {
      triangle.position[c] = triangle.rest[c] = vertices[corners[c]].cast<float>();
      triangle.albedo[c] = render::Rgb::Constant(0.5F);
    }
    triangle.normal.fill(
        (triangle.position[1] - triangle.position[0]).cross(triangle.position[2] - triangle.position[0]).normalized());
    triangle.surface = surface;
    triangle.solid = geometry.num_solids;
    geometry.triangles.push_back(triangle);
  }
  ++geometry.num_solids;
}

/// A box between two corners [m].
inline void add_box(render::Geometry& geometry, const Vec3& low, const Vec3& high, std::uint32_t surface) {
  const ClosedSurface box = block(high - low);
  std::vector<Vec3> vertices;
  for (const Vec3& v : box.vertices) vertices.push_back(v + 0.5 * (low + high));
  add_solid(geometry, vertices, box.triangles, surface);
}

/// A ball of radius 1 about the origin, with smooth shading normals.
inline void add_ball(render::Geometry& geometry, int rings, std::uint32_t surface) {
  const auto at = [&](int ring, int segment) {
    const double theta = M_PI * ring / rings, phi = M_PI * segment / rings;
    return Vec3(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
  };
  std::vector<Vec3> vertices;
  std::vector<std::array<std::int32_t, 3>> triangles;
  const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto first = static_cast<std::int32_t>(vertices.size());
    vertices.insert(vertices.end(), {a, b, c});
    triangles.push_back({first, first + 1, first + 2});
  };
  for (int ring = 0; ring < rings; ++ring)
    for (int segment = 0; segment < 2 * rings; ++segment) {
      const Vec3 a = at(ring, segment), b = at(ring + 1, segment), c = at(ring + 1, segment + 1),
                 d = at(ring, segment + 1);
      if (ring + 1 < rings) add(a, b, c);
      if (ring > 0) add(a, c, d);
    }
  const std::size_t first = geometry.triangles.size();
  add_solid(geometry, vertices, triangles, surface);
  for (std::size_t t = first; t < geometry.triangles.size(); ++t)
    for (int c = 0; c < 3; ++c) geometry.triangles[t].normal[c] = geometry.triangles[t].position[c].normalized();
}

inline core::NamedValue grey(double value) { return Vec3(value, value, value); }

/// Light of radiance 1 from everywhere.
inline core::Specification white_sky() {
  return {.name = "sky", .kind = "sky", .values = {{"zenith", grey(1)}, {"horizon", grey(1)}}};
}

/// Everything that a path can meet. Surface i of the geometry has the i-th material.
class TestStage {
public:
  TestStage(render::Geometry geometry, std::vector<std::unique_ptr<render::Material>> materials,
            std::vector<core::Specification> lights, render::Transport transport = {})
      : geometry_(std::move(geometry)), materials_(std::move(materials)) {
    for (std::uint32_t i = 0; i < materials_.size(); ++i) geometry_.surfaces.push_back({.material = i});
    Eigen::AlignedBox3f box;
    for (const auto& triangle : geometry_.triangles)
      for (const auto& x : triangle.position) box.extend(x);
    geometry_.extent = geometry_.triangles.empty() ? 1 : box.diagonal().norm();
    options_.appearance.lights = std::move(lights);
    // a narrow view in an odd direction: no ray of these tests sees the background's gradient
    const render::CameraAxes axes = render::camera_axes(
        {.eye = Vec3(1e6, 2e6, 3e6), .target = Vec3(1.0123e6, 2.0456e6, 2.9211e6), .up = Vec3::UnitZ()});
    tracer_ = std::make_unique<render::Tracer>(geometry_);
    lights_ = render::make_lights(options_, {.axes = axes, .up = Vec3::UnitZ(), .origin = Vec3::Zero()});
    backdrop_ = std::make_unique<render::Backdrop>(options_, axes, std::array{1e-3, 1e-3}, geometry_.plane_view);
    stage_ = std::make_unique<render::Stage>(render::make_stage(*tracer_, materials_, lights_, *backdrop_, transport));
  }
  TestStage(const TestStage&) = delete;
  TestStage& operator=(const TestStage&) = delete;
  ~TestStage() = default;

  [[nodiscard]] const render::Stage& stage() const { return *stage_; }
  [[nodiscard]] const render::RayCount& rays() const { return rays_; }

  /// One sample.
  [[nodiscard]] render::Rgb radiance(const render::Vec3f& origin, const render::Vec3f& direction,
                                     render::Sampler& sampler) {
    return render::PathTracer(*stage_, sampler, {rays_}).radiance({origin, direction.normalized()});
  }

  struct Mean {
    double value, error;  ///< standard deviation of the mean
    double variance;      ///< of one sample
  };
  /// Mean grey over independent samples along one ray.
  [[nodiscard]] Mean mean(const render::Vec3f& origin, const render::Vec3f& direction, int num_samples,
                          std::uint64_t seed) {
    double sum = 0, squares = 0;
    for (int i = 0; i < num_samples; ++i) {
      render::Sampler sampler(seed, static_cast<std::uint64_t>(i), 0, 1);
      const double x = radiance(origin, direction, sampler).mean();
      sum += x;
      squares += x * x;
    }
    const double value = sum / num_samples, variance = std::max(0.0, squares / num_samples - value * value);
    return {value, std::sqrt(variance / num_samples), variance};
  }

private:
  render::Geometry geometry_;
  std::vector<std::unique_ptr<render::Material>> materials_;
  render::Options options_;
  std::unique_ptr<render::Tracer> tracer_;
  render::Lights lights_;
  std::unique_ptr<render::Backdrop> backdrop_;
  std::unique_ptr<render::Stage> stage_;
  render::RayCount rays_;
};

/// The materials of specifications, in a list that can be moved.
inline std::vector<std::unique_ptr<render::Material>> materials_of(const std::vector<core::Specification>& all) {
  std::vector<std::unique_ptr<render::Material>> made;
  for (const auto& each : all) made.push_back(render::make_material(each));
  return made;
}

}  // namespace brisance::test
