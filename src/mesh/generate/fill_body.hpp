/// Fills a body with tets of an edge length, without losing volume.
#pragma once

#include "brisance/mesh/generate/generate.hpp"

#include "mesh/generate/size_estimate.hpp"

#include <functional>
#include <limits>
#include <numbers>

namespace brisance::mesh {

/// For smaller dihedral angles another edge length is tried.
inline constexpr double kLeastDihedralRad = 6 * std::numbers::pi / 180;
/// Approximate number of tets in a cube of that edge length.
inline constexpr double kTetsPerCubedEdge = 7.4;

/// A body that generates its surface at any edge length.
struct Body {
  std::function<Surface(double edge_m)> surface;
  BodySize size;
  double largest_edge_m = std::numeric_limits<double>::infinity();
  double least_dihedral_rad = kLeastDihedralRad;  ///< no other edge length is tried for tets with larger angles
  double tets_per_cubed_edge = kTetsPerCubedEdge;
  Surface input = {};  ///< surface that the mesh is compared with; empty for shapes and cages
  Groups groups = {};  ///< of the file's faces
  Surface ideal = {};  ///< reference surface of a shape of several parts that is to be refined
};

/// The tets made at one edge length.
struct Filled {
  TetMesh mesh;
  Quality quality;
  double volume_error = 0;  ///< relative error of the tets' volume against the body's surface, signed
  RemeshReport remeshed;
};

/// Are the losses below the bounds of the warnings (mesh_bounds.hpp)? Always true for shapes.
[[nodiscard]] bool is_faithful(const Filled& filled, const Body& body);

/// Does the request allow the losses? Local; does not throw.
[[nodiscard]] bool is_allowed(const Filled& filled, const Body& body, const Request& request);

/// Fills a body with tets of an edge length. Where the surface of a file cannot be filled once it is remeshed, or loses
/// volume as thin plates do, other methods are tried: extruding it where it is a prism, remeshing with all creases
/// kept, its own triangles; the best result is returned. Throws core::BadInput if the edge length is not feasible,
/// core::FailedMeshing if no surface of that edge length can be filled. Local, deterministic.
/// @param report  `remeshed` is that of the result
[[nodiscard]] Filled fill(const Body& body, double edge_m, const Request& request, MeshReport& report);

}  // namespace brisance::mesh
