#include "exports/skin/clothe.hpp"

#include "exports/skin/places.hpp"
#include "exports/skin/surface_maker.hpp"
#include "exports/skin/walls_between.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace brisance::exports {
namespace {

/// Coordinates on a crack: the place at rest, seen along the axis that the crack faces most [m].
std::array<double, 2> by_place(const Vec3& rest, const Vec3& normal) {
  Eigen::Index axis = 0;
  (void)normal.cwiseAbs().maxCoeff(&axis);
  return {rest[(axis + 1) % 3], rest[(axis + 2) % 3]};
}

Appearance between(const Appearance& a, const Appearance& b, double along) {
  if (along == 0) return a;
  if (along == 1) return b;
  Appearance appearance;
  appearance.normal = (1 - along) * a.normal + along * b.normal;
  for (std::size_t i = 0; i < 2; ++i) appearance.texture[i] = (1 - along) * a.texture[i] + along * b.texture[i];
  for (std::size_t i = 0; i < 3; ++i) appearance.colour[i] = (1 - along) * a.colour[i] + along * b.colour[i];
  return appearance;
}

Appearance within(const std::array<Appearance, 3>& corners, const std::array<double, 3>& shares) {
  Appearance appearance;
  appearance.colour = {0, 0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    appearance.normal += shares[k] * corners[k].normal;
    for (std::size_t i = 0; i < 2; ++i) appearance.texture[i] += shares[k] * corners[k].texture[i];
    for (std::size_t i = 0; i < 3; ++i) appearance.colour[i] += shares[k] * corners[k].colour[i];
  }
  return appearance;
}

Vec3 unit(const Vec3& x, const Vec3& otherwise) {
  const double length = x.norm();
  return length > 0 ? Vec3(x / length) : otherwise;
}

/// The outside of the tets, to which points of the skin are attached.
class Ground {
public:
  Ground(const BrokenShape& shape, const std::vector<char>& chosen) : shape_(shape) {
    for (const BoundaryTriangle& triangle : shape.triangles) {
      if (!triangle.is_outside() || chosen[static_cast<std::size_t>(triangle.piece)] == 0) continue;
      triangles_.push_back(triangle.corners);
      pieces_.push_back(triangle.piece);
    }
    search_.emplace(shape.rest, triangles_);
  }

  struct Attached {
    Spot spot;
    Mat3 turn = Mat3::Identity();
  };
  /// Moves a point at rest with the nearest face of its piece on its side of the walls, as if it were fixed to it. No
  /// walls: any side. No face: it stays.
  [[nodiscard]] Attached attach(const Vec3& rest, std::int32_t piece, const WallsBetween* walls) const {
    constexpr double kInwards = 0.01;  // from the nearest point of a face to its middle: that point may lie on a wall
    const auto is_of_piece = [&](std::int32_t t) { return pieces_[t] == piece; };
    const auto is_apart = [&](std::int32_t t) {
      const auto face = corners_of(shape_.rest, triangles_[t]);
      const Vec3 near = nearest_on_triangle(face, rest).point, middle = (face[0] + face[1] + face[2]) / 3;
      return walls != nullptr && walls->separate(rest, (1 - kInwards) * near + kInwards * middle, piece);
    };
    auto found = search_->nearest(rest, is_of_piece);
    if (found.triangle >= 0 && is_apart(found.triangle))
      if (const auto other = search_->nearest(rest, [&](std::int32_t t) { return is_of_piece(t) && !is_apart(t); });
          other.triangle >= 0)
        found = other;
    if (found.triangle < 0) return {{rest, rest, Vec3::Zero()}, Mat3::Identity()};
    const Triangle& corners = triangles_[found.triangle];
    Attached attached;
    attached.turn = rotation_of(corners_of(shape_.rest, corners), corners_of(shape_.points, corners));
    if (!attached.turn.allFinite()) attached.turn = Mat3::Identity();
    Vec3 point = attached.turn * (rest - found.at.point), velocity = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      point += found.at.shares[k] * shape_.points[corners[k]];
      velocity += found.at.shares[k] * shape_.velocities[corners[k]];
    }
    attached.spot = {rest, point, velocity};
    return attached;
  }
  [[nodiscard]] const TriangleSearch& search() const { return *search_; }
  [[nodiscard]] const std::vector<std::int32_t>& pieces() const { return pieces_; }

private:
  const BrokenShape& shape_;
  std::vector<Triangle> triangles_;
  std::vector<std::int32_t> pieces_;
  std::optional<TriangleSearch> search_;
};

