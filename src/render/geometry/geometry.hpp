/// Geometry of a snapshot for the tracer: coloured triangles relative to a local origin, and infinite planes.
#pragma once

#include "brisance/io/snapshot.hpp"
#include "brisance/render/options.hpp"

#include <array>
#include <vector>

namespace brisance::render {

/// A triangle with its own corners, since pieces may be moved apart and crack edges are sharp. Single precision
/// relative to the origin.
struct Triangle {
  std::array<Vec3f, 3> position;  ///< relative to Geometry::origin [m]
  std::array<Vec3f, 3> normal;    ///< unit, outward, for shading
  std::array<Rgb, 3> albedo;
};

/// A plane above a solid half space; visible from above only.
struct Plane {
  Vec3f normal;
  float offset;  ///< normal · x on the plane [m]
};

/// Faint checker pattern of planes, which fades away from `centre`.
struct PlaneLook {
  Rgb albedo = Rgb::Constant(0.5F);
  float contrast = 0;
  Vec3f centre = Vec3f::Zero();  ///< relative to Geometry::origin [m]
  float length = 1;              ///< length scale of the fading [m]; four tiles
};

struct Geometry {
  Vec3 origin = Vec3::Zero();  ///< [m]
  float extent = 1;            ///< diagonal of the objects' bounding box [m]
  std::vector<Triangle> triangles;
  std::vector<Plane> planes;
  PlaneLook plane_view;
};

/// Corners of each boundary triangle after pieces are moved apart by options.explode [m].
using Corners = std::vector<std::array<Vec3, 3>>;
[[nodiscard]] Corners exploded_corners(const io::SnapshotPart& part, const std::vector<std::int64_t>& below,
                                       double explode);

/// Unit shading normals of each corner: flat on crack surfaces; on the original surface the area-weighted mean over the
/// original triangles at the same node that bend less than `crease_deg`.
[[nodiscard]] std::vector<std::array<Vec3f, 3>> shading_normals(const io::SnapshotPart& part, const Corners& corners,
                                                                double crease_deg);

/// @param range  of the field used for colours; unused for surface, piece and material
/// Throws core::Error if the snapshot has no boundary triangles or is inconsistent.
[[nodiscard]] Geometry build_geometry(const io::Snapshot& snapshot, const Options& options, const Camera& camera,
                                      const ValueRange& range);

}  // namespace brisance::render
