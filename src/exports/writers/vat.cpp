/// Rigid-body vertex animation textures.
#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"

#include "exports/writers/glb_scene.hpp"
#include "exports/writers/rigid_files.hpp"
#include "exports/writers/up_axis.hpp"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

constexpr const char *kMesh = "mesh.glb", *kPositions = "positions.exr", *kRotations = "rotations.exr",
                     *kNumbers = "vat.json";
constexpr std::size_t kMostColumns = 4096;  ///< a width that graphics hardware takes

/// Where a piece's texels are: its column, and its row in the block of rows of each frame.
struct Layout {
  std::size_t pieces, columns, rows_a_frame, frames;
  Layout(std::size_t num_pieces, std::size_t num_frames)
      : pieces(num_pieces),
        columns(std::min(num_pieces, kMostColumns)),
        rows_a_frame((num_pieces + kMostColumns - 1) / kMostColumns),
        frames(num_frames) {}
  [[nodiscard]] std::size_t texel(std::size_t frame, std::size_t piece) const {
    return (frame * rows_a_frame + piece / columns) * columns + piece % columns;
  }
};

/// Motion of a piece at a time, between frames by linear and spherical interpolation.
PieceMotion at_time(const RigidScene& scene, std::size_t f, double time_s) {
  const std::vector<double>& times = scene.tracks.times_s;
  const auto after = std::ranges::upper_bound(times, time_s);
  if (after == times.begin()) return scene.motion(0, f);
  const auto low = static_cast<std::size_t>(after - times.begin()) - 1;
  if (low + 1 == times.size()) return scene.motion(low, f);
  const PieceMotion &a = scene.motion(low, f), &b = scene.motion(low + 1, f);
  const double share = (time_s - times[low]) / (times[low + 1] - times[low]);
  return {a.position + share * (b.position - a.position), a.rotation.slerp(share, b.rotation)};
}

struct Textures {
  FloatImage positions, rotations;
  Eigen::AlignedBox3d bounds;  ///< of all pieces in all frames
};

/// Of equal time steps: a shader interpolates rows.
Textures textures(const RigidScene& scene, const Layout& layout) {
  Textures made;
  const auto height = static_cast<int>(layout.frames * layout.rows_a_frame), width = static_cast<int>(layout.columns);
  made.positions = {width, height, {"R", "G", "B"}, {}};
  made.rotations = {width, height, {"R", "G", "B", "A"}, {}};
  made.positions.values.resize(3 * layout.columns * static_cast<std::size_t>(height));
  made.rotations.values.resize(4 * layout.columns * static_cast<std::size_t>(height));
  const std::vector<double>& times = scene.tracks.times_s;
  const double last = static_cast<double>(std::max<std::size_t>(layout.frames, 2) - 1);
  for (std::size_t f = 0; f < layout.pieces; ++f) {
    double radius = 0;
    for (const Vec3& x : scene.last.fragments[f].surface.rest) radius = std::max(radius, (x - scene.centre(f)).norm());
    Eigen::Quaterniond before = Eigen::Quaterniond::Identity();
    for (std::size_t i = 0; i < layout.frames; ++i) {
      const double time_s = times.front() + (times.back() - times.front()) * static_cast<double>(i) / last;
      const PieceMotion motion = at_time(scene, f, time_s);
      const Vec3 x = turned(motion.position, Up::y);
      Eigen::Quaterniond q = turned(motion.rotation, Up::y);
      if (q.dot(before) < 0) q.coeffs() *= -1;
      before = q;
      const std::size_t texel = layout.texel(i, f);
      for (int k = 0; k < 3; ++k)
        made.positions.values[3 * texel + static_cast<std::size_t>(k)] = static_cast<float>(x[k]);
      for (int k = 0; k < 4; ++k)
        made.rotations.values[4 * texel + static_cast<std::size_t>(k)] = static_cast<float>(q.coeffs()[k]);
      made.bounds.extend(Vec3(x - Vec3::Constant(radius)));
      made.bounds.extend(Vec3(x + Vec3::Constant(radius)));
    }
  }
  return made;
}

