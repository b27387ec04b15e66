#include "brisance/mesh/formats/texture.hpp"

#include "mesh/formats/file_bytes.hpp"
#include "mesh/formats/obj_file.hpp"
#include "mesh/formats/read_assimp.hpp"
#include "mesh/surface/barycentric.hpp"
#include "mesh/surface/triangulate_polygon.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

std::array<double, 2> texture_of(const ObjFile& obj, std::size_t corner, const std::filesystem::path& file,
                                 std::int64_t line) {
  const std::int64_t index = obj.texture_corners[corner];
  if (index == kNoTextureCorner) return {0, 0};
  if (index < 0 || index >= static_cast<std::int64_t>(obj.texture_points.size()))
    fail_at_line(file, line,
                 fmt::format("a corner of the face is not one of the file's {} texture coordinates. Correct the index "
                             "or export the file again.",
                             obj.texture_points.size()));
  return obj.texture_points[static_cast<std::size_t>(index)];
}

/// The triangles of polygon p, cut as in the surface reader; none if it has no area.
std::vector<Texture::Patch> patches_of(const ObjFile& obj, std::size_t p, const std::filesystem::path& file) {
  const auto& soup = obj.polygons;
  const std::vector<std::size_t> outline = outline_corners(soup, p);
  std::vector<Texture::Patch> patches;
  if (outline.size() < 3) return patches;
  std::vector<std::int32_t> corners;
  for (const std::size_t c : outline) corners.push_back(static_cast<std::int32_t>(soup.corners[c]));
  for (const auto& triangle : triangulate_polygon(soup.points, corners)) {
    Texture::Patch& patch = patches.emplace_back();
    for (int k = 0; k < 3; ++k) {
      const auto place = static_cast<std::size_t>(std::ranges::find(corners, triangle[k]) - corners.begin());
      patch.corners[k] = soup.points[triangle[k]];
      patch.coords[k] = texture_of(obj, outline[place], file, soup.places[p]);
    }
  }
  return patches;
}

}  // namespace

Texture Texture::read(const std::filesystem::path& file, double scale) {
  Texture texture;
  std::optional<ObjFile> read = read_appearance(file);
  if (!read || read->texture_points.empty()) return texture;
  ObjFile& obj = *read;
  (void)surface_of(obj, file);  // for its checks of polygons and their vertices
  for (Vec3& x : obj.polygons.points) x *= scale;
  for (std::size_t p = 0; p < obj.polygons.places.size(); ++p) texture.patches_.push_back(patches_of(obj, p, file));
  return texture;
}

std::array<double, 2> Texture::at(std::int32_t face, const Vec3& point) const {
  // The triangle that contains the point, or is nearest to containing it.
  double best = -std::numeric_limits<double>::infinity();
  std::array<double, 2> uv{0, 0};
  for (const Patch& patch : patches_[static_cast<std::size_t>(face)]) {
    const auto shares = barycentric(patch.corners, point);
    const double inside = std::min({shares[0], shares[1], shares[2]});
    if (inside <= best) continue;
    best = inside;
    for (int i = 0; i < 2; ++i)
      uv[i] = shares[0] * patch.coords[0][i] + shares[1] * patch.coords[1][i] + shares[2] * patch.coords[2][i];
  }
  return uv;
}

void set_texture(PieceSurface& piece, const Texture& texture) {
  piece.texture.clear();
  if (texture.empty()) return;
  for (std::size_t t = 0; t < piece.surface.triangles.size(); ++t) {
    auto& coords = piece.texture.emplace_back();
    const std::int32_t face = piece.surface.source_face[t];
    if (piece.neighbour[t] != kNoNeighbour || face < 0) continue;
    for (int k = 0; k < 3; ++k) {
      const auto uv = texture.at(face, piece.surface.vertices[piece.surface.triangles[t][k]]);
      coords[2 * k] = uv[0];
      coords[2 * k + 1] = uv[1];
    }
  }
}

}  // namespace brisance::mesh
