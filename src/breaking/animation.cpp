#include "animation.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFloat = 5126, kUnsignedInt = 5125, kUnsignedByte = 5121;
constexpr int kVertices = 34962, kIndices = 34963, kNoTarget = 0;

struct Surfacing {
  const char* name;
  std::array<double, 3> colour;  ///< linear light, as in pictures
};
constexpr std::array<Surfacing, 2> kSurfacings{
    {{"original_surface", {0.40, 0.15, 0.075}}, {"crack_surface", {0.70, 0.60, 0.45}}}};

/// A nearly white colour with a different hue for each number: neighbours can be distinguished and the material shows.
std::array<std::uint8_t, 4> tint(std::size_t number) {
  constexpr double kGolden = 0.6180339887498949, kSaturation = 0.18;
  const double hue = std::fmod(static_cast<double>(number) * kGolden, 1.0);
  std::array<std::uint8_t, 4> rgba{0, 0, 0, 255};
  for (int k = 0; k < 3; ++k) {
    const double place = std::abs(std::fmod(hue + 1 - k / 3.0, 1.0) * 6 - 3);  // 3 at the channel's own hue
    const double share = std::clamp(place - 1, 0.0, 1.0);
    rgba[k] = static_cast<std::uint8_t>(std::lround(255 * (1 - kSaturation * (1 - share))));
  }
  return rgba;
}

/// The glTF document and its one buffer.
class Glb {
public:
  Json document;

  /// Appends rows of `width` values of a kind; glTF requires each to begin at a multiple of four bytes, which all kinds
  /// here satisfy.
  template <class T>
  int accessor(std::span<const T> values, const char* type, std::size_t width, int component, int target,
               Json more = Json::object()) {
    Json view{{"buffer", 0}, {"byteOffset", binary_.size()}, {"byteLength", values.size_bytes()}};
    if (target != kNoTarget) view["target"] = target;
    document["bufferViews"].push_back(std::move(view));
    binary_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    Json row{{"bufferView", document["bufferViews"].size() - 1},
             {"type", type},
             {"componentType", component},
             {"count", values.size() / width}};
    row.update(more);
    document["accessors"].push_back(std::move(row));
    return static_cast<int>(document["accessors"].size()) - 1;
  }

  [[nodiscard]] std::string bytes(const std::filesystem::path& file) {
    document["buffers"] = Json::array({{{"byteLength", binary_.size()}}});
    std::string text = io::json_text(document);
    text.append((4 - text.size() % 4) % 4, ' ');
    const std::size_t total = 12 + 8 + text.size() + 8 + binary_.size();
    if (total > std::numeric_limits<std::uint32_t>::max())
      throw core::Error(
          fmt::format("{} would have {} bytes, and a GLB has less than 2³²: choose fewer frames (--fps), a "
                      "shorter time, or --no-glb.",
                      file.string(), total));
    std::string all;
    all.reserve(total);
    const auto word = [&](std::size_t value) {
      const auto little = static_cast<std::uint32_t>(value);
      all.append(reinterpret_cast<const char*>(&little), sizeof little);
    };
    all += "glTF";
    word(2);
    word(total);
    word(text.size());
    all += "JSON";
    all += text;
    word(binary_.size());
    all.append("BIN\0", 4);
    all += binary_;
    return all;
  }

private:
  std::string binary_;
};

std::vector<float> floats(const std::vector<Vec3>& points) {
  std::vector<float> result;
  for (const Vec3& x : points)
    for (int k = 0; k < 3; ++k) result.push_back(static_cast<float>(x[k]));
  return result;
}

/// Minimum and maximum of rows of three.
Json bounds(const std::vector<float>& rows) {
  std::array<float, 3> low, high;
  low.fill(std::numeric_limits<float>::max());
  high.fill(std::numeric_limits<float>::lowest());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    low[i % 3] = std::min(low[i % 3], rows[i]);
    high[i % 3] = std::max(high[i % 3], rows[i]);
  }
  return {{"min", low}, {"max", high}};
}