/// All pieces in the place of the first frame, as one mesh: second set of texture coordinates, the piece's texel in the
/// first frame; third and fourth, its pivot.
void write_mesh(const std::filesystem::path& file, const RigidScene& scene, const Layout& layout) {
  GlbScene glb(scene.last.materials, Vec3::Zero(), Up::y);
  Surface all;
  std::vector<std::vector<std::array<double, 2>>> more(3);
  std::vector<Vec3> normals;
  const auto height = static_cast<double>(layout.frames * layout.rows_a_frame);
  for (std::size_t f = 0; f < layout.pieces; ++f) {
    const Surface& s = scene.last.fragments[f].surface;
    const auto first = static_cast<std::int32_t>(all.rest.size());
    const Vec3 pivot = turned(scene.centre(f), Up::y);
    const std::array<double, 2> texel{
        (static_cast<double>(f % layout.columns) + 0.5) / static_cast<double>(layout.columns),
        (static_cast<double>(f / layout.columns) + 0.5) / height};
    for (const Vec3& x : s.rest) {
      all.rest.push_back(turned(x, Up::y));
      more[0].push_back(texel);
      more[1].push_back({pivot.x(), pivot.y()});
      more[2].push_back({pivot.z(), static_cast<double>(f)});
    }
    for (const Vec3& n : scene.rest_normals(f)) normals.push_back(turned(n, Up::y));
    all.texture.insert(all.texture.end(), s.texture.begin(), s.texture.end());
    all.texture.resize(all.rest.size());  // a second set needs a first
    for (const auto& t : s.triangles) all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    all.material.insert(all.material.end(), s.material.begin(), s.material.end());
  }
  const int mesh = glb.add_mesh("pieces", all, {all.rest, normals, Vec3::Zero(), more});
  (void)glb.add_node("pieces", mesh, Vec3::Zero(), {});
  glb.write(file);
}

nlohmann::json row(const Vec3& x) { return {x.x(), x.y(), x.z()}; }

}  // namespace

std::vector<std::filesystem::path> vat_files(const std::filesystem::path& folder) {
  return {folder / kMesh, folder / kPositions, folder / kRotations, folder / kNumbers};
}

void write_vat(const std::filesystem::path& folder, const RigidScene& scene, const WriteImage& write_image) {
  const Layout layout(scene.last.fragments.size(), scene.tracks.times_s.size());
  const Textures made = textures(scene, layout);
  const double duration_s = scene.tracks.times_s.back() - scene.tracks.times_s.front();
  nlohmann::json numbers{
      {"format", "brisance-vat"},
      {"version", 1},
      {"mesh", kMesh},
      {"positions", kPositions},
      {"rotations", kRotations},
      {"up", "y"},
      {"unit", "m"},
      {"num_frames", layout.frames},
      {"rows_a_frame", layout.rows_a_frame},
      {"duration_s", duration_s},
      {"frames_per_second", duration_s > 0 ? static_cast<double>(layout.frames - 1) / duration_s : 0.0},
      {"bounds_m", {{"low", row(made.bounds.min())}, {"high", row(made.bounds.max())}}},
      {"pieces", nlohmann::json::array()}};
  for (std::size_t f = 0; f < layout.pieces; ++f) {
    const Fragment& fragment = scene.last.fragments[f];
    numbers["pieces"].push_back({{"name", fragment.name},
                                 {"pivot_m", row(turned(scene.centre(f), Up::y))},
                                 {"mass_kg", fragment.mass_kg},
                                 {"volume_m3", fragment.volume_m3}});
  }
  write_mesh(folder / kMesh, scene, layout);
  write_image(made.positions, folder / kPositions);
  write_image(made.rotations, folder / kRotations);
  io::write_atomically(folder / kNumbers, io::json_text(numbers, 1) + "\n");
}

}  // namespace brisance::exports
