/// Loads that act on a run: which faces they act on, how hard, and what they have done (docs/LOADS.md).
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

/// The face between the halves of a bisected element was inside: opposite corner ib of the child, ia of the parent.
inline void unload_new_face(std::array<std::uint16_t, 4>& parent, std::array<std::uint16_t, 4>& child, int ia, int ib) {
  child[static_cast<std::size_t>(ib)] = 0;
  parent[static_cast<std::size_t>(ia)] = 0;
}

/// Of the face opposite each corner, bit i: the scene's i-th load on faces acts on it. What a cut makes is not loaded.
inline constexpr dist::ElementFieldDeclaration<std::array<std::uint16_t, 4>> kLoadedFaces{
    .name = "loaded_faces", .unit = "bits", .at_bisection = unload_new_face};

/// Work that loads have done on the node since the start.
inline constexpr dist::NodeFieldDeclaration<double> kLoadWork{
    .name = "load_work", .unit = "J", .copy = dist::AtCopy::initial};

/// Momentum that loads have given the node since the start.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kLoadImpulse{
    .name = "load_impulse", .unit = "N s", .copy = dist::AtCopy::initial};

/// The fields that the loads of a scene need; none where it has no load.
[[nodiscard]] dist::FieldList load_fields(const Scene& scene);

/// Mean of a pressure or blast over a time, at a distance from its point that matters for the latter [Pa]; exact but
/// for rounding. Of a pressure over no time, what it is at that moment. Local.
[[nodiscard]] double mean_pressure(const LoadParameters& load, double distance_m, double from_s, double duration_s);

/// The velocity that an impulse gives to what is at x [m/s]; none at the point itself. Local.
[[nodiscard]] Vec3 impulse_velocity(const LoadParameters& load, const Vec3& x);

/// Whether an impulse acts on what is there at rest. Local.
[[nodiscard]] bool selects(const LoadParameters& load, const Vec3& rest);

/// Throws core::BadInput where a load acts on nothing of the whole mesh, or a blast begins inside a body. Collective.
/// @param mesh  all objects' tets of this rank
void require_loads(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& mesh);

/// Sets kLoadedFaces of an uncut mesh, by rest positions and the names of its faces. Local: every rank that holds an
/// element finds the same.
void note_loaded_faces(const Scene& scene, dist::Mesh& mesh);

/// What pressures and blasts do to the nodes of a step.
struct LoadedNode {
  std::int32_t slot;
  Vec3 force;            ///< [N]
  Vec3 velocity_before;  ///< of the step [m/s]
  double power;          ///< by the mean velocity of the step [W]
  core::StepShares shares;
};

/// The loaded faces of this rank, kept until the mesh changes.
class FaceLoads {
public:
  /// After cuts, or when nodes have changed owners.
  void forget() { is_stale_ = true; }
  /// Forces on owned nodes by the faces where `motion` has them, mean over the step, ascending slot; a sum over a star
  /// runs in ascending element. Empty where nothing acts. `motion` by node slot, ghosts included; `loads` are those of
  /// the scene. Local.
  void find(std::span<const LoadParameters> loads, const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion,
            double from_s, double dt_s, std::vector<LoadedNode>& nodes);

private:
  struct Face {
    std::array<std::int32_t, 3> nodes;  ///< slots, counter-clockwise seen from outside
    std::uint16_t loads;
  };
  void gather(const dist::Mesh& mesh);

  bool is_stale_ = true;
  std::vector<Face> faces_;          ///< ascending (element, corner)
  std::vector<std::int32_t> nodes_;  ///< owned ones, ascending slot
  std::vector<Vec3> force_;          ///< by node slot, where there are loaded faces
};

}  // namespace brisance::sim