class Tailor {
public:
  Tailor(const CutSkin& cut, const PreparedSkin& prepared, const Ground& ground, const SurfaceStyle& style)
      : cut_(cut),
        prepared_(prepared),
        skin_(prepared.skin),
        ground_(ground),
        style_(style),
        walls_between_(cut.walls),
        wall_normals_(corner_normals(cut.walls.points, cut.walls.net.triangles, style.crease_deg)) {}

  void make(std::int32_t piece, Surface& surface) {
    SurfaceMaker maker(surface, style_.has_texture, style_.has_colours);
    attached_.clear();
    for (const CutTriangle& triangle : cut_.of_piece[piece]) {
      Triangle corners{};
      for (std::size_t k = 0; k < 3; ++k) {
        const PointName name = triangle.corners[k];
        const Appearance appearance = triangle.is_skin ? appearance_on_skin(name, triangle.source, piece)
                                                       : appearance_on_wall(name, triangle.source);
        corners[k] = maker.vertex(name, spot(name, piece), appearance);
      }
      const bool is_cavity = !triangle.is_skin && cut_.walls.kind[triangle.source] == WallKind::cavity;
      const std::int32_t material = triangle.is_skin ? prepared_.row_of_material[skin_.material[triangle.source]]
                                    : is_cavity      ? style_.outside
                                                     : style_.crack;
      maker.triangle(corners, material, triangle.is_skin || is_cavity ? FaceKind::outside : FaceKind::crack);
    }
  }

private:
  [[nodiscard]] static bool is_crossing(PointName name) { return name >= kFirstCrossing; }
  [[nodiscard]] const Crossing& crossing(PointName name) const {
    return cut_.crossings.points[static_cast<std::size_t>(name - kFirstCrossing)];
  }

  const Ground::Attached& attached(PointName name, std::int32_t piece) {
    const auto [found, is_new] = attached_.try_emplace(name);
    if (is_new)
      found->second =
          ground_.attach(cut_.rest_of(skin_.net, name), piece, is_crossing(name) ? nullptr : &walls_between_);
    return found->second;
  }

  /// Points of walls, and those where the skin crosses them, move with the walls; the others with the ground.
  Spot spot(PointName name, std::int32_t piece) {
    const Walls& walls = cut_.walls;
    if (!is_crossing(name) && name >= kFirstWallPoint) {
      const auto row = static_cast<std::size_t>(name - kFirstWallPoint);
      return {walls.net.points[row], walls.points[row], walls.velocities[row]};
    }
    if (!is_crossing(name)) return attached(name, piece).spot;
    const Crossing& at = crossing(name);
    if (!at.is_on_skin_edge) {
      const auto& [first, last] = walls.net.edges[at.edge];
      if (at.along == 0 || at.along == 1) {
        const std::int32_t end = at.along == 0 ? first : last;
        return {at.rest, walls.points[end], walls.velocities[end]};
      }
      return {at.rest, (1 - at.along) * walls.points[first] + at.along * walls.points[last],
              (1 - at.along) * walls.velocities[first] + at.along * walls.velocities[last]};
    }
    const auto shares = nearest_on_triangle(walls.net.corners(at.triangle), at.rest).shares;
    const Triangle& corners = walls.net.triangles[at.triangle];
    Spot spot{at.rest, Vec3::Zero(), Vec3::Zero()};
    for (std::size_t k = 0; k < 3; ++k) {
      spot.point += shares[k] * walls.points[corners[k]];
      spot.velocity += shares[k] * walls.velocities[corners[k]];
    }
    return spot;
  }

