/// Collects the triangles of one fragment; corners that are the same in all respects become one vertex.
#pragma once

#include "brisance/exports/fragments.hpp"

#include "exports/skin/input_skin.hpp"
#include "exports/skin/outline.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>

namespace brisance::exports {

/// Where a point is, at rest and now.
struct Spot {
  Vec3 rest, point, velocity;  ///< [m], [m], [m/s]
};

class SurfaceMaker {
public:
  SurfaceMaker(Surface& surface, bool has_texture, bool has_colours)
      : surface_(surface), has_texture_(has_texture), has_colours_(has_colours) {}

  /// The vertex of a point with this appearance, in the world.
  [[nodiscard]] std::int32_t vertex(PointName name, const Spot& spot, const Appearance& appearance);
  /// Adds a triangle, unless two of its corners are at bitwise one place, at rest and now.
  void triangle(const Triangle& vertices, std::int32_t material, FaceKind kind);

private:
  struct VertexKey {
    PointName name;
    std::array<double, 8> appearance;
    bool operator==(const VertexKey&) const = default;
  };
  struct HashOfVertex {
    std::size_t operator()(const VertexKey& key) const;
  };

  Surface& surface_;
  bool has_texture_, has_colours_;
  std::unordered_map<VertexKey, std::int32_t, HashOfVertex> known_;
};

}  // namespace brisance::exports
