/// Several clocks (dynamics/step_classes.hpp) in a run: the coarse step kicks all nodes, each element for the length of
/// its own step; then the few nodes of fine elements, which that has taken too far, go back and take their short ones.
/// What is here follows from the mesh and its step classes, or lives within a step.
#pragma once

#include "brisance/dist/halo.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/step_classes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::sim {

class FineSteps {
public:
  /// Classes, or what carries them, have changed: gather() starts afresh.
  void forget() { stale_ = true; }

  /// Lists the fine elements, kStepClass, and their nodes; nothing where nothing has changed. `finest_class` is the
  /// finest of any rank. Collective.
  void gather(const dist::Mesh& mesh, int finest_class);

  /// Turns forces into what the first kick takes for forces: of an element of class k a share of 2⁻ᵏ, so that a kick of
  /// the coarse step's length is one of its own. Other nodes keep theirs. Local.
  void begin(const dist::Mesh& mesh, double coarse_s, std::span<dist::NodeForce> forces,
             const dynamics::ForceOptions& options);

  /// A gripped node: components of its velocity that stay what the first kick and the grip made of them.
  struct HeldNode {
    std::int32_t slot;
    std::array<bool, 3> axes;
  };
  /// What fine kicks add to; viscous empty: no account is kept [J].
  struct Accounts {
    std::span<double> viscous, supplied;
  };
  /// After the first kick: all other steps of the fine nodes, to the end of the coarse one. Leaves in `forces` what the
  /// last kicks were made of, in the way of begin(). Collective.
  void run(dist::Mesh& mesh, std::span<dist::NodeForce> forces, std::span<const HeldNode> held,
           const Accounts& accounts);

  [[nodiscard]] bool any() const { return !classes_.empty(); }
  [[nodiscard]] bool moves(LocalNode n) const { return any() && node_class_[n] > 0; }
  /// Updates of fine elements so far, beyond those of the coarse steps.
  [[nodiscard]] std::int64_t element_updates() const { return element_updates_; }

private:
  struct FineClass {
    std::vector<std::int32_t> slots;  ///< of elements of this class, ascending
    dynamics::PackedElements elements;
    std::vector<std::int32_t> nodes;  ///< owned, this being their finest class
    std::vector<Vec3> start;          ///< where they were when the coarse step began
  };
  void kick(const dist::Mesh& mesh, int k, bool last);
  void move(dist::Mesh& mesh, int k, const Accounts& accounts);

  bool stale_ = true;
  std::vector<FineClass> classes_;       ///< 1, 2, …
  NodeField<std::uint8_t> node_class_;   ///< finest class around the node, ghosts' elements held here
  NodeField<std::array<bool, 3>> held_;  ///< of fine nodes
  dist::Halo halo_;                      ///< of ghosts that fine elements need
  // Forces, those of class k counting 2⁻ᵏ: what kicks are over the coarse step.
  AlignedNodeField<dist::NodeForce> part_;  ///< of one class
  AlignedNodeField<dist::NodeForce> kick_;  ///< to come
  AlignedNodeField<dist::NodeForce> last_;  ///< of the last steps of all classes
  dynamics::ForceOptions options_;
  double coarse_s_ = 0;
  std::int64_t element_updates_ = 0;
};

}  // namespace brisance::sim
