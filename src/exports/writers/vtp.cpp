/// VTK's XML PolyData.
#include "exports/frames/base64.hpp"
#include "exports/writers/byte_rows.hpp"
#include "exports/writers/frame_text.hpp"
#include "exports/writers/up_axis.hpp"

#include <cstdint>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

/// The inside of an XML element or attribute.
std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}

/// An array: its bytes, with their number before them.
std::string data_array(const char* type, const char* name, int components, const std::string& bytes) {
  std::string block;
  append<std::uint64_t>(block, bytes.size());
  block += bytes;
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}</DataArray>\n",
                     type, name, components, base64(block));
}

struct PointRows {
  std::string points, normals, velocities, rest, texture, radius, born;
};

PointRows point_rows(const FragmentFrame& frame, Up up) {
  PointRows rows;
  const auto vector = [up](std::string& bytes, const Vec3& v) {
    const Vec3 t = turned(v, up);
    for (int k = 0; k < 3; ++k) append<double>(bytes, t[k]);
  };
  const auto vertex = [&](const Vec3& x, const Vec3& normal, const Vec3& velocity, const Vec3& rest,
                          const std::array<double, 2>& uv, double radius, double born) {
    vector(rows.points, x);
    vector(rows.normals, normal);
    vector(rows.velocities, velocity);
    vector(rows.rest, rest);
    for (const double c : uv) append<double>(rows.texture, c);
    append<double>(rows.radius, radius);
    append<double>(rows.born, born);
  };
  for (const Fragment& f : frame.fragments)
    for (std::size_t i = 0; i < f.surface.points.size(); ++i) {
      const Surface& s = f.surface;
      vertex(s.points[i], s.normals[i], s.velocities.empty() ? Vec3(Vec3::Zero()) : s.velocities[i], s.rest[i],
             s.texture.empty() ? std::array<double, 2>{} : s.texture[i], 0, 0);
    }
  for (const Particle& p : frame.particles)
    vertex(p.position, turned(Vec3::UnitZ(), up), p.velocity, p.position, {}, p.radius_m, p.born_s);
  return rows;
}

struct CellRows {
  std::string verts, vert_ends, corners, corner_ends, piece, parent, crack, material;
  std::size_t num_triangles = 0;
};

/// Vertices of particles come before the triangles.
CellRows cell_rows(const FragmentFrame& frame) {
  CellRows rows;
  std::size_t first = 0;
  for (const Fragment& f : frame.fragments) first += f.surface.points.size();
  for (std::size_t i = 0; i < frame.particles.size(); ++i) {
    append<std::int64_t>(rows.verts, first + i);
    append<std::int64_t>(rows.vert_ends, i + 1);
    append<std::int64_t>(rows.piece, frame.particles[i].id);
    append<std::int64_t>(rows.parent, -1);
    append<std::uint8_t>(rows.crack, 1);
    append<std::int32_t>(rows.material, frame.materials.size() - 1);
  }
  first = 0;
  for (const Fragment& f : frame.fragments) {
    for (std::size_t t = 0; t < f.surface.triangles.size(); ++t) {
      for (const std::int32_t n : f.surface.triangles[t])
        append<std::int64_t>(rows.corners, first + static_cast<std::size_t>(n));
      append<std::int64_t>(rows.corner_ends, 3 * ++rows.num_triangles);
      append<std::int64_t>(rows.piece, f.id);
      append<std::int64_t>(rows.parent, f.parent);
      append<std::uint8_t>(rows.crack, f.surface.kinds[t] == FaceKind::crack ? 1 : 0);
      append<std::int32_t>(rows.material, f.surface.material[t]);
    }
    first += f.surface.points.size();
  }
  return rows;
}

}  // namespace

std::string vtp_text(const FragmentFrame& frame, Up up) {
  const PointRows points = point_rows(frame, up);
  const CellRows cells = cell_rows(frame);
  std::string materials;
  for (std::size_t m = 0; m < frame.materials.size(); ++m)
    materials += fmt::format("{}{} {}", m > 0 ? ", " : "", m, xml_text(frame.materials[m]));
  for (char& c : materials) c = c == '-' ? '_' : c;  // a comment must not contain two dashes
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<!-- brisance; materials: {} -->\n<PolyData>\n<FieldData>\n",
      materials);
  text += fmt::format(
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
      frame.time_s);
  text += fmt::format(
      "</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n<PointData Normals=\"normal\" Vectors=\"velocity\">\n",
      points.radius.size() / sizeof(double), frame.particles.size(), cells.num_triangles);
  text += data_array("Float64", "normal", 3, points.normals) + data_array("Float64", "velocity", 3, points.velocities) +
          data_array("Float64", "rest_position", 3, points.rest) + data_array("Float64", "texture", 2, points.texture) +
          data_array("Float64", "radius", 1, points.radius) + data_array("Float64", "born_s", 1, points.born);
  text += "</PointData>\n<CellData Scalars=\"piece\">\n";
  text += data_array("Int64", "piece", 1, cells.piece) + data_array("Int64", "parent", 1, cells.parent) +
          data_array("UInt8", "crack", 1, cells.crack) + data_array("Int32", "material", 1, cells.material);
  text += "</CellData>\n<Points>\n" + data_array("Float64", "Points", 3, points.points) + "</Points>\n<Verts>\n" +
          data_array("Int64", "connectivity", 1, cells.verts) + data_array("Int64", "offsets", 1, cells.vert_ends) +
          "</Verts>\n<Polys>\n" + data_array("Int64", "connectivity", 1, cells.corners) +
          data_array("Int64", "offsets", 1, cells.corner_ends) + "</Polys>\n</Piece>\n</PolyData>\n</VTKFile>\n";
  return text;
}

}  // namespace brisance::exports
