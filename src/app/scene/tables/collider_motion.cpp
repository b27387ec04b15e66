#include "app/scene/tables/collider_motion.hpp"

#include "brisance/core/error.hpp"

#include "app/scene/binding.hpp"

#include <cmath>

namespace brisance::app {

namespace {

using contact::ColliderParameters;

/// Keeps the bits of a quaternion that is already of unit length, so that a written scene reads back unchanged.
Eigen::Quaterniond unit_quaternion(const std::vector<double>& wxyz) {
  const Eigen::Quaterniond q(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  if (q.norm() < 1e-6) throw core::Error("must not be zero (no rotation is [1, 0, 0, 0]).");
  return std::abs(q.norm() - 1) < 1e-12 ? q : q.normalized();
}

std::vector<double> wxyz_of(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

/// The frames for a list of `entries` values; path_time_s, which is read first, gives their number.
std::vector<contact::KeyFrame>& frames_for(ColliderParameters& c, std::size_t entries) {
  if (entries != c.path.size())
    throw core::Error("has " + std::to_string(entries) + " entries, but path_time_s has " +
                      std::to_string(c.path.size()) + ": give one for each key frame.");
  return c.path;
}

/// Is the path's orientation given as angles that contain more than quaternions could?
bool has_angles(const ColliderParameters& c) { return !c.path.empty() && c.path.front().angles_deg.has_value(); }

}  // namespace

Key collider_rotation() {
  return bind_computed(kCollider, Kind::reals, 3, kNotWritten,
                       [](ColliderParameters& c, const Value& v) {
                         const auto& d = std::get<std::vector<double>>(v);
                         c.orientation = contact::turned_about(Vec3(d[0], d[1], d[2]));
                       },
                       {.name = "rotation_deg",
                        .unit = "°",
                        .sentence = "Orientation at the start: rotations about x, then y, then z.",
                        .example = "[0, 0, 45] turns about the vertical",
                        .group = "orientation",
                        .form = "degrees"});
}

Key collider_orientation() {
  return bind_computed(
      kCollider, Kind::reals, 4,
      [](const ColliderParameters& c) -> std::optional<Value> { return wxyz_of(c.orientation); },
      [](ColliderParameters& c, const Value& v) { c.orientation = unit_quaternion(std::get<std::vector<double>>(v)); },
      {.name = "orientation_wxyz",
       .unit = "–",
       .sentence = "Orientation at the start as a quaternion w, x, y, z.",
       .example = "[1, 0, 0, 0] is no rotation",
       .group = "orientation",
       .form = "quaternion"});
}

Key path_time() {
  return bind_computed(
      kCollider, Kind::reals, 0,
      [](const ColliderParameters& c) -> std::optional<Value> {
        std::vector<double> times;
        for (const auto& frame : c.path) times.push_back(frame.time_s);
        return times;
      },
      [](ColliderParameters& c, const Value& v) {
        const auto& times = std::get<std::vector<double>>(v);
        c.path.assign(times.size(), {});
        for (std::size_t i = 0; i < times.size(); ++i) {
          c.path[i].time_s = times[i];
          if (i > 0 && times[i] <= times[i - 1]) throw core::Error("must rise from entry to entry.");
        }
      },
      {.name = "path_time_s",
       .unit = "s",
       .sentence = "Times of the key frames of a prescribed path, in rising order.",
       .example = "[0.0, 0.5] for two key frames"});
}

Key path_position() {
  return bind_computed(
      kCollider, Kind::rows, 3,
      [](const ColliderParameters& c) -> std::optional<Value> {
        std::vector<std::vector<double>> rows;
        for (const auto& frame : c.path) rows.push_back({frame.position.x(), frame.position.y(), frame.position.z()});
        return rows;
      },
      [](ColliderParameters& c, const Value& v) {
        const auto& rows = std::get<std::vector<std::vector<double>>>(v);
        auto& path = frames_for(c, rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) path[i].position = Vec3(rows[i][0], rows[i][1], rows[i][2]);
      },
      {.name = "path_position_m",
       .unit = "m",
       .sentence = "Position at each key frame. Between key frames it changes linearly.",
       .example = "[[0, 0, 1], [0, 0, 0.5]]"});
}

Key path_rotation() {
  return bind_computed(
      kCollider, Kind::rows, 3,
      [](const ColliderParameters& c) -> std::optional<Value> {
        if (!has_angles(c)) return std::nullopt;
        std::vector<std::vector<double>> rows;
        for (const auto& frame : c.path)
          rows.push_back({frame.angles_deg->x(), frame.angles_deg->y(), frame.angles_deg->z()});
        return rows;
      },
      [](ColliderParameters& c, const Value& v) {
        const auto& rows = std::get<std::vector<std::vector<double>>>(v);
        auto& path = frames_for(c, rows.size());
        bool far = false;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          path[i].orientation = contact::turned_about(Vec3(rows[i].data()));
          for (std::size_t k = 0; i > 0 && k < 3; ++k) far = far || std::abs(rows[i][k] - rows[i - 1][k]) >= 180;
        }
        // Where all steps are smaller the orientations suffice, in the form in which they are written back.
        for (std::size_t i = 0; far && i < rows.size(); ++i) path[i].angles_deg = Vec3(rows[i].data());
      },
      {.name = "path_rotation_deg",
       .unit = "°",
       .sentence = "Orientation at each key frame: rotations about x, then y, then z. Where no angle changes by 180 or "
                   "more the body turns the shorter way; otherwise each angle changes linearly, so 0 to 720 about one "
                   "axis makes two turns.",
       .example = "[[0, 0, 0], [0, 0, 90]]",
       .group = "path orientation",
       .form = "degrees"});
}

Key path_orientation() {
  return bind_computed(
      kCollider, Kind::rows, 4,
      [](const ColliderParameters& c) -> std::optional<Value> {
        if (has_angles(c)) return std::nullopt;
        std::vector<std::vector<double>> rows;
        for (const auto& frame : c.path) rows.push_back(wxyz_of(frame.orientation));
        return rows;
      },
      [](ColliderParameters& c, const Value& v) {
        const auto& rows = std::get<std::vector<std::vector<double>>>(v);
        auto& path = frames_for(c, rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) path[i].orientation = unit_quaternion(rows[i]);
      },
      {.name = "path_orientation_wxyz",
       .unit = "–",
       .sentence = "Orientation at each key frame as a quaternion w, x, y, z. Between key frames the body turns the "
                   "shorter way.",
       .example = "[[1, 0, 0, 0], [1, 0, 0, 0]]",
       .group = "path orientation",
       .form = "quaternion"});
}

}  // namespace brisance::app
