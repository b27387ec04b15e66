/// A surface mesh whose triangle sizes follow a size field and whose vertices follow a target shape.
#pragma once

#include "brisance/mesh/surface/remesh.hpp"

#include "mesh/solids/shape_quadrics.hpp"
#include "mesh/solids/size_field.hpp"
#include "mesh/solids/target_shape.hpp"
#include "mesh/surface/creases.hpp"

#include <optional>

namespace brisance::mesh::solids {

/// Isotropic remeshing after Botsch and Kobbelt 2004 (split, collapse, flip, settle) with two changes. The wanted edge
/// length varies in space. Vertices settle where the planes of the shape around them meet (quadrics of Garland and
/// Heckbert 1997), and edges flip to the diagonal nearer to the shape: so rows of vertices find ridges and grooves,
/// also rounded ones that no edge of the input marks, and edges run along them.
class GradedMesh {
public:
  /// @param creases  kept ones stay edges, their corners stay in place
  /// @param keep_triangles  keeps triangles of the surface that fit, until the size field asks otherwise
  /// Keeps references to shape, polylines (those that are kept) and sizes; sizes may change between calls.
  GradedMesh(const Surface& surface, const CreaseNet& creases, const TargetShape& shape, const Polylines& polylines,
             const SizeField& sizes, bool keep_triangles);

  /// To be called after the size field has changed.
  void ask_sizes_again();
  /// @param longest  longest edge that remains, over the wanted one
  void split_long_edges(double longest = 4.0 / 3);
  void collapse_short_edges();
  void flip_edges();
  /// Moves each vertex towards the middle of its triangles, along the shape, and onto its sharp features.
  /// @param patches  of the whole shape
  /// @param only_fine  only vertices whose wanted edge is shorter than the common one
  void settle(const std::vector<Patch>& patches, bool only_fine);
  /// Flips an edge of each needle (a triangle of very small altitude), or collapses one.
  void mend_needles();

  /// Collapses an edge of each triangle that is folded onto its neighbour.
  void mend_folds();
  /// Removes the crease mark of edges away from the remaining polylines.
  void release_creases();

  [[nodiscard]] CgalMesh& mesh() { return mesh_; }
  [[nodiscard]] Segments creases() const;
  /// Area of the kept triangles of the surface [m²].
  [[nodiscard]] double kept_area_m2() const;

private:
  /// Limits on the remaining triangles when two vertices become one.
  struct JoinLimits {
    double longest;  ///< longest edge, over the wanted one
    double least_altitude_m = 0;
  };
  struct Quad {
    Vec3 a, b, c, d;  ///< corners of triangles a b c and b a d
  };
  using Vertex = CgalMesh::Vertex_index;
  using Edge = CgalMesh::Edge_index;
  using Halfedge = CgalMesh::Halfedge_index;
  using Face = CgalMesh::Face_index;

  [[nodiscard]] Vec3 at(Vertex v) const { return as_vec3(mesh_.point(v)); }
  [[nodiscard]] double length_m(Edge e) const { return (at(mesh_.vertex(e, 1)) - at(mesh_.vertex(e, 0))).norm(); }
  [[nodiscard]] double size_m(Edge e) const;
  [[nodiscard]] double size_m(Face f) const;
  [[nodiscard]] double altitude_of_m(Face f) const;
  [[nodiscard]] static double old_altitude_m(const Quad& quad);
  [[nodiscard]] static double new_altitude_m(const Quad& quad);
  [[nodiscard]] int num_creases_at(Vertex v) const;
  [[nodiscard]] bool is_fixed(Vertex v) const;
  [[nodiscard]] bool is_kept(Vertex v) const;
  [[nodiscard]] bool is_kept(Edge e) const;
  [[nodiscard]] bool fits_wanted(Face f) const;
  void keep_what_fits();
  void put(Vertex v, const Vec3& x);
  void split(Edge e);
  [[nodiscard]] std::optional<Vec3> joined_place(Edge e) const;
  [[nodiscard]] bool may_join(Vertex moved, Vertex other, const Vec3& place, const JoinLimits& limits) const;
  bool collapse(Edge e, const JoinLimits& limits);
  /// The edge from a to b, and the other corners of its triangles, if it may be flipped to join these.
  [[nodiscard]] std::optional<Quad> flippable(Edge e) const;
  bool flip_if_higher(Edge e);
  bool mend(Face f);
  bool flip_if_better(Edge e);
  [[nodiscard]] bool may_move(Vertex v, const Vec3& to) const;
  [[nodiscard]] Vec3 twice_area_at(Face f) const;
  [[nodiscard]] Vec3 normal_at(Vertex v) const;
  [[nodiscard]] Vec3 middle_around(Vertex v) const;
  [[nodiscard]] std::optional<Vec3> settled_on_shape(Vertex v, const ShapeQuadrics& quadrics) const;
  [[nodiscard]] Vec3 settled_on_crease(Vertex v) const;

  CgalMesh mesh_;
  const TargetShape& shape_;
  const Polylines& polylines_;
  const SizeField& sizes_;
  CgalMesh::Property_map<Edge, bool> is_crease_;
  CgalMesh::Property_map<Vertex, bool> is_corner_;
  CgalMesh::Property_map<Face, bool> is_own_;    ///< marks kept triangles of the surface
  CgalMesh::Property_map<Vertex, double> size_;  ///< wanted edge length at each vertex [m]
};

}  // namespace brisance::mesh::solids
