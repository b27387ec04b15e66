#include "brisance/core/error.hpp"

#include "app/batch/dataset_batch.hpp"
#include "app/batch/impact_draws.hpp"
#include "app/scene/scene.hpp"

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

std::string list(const Vec3& x) { return fmt::format("[{},{},{}]", x[0], x[1], x[2]); }

nlohmann::ordered_json row(const Vec3& x) { return {x[0], x[1], x[2]}; }

}  // namespace

RunTemplate::RunTemplate(const std::filesystem::path& scene) {
  const sim::Scene read = read_scene(scene);
  if (read.objects.size() != 1)
    throw core::BadInput(
        fmt::format("{} has {} objects: a template of a data set has one, in whose place each object "
                    "of the folder is put.",
                    scene.string(), read.objects.size()));
  for (std::size_t c = 0; c < read.colliders.size(); ++c) {
    const contact::ColliderParameters& collider = read.colliders[c];
    if (collider.motion != contact::ColliderMotion::free || collider.shape != contact::ColliderShape::sphere) continue;
    if (ball_ >= 0)
      throw core::BadInput(scene.string() +
                           " has several free balls: a template of a data set has one, which is shot "
                           "at the object, or none.");
    ball_ = static_cast<std::int64_t>(c);
    radius_m_ = collider.radius_m;
    speed_m_s_ = collider.velocity.norm();
    if (!(speed_m_s_ > 0))
      throw core::BadInput(
          fmt::format("{}: collider[{}], the ball that is shot at the object, needs a velocity_m_s: "
                      "its amount is that of each shot.",
                      scene.string(), c));
  }
}

PlannedRun RunTemplate::plan(const std::filesystem::path& mesh_file, const mesh::TetMesh& mesh, std::uint64_t seed,
                             std::int64_t impact) const {
  const DrawnImpact drawn = ImpactDraws(mesh, seed).at(static_cast<std::uint64_t>(impact));
  PlannedRun planned;
  planned.overrides.push_back(fmt::format("object[0].mesh.file=\"{}\"", std::filesystem::absolute(mesh_file).string()));
  if (ball_ < 0) {
    planned.overrides.push_back("object[0].rotation_deg=" + list(drawn.rotation_deg));
    planned.labels = {{"rotation_deg", row(drawn.rotation_deg)}};
    return planned;
  }
  for (const char* key : {"rotation_deg", "translation_m"})
    planned.overrides.push_back(fmt::format("object[0].{}=[0,0,0]", key));
  planned.overrides.emplace_back("object[0].lowest_point_m=nan");
  // Just off the surface: a ball that began in contact would have an offset.
  const Vec3 centre = drawn.point - 1.01 * radius_m_ * drawn.direction, velocity = speed_m_s_ * drawn.direction;
  planned.overrides.push_back(fmt::format("collider[{}].position_m={}", ball_, list(centre)));
  planned.overrides.push_back(fmt::format("collider[{}].velocity_m_s={}", ball_, list(velocity)));
  planned.labels = {{"point_m", row(drawn.point)},
                    {"direction", row(drawn.direction)},
                    {"ball_radius_m", radius_m_},
                    {"ball_speed_m_s", speed_m_s_}};
  return planned;
}

}  // namespace brisance::app
