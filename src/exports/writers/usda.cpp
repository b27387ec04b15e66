/// Universal Scene Description as text.
#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"

#include "exports/writers/material_colours.hpp"
#include "exports/writers/origin.hpp"
#include "exports/writers/single_files.hpp"
#include "exports/writers/up_axis.hpp"

#include <cctype>
#include <fstream>
#include <iterator>
#include <list>
#include <set>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

/// A name as USD allows: letters, digits and underscores, no digit first.
std::string usd_name(const std::string& name) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result.front())) != 0) result.insert(0, 1, '_');
  return result;
}

/// Names of the materials, each once.
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

template <class Rows, class Value>
std::string numbers_text(const Rows& rows, const Value& value) {
  std::string text = "[";
  const auto out = std::back_inserter(text);
  bool is_first = true;
  for (const auto& row : rows) {
    fmt::format_to(out, "{}{}", is_first ? "" : ", ", value(row));
    is_first = false;
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

/// One time code a frame interval; irregular times have codes between.
struct Clock {
  double per_second = 1;
  explicit Clock(const std::vector<double>& times_s) {
    if (times_s.size() > 1 && times_s.back() > times_s.front())
      per_second = static_cast<double>(times_s.size() - 1) / (times_s.back() - times_s.front());
  }
  [[nodiscard]] std::string code(double time_s) const { return fmt::format("{:.9g}", time_s * per_second); }
};

std::string stage_begin(const std::vector<double>& times_s, Up up) {
  const Clock clock(times_s);
  return fmt::format(
      "#usda 1.0\n(\n    defaultPrim = \"run\"\n    doc = \"brisance\"\n    endTimeCode = {}\n    framesPerSecond = "
      "{:.9g}\n"
      "    metersPerUnit = 1\n    startTimeCode = {}\n    timeCodesPerSecond = {:.9g}\n    upAxis = \"{}\"\n)\n\n",
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

/// The faces of each material of a piece.
std::string subsets_text(const Surface& s, const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t m = 0; m < names.size(); ++m) {
    std::vector<std::size_t> faces;
    for (std::size_t t = 0; t < s.material.size(); ++t)
      if (static_cast<std::size_t>(s.material[t]) == m) faces.push_back(t);
    if (faces.empty()) continue;
    text += fmt::format(
        "\n            def GeomSubset \"{0}\" (\n                prepend apiSchemas = [\"MaterialBindingAPI\"]\n       "
        "     )\n            {{\n                uniform token elementType = \"face\"\n                uniform token "
        "familyName = \"materialBind\"\n                int[] indices = {1}\n                rel material:binding = "
        "</run/materials/{0}>\n            }}\n",
        names[m], numbers_text(faces, [](std::size_t t) { return t; }));
  }
  return text;
}

std::string piece_text(const Fragment& f, const RigidTracks& tracks, const Vec3& origin, Up up,
                       const std::vector<std::string>& materials) {
  const auto p = static_cast<std::size_t>(f.piece);
  const Clock clock(tracks.times_s);
  std::string text = fmt::format(
      "\n    def Xform \"{}\"\n    {{\n        custom int brisance:id = {}\n        custom int brisance:parent = "
      "{}\n "
      "       double3 xformOp:translate.timeSamples = {{\n",
      usd_name(f.name), f.id, f.parent);
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < tracks.times_s.size(); ++i) {
    const Vec3 x = turned(Vec3(tracks.motions[i][p].position - origin), up);
    fmt::format_to(out, "            {}: ({:.12g}, {:.12g}, {:.12g}),\n", clock.code(tracks.times_s[i]), x.x(), x.y(),
                   x.z());
  }
  text += "        }\n        quatf xformOp:orient.timeSamples = {\n";
  for (std::size_t i = 0; i < tracks.times_s.size(); ++i) {
    const Eigen::Quaterniond q = turned(tracks.motions[i][p].rotation, up);
    fmt::format_to(out, "            {}: ({:.8g}, {:.8g}, {:.8g}, {:.8g}),\n", clock.code(tracks.times_s[i]), q.w(),
                   q.x(), q.y(), q.z());
  }
  const Surface& s = f.surface;
  std::vector<Vec3> normals;
  for (const Vec3& n : s.normals) normals.push_back(tracks.motions.back()[p].rotation.conjugate() * n);
  text += fmt::format(
      "        }}\n        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n\n        def "
      "Mesh "
      "\"surface\"\n        {{\n            int[] faceVertexCounts = {}\n            int[] faceVertexIndices = {}\n    "
      " "
      "       point3f[] points = {}\n            normal3f[] normals = {} (\n                interpolation = "
      "\"vertex\"\n "
      "           )\n            uniform token subdivisionScheme = \"none\"\n",
      numbers_text(s.triangles, [](const auto&) { return 3; }), corners_text(s, 0),
      vectors_text(s.rest, up, tracks.centres[p]), vectors_text(normals, up, Vec3::Zero()));
  if (!s.texture.empty())
    text += fmt::format(
        "            texCoord2f[] primvars:st = {} (\n                interpolation = \"vertex\"\n            )\n",
        texture_text(s.texture));
  return text + subsets_text(s, materials) + "        }\n    }\n";
}

/// The samples of an attribute, in a file of their own until the stage is put together.
class SampledAttribute {
public:
  /// @param declaration  "point3f[] points"; `more` is the metadata after the samples
  SampledAttribute(const std::filesystem::path& file, std::string declaration, std::string more = "")
      : file_(file),
        declaration_(std::move(declaration)),
        more_(std::move(more)),
        stream_(file, std::ios::binary | std::ios::trunc) {}
  ~SampledAttribute() {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }
  SampledAttribute(const SampledAttribute&) = delete;
  SampledAttribute& operator=(const SampledAttribute&) = delete;

  void add(const std::string& code, const std::string& value) {
    stream_ << "            " << code << ": " << value << ",\n";
    if (!stream_) fail();
    ++count_;
  }
  void append_to(std::ofstream& stage) {
    if (count_ == 0) return;
    stream_.close();
    if (!stream_) fail();
    if (!more_.empty()) stage << "        " << declaration_ << " (\n            " << more_ << "\n        )\n";
    stage << "        " << declaration_ << ".timeSamples = {\n" << std::ifstream(file_, std::ios::binary).rdbuf();
    stage << "        }\n";
  }

private:
  [[noreturn]] void fail() const {
    throw core::Error(file_.string() +
                      " could not be written. Check the folder, its rights and the space on the disk.");
  }
  std::filesystem::path file_;
  std::string declaration_, more_;
  std::ofstream stream_;
  std::size_t count_ = 0;
};

/// The attributes of the one mesh of a deforming run, and of its particles.
class DeformingMesh {
public:
  DeformingMesh(std::filesystem::path out, Up up) : out_(std::move(out)), up_(up) {}

  void add(const FragmentFrame& frame, const std::string& code, const Vec3& origin) {
    Surface all;
    std::vector<std::int64_t> piece;
    bool has_texture = false;
    for (const Fragment& f : frame.fragments) has_texture |= !f.surface.texture.empty();
    for (const Fragment& f : frame.fragments) {
      const Surface& s = f.surface;
      const auto first = static_cast<std::int32_t>(all.points.size());
      all.points.insert(all.points.end(), s.points.begin(), s.points.end());
      all.normals.insert(all.normals.end(), s.normals.begin(), s.normals.end());
      all.velocities.insert(all.velocities.end(), s.velocities.begin(), s.velocities.end());
      all.texture.insert(all.texture.end(), s.texture.begin(), s.texture.end());
      if (has_texture) all.texture.resize(all.points.size());
      for (const auto& t : s.triangles) all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
      all.material.insert(all.material.end(), s.material.begin(), s.material.end());
      piece.insert(piece.end(), s.triangles.size(), f.id);
    }
    points_.add(code, vectors_text(all.points, up_, origin));
    normals_.add(code, vectors_text(all.normals, up_, Vec3::Zero()));
    if (all.velocities.size() == all.points.size())
      velocities_.add(code, vectors_text(all.velocities, up_, Vec3::Zero()));
    if (has_texture) texture_.add(code, texture_text(all.texture));
    counts_.add(code, numbers_text(all.triangles, [](const auto&) { return 3; }));
    corners_.add(code, corners_text(all, 0));
    piece_.add(code, numbers_text(piece, [](std::int64_t id) { return id; }));
    material_.add(code, numbers_text(all.material, [](std::int32_t m) { return m; }));
    add_particles(frame, code, origin);
  }

  void append_to(std::ofstream& stage) {
    stage << "\n    def Mesh \"surface\"\n    {\n        uniform token subdivisionScheme = \"none\"\n";
    for (SampledAttribute* a : {&points_, &normals_, &velocities_, &texture_, &counts_, &corners_, &piece_, &material_})
      a->append_to(stage);
    stage << "    }\n";
    if (!has_particles_) return;
    stage << "\n    def Points \"particles\"\n    {\n";
    for (SampledAttribute* a : {&places_, &widths_, &ids_}) a->append_to(stage);
    stage << "    }\n";
  }

private:
  void add_particles(const FragmentFrame& frame, const std::string& code, const Vec3& origin) {
    std::vector<Vec3> places;
    for (const Particle& p : frame.particles) places.push_back(p.position);
    places_.add(code, vectors_text(places, up_, origin));
    widths_.add(code, numbers_text(frame.particles, [](const Particle& p) { return 2 * p.radius_m; }));
    ids_.add(code, numbers_text(frame.particles, [](const Particle& p) { return p.id; }));
    has_particles_ |= !places.empty();
  }
  [[nodiscard]] std::filesystem::path part(const char* name) const { return out_.string() + ".writing." + name; }

  std::filesystem::path out_;
  Up up_;
  bool has_particles_ = false;
  SampledAttribute points_{part("points"), "point3f[] points"},
      normals_{part("normals"), "normal3f[] normals", "interpolation = \"vertex\""},
      velocities_{part("velocities"), "vector3f[] velocities"},
      texture_{part("st"), "texCoord2f[] primvars:st", "interpolation = \"vertex\""},
      counts_{part("counts"), "int[] faceVertexCounts"}, corners_{part("corners"), "int[] faceVertexIndices"},
      piece_{part("piece"), "int[] primvars:piece", "interpolation = \"uniform\""},
      material_{part("material"), "int[] primvars:material", "interpolation = \"uniform\""},
      places_{part("places"), "point3f[] points"}, widths_{part("widths"), "float[] widths"},
      ids_{part("ids"), "int64[] ids"};
};

}  // namespace

void write_rigid_usda(const std::filesystem::path& file, const FragmentFrame& last, const RigidTracks& tracks, Up up) {
  Eigen::AlignedBox3d box;
  for (const PieceMotion& motion : tracks.motions.front()) box.extend(motion.position);
  for (const Vec3& centre : tracks.centres) box.extend(centre);
  const Vec3 origin = chosen_origin(box);
  const std::vector<std::string> materials = usd_materials(last.materials);
  std::string text = stage_begin(tracks.times_s, up) + root_begin(origin, up, last.materials);
  for (const Fragment& f : last.fragments) text += piece_text(f, tracks, origin, up, materials);
  io::write_atomically(file, text + "}\n");
}

void write_deforming_usda(const std::filesystem::path& file, const FrameSource& frames, Up up) {
  std::vector<double> times_s;
  for (std::size_t i = 0; i < frames.size(); ++i) times_s.push_back(io::read_snapshot_header(frames.files()[i]).time_s);
  const Clock clock(times_s);
  DeformingMesh mesh(file, up);
  Vec3 origin = Vec3::Zero();
  std::vector<std::string> materials;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const FragmentFrame frame = frames.read(i);
    if (i == 0) {
      Eigen::AlignedBox3d box;
      for (const Fragment& f : frame.fragments)
        for (const Vec3& x : f.surface.points) box.extend(x);
      origin = chosen_origin(box);
      materials = frame.materials;
    }
    mesh.add(frame, clock.code(frame.time_s), origin);
  }
  const std::filesystem::path temporary = io::temporary_name(file);
  {
    std::ofstream stage(temporary, std::ios::binary | std::ios::trunc);
    stage << stage_begin(times_s, up) << root_begin(origin, up, materials);
    mesh.append_to(stage);
    stage << "}\n";
    stage.close();
    if (!stage)
      throw core::Error(file.string() +
                        " could not be written. Check the folder, its rights and the space on the disk.");
  }
  io::publish(temporary, file);
}

}  // namespace brisance::exports
