#include "breaking/glb.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

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
Json primitive(Glb& glb, std::span<const Vec3> all_points, std::span<const std::array<std::int32_t, 3>> triangles,
               const std::vector<bool>& is_crack, bool crack, std::size_t number) {
  std::vector<std::int32_t> row(all_points.size(), -1);
  std::vector<Vec3> points;
  std::vector<std::uint32_t> corners;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (is_crack[t] != crack) continue;
    for (const std::int32_t n : triangles[t]) {
      if (row[n] < 0) {
        row[n] = static_cast<std::int32_t>(points.size());
        points.push_back(all_points[n]);
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
      glb.accessor(std::span<const float>(positions), "VEC3", 3, Glb::kFloat, Glb::kVertices, bounds(positions));
  attributes["COLOR_0"] = glb.accessor(std::span<const std::uint8_t>(colours), "VEC4", 4, Glb::kUnsignedByte,
                                       Glb::kVertices, {{"normalized", true}});
  const int indices =
      glb.accessor(std::span<const std::uint32_t>(corners), "SCALAR", 1, Glb::kUnsignedInt, Glb::kIndices);
  return {{"material", crack ? 1 : 0}, {"attributes", std::move(attributes)}, {"indices", indices}};
}

}  // namespace

Json Glb::start() {
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

Json Glb::primitives(std::span<const Vec3> points, std::span<const std::array<std::int32_t, 3>> triangles,
                     const std::vector<bool>& is_crack, std::size_t number) {
  Json made = Json::array();
  for (const bool crack : {false, true})
    if (std::find(is_crack.begin(), is_crack.end(), crack) != is_crack.end())
      made.push_back(primitive(*this, points, triangles, is_crack, crack, number));
  return made;
}

std::string Glb::bytes(const std::filesystem::path& file, const std::string& advice) {
  document["buffers"] = Json::array({{{"byteLength", binary_.size()}}});
  std::string text = io::json_text(document);
  text.append((4 - text.size() % 4) % 4, ' ');
  const std::size_t total = 12 + 8 + text.size() + 8 + binary_.size();
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw core::Error(
        fmt::format("{} would have {} bytes, and a GLB has less than 2³²: {}.", file.string(), total, advice));
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

}  // namespace brisance::breaking
