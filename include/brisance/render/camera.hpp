/// The pinhole camera, and its placement so that all relevant objects are in the picture.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"
#include "brisance/render/colour.hpp"

#include <array>
#include <limits>
#include <vector>

namespace brisance::render {

/// A pinhole camera. The field of view is measured along the shorter side of the picture.
struct Camera {
  Vec3 eye = Vec3(0, -1, 0);   ///< [m]
  Vec3 target = Vec3::Zero();  ///< point at the middle of the picture [m]
  Vec3 up = Vec3::UnitZ();
  double field_of_view_deg = 30;
};

/// The camera at a moment.
struct CameraKey {
  double time_s = 0;
  Camera camera;
};

/// Throws core::Error unless times ascend and each camera has a direction.
void check(const std::vector<CameraKey>& keys);
/// The camera between keys: eye, target and field of view follow a smooth curve through them (cubic, continuous
/// velocity, at rest at both ends); before the first and after the last it stands still. `keys` is not empty.
[[nodiscard]] Camera camera_at(const std::vector<CameraKey>& keys, double time_s);

/// Direction of an automatic camera: azimuth about `up` (0: from −y, 90: from +x) and elevation above the horizon.
struct View {
  double azimuth_deg = 32;
  double elevation_deg = 24;
  Vec3 up = Vec3::UnitZ();
  double field_of_view_deg = 30;
  double margin = 0.08;  ///< share of the picture's half width kept free on each side
};

/// Right, up and forward unit vectors of a camera. Throws core::Error if eye and target coincide or `up` is parallel.
struct CameraAxes {
  Vec3 right, up, forward;
};
[[nodiscard]] CameraAxes camera_axes(const Camera& camera);

/// Tangents of the half angles of view, horizontal and vertical.
[[nodiscard]] std::array<double, 2> view_tangents(double field_of_view_deg, int width, int height);

/// Picture coordinates of a point: (−1, −1) bottom left … (1, 1) top right; outside [−1, 1], or NaN behind the eye: not
/// in the picture.
[[nodiscard]] std::array<double, 2> project(const Camera& camera, const Vec3& point, int width, int height);

/// Collects points and computes the closest camera of a view that contains them all: the four side planes of the view
/// pyramid touch the points. Only maxima are stored, so neither order nor ranks change the result.
class Framing {
public:
  Framing(const View& view, int width, int height);
  void add(const Vec3& point) { add_ball(point, 0); }
  void add_ball(const Vec3& centre, double radius_m);
  /// Combines the points of all ranks. Collective.
  void merge(const core::Comm& comm);
  /// The target is at the middle depth of the points. Throws core::Error if no point was added.
  [[nodiscard]] Camera camera() const;

private:
  View view_;
  CameraAxes axes_;
  std::array<double, 2> tangents_;
  std::array<Vec3, 4> side_normals_;  ///< outward: right, left, top, bottom
  static constexpr double kNothing = -std::numeric_limits<double>::infinity();
  std::array<double, 4> support_{kNothing, kNothing, kNothing, kNothing};
  std::array<double, 2> depth_{kNothing, kNothing};  ///< farthest forward and backward of the points [m]
};

}  // namespace brisance::render