  Appearance appearance_on_skin(PointName name, std::int32_t triangle, std::int32_t piece) {
    const auto& appearances = skin_.appearances[triangle];
    const Triangle& corners = skin_.net.triangles[triangle];
    Appearance appearance;
    if (!is_crossing(name)) {
      const auto k =
          static_cast<std::size_t>(std::ranges::find(corners, static_cast<std::int32_t>(name)) - corners.begin());
      appearance = appearances[k];
    } else if (const Crossing& at = crossing(name); at.is_on_skin_edge) {
      const auto corner_at = [&](std::int32_t point) {
        return appearances[static_cast<std::size_t>(std::ranges::find(corners, point) - corners.begin())];
      };
      const auto& [first, last] = skin_.net.edges[at.edge];
      appearance = between(corner_at(first), corner_at(last), at.along);
    } else {
      appearance = within(appearances, nearest_on_triangle(skin_.net.corners(triangle), at.rest).shares);
    }
    const Vec3 flat = skin_.net.area_vector(triangle).normalized();
    appearance.normal = unit(attached(name, piece).turn * unit(appearance.normal, flat), flat);
    return appearance;
  }

  [[nodiscard]] Appearance appearance_on_wall(PointName name, std::int32_t wall) const {
    const Triangle& corners = cut_.walls.net.triangles[wall];
    const auto& normals = wall_normals_[wall];
    const Vec3 rest = cut_.rest_of(skin_.net, name);
    Appearance appearance;
    if (!is_crossing(name)) {
      const auto point = static_cast<std::int32_t>(name - kFirstWallPoint);
      appearance.normal = normals[static_cast<std::size_t>(std::ranges::find(corners, point) - corners.begin())];
    } else {
      const auto shares = nearest_on_triangle(cut_.walls.net.corners(wall), rest).shares;
      for (std::size_t k = 0; k < 3; ++k) appearance.normal += shares[k] * normals[k];
    }
    const Vec3 along_z(0, 0, 1);
    appearance.normal = unit(appearance.normal, unit(normals[0], along_z));
    appearance.texture = by_place(rest, cut_.walls.net.area_vector(wall));
    return appearance;
  }

  const CutSkin& cut_;
  const PreparedSkin& prepared_;
  const InputSkin& skin_;
  const Ground& ground_;
  const SurfaceStyle& style_;
  WallsBetween walls_between_;
  std::vector<std::array<Vec3, 3>> wall_normals_;
  std::unordered_map<PointName, Ground::Attached> attached_;
};

}  // namespace

std::int64_t clothe(const BrokenShape& shape, const std::vector<char>& chosen, const PreparedSkin& skin,
                    const SurfaceStyle& style, std::vector<Surface>& surfaces) {
  const Ground ground(shape, chosen);
  const CutSkin cut = cut_skin(shape, chosen, skin.skin, skin.search, ground.search(), ground.pieces());
  Tailor tailor(cut, skin, ground, style);
  for (std::int32_t piece = 0; piece < std::ssize(chosen); ++piece)
    if (chosen[piece] != 0) tailor.make(piece, surfaces[piece]);
  return cut.num_unclear;
}

void leave_bare(const BrokenShape& shape, const std::vector<char>& chosen, const SurfaceStyle& style,
                std::vector<Surface>& surfaces) {
  std::vector<SurfaceMaker> makers;
  for (Surface& surface : surfaces) makers.emplace_back(surface, style.has_texture, style.has_colours);
  // Outside and cracks apart, so that normals split between them.
  for (const bool is_crack : {false, true}) {
    std::vector<Triangle> triangles;
    std::vector<const BoundaryTriangle*> kept;
    for (const BoundaryTriangle& triangle : shape.triangles) {
      if ((triangle.source < 0) != is_crack || chosen[static_cast<std::size_t>(triangle.piece)] == 0) continue;
      triangles.push_back(triangle.corners);
      kept.push_back(&triangle);
    }
    const auto normals = corner_normals(shape.points, triangles, style.crease_deg);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const auto rest = corners_of(shape.rest, triangles[t]);
      const Vec3 facing = (rest[1] - rest[0]).cross(rest[2] - rest[0]);
      SurfaceMaker& maker = makers[static_cast<std::size_t>(kept[t]->piece)];
      Triangle corners{};
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t node = triangles[t][k];
        Appearance appearance;
        appearance.normal = unit(normals[t][k], Vec3(0, 0, 1));
        if (is_crack) appearance.texture = by_place(shape.rest[node], facing);
        corners[k] = maker.vertex(node, {shape.rest[node], shape.points[node], shape.velocities[node]}, appearance);
      }
      maker.triangle(corners, is_crack ? style.crack : style.outside, is_crack ? FaceKind::crack : FaceKind::outside);
    }
  }
}

}  // namespace brisance::exports
