#include "render/geometry/build.hpp"

#include "brisance/core/error.hpp"

#include "render/fields.hpp"
#include "render/geometry/colliders.hpp"
#include "render/geometry/corners.hpp"
#include "render/geometry/dust.hpp"
#include "render/geometry/surfaces.hpp"
#include "render/geometry/velocities.hpp"
#include "render/piece_keys.hpp"
#include "render/texture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::render {
namespace {

/// Height of the picture at the target's distance [m].
float picture_height(const Camera& camera) {
  const double half_angle = 0.5 * camera.field_of_view_deg * std::numbers::pi / 180;
  return static_cast<float>(2 * (camera.target - camera.eye).norm() * std::tan(half_angle));
}

/// Albedo by surface kind, tinted by piece or material.
Rgb surface_albedo(const Options& options, bool is_crack, std::uint64_t key) {
  if (options.colour_by == ColourBy::surface) return is_crack ? options.palette.crack : options.palette.original;
  const Rgb colour = distinct_colour(key);
  return is_crack ? Rgb(0.45F * colour + 0.55F * Rgb::Constant(0.8F)) : colour;
}

std::vector<std::array<Rgb, 3>> triangle_albedos(const io::SnapshotPart& part, const Options& options,
                                                 const ValueRange& range, const std::vector<std::int64_t>& below) {
  std::vector<std::array<Rgb, 3>> albedos(part.boundary.size());
  if (is_field(options.colour_by)) {
    const auto values = corner_values(part, options.colour_by, below);
    const double width = range.high > range.low ? range.high - range.low : 1;
    for (std::size_t t = 0; t < albedos.size(); ++t)
      for (int c = 0; c < 3; ++c) albedos[t][c] = field_colour((values[t][c] - range.low) / width);
    return albedos;
  }
  const auto keys = piece_keys(part);
  for (std::size_t t = 0; t < albedos.size(); ++t) {
    const std::uint64_t key =
        options.colour_by == ColourBy::material ? part.material.at(below[t]) : keys.at(part.piece.at(below[t]));
    albedos[t].fill(surface_albedo(options, part.source_triangle[t] < 0, key));
  }
  return albedos;
}

/// Bounding box of the triangles.
Eigen::AlignedBox3d box_of(const Corners& corners) {
  Eigen::AlignedBox3d box;
  for (const auto& triangle : corners)
    for (const Vec3& x : triangle) box.extend(x);
  return box;
}

/// The boundary of the objects.
void add_boundary(Geometry& geometry, const io::SnapshotPart& part, const Options& options, const ValueRange& range,
                  const std::vector<std::int64_t>& below, const Corners& corners) {
  const auto normals = shading_normals(part, corners, options.crease_deg);
  const auto albedos = triangle_albedos(part, options, range, below);
  const auto texture = texture_coordinates(part, below);
  const std::vector<Vec3>& rest = part.rest_position.empty() ? part.position : part.rest_position;
  geometry.triangles.resize(corners.size());
  for (std::size_t t = 0; t < corners.size(); ++t) {
    Triangle& triangle = geometry.triangles[t];
    for (int c = 0; c < 3; ++c) {
      triangle.position[c] = (corners[t][c] - geometry.origin).cast<float>();
      triangle.rest[c] = rest[part.boundary[t][c]].cast<float>();
    }
    if (!texture.empty()) triangle.texture = texture[t];
    triangle.normal = normals[t];
    triangle.albedo = albedos[t];
    triangle.surface = surface_of(part.material.at(below[t]), part.source_triangle[t] < 0);
    triangle.solid = static_cast<std::uint32_t>(part.piece[below[t]]);
    geometry.num_solids = std::max(geometry.num_solids, triangle.solid + 1);
  }
}

}  // namespace

Geometry build_geometry(const io::Snapshot& snapshot, const Options& options, const Camera& camera,
                        const ValueRange& range) {
  const io::SnapshotPart& part = snapshot.part;
  require_consistent(part);
  const auto below = elements_below(part);
  const Corners corners = exploded_corners(part, below, options.explode);
  const Eigen::AlignedBox3d box = box_of(corners);
  Geometry geometry;
  geometry.origin = box.center();
  geometry.extent = static_cast<float>(std::max(box.diagonal().norm(), 1e-30));
  geometry.plane_view = {.albedo = options.palette.ground,
                         .contrast = options.palette.ground_checker,
                         .centre = (camera.target - geometry.origin).cast<float>(),
                         .length = picture_height(camera)};
  geometry.surfaces = surfaces_of(snapshot, options);
  add_boundary(geometry, part, options, range, below, corners);
  geometry.num_pieces = geometry.num_solids;
  if (options.explode == 0) add_dust(geometry, part.dust, options, range);
  if (options.show_colliders && options.explode == 0)
    add_colliders(geometry, snapshot.header.colliders, options.palette.collider, collider_surface(snapshot, 0));
  const Exposure& exposure = options.exposure;
  geometry.shutter_s = static_cast<float>(exposure.shutter * exposure.frame_interval_s);
  if (geometry.shutter_s > 0 || options.layers) add_velocities(geometry, snapshot, geometry.shutter_s > 0);
  return geometry;
}

}  // namespace brisance::render
