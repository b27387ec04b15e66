#include "animation.hpp"

#include "brisance/io/atomic_file.hpp"

#include "breaking/glb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

#include <Eigen/Geometry>

namespace brisance::breaking {

namespace {

/// Median edge of all triangles; infinite if there are none.
double median_edge(const std::vector<AnimatedMesh>& meshes) {
  std::vector<double> edges;
  for (const AnimatedMesh& mesh : meshes)
    for (const auto& [a, b, c] : mesh.triangles)
      for (const auto& [i, j] : {std::pair(a, b), {b, c}, {c, a}})
        edges.push_back((mesh.points[i] - mesh.points[j]).norm());
  if (edges.empty()) return std::numeric_limits<double>::infinity();
  const auto middle = edges.begin() + static_cast<std::ptrdiff_t>(edges.size() / 2);
  std::ranges::nth_element(edges, middle);
  return *middle;
}

/// The world's origin or, where rounding relative to it is above 2⁻¹² of an edge, a rounded point amid the meshes.
Vec3 chosen_origin(const std::vector<AnimatedMesh>& meshes, const std::vector<rigid::Motion>& motions) {
  constexpr double kLeastShare = 0x1p-12, kRounding = 0x1p-24;
  Eigen::AlignedBox3d box;
  for (const rigid::Motion& motion : motions) box.extend(motion.position);
  if (box.isEmpty()) return Vec3::Zero();
  const double edge = median_edge(meshes);
  if (box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).maxCoeff() * kRounding <= kLeastShare * edge)
    return Vec3::Zero();
  const double step = std::exp2(std::ceil(std::log2(std::max(box.sizes().maxCoeff(), edge))));
  return step * (box.center() / step).array().round();
}

AnimatedMesh ball(double radius) {
  constexpr int kRings = 12, kSectors = 24;
  AnimatedMesh mesh;
  for (int r = 1; r < kRings; ++r)
    for (int s = 0; s < kSectors; ++s) {
      const double polar = std::numbers::pi * r / kRings, azimuth = 2 * std::numbers::pi * s / kSectors;
      mesh.points.push_back(
          radius * Vec3(std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth), std::cos(polar)));
    }
  const auto north = static_cast<std::int32_t>(mesh.points.size()), south = north + 1;
  mesh.points.push_back({0, 0, radius});
  mesh.points.push_back({0, 0, -radius});
  constexpr int kLast = (kRings - 2) * kSectors;
  for (int s = 0; s < kSectors; ++s) {
    const int right = (s + 1) % kSectors;
    mesh.triangles.push_back({north, s, right});
    for (int upper = 0; upper < kLast; upper += kSectors) {
      const int lower = upper + kSectors;
      mesh.triangles.push_back({upper + s, lower + s, lower + right});
      mesh.triangles.push_back({upper + s, lower + right, upper + right});
    }
    mesh.triangles.push_back({kLast + s, south, kLast + right});
  }
  return mesh;
}

AnimatedMesh box(const Vec3& edges) {
  AnimatedMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.points.push_back(edges.cwiseProduct(Vec3((k >> 2 & 1) - 0.5, (k >> 1 & 1) - 0.5, (k & 1) - 0.5)));
  constexpr std::array<std::array<std::int32_t, 4>, 6> kQuads{
      {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}}};
  for (const auto& [a, b, c, d] : kQuads) mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
  return mesh;
}

}  // namespace

AnimatedMesh obstacle_mesh(const std::string& name, const rigid::Obstacle& obstacle) {
  AnimatedMesh mesh;
  switch (obstacle.kind) {
    case rigid::Obstacle::Kind::ball:
      mesh = ball(obstacle.size.x());
      break;
    case rigid::Obstacle::Kind::mesh:
      mesh.points = obstacle.vertices;
      mesh.triangles = obstacle.triangles;
      break;
    default:
      mesh = box(obstacle.size);
  }
  mesh.name = name;
  mesh.is_crack.assign(mesh.triangles.size(), false);
  return mesh;
}

Animation::Animation(std::vector<AnimatedMesh> meshes)
    : meshes_(std::move(meshes)), translations_(meshes_.size()), rotations_(meshes_.size()) {}

void Animation::add(double time_s, const std::vector<rigid::Motion>& motions) {
  if (times_s_.empty()) origin_ = chosen_origin(meshes_, motions);
  times_s_.push_back(static_cast<float>(time_s));
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    for (int k = 0; k < 3; ++k) translations_[i].push_back(static_cast<float>(motions[i].position[k] - origin_[k]));
    std::vector<float>& r = rotations_[i];
    Eigen::Vector4f q = motions[i].orientation.coeffs().cast<float>();  // x y z w
    // q and −q are the same rotation: uses the sign nearer to the keyframe before.
    if (!r.empty() && q.dot(Eigen::Map<const Eigen::Vector4f>(r.data() + r.size() - 4)) < 0) q = -q;
    r.insert(r.end(), q.begin(), q.end());
  }
}

void Animation::write(const std::filesystem::path& file, const std::vector<std::uint8_t>& left_out) const {
  Glb glb;
  glb.document = Glb::start();
  Json& document = glb.document;
  Json children = Json::array(), samplers = Json::array(), channels = Json::array();
  const int clock = glb.accessor(std::span<const float>(times_s_), "SCALAR", 1, Glb::kFloat, Glb::kNoTarget,
                                 {{"min", {times_s_.front()}}, {"max", {times_s_.back()}}});
  for (std::size_t m = 0, i = 0; m < meshes_.size(); ++m) {
    if (m < left_out.size() && left_out[m] != 0) continue;
    const AnimatedMesh& mesh = meshes_[m];
    Json primitives = glb.primitives(mesh.points, mesh.triangles, mesh.is_crack, i);
    children.push_back(i + 1);
    document["meshes"].push_back({{"name", mesh.name}, {"primitives", std::move(primitives)}});
    const std::vector<float>&t = translations_[m], &r = rotations_[m];
    document["nodes"].push_back({{"name", mesh.name},
                                 {"mesh", i},
                                 {"translation", {t[0], t[1], t[2]}},
                                 {"rotation", {r[0], r[1], r[2], r[3]}}});
    const auto channel = [&](const char* path, const char* type, std::size_t width, const std::vector<float>& values) {
      channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", i + 1}, {"path", path}}}});
      samplers.push_back(
          {{"input", clock},
           {"interpolation", "LINEAR"},
           {"output", glb.accessor(std::span<const float>(values), type, width, Glb::kFloat, Glb::kNoTarget)}});
    };
    channel("translation", "VEC3", 3, t);
    channel("rotation", "VEC4", 4, r);
    ++i;
  }
  document["nodes"][0]["children"] = std::move(children);
  if (!origin_.isZero(0)) document["nodes"][0]["translation"] = {origin_.x(), origin_.z(), -origin_.y()};
  document["animations"] =
      Json::array({{{"name", "debris"}, {"samplers", std::move(samplers)}, {"channels", std::move(channels)}}});
  io::write_atomically(file, glb.bytes(file, "choose fewer frames (--fps), a shorter time, or --no-glb"));
}

}  // namespace brisance::breaking
