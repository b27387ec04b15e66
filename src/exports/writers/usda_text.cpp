#include "usda_text.hpp"

#include "exports/writers/material_colours.hpp"
#include "exports/writers/up_axis.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace brisance::exports {

std::string usd_name(const std::string& name) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result.front())) != 0) result.insert(0, 1, '_');
  return result;
}

std::vector<std::string> usd_materials(const std::vector<std::string>& materials) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const std::string& material : materials) {
    std::string name = usd_name(material);
    while (!taken.insert(name).second) name += '_';
    names.push_back(std::move(name));
  }
  return names;
}

std::string vectors_text(const std::vector<Vec3>& rows, Up up, const Vec3& about) {
  std::string text = "[";
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Vec3 v = turned(Vec3(rows[i] - about), up);
    fmt::format_to(out, "{}({:.8g}, {:.8g}, {:.8g})", i > 0 ? ", " : "", v.x(), v.y(), v.z());
  }
  return text + "]";
}

std::string texture_text(const std::vector<std::array<double, 2>>& rows) {
  return numbers_text(rows, [](const auto& uv) { return fmt::format("({:.8g}, {:.8g})", uv[0], uv[1]); });
}

std::string corners_text(const Surface& s, std::size_t first) {
  return numbers_text(s.triangles, [first](const auto& t) {
    return fmt::format("{}, {}, {}", first + static_cast<std::size_t>(t[0]), first + static_cast<std::size_t>(t[1]),
                       first + static_cast<std::size_t>(t[2]));
  });
}

std::string stage_begin(const std::vector<double>& times_s, Up up) {
  const Clock clock(times_s);
  return fmt::format(
      "#usda 1.0\n(\n    defaultPrim = \"run\"\n    doc = \"brisance\"\n    endTimeCode = {}\n    framesPerSecond = "
      "{:.9g}\n"
      "    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    startTimeCode = {}\n    timeCodesPerSecond = {:.9g}\n    "
      "upAxis = \"{}\"\n)\n\n",
      clock.code(times_s.back()), clock.per_second, clock.code(times_s.front()), clock.per_second,
      up == Up::z ? "Z" : "Y");
}

std::string root_begin(const Vec3& origin, Up up, const std::vector<std::string>& materials) {
  const Vec3 place = turned(origin, up);
  std::string text = fmt::format(
      "def Xform \"run\" (\n    kind = \"component\"\n)\n{{\n    double3 xformOp:translate = ({:.17g}, {:.17g}, "
      "{:.17g})\n    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n\n    def Scope \"materials\"\n    {{\n",
      place.x(), place.y(), place.z());
  const std::vector<std::string> names = usd_materials(materials);
  for (std::size_t m = 0; m < names.size(); ++m) {
    const Vec3 colour = material_colour(m, names.size());
    text += fmt::format(
        "        def Material \"{0}\"\n        {{\n            token outputs:surface.connect = "
        "</run/materials/{0}/surface.outputs:surface>\n\n            def Shader \"surface\"\n            {{\n"
        "                uniform token info:id = \"UsdPreviewSurface\"\n                color3f inputs:diffuseColor = "
        "({1:.4g}, {2:.4g}, {3:.4g})\n                float inputs:roughness = 0.7\n                token "
        "outputs:surface\n            }}\n        }}\n",
        names[m], colour.x(), colour.y(), colour.z());
  }
  return text + "    }\n";
}

std::string faces_text(const std::vector<std::int32_t>& material_of_face, std::size_t material) {
  std::vector<std::size_t> faces;
  for (std::size_t t = 0; t < material_of_face.size(); ++t)
    if (static_cast<std::size_t>(material_of_face[t]) == material) faces.push_back(t);
  return numbers_text(faces, [](std::size_t t) { return t; });
}

std::string subset_begin(const std::string& material, const std::string& indent) {
  return fmt::format(
      "\n{1}def GeomSubset \"{0}\" (\n{1}    prepend apiSchemas = [\"MaterialBindingAPI\"]\n{1})\n{1}{{\n"
      "{1}    uniform token elementType = \"face\"\n{1}    uniform token familyName = \"materialBind\"\n"
      "{1}    rel material:binding = </run/materials/{0}>\n",
      material, indent);
}

std::string subsets_text(const Surface& s, const std::vector<std::string>& names) {
  const std::string indent(12, ' ');
  std::string text;
  for (std::size_t m = 0; m < names.size(); ++m)
    if (std::ranges::find(s.material, static_cast<std::int32_t>(m)) != s.material.end())
      text += subset_begin(names[m], indent) +
              fmt::format("{0}    int[] indices = {1}\n{0}}}\n", indent, faces_text(s.material, m));
  return text;
}

}  // namespace brisance::exports
