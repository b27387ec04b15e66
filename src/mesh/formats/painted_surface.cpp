#include "brisance/mesh/formats/painted_surface.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/face_appearance.hpp"
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/formats/texture.hpp"

#include "mesh/surface/barycentric.hpp"
#include "mesh/surface/nearest_on_triangles.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace brisance::mesh {

struct PaintedSurface::Parts {
  Surface surface;
  std::vector<std::array<double, 3>> colours;  ///< of vertices; empty if the file has none
  Texture texture;
  std::optional<TriangleTree> tree;
};

namespace {

std::array<Vec3, 3> corners_of_triangle(const Surface& surface, std::size_t t) {
  const auto& [a, b, c] = surface.triangles[t];
  return {surface.vertices[a], surface.vertices[b], surface.vertices[c]};
}

/// Nothing is nearest to a triangle without area that is not as near to its neighbours.
void drop_flat_triangles(Surface& surface) {
  std::size_t kept = 0;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto [a, b, c] = corners_of_triangle(surface, t);
    if ((b - a).cross(c - a).squaredNorm() == 0) continue;
    surface.triangles[kept] = surface.triangles[t];
    surface.source_face[kept++] = surface.source_face[t];
  }
  surface.triangles.resize(kept);
  surface.source_face.resize(kept);
}

}  // namespace

PaintedSurface::PaintedSurface(const std::filesystem::path& file, double scale) : parts_(std::make_unique<Parts>()) {
  Surface& surface = parts_->surface = read_surface(file);
  parts_->texture = Texture::read(file, scale);
  if (const FaceAppearance faces = FaceAppearance::read(file); faces.has_colours())
    for (const Vec3& x : surface.vertices) parts_->colours.push_back(faces.colour_at(x));
  for (Vec3& x : surface.vertices) x *= scale;
  drop_flat_triangles(surface);
  if (surface.triangles.empty()) throw core::Error(file.string() + " has no triangle with an area.");
  parts_->tree.emplace(surface.vertices, surface.triangles);
}

PaintedSurface::~PaintedSurface() = default;
PaintedSurface::PaintedSurface(PaintedSurface&&) noexcept = default;

bool PaintedSurface::has_colours() const { return !parts_->colours.empty(); }
bool PaintedSurface::has_texture() const { return !parts_->texture.empty(); }

PaintedSurface::Paint PaintedSurface::at(const Vec3& x) const {
  const TriangleTree::Found found = parts_->tree->nearest(x);
  const auto triangle = static_cast<std::size_t>(found.triangle);
  Paint paint;
  if (has_texture()) paint.texture = parts_->texture.at(parts_->surface.source_face[triangle], found.point);
  if (!has_colours()) return paint;
  const auto share = barycentric(corners_of_triangle(parts_->surface, triangle), found.point);
  paint.colour = {0, 0, 0};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t c = 0; c < 3; ++c)
      paint.colour[c] += share[k] * parts_->colours[parts_->surface.triangles[triangle][k]][c];
  return paint;
}

}  // namespace brisance::mesh
