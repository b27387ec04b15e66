/// Parametric closed surfaces, triangulated at a wanted edge length. Geometry and axes of each kind: request.hpp.
#pragma once

#include "brisance/mesh/reference.hpp"
#include "brisance/mesh/request.hpp"
#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

/// Throws core::Error if the dimensions of the requested shape contradict each other (the text names the value and the
/// bound).
void require_valid_shape(const Request& request);

/// The surface of a shape: closed, outward, sharp edges kept, every vertex on the ideal surface, irregular enough not
/// to steer cracks. Deterministic. source_face holds each triangle's own index. Throws as require_valid_shape.
/// @param edge_length_m  wanted edge [m]; at most largest_edge_m
[[nodiscard]] Surface make_shape(const Request& request, double edge_length_m);

/// The ideal surface of a surface of revolution about z; empty for other shapes.
[[nodiscard]] std::vector<TurnedSurface> turned_surfaces(const Request& request);

/// Largest edge [m] that keeps `layers` elements through the thickness (from two layers on) and the two sides of a
/// curved shell apart.
[[nodiscard]] double largest_edge_m(const Request& request);

/// Volume of the ideal shape [m³], exact but for the bone and the mug (to 1 %). A faceted surface loses volume where
/// the shape is convex, and gains some where it is concave.
[[nodiscard]] double shape_volume_m3(const Request& request);
/// Approximate surface area [m²]; 0 for shapes whose volume suffices for the estimate of tets.
[[nodiscard]] double shape_area_m2(const Request& request);
/// Its longest dimension [m].
[[nodiscard]] double shape_length_m(const Request& request);

/// The name used in scenes: "hollow_ball" for ShapeKind::hollow_ball.
[[nodiscard]] const char* shape_name(ShapeKind kind);

}  // namespace brisance::mesh
