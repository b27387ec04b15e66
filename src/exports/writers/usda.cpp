/// Universal Scene Description as text: the surface of each frame.
#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"

#include "exports/writers/origin.hpp"
#include "exports/writers/single_files.hpp"
#include "exports/writers/up_axis.hpp"
#include "exports/writers/usda_text.hpp"

#include <fstream>
#include <memory>

namespace brisance::exports {

namespace {

/// The samples of an attribute, in a file of their own until the stage is put together. Its default value is that of
/// the first frame.
class SampledAttribute {
public:
  /// @param declaration  "point3f[] points"; `more` is the metadata of the attribute, `depth` that of its prim
  SampledAttribute(const std::filesystem::path& file, std::string declaration, std::string more = "", int depth = 2)
      : file_(file),
        declaration_(std::move(declaration)),
        more_(std::move(more)),
        indent_(static_cast<std::size_t>(4 * depth), ' '),
        stream_(file, std::ios::binary | std::ios::trunc) {}
  ~SampledAttribute() {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }
  SampledAttribute(const SampledAttribute&) = delete;
  SampledAttribute& operator=(const SampledAttribute&) = delete;

  void add(const std::string& code, const std::string& value) {
    stream_ << indent_ << "    " << code << ": " << value << ",\n";
    if (!stream_) fail();
    if (count_++ == 0) default_ = value;
  }
  void append_to(std::ofstream& stage) {
    if (count_ == 0) return;
    stream_.close();
    if (!stream_) fail();
    stage << indent_ << declaration_ << " = " << default_;
    if (!more_.empty()) stage << " (\n" << indent_ << "    " << more_ << "\n" << indent_ << ")";
    stage << "\n" << indent_ << declaration_ << ".timeSamples = {\n" << std::ifstream(file_, std::ios::binary).rdbuf();
    stage << indent_ << "}\n";
  }

private:
  [[noreturn]] void fail() const {
    throw core::Error(file_.string() +
                      " could not be written. Check the folder, its rights and the space on the disk.");
  }
  std::filesystem::path file_;
  std::string declaration_, more_, indent_, default_;
  std::ofstream stream_;
  std::size_t count_ = 0;
};

/// The attributes of the one mesh of a deforming run, and of its particles.
class DeformingMesh {
public:
  DeformingMesh(std::filesystem::path out, Up up) : out_(std::move(out)), up_(up) {}

  /// Sets the names of the materials; before the first frame.
  void use(const std::vector<std::string>& materials) {
    names_ = usd_materials(materials);
    for (std::size_t m = 0; m < names_.size(); ++m)
      faces_.push_back(
          std::make_unique<SampledAttribute>(part(("faces" + std::to_string(m)).c_str()), "int[] indices", "", 3));
  }

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
    for (std::size_t m = 0; m < faces_.size(); ++m) faces_[m]->add(code, faces_text(all.material, m));
    add_particles(frame, code, origin);
  }

  void append_to(std::ofstream& stage) {
    stage << "\n    def Mesh \"surface\"\n    {\n        uniform token subdivisionScheme = \"none\"\n";
    for (SampledAttribute* a : {&points_, &normals_, &velocities_, &texture_, &counts_, &corners_, &piece_, &material_})
      a->append_to(stage);
    for (std::size_t m = 0; m < faces_.size(); ++m) {
      const std::string indent(8, ' ');
      stage << subset_begin(names_[m], indent);
      faces_[m]->append_to(stage);
      stage << indent << "}\n";
    }
    stage << "    }\n";
    if (!has_particles_) return;
    stage << "\n    def Points \"particles\"\n    {\n";
    for (SampledAttribute* a : {&places_, &moves_, &widths_, &ids_, &born_}) a->append_to(stage);
    stage << "    }\n";
  }

private:
  void add_particles(const FragmentFrame& frame, const std::string& code, const Vec3& origin) {
    std::vector<Vec3> places;
    for (const Particle& p : frame.particles) places.push_back(p.position);
    places_.add(code, vectors_text(places, up_, origin));
    widths_.add(code, numbers_text(frame.particles, [](const Particle& p) { return 2 * p.radius_m; }));
    ids_.add(code, numbers_text(frame.particles, [](const Particle& p) { return p.id; }));
    born_.add(code, numbers_text(frame.particles, [](const Particle& p) { return p.born_s; }));
    std::vector<Vec3> velocities;
    for (const Particle& p : frame.particles) velocities.push_back(p.velocity);
    moves_.add(code, vectors_text(velocities, up_, Vec3::Zero()));
    has_particles_ |= !places.empty();
  }
  [[nodiscard]] std::filesystem::path part(const char* name) const { return out_.string() + ".writing." + name; }

  std::filesystem::path out_;
  Up up_;
  bool has_particles_ = false;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<SampledAttribute>> faces_;  ///< of each material
  SampledAttribute points_{part("points"), "point3f[] points"},
      normals_{part("normals"), "normal3f[] normals", "interpolation = \"vertex\""},
      velocities_{part("velocities"), "vector3f[] velocities"},
      texture_{part("st"), "texCoord2f[] primvars:st", "interpolation = \"vertex\""},
      counts_{part("counts"), "int[] faceVertexCounts"}, corners_{part("corners"), "int[] faceVertexIndices"},
      piece_{part("piece"), "int[] primvars:piece", "interpolation = \"uniform\""},
      material_{part("material"), "int[] primvars:material", "interpolation = \"uniform\""},
      places_{part("places"), "point3f[] points"}, widths_{part("widths"), "float[] widths"},
      ids_{part("ids"), "int64[] ids"}, moves_{part("moves"), "vector3f[] velocities"},
      born_{part("born"), "float[] primvars:born_s", "interpolation = \"vertex\""};
};

}  // namespace

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
      mesh.use(materials);
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
