/// Wavefront OBJ.
#include "exports/writers/frame_text.hpp"
#include "exports/writers/material_colours.hpp"
#include "exports/writers/up_axis.hpp"

#include <cmath>
#include <iterator>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

/// A name as one word: OBJ separates by blanks.
std::string obj_word(const std::string& name) {
  std::string word;
  for (const char c : name) word += static_cast<unsigned char>(c) <= ' ' ? '_' : c;
  return word.empty() ? "unnamed" : word;
}

/// Faces with the same material follow each other, since a group is named before its faces.
void add_faces(const Surface& s, const FragmentFrame& frame, std::size_t first, std::size_t first_texture,
               std::string& text) {
  const auto out = std::back_inserter(text);
  for (std::size_t m = 0; m < frame.materials.size(); ++m) {
    bool is_named = false;
    for (std::size_t t = 0; t < s.triangles.size(); ++t) {
      if (static_cast<std::size_t>(s.material[t]) != m) continue;
      if (!is_named) fmt::format_to(out, "usemtl {}\n", obj_word(frame.materials[m]));
      is_named = true;
      text += 'f';
      for (const std::int32_t n : s.triangles[t]) {
        const std::size_t v = first + static_cast<std::size_t>(n);
        if (s.texture.empty())
          fmt::format_to(out, " {}//{}", v, v);
        else
          fmt::format_to(out, " {}/{}/{}", v, first_texture + static_cast<std::size_t>(n), v);
      }
      text += '\n';
    }
  }
}

}  // namespace

std::string obj_text(const FragmentFrame& frame, Up up, const std::string& library) {
  std::string text = fmt::format("# brisance, frame {}, {} s\nmtllib {}\n", frame.frame, frame.time_s, library);
  const auto out = std::back_inserter(text);
  std::size_t first = 1, first_texture = 1;
  for (const Fragment& fragment : frame.fragments) {
    const Surface& s = fragment.surface;
    fmt::format_to(out, "o {}\n", obj_word(fragment.name));
    for (std::size_t i = 0; i < s.points.size(); ++i) {
      const Vec3 x = turned(s.points[i], up);
      fmt::format_to(out, "v {:.10g} {:.10g} {:.10g}", x.x(), x.y(), x.z());
      if (!s.colours.empty())
        fmt::format_to(out, " {:.4g} {:.4g} {:.4g}", s.colours[i][0], s.colours[i][1], s.colours[i][2]);
      text += '\n';
    }
    for (const auto& uv : s.texture) fmt::format_to(out, "vt {:.9g} {:.9g}\n", uv[0], uv[1]);
    for (const Vec3& normal : s.normals) {
      const Vec3 n = turned(normal, up);
      fmt::format_to(out, "vn {:.5g} {:.5g} {:.5g}\n", n.x(), n.y(), n.z());
    }
    add_faces(s, frame, first, first_texture, text);
    first += s.points.size();
    first_texture += s.texture.size();
  }
  return text;
}

std::string mtl_text(const FragmentFrame& frame) {
  std::string text = "# brisance\n";
  for (std::size_t m = 0; m < frame.materials.size(); ++m) {
    const Vec3 linear = material_colour(m, frame.materials.size());
    const auto shown = [&](int k) { return std::pow(linear[k], 1 / 2.2); };
    fmt::format_to(std::back_inserter(text), "newmtl {}\nKd {:.4g} {:.4g} {:.4g}\nKs 0 0 0\nillum 1\n",
                   obj_word(frame.materials[m]), shown(0), shown(1), shown(2));
  }
  return text;
}

}  // namespace brisance::exports
