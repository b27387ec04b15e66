/// sub-cycling (dynamics/step_classes.hpp) in a run: the coarse step kicks all nodes, each element for the length of
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

/// What acts on single nodes at each of their short steps, beside their elements. Entries are numbered; a node may have
/// several, which act in their order.
class ForcesOnNodes {
public:
  struct Entry {
    std::int32_t slot;
    Vec3 first;  ///< what it adds to the forces of the first kick [N]
  };
  struct Moment {
    const dist::NodeMotion& motion;
    Vec3 expected_velocity;  ///< after the step, by the forces of all others [m/s]
    double elapsed;          ///< since the coarse step began, a share of it
    double step_s;           ///< the node's own [s]
  };
  ForcesOnNodes() = default;
  ForcesOnNodes(const ForcesOnNodes&) = delete;
  ForcesOnNodes& operator=(const ForcesOnNodes&) = delete;
  virtual ~ForcesOnNodes() = default;
  virtual Vec3 force(std::size_t entry, const Moment& moment) = 0;  ///< [N]
  /// The step with this force has been taken.
  virtual void taken(std::size_t entry, const Vec3& velocity, double step_s) = 0;
};

class Subcycling {
public:
  /// Classes, or what carries them, have changed: gather() starts afresh.
  void forget() { stale_ = true; }

  /// Lists the fine elements, kStepClass, and their nodes; nothing where nothing has changed. `finest_class` is the
  /// finest of any rank. Collective.
  void gather(const dist::Mesh& mesh, int finest_class);
  /// Turns forces into what the first kick takes for forces: of an element of class k a share of 2⁻ᵏ, so that a kick of
  /// the coarse step's length is one of its own. Other nodes keep theirs. `others`: what else is in the forces of owned
  /// nodes that moves() says yes to, and will act anew at each of their steps. Collective.
  void begin(const dist::Mesh& mesh, double coarse_s, std::span<dist::NodeForce> forces,
             const dynamics::ForceOptions& options, std::span<const ForcesOnNodes::Entry> others);

  /// A constrained node: components of its velocity that stay what the first kick and the Dirichlet condition made of
  /// them.
  struct ConstrainedNode {
    std::int32_t slot;
    std::array<bool, 3> axes;
  };
  /// What fine kicks add to; viscous empty: no account is kept [J].
  struct Accounts {
    std::span<double> viscous, supplied;
  };
  /// After the first kick: all other steps of the fine nodes, to the end of the coarse one. Fine elements flow in each
  /// of theirs. Leaves in `forces` what the last kicks were made of, in the way of begin(). Collective.
  void run(dist::Mesh& mesh, std::span<dist::NodeForce> forces, std::span<const ConstrainedNode> held,
           const Accounts& accounts, ForcesOnNodes& others);

  [[nodiscard]] bool any() const { return !classes_.empty(); }
  [[nodiscard]] bool moves(LocalNode n) const {
    return any() && fine_[static_cast<std::size_t>(nodes_.number_if_any(n.value))].step_class > 0;
  }
  /// Updates of fine elements so far, beyond those of the coarse steps.
  [[nodiscard]] std::int64_t element_updates() const { return element_updates_; }

  [[nodiscard]] std::size_t memory_bytes() const;

private:
  struct FineClass {
    std::vector<std::int32_t> slots;  ///< of elements of this class, ascending
    dynamics::PackedElements elements;
    std::vector<std::int32_t> nodes;  ///< numbers of owned ones, this being their finest class
  };
  /// What the short steps of a node need, beside what elements load and add to.
  struct FineNode {
    Vec3 start;  ///< where it was when the coarse step began [m]
    double mass, inverse_mass;
    double viscous, supplied;  ///< accounts [J]
    std::array<bool, 3> held;
    bool is_owned;
    std::int8_t step_class;  ///< of an owned node; its finest
  };
  void kick(std::span<const material::Material> materials, int k, bool last);
  void list_nodes(const dist::Mesh& mesh);
  void push(int k, double elapsed, bool last, ForcesOnNodes& others);
  void move(int k);

  bool stale_ = true;
  std::vector<FineClass> classes_;  ///< 1, 2, …
  // By number; all of fine nodes lies close together, where slots would have it all over the memory.
  dynamics::FewNodes nodes_;
  std::vector<FineNode> fine_;
  core::AlignedVector<dist::NodeMotion> motion_;
  // Forces, those of class k counting 2⁻ᵏ: what kicks are over the coarse step.
  core::AlignedVector<dist::NodeForce> part_;  ///< of one class
  core::AlignedVector<dist::NodeForce> kick_;  ///< to come
  core::AlignedVector<dist::NodeForce> last_;  ///< of the last steps of all classes
  std::vector<dist::Halo> halos_;              ///< of motion_: of all, and of nodes of class 2 and finer, 3 …
  std::vector<std::int32_t> others_;           ///< numbers of the nodes that others act on, by entry
  dynamics::ForceOptions options_;
  double coarse_s_ = 0;
  std::int64_t element_updates_ = 0;
};

}  // namespace brisance::sim
