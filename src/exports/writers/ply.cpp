/// Stanford PLY, binary.
#include "exports/writers/byte_rows.hpp"
#include "exports/writers/frame_text.hpp"
#include "exports/writers/up_axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

/// Which properties all vertices have, and the numbers of rows.
struct PlyContent {
  std::size_t vertices = 0, faces = 0;
  bool has_velocity = true, has_texture = false, has_colour = false;
  bool is_double = false;
};

PlyContent content_of(const FragmentFrame& frame) {
  PlyContent content;
  Eigen::AlignedBox3d box;
  for (const Fragment& f : frame.fragments) {
    const Surface& s = f.surface;
    content.vertices += s.points.size();
    content.faces += s.triangles.size();
    content.has_velocity &= s.velocities.size() == s.points.size();
    content.has_texture |= !s.texture.empty();
    content.has_colour |= !s.colours.empty();
    for (const Vec3& x : s.points) box.extend(x);
  }
  if (!box.isEmpty()) {
    // 24 bits of a float leave 2⁻¹² of a thousandth of the size only near the origin.
    const double farthest = std::max(box.min().cwiseAbs().maxCoeff(), box.max().cwiseAbs().maxCoeff());
    content.is_double = farthest > 100 * box.diagonal().norm();
  }
  return content;
}

std::string header_of(const FragmentFrame& frame, const PlyContent& content) {
  std::string text =
      fmt::format("ply\nformat binary_little_endian 1.0\ncomment brisance frame {} time_s {}\nelement vertex {}\n",
                  frame.frame, frame.time_s, content.vertices);
  const auto properties = [&](const char* type, std::initializer_list<const char*> names) {
    for (const char* name : names) text += fmt::format("property {} {}\n", type, name);
  };
  properties(content.is_double ? "double" : "float", {"x", "y", "z"});
  properties("float", {"nx", "ny", "nz"});
  if (content.has_velocity) properties("float", {"vx", "vy", "vz"});
  if (content.has_texture) properties("float", {"s", "t"});
  if (content.has_colour) properties("uchar", {"red", "green", "blue"});
  properties("int", {"piece"});
  for (std::size_t m = 0; m < frame.materials.size(); ++m)
    text.insert(text.find("element vertex"), fmt::format("comment material {} {}\n", m, frame.materials[m]));
  text += fmt::format(
      "element face {}\nproperty list uchar int vertex_indices\nproperty int material\nproperty uchar crack\n"
      "property int piece\nend_header\n",
      content.faces);
  return text;
}

}  // namespace

std::string ply_text(const FragmentFrame& frame, Up up) {
  const PlyContent content = content_of(frame);
  std::string bytes = header_of(frame, content);
  const auto vector = [&](const Vec3& v) {
    const Vec3 t = turned(v, up);
    for (int k = 0; k < 3; ++k) append<float>(bytes, t[k]);
  };
  for (const Fragment& f : frame.fragments) {
    const Surface& s = f.surface;
    for (std::size_t i = 0; i < s.points.size(); ++i) {
      const Vec3 x = turned(s.points[i], up);
      for (int k = 0; k < 3; ++k) {
        if (content.is_double)
          append<double>(bytes, x[k]);
        else
          append<float>(bytes, x[k]);
      }
      vector(s.normals[i]);
      if (content.has_velocity) vector(s.velocities[i]);
      if (content.has_texture)
        for (std::size_t k = 0; k < 2; ++k) append<float>(bytes, s.texture.empty() ? 0.0 : s.texture[i][k]);
      if (content.has_colour)
        for (std::size_t k = 0; k < 3; ++k)
          append<std::uint8_t>(bytes,
                               s.colours.empty() ? 255 : std::lround(255 * std::clamp(s.colours[i][k], 0.0, 1.0)));
      append<std::int32_t>(bytes, f.id);
    }
  }
  std::size_t first = 0;
  for (const Fragment& f : frame.fragments) {
    const Surface& s = f.surface;
    for (std::size_t t = 0; t < s.triangles.size(); ++t) {
      append<std::uint8_t>(bytes, 3);
      for (const std::int32_t n : s.triangles[t]) append<std::int32_t>(bytes, first + static_cast<std::size_t>(n));
      append<std::int32_t>(bytes, s.material[t]);
      append<std::uint8_t>(bytes, s.kinds[t] == FaceKind::crack ? 1 : 0);
      append<std::int32_t>(bytes, f.id);
    }
    first += s.points.size();
  }
  return bytes;
}

}  // namespace brisance::exports