/// The triangles of one kind of surface, with their points.
Json primitive(Glb& glb, const AnimatedMesh& mesh, bool crack, std::size_t number) {
  std::vector<std::int32_t> row(mesh.points.size(), -1);
  std::vector<Vec3> points;
  std::vector<std::uint32_t> corners;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (mesh.is_crack[t] != crack) continue;
    for (const std::int32_t n : mesh.triangles[t]) {
      if (row[n] < 0) {
        row[n] = static_cast<std::int32_t>(points.size());
        points.push_back(mesh.points[n]);
      }
      corners.push_back(static_cast<std::uint32_t>(row[n]));
    }
  }
  const std::vector<float> positions = floats(points);
  const auto colour = tint(number);
  std::vector<std::uint8_t> colours;
  for (std::size_t i = 0; i < points.size(); ++i) colours.insert(colours.end(), colour.begin(), colour.end());
  Json attributes;
  attributes["POSITION"] =
      glb.accessor(std::span<const float>(positions), "VEC3", 3, kFloat, kVertices, bounds(positions));
  attributes["COLOR_0"] =
      glb.accessor(std::span<const std::uint8_t>(colours), "VEC4", 4, kUnsignedByte, kVertices, {{"normalized", true}});
  const int indices = glb.accessor(std::span<const std::uint32_t>(corners), "SCALAR", 1, kUnsignedInt, kIndices);
  return {{"material", crack ? 1 : 0}, {"attributes", std::move(attributes)}, {"indices", indices}};
}

Json start() {
  const double half = std::sqrt(0.5);
  Json document{
      {"asset", {{"version", "2.0"}, {"generator", "brisance"}}},
      {"scene", 0},
      {"scenes", Json::array({{{"nodes", {0}}}})},
      {"nodes", Json::array({{{"name", "z_up"}, {"rotation", {-half, 0.0, 0.0, half}}, {"children", Json::array()}}})},
      {"materials", Json::array()},
      {"meshes", Json::array()},
      {"accessors", Json::array()},
      {"bufferViews", Json::array()}};
  for (const Surfacing& s : kSurfacings)
    document["materials"].push_back({{"name", s.name},
                                     {"pbrMetallicRoughness",
                                      {{"baseColorFactor", {s.colour[0], s.colour[1], s.colour[2], 1.0}},
                                       {"metallicFactor", 0},
                                       {"roughnessFactor", 0.7}}}});
  return document;
}

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
  glb.document = start();
  Json& document = glb.document;
  Json children = Json::array(), samplers = Json::array(), channels = Json::array();
  const int clock = glb.accessor(std::span<const float>(times_s_), "SCALAR", 1, kFloat, kNoTarget,
                                 {{"min", {times_s_.front()}}, {"max", {times_s_.back()}}});
  for (std::size_t m = 0, i = 0; m < meshes_.size(); ++m) {
    if (m < left_out.size() && left_out[m] != 0) continue;
    const AnimatedMesh& mesh = meshes_[m];
    Json primitives = Json::array();
    for (const bool crack : {false, true})
      if (std::find(mesh.is_crack.begin(), mesh.is_crack.end(), crack) != mesh.is_crack.end())
        primitives.push_back(primitive(glb, mesh, crack, i));
    children.push_back(i + 1);
    document["meshes"].push_back({{"name", mesh.name}, {"primitives", std::move(primitives)}});
    const std::vector<float>&t = translations_[m], &r = rotations_[m];
    document["nodes"].push_back({{"name", mesh.name},
                                 {"mesh", i},
                                 {"translation", {t[0], t[1], t[2]}},
                                 {"rotation", {r[0], r[1], r[2], r[3]}}});
    const auto channel = [&](const char* path, const char* type, std::size_t width, const std::vector<float>& values) {
      channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", i + 1}, {"path", path}}}});
      samplers.push_back({{"input", clock},
                          {"interpolation", "LINEAR"},
                          {"output", glb.accessor(std::span<const float>(values), type, width, kFloat, kNoTarget)}});
    };
    channel("translation", "VEC3", 3, t);
    channel("rotation", "VEC4", 4, r);
    ++i;
  }
  document["nodes"][0]["children"] = std::move(children);
  if (!origin_.isZero(0)) document["nodes"][0]["translation"] = {origin_.x(), origin_.z(), -origin_.y()};
  document["animations"] =
      Json::array({{{"name", "debris"}, {"samplers", std::move(samplers)}, {"channels", std::move(channels)}}});
  io::write_atomically(file, glb.bytes(file));
}

}  // namespace brisance::breaking
