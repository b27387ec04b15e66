/// A body filled with tets of an edge length, without losing volume.
#pragma once

#include "brisance/mesh/generate/generate.hpp"

#include "mesh/generate/size_estimate.hpp"

#include <functional>
#include <limits>
#include <numbers>

namespace brisance::mesh {

/// Thinner dihedral angles than this are worth another edge length.
inline constexpr double kLeastDihedralRad = 6 * std::numbers::pi / 180;
/// Tets in a cube of that edge length, roughly.
inline constexpr double kTetsPerCubedEdge = 7.4;

/// A body that can be asked for its surface at any edge length.
struct Body {
  std::function<Surface(double edge_m)> surface;
  BodySize size;
  double largest_edge_m = std::numeric_limits<double>::infinity();
  double least_dihedral_rad = kLeastDihedralRad;  ///< no other edge length is tried for thinner tets than that
  double tets_per_cubed_edge = kTetsPerCubedEdge;
  Surface input = {};  ///< what the mesh's surface is compared with; empty for shapes and cages
  Groups groups = {};  ///< of the file's faces
  Surface ideal = {};  ///< what stands for a shape of several parts that is to be refined
};

/// The tets of one try.
struct Filled {
  TetMesh mesh;
  Quality quality;
  double volume_error = 0;  ///< of the tets against the body's surface, relative, signed
  RemeshReport remeshed;
};

/// Whether nothing is lost that would be worth a warning (mesh_bounds.hpp). Shapes are taken as they come.
[[nodiscard]] bool is_faithful(const Filled& filled, const Body& body);

/// Whether the request allows what is lost. Local; does not throw.
[[nodiscard]] bool is_allowed(const Filled& filled, const Body& body, const Request& request);

/// Fills a body with tets of an edge length. Where the surface of a file cannot be filled once it is remeshed, or loses
/// volume as thin plates do, other ways follow: the prism that it is, remeshing that keeps all creases, its own
/// triangles; the best is taken. Throws core::BadInput if the edge length is out of the question, core::FailedMeshing
/// if no surface of that edge length can be filled. Local, deterministic.
/// @param report  `remeshed` is that of what was taken
[[nodiscard]] Filled fill(const Body& body, double edge_m, const Request& request, MeshReport& report);

}  // namespace brisance::mesh
