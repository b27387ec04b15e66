/// Loads on a run: the faces they act on, their size, and the work they have done (docs/LOADS.md).
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/step_shares.hpp"
#include "brisance/core/types.hpp"
#include "brisance/dist/fields.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/parameters.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::sim {

/// Clears the loads of the new face between the halves of a bisected element, which was interior: it lies opposite
/// corner ib of the child and ia of the parent.
inline void unload_new_face(std::array<std::uint16_t, 4>& parent, std::array<std::uint16_t, 4>& child, int ia, int ib) {
  child[static_cast<std::size_t>(ib)] = 0;
  parent[static_cast<std::size_t>(ia)] = 0;
}

/// Loads of the face opposite each corner; bit i: the scene's i-th load on faces acts on it. Faces made by a cut carry
/// no load.
inline constexpr dist::ElementFieldDeclaration<std::array<std::uint16_t, 4>> kLoadedFaces{
    .name = "loaded_faces", .unit = "bits", .at_bisection = unload_new_face};

/// Work of loads on the node since the start.
inline constexpr dist::NodeFieldDeclaration<double> kLoadWork{
    .name = "load_work", .unit = "J", .copy = dist::AtCopy::initial};

/// Momentum that the node received from loads since the start.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kLoadImpulse{
    .name = "load_impulse", .unit = "N s", .copy = dist::AtCopy::initial};

/// Fields that the scene's loads need; none where it has no load.
[[nodiscard]] dist::FieldList load_fields(const Scene& scene);

/// Time mean of a pressure or blast [Pa], exact but for rounding; of a pressure over zero duration, its value at that
/// moment. `distance_m` from the blast's point matters for blasts only. Local.
[[nodiscard]] double mean_pressure(const LoadParameters& load, double distance_m, double from_s, double duration_s);

/// The velocity that an impulse gives to a node at x [m/s]; zero at the impulse's point. Local.
[[nodiscard]] Vec3 impulse_velocity(const LoadParameters& load, const Vec3& x);

/// Whether an impulse acts on a node at this rest position. Local.
[[nodiscard]] bool selects(const LoadParameters& load, const Vec3& rest);

/// Throws core::BadInput if a load selects nothing in the whole mesh, or a blast begins inside a body. Collective.
/// @param mesh  all objects' tets of this rank
void require_loads(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& mesh);

/// Sets kLoadedFaces of an uncut mesh, by rest positions and names of faces. Local: every rank that holds an element
/// finds the same value.
void note_loaded_faces(const Scene& scene, dist::Mesh& mesh);

/// The force of pressures and blasts on a node in a step.
struct LoadedNode {
  std::int32_t slot;
  Vec3 force;            ///< [N]
  Vec3 velocity_before;  ///< at the start of the step [m/s]
  double power;          ///< of the force, by the mean velocity of the step [W]
  core::StepShares shares;
};

/// The loaded faces of this rank, cached until the mesh changes.
class FaceLoads {
public:
  /// To be called after cuts and migration.
  void forget() { is_stale_ = true; }
  /// Finds the mean forces over the step on owned nodes, for faces at the positions in `motion` (by node slot, ghosts
  /// included), by ascending slot; sums over a star run in ascending elements. Empty if no load acts. `loads`: those of
  /// the scene. Local.
  void find(std::span<const LoadParameters> loads, const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion,
            double from_s, double dt_s, std::vector<LoadedNode>& nodes);

private:
  struct Face {
    std::array<std::int32_t, 3> nodes;  ///< slots, counter-clockwise seen from outside
    std::uint16_t loads;
    std::array<double, 3> share;  ///< of the face's force on each node, where cracks have divided the face
    bool is_divided;              ///< if not, each node gets a third
  };
  /// The part of a face that its element has, where cracks divide elements (dist/division.hpp): the integrals of the
  /// nodes' weights over it, over the whole face's area; false if it has none.
  [[nodiscard]] static bool set_shares(const dist::Mesh& mesh, LocalElement e, std::size_t opposite, Face& face);
  void gather(const dist::Mesh& mesh);

  bool is_stale_ = true;
  std::vector<Face> faces_;          ///< ascending (element, corner)
  std::vector<std::int32_t> nodes_;  ///< owned ones, ascending slot
  std::vector<Vec3> force_;          ///< by node slot [N]; empty without loaded faces
};

}  // namespace brisance::sim
