/// A glTF 2.0 scene in one binary file, written by tinygltf.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/exports/export.hpp"
#include "brisance/exports/fragments.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace brisance::exports {

/// Meshes and nodes below a root that turns z up into glTF's y up. All lengths in metres, single precision.
class GlbScene {
public:
  /// @param origin  where the root stands [m]; positions of nodes count from there
  /// @param up      of what is added: with y the root does not turn
  GlbScene(const std::vector<std::string>& materials, const Vec3& origin, Up up = Up::z);
  ~GlbScene();
  GlbScene(const GlbScene&) = delete;
  GlbScene& operator=(const GlbScene&) = delete;

  /// Where the vertices of a surface are.
  struct Vertices {
    const std::vector<Vec3>&positions, &normals;
    Vec3 about = Vec3::Zero();  ///< subtracted from the positions [m]
    /// Further sets of texture coordinates, TEXCOORD_1 and so on; as they are, v from top to bottom
    std::vector<std::vector<std::array<double, 2>>> more_texture = {};
  };
  /// A mesh with a primitive for each of its materials: POSITION, NORMAL, TEXCOORD_0 and COLOR_0 where there are any.
  int add_mesh(const std::string& name, const Surface& surface, const Vertices& vertices);
  /// Another shape of a mesh, as a morph target: of a surface with the same triangles and materials.
  void add_target(int mesh, const Surface& surface, const Vertices& vertices);
  /// A ball of radius 1 with the last of the materials given.
  int add_ball();
  /// A sphere, box or mesh, about its centre, with a material of its own ("collider").
  int add_collider(const io::Collider& collider);

  struct Extras {
    std::int64_t id = -1, parent = -1;
    double mass_kg = 0, volume_m3 = 0;
  };
  /// A node with a mesh. Extras are written where the id is not −1.
  int add_node(const std::string& name, int mesh, const Vec3& position, const Extras& extras);

  /// Times of keyframes, ascending [s].
  int add_times(const std::vector<double>& times_s);
  /// Keyframes; the node is placed as in the first. Rotations are x y z w.
  void animate_translation(int node, int times, const std::vector<Vec3>& values);
  void animate_rotation(int node, int times, const std::vector<std::array<double, 4>>& values);
  /// Of the same scale along each axis; steps, without interpolation: 0 hides the node.
  void animate_scale(int node, int times, const std::vector<double>& values);

  /// Keyframes of a mesh's morph targets, the first of which is the shape in frame first + 1.
  /// @param times, num_frames  keyframes of the whole run
  void animate_targets(int node, int times, std::size_t num_frames, std::size_t first);

  /// Local; throws core::Error if it cannot be written, or exceeds the 4 GiB of a GLB.
  void write(const std::filesystem::path& file);

private:
  struct Document;
  std::unique_ptr<Document> document_;
};

}  // namespace brisance::exports
