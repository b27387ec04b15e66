/// The part of a triangle that the curves across it leave: followed by names of points alone, then cut into triangles.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace brisance::exports {

/// Name of a point: equal names are the same point.
using PointName = std::int64_t;

/// A piece of a curve across the triangle; what is kept lies on its left, seen from outside.
struct Stretch {
  PointName from, to;
};

/// A point where a curve crosses the triangle's edge. One that follows the edge counter-clockwise leaves what is kept
/// there, or enters it.
struct EdgeCrossing {
  PointName point;
  bool leaves;
};

struct TriangleCuts {
  std::array<PointName, 3> corners;                   ///< counter-clockwise
  std::array<int, 3> times;                           ///< how often each corner is kept: its winding number
  std::array<std::vector<EdgeCrossing>, 3> on_edges;  ///< from corner k to corner k + 1, in this order
  std::vector<Stretch> stretches;
};

using Polygon = std::vector<PointName>;

struct KeptPart {
  std::vector<Polygon> outlines;    ///< counter-clockwise; may touch themselves, and cross where curves do
  std::vector<Polygon> holes;       ///< clockwise, or without area
  std::array<int, 3> whole_edge{};  ///< how often edge k is kept; 0 if something crosses it
};

/// The place of a point in the triangle's plane, with the triangle counter-clockwise.
using PlaneOf = std::function<Eigen::Vector2d(PointName)>;

/// Follows the edges and curves into closed polygons, by names alone. Where curves cross each other, parts are kept
/// more often than once or less than not at all: polygons overlap there, and their areas still add up. Nothing if the
/// boundary is not closed (a curve that ends inside, as at the edge of an open surface). Local.
[[nodiscard]] std::optional<KeptPart> kept_part(const TriangleCuts& cuts, const PlaneOf& plane);

/// Triangles on exactly these points: every edge of outlines and holes is the edge of one triangle, inner edges are of
/// two that run against each other. Where the outline is simple, the triangles do not overlap. Local.
[[nodiscard]] std::vector<std::array<PointName, 3>> triangulate(const KeptPart& part, const PlaneOf& plane);

}  // namespace brisance::exports
