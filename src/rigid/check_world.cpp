#include "check_world.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>

namespace brisance::rigid {

void require_valid(const Obstacle& o) {
  using Kind = Obstacle::Kind;
  const bool sized = o.kind == Kind::plane  ? o.size.norm() > 0
                     : o.kind == Kind::ball ? o.size.x() > 0
                                            : o.size.minCoeff() > 0;
  if (!sized || !o.size.allFinite() || !o.angular_velocity.allFinite() || !o.orientation.coeffs().allFinite() ||
      !o.centre.allFinite() || !o.velocity.allFinite())
    throw core::Error(
        "An obstacle needs finite numbers: a plane a normal that is not zero, a ball a radius above 0, a "
        "box edges above 0, as the box around a mesh has.");
  const auto count = static_cast<std::int32_t>(o.vertices.size());
  const auto exist = [&](const auto& triangle) {
    return std::all_of(triangle.begin(), triangle.end(), [&](std::int32_t v) { return v >= 0 && v < count; });
  };
  if (o.kind == Kind::mesh &&
      (count < 4 || o.triangles.size() < 4 ||
       !std::all_of(o.vertices.begin(), o.vertices.end(), [](const Vec3& x) { return x.allFinite(); }) ||
       !std::all_of(o.triangles.begin(), o.triangles.end(), exist)))
    throw core::Error(
        "A mesh obstacle needs a closed surface: four vertices and four triangles between them, or more.");
  if (!(o.mass >= 0) || !std::isfinite(o.mass) || (o.mass > 0 && (o.kind == Kind::plane || o.is_kinematic)))
    throw core::Error(fmt::format(
        "The mass {:g} kg of an obstacle must not be negative, and planes and kinematic obstacles have none.", o.mass));
}

void require_valid(const WorldParameters& p) {
  if (!(p.length_m > 0)) throw core::Error(fmt::format("length_m = {:g} must be above 0.", p.length_m));
  if (!(p.friction >= 0)) throw core::Error(fmt::format("friction = {:g} must not be negative.", p.friction));
  if (!(p.restitution >= 0 && p.restitution <= 1))
    throw core::Error(fmt::format("restitution = {:g} must be between 0 and 1.", p.restitution));
  if (p.iterations < 1) throw core::Error(fmt::format("iterations = {} must be 1 or more.", p.iterations));
  if (!(p.rolling_lever_m >= 0))
    throw core::Error(fmt::format("rolling_lever_m = {:g} must not be negative.", p.rolling_lever_m));
  if (!(p.parting_time_s >= 0))
    throw core::Error(fmt::format("parting_time_s = {:g} must not be negative.", p.parting_time_s));
  if (!(p.resting_speed_m_s >= 0))
    throw core::Error(fmt::format("resting_speed_m_s = {:g} must not be negative.", p.resting_speed_m_s));
}

}  // namespace brisance::rigid
