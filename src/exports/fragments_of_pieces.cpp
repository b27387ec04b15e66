#include "exports/fragments_of_pieces.hpp"

#include "brisance/mesh/formats/face_appearance.hpp"

#include "exports/frame_style.hpp"
#include "exports/scene_materials.hpp"
#include "exports/skin/surface_maker.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace brisance::exports {
namespace {

double density_of_pieces(const FragmentOptions& options) {
  return options.density_kg_m3 > 0 ? options.density_kg_m3 : kUnknownDensity;
}

Vec3 centre_of(const mesh::Surface& surface) {
  const Vec3 origin = surface.vertices.front();
  double volume = 0;
  Vec3 moment = Vec3::Zero();
  for (const auto& [i, j, k] : surface.triangles) {
    const Vec3 a = surface.vertices[i] - origin, b = surface.vertices[j] - origin, c = surface.vertices[k] - origin;
    const double part = a.cross(b).dot(c) / 6;
    volume += part;
    moment += part / 4 * (a + b + c);
  }
  return volume > 0 ? Vec3(origin + moment / volume) : origin;
}

class PieceConverter {
public:
  explicit PieceConverter(const FragmentOptions& options) : options_(options) {
    if (!options.input.empty()) appearance_ = mesh::FaceAppearance::read(options.input);
    if (!appearance_.materials().empty()) rows_ = materials_.rows(appearance_.materials());
    outside_ = materials_.rows({"outside"}).front();
    crack_ = materials_.rows({"crack"}).front();
  }

  [[nodiscard]] const std::vector<std::string>& materials() const { return materials_.names(); }

  void fill(const mesh::PieceSurface& piece, bool has_texture, Surface& surface) const {
    SurfaceMaker maker(surface, has_texture, false);
    const auto& vertices = piece.surface.vertices;
    for (const bool is_crack : {false, true}) {  // apart, so that normals split between them
      std::vector<Triangle> triangles;
      std::vector<std::size_t> rows;
      for (std::size_t t = 0; t < piece.surface.triangles.size(); ++t) {
        if ((piece.neighbour[t] != mesh::kNoNeighbour) != is_crack) continue;
        triangles.push_back(piece.surface.triangles[t]);
        rows.push_back(t);
      }
      const auto normals = corner_normals(vertices, triangles, options_.crease_deg);
      for (std::size_t i = 0; i < triangles.size(); ++i) {
        Triangle corners{};
        for (std::size_t k = 0; k < 3; ++k) {
          const Vec3& x = vertices[triangles[i][k]];
          Appearance appearance;
          appearance.normal = normals[i][k];
          if (!is_crack && !piece.texture.empty())
            appearance.texture = {piece.texture[rows[i]][2 * k], piece.texture[rows[i]][2 * k + 1]};
          if (is_crack) appearance.texture = along_axes(x, normals[i][k]);
          corners[k] = maker.vertex(triangles[i][k], {x, x, Vec3::Zero()}, appearance);
        }
        maker.triangle(corners, is_crack ? crack_ : material_of(piece.surface.source_face[rows[i]]),
                       is_crack ? FaceKind::crack : FaceKind::outside);
      }
    }
  }

private:
  [[nodiscard]] static std::array<double, 2> along_axes(const Vec3& x, const Vec3& normal) {
    Eigen::Index axis = 0;
    (void)normal.cwiseAbs().maxCoeff(&axis);
    return {x[(axis + 1) % 3], x[(axis + 2) % 3]};
  }
  [[nodiscard]] std::int32_t material_of(std::int32_t face) const {
    const std::int32_t row = appearance_.material_of(face);
    return row == mesh::kNoMaterial ? outside_ : rows_[static_cast<std::size_t>(row)];
  }

  const FragmentOptions& options_;
  mesh::FaceAppearance appearance_;
  FrameMaterials materials_;
  std::vector<std::int32_t> rows_;
  std::int32_t outside_ = 0, crack_ = 0;
};

}  // namespace

FragmentFrame fragments_of(const io::PiecesFile& file, const FragmentOptions& options) {
  const PieceConverter converter(options);
  const bool has_texture = std::ranges::any_of(file.pieces, [](const auto& piece) { return !piece.texture.empty(); });
  const std::vector<std::string> names = io::piece_names(file);
  FragmentFrame frame;
  frame.materials = converter.materials();
  for (std::size_t p = 0; p < file.pieces.size(); ++p) {
    const mesh::PieceSurface& piece = file.pieces[p];
    Fragment fragment;
    fragment.id = static_cast<std::int64_t>(p);
    fragment.piece = static_cast<std::int32_t>(p);
    fragment.name = names[p];
    fragment.volume_m3 = file.is_flat() ? 0 : file.size(piece);
    fragment.mass_kg = fragment.volume_m3 * density_of_pieces(options);
    fragment.centre = centre_of(piece.surface);
    if (!file.is_flat() && fragment.volume_m3 < options.crumb_share * file.volume_m3) {
      const double radius = std::cbrt(3 * fragment.volume_m3 / (4 * M_PI));
      frame.particles.push_back({fragment.id, fragment.centre, radius, Vec3::Zero(), 0, false, fragment.piece});
      continue;
    }
    converter.fill(piece, has_texture, fragment.surface);
    frame.fragments.push_back(std::move(fragment));
  }
  return frame;
}

std::vector<PieceLife> lives_of(const io::PiecesFile& file, const FragmentOptions& options) {
  const std::vector<std::string> names = io::piece_names(file);
  std::vector<PieceLife> lives;
  for (std::size_t p = 0; p < file.pieces.size(); ++p) {
    const double volume = file.is_flat() ? 0 : file.size(file.pieces[p]);
    lives.push_back({static_cast<std::int64_t>(p), -1, names[p], 0, 0, 0, volume * density_of_pieces(options)});
  }
  return lives;
}

}  // namespace brisance::exports
