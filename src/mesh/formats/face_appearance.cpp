#include "brisance/mesh/formats/face_appearance.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/read_samples.hpp"

#include "mesh/formats/file_bytes.hpp"
#include "mesh/formats/obj_file.hpp"
#include "mesh/formats/read_assimp.hpp"

#include <algorithm>

namespace brisance::mesh {
namespace {

constexpr double kLargestByte = 255;

/// A channel of the vertices of a PLY file; empty if it has none of that name.
std::optional<Samples> channel(const std::filesystem::path& file, const char* name) {
  try {
    return read_samples(file, name);
  } catch (const core::Error&) {
    return std::nullopt;
  }
}

std::map<std::array<double, 3>, std::array<double, 3>> colours_of_ply(const std::filesystem::path& file) {
  std::map<std::array<double, 3>, std::array<double, 3>> colours;
  const auto red = channel(file, "red"), green = channel(file, "green"), blue = channel(file, "blue");
  if (!red || !green || !blue) return colours;
  double largest = 0;
  for (const auto& one : {red, green, blue})
    for (const double value : one->values) largest = std::max(largest, value);
  const double unit = largest > 1 ? kLargestByte : 1;  // bytes, or numbers up to 1
  for (std::size_t i = 0; i < red->points.size(); ++i) {
    const Vec3& x = red->points[i];
    colours.try_emplace({x.x(), x.y(), x.z()},
                        std::array{red->values[i] / unit, green->values[i] / unit, blue->values[i] / unit});
  }
  return colours;
}

}  // namespace

FaceAppearance FaceAppearance::read(const std::filesystem::path& file) {
  FaceAppearance appearance;
  if (lower_extension(file) == ".ply") appearance.colours_ = colours_of_ply(file);
  std::optional<ObjFile> read = read_appearance(file);
  if (!read) return appearance;
  ObjFile& obj = *read;
  appearance.materials_ = std::move(obj.materials);
  appearance.material_of_face_ = std::move(obj.material_of_polygon);
  for (std::size_t i = 0; i < obj.colours.size(); ++i) {
    const Vec3& x = obj.polygons.points[i];
    appearance.colours_.try_emplace({x.x(), x.y(), x.z()}, obj.colours[i]);
  }
  return appearance;
}

std::array<double, 3> FaceAppearance::colour_at(const Vec3& vertex) const {
  const auto found = colours_.find({vertex.x(), vertex.y(), vertex.z()});
  return found == colours_.end() ? std::array{1.0, 1.0, 1.0} : found->second;
}

}  // namespace brisance::mesh
