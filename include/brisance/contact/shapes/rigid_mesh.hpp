/// A rigid body bounded by triangles: distance of a point from its surface, outward normal, volume and inertia.
#pragma once

#include "brisance/contact/box.hpp"
#include "brisance/contact/shapes/rigid_shape.hpp"
#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace brisance::contact {

class BoxTree;
struct NearestPoint;

/// A point of the surface at which contact with other rigid bodies is tested.
struct SurfaceSample {
  Vec3 point = Vec3::Zero();  ///< [m]
  double weight = 1;          ///< share of the pair's stiffness; 1 for each corner of a block of twelve triangles
};

/// A solid given by its surface, in a frame whose origin is its centre of mass (uniform density). It never changes and
/// has the same bits on every rank, and so have all results.
class RigidMesh {
public:
  using Triangle = std::array<std::int32_t, 3>;

  /// @param vertices   in the frame of the file they come from [m]
  /// @param triangles  vertex indices, counter-clockwise seen from outside
  /// Throws core::Error unless each edge belongs to two triangles that agree on which side is out, and the inside has a
  /// positive volume. The caller makes sure that the surface does not intersect itself. Local.
  RigidMesh(std::vector<Vec3> vertices, std::vector<Triangle> triangles);
  ~RigidMesh();
  RigidMesh(const RigidMesh&) = delete;
  RigidMesh& operator=(const RigidMesh&) = delete;

  [[nodiscard]] std::span<const Vec3> vertices() const { return vertices_; }  ///< about the centre of mass [m]
  [[nodiscard]] std::span<const Triangle> triangles() const { return triangles_; }
  [[nodiscard]] const Vec3& centre_in_file() const { return centre_in_file_; }  ///< centre of mass there [m]
  [[nodiscard]] double volume_m3() const { return volume_m3_; }
  [[nodiscard]] const Inertia& inertia_of_volume() const { return inertia_; }  ///< at density 1 [m⁵]
  [[nodiscard]] const Box& bounds() const { return bounds_; }                  ///< [m]
  [[nodiscard]] double reach() const { return reach_; }  ///< largest distance of a vertex from the centre of mass [m]

  /// The nearest triangle, of equally near ones the first, and its nearest point, in O(log n).
  [[nodiscard]] NearestPoint nearest(const Vec3& point) const;
  /// Signed distance, negative inside. The normal is the gradient of the distance: that of the triangle where the
  /// nearest point lies inside one, else the direction from there to the point, or against it inside; on the surface
  /// itself the angle-weighted mean of the triangles there, whose sign also distinguishes inside from outside. Local;
  /// does not throw.
  [[nodiscard]] double signed_distance(const Vec3& point, Vec3& normal) const;
  /// False only if the point is outside; costs one table access.
  [[nodiscard]] bool may_hold(const Vec3& point) const;

  /// Vertices, and points on large triangles. Weights are shares of the surface's area, so that all samples together
  /// are about as stiff as the eight corners of a box, for any fineness of the mesh.
  [[nodiscard]] std::span<const SurfaceSample> samples() const { return samples_; }
  [[nodiscard]] const BoxTree& sample_tree() const { return *sample_tree_; }

  /// Hash of vertices and triangles.
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  [[nodiscard]] bool operator==(const RigidMesh& other) const;

private:
  void join_triangles();
  void weigh_corners();
  void place_samples();
  void find_outside();
  void mark_outside(const std::array<int, 3>& first, int count);
  [[nodiscard]] Vec3 pseudonormal(const NearestPoint& nearest) const;

  std::vector<Vec3> vertices_;
  std::vector<Triangle> triangles_;
  std::vector<Triangle> neighbours_;  ///< triangles across the edges 01, 12, 20
  std::vector<Vec3> normals_;         ///< of the triangles
  std::vector<Vec3> vertex_normals_;  ///< angle-weighted sums over the triangles of each vertex
  Vec3 centre_in_file_ = Vec3::Zero();
  double volume_m3_ = 0, reach_ = 0;
  Inertia inertia_;
  Box bounds_;
  std::unique_ptr<const BoxTree> triangle_tree_;
  std::vector<SurfaceSample> samples_;
  std::unique_ptr<const BoxTree> sample_tree_;
  std::vector<bool> outside_;  ///< cells of the bounds that the body does not intersect
  Vec3 cells_per_metre_ = Vec3::Zero();
  std::uint64_t digest_ = 0;
};

}  // namespace brisance::contact
