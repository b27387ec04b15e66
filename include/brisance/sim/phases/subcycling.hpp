/// Sub-cycling (dynamics/step_classes.hpp) in a run. A "kick" changes velocities by forces, a "drift" positions by
/// velocities. Elements of class 1 and more, with steps shorter than the coarse one, are called fine; so are their
/// nodes.
///
/// The coarse step kicks and moves all nodes, with each element's force acting for the length of the element's own
/// step. Then the few fine nodes return to their position at the start and take their sub-steps. Data here follow from
/// mesh and step classes, or are of one step; no checkpoint holds them.
#pragma once

#include "brisance/dist/halo.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/step_classes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::sim {

/// Forces on fine nodes other than those of elements (loads, contact), evaluated at each sub-step; the caller
/// implements this interface. Entries are numbered; a node may have several, which act in that order.
class ForcesOnNodes {
public:
  struct Entry {
    std::int32_t slot;  ///< of the node
    Vec3 first;         ///< the force as contained in the forces of the first kick [N]
  };
  /// State of a node when a sub-step of it begins.
  struct Moment {
    const dist::NodeMotion& motion;
    Vec3 expected_velocity;  ///< velocity after the sub-step by all other forces [m/s]
    double elapsed;          ///< time since the coarse step began, over the coarse step [–]
    double step_s;           ///< length of the sub-step [s]
  };
  ForcesOnNodes() = default;
  ForcesOnNodes(const ForcesOnNodes&) = delete;
  ForcesOnNodes& operator=(const ForcesOnNodes&) = delete;
  virtual ~ForcesOnNodes() = default;
  virtual Vec3 force(std::size_t entry, const Moment& moment) = 0;  ///< [N]
  /// Called after the sub-step in which this entry's force acted, with the node's velocity then [m/s].
  virtual void taken(std::size_t entry, const Vec3& velocity, double step_s) = 0;
};

/// Order of calls in a step: gather, begin, the kick and drift of the coarse step, run.
class Subcycling {
public:
  /// To be called when step classes or the mesh have changed: the next gather() rebuilds the lists. Local.
  void forget() { stale_ = true; }

  /// Lists the fine elements (field kStepClass) and their nodes, if forget() was called.
  /// @param finest_class  largest step class of any element on any rank
  /// Collective.
  void gather(const dist::Mesh& mesh, int finest_class);
  /// Scales the forces for the first kick: an element of class k counts 2⁻ᵏ, so that a kick over the coarse step equals
  /// one over the element's own step. Nodes without fine elements keep their forces.
  /// @param coarse_s  length of the coarse step [s]
  /// @param forces    by node slot [N]
  /// @param others    entries of ForcesOnNodes, for owned nodes with moves(n); `forces` contains their `first`
  /// Collective.
  void begin(const dist::Mesh& mesh, double coarse_s, std::span<dist::NodeForce> forces,
             const dynamics::ForceOptions& options, std::span<const ForcesOnNodes::Entry> others);

  /// A node with a Dirichlet condition: in sub-steps these components of its velocity keep the value that they have
  /// after the first kick.
  struct ConstrainedNode {
    std::int32_t slot;         ///< of the node
    std::array<bool, 3> axes;  ///< x, y, z
  };
  /// Energy accounts by node slot, to which sub-steps add viscous loss and work of Dirichlet conditions [J]; `viscous`
  /// empty: viscous loss is not recorded.
  struct Accounts {
    std::span<double> viscous, supplied;
  };
  /// To be called after the kick and drift of the coarse step: takes all sub-steps of the fine nodes after the first
  /// kick, to the end of the coarse step, with plastic flow in each. Leaves the forces of the last kicks in `forces`,
  /// scaled as by begin(). Collective.
  void run(dist::Mesh& mesh, std::span<dist::NodeForce> forces, std::span<const ConstrainedNode> held,
           const Accounts& accounts, ForcesOnNodes& others);

  /// Whether any rank has fine elements.
  [[nodiscard]] bool any() const { return !classes_.empty(); }
  /// Whether this is an owned fine node, which takes sub-steps.
  [[nodiscard]] bool moves(LocalNode n) const {
    return any() && fine_[static_cast<std::size_t>(nodes_.number_if_any(n.value))].step_class > 0;
  }
  /// Updates of this rank's fine elements in sub-steps after the first, since the start.
  [[nodiscard]] std::int64_t element_updates() const { return element_updates_; }

  [[nodiscard]] std::size_t memory_bytes() const;

private:
  struct FineClass {
    std::vector<std::int32_t> slots;  ///< slots of elements of this class, ascending
    dynamics::PackedElements elements;
    std::vector<std::int32_t> nodes;  ///< numbers of owned nodes whose finest class this is
  };
  /// Data of a node for its sub-steps, beside motion and forces.
  struct FineNode {
    Vec3 start;                 ///< position at the start of the coarse step [m]
    double mass, inverse_mass;  ///< [kg], [1/kg]
    double viscous, supplied;   ///< accounts [J]
    std::array<bool, 3> held;
    bool is_owned;
    std::int8_t step_class;  ///< finest class of an owned node
  };
  void kick(std::span<const material::Material> materials, int k, bool last);
  void list_nodes(const dist::Mesh& mesh);
  void add_other_forces(int k, double elapsed, bool last, ForcesOnNodes& others);
  void move(int k);

  bool stale_ = true;
  std::vector<FineClass> classes_;  ///< 1, 2, …
  // By number: data of fine nodes are contiguous, while their slots are scattered over the memory.
  dynamics::FewNodes nodes_;
  std::vector<FineNode> fine_;
  core::AlignedVector<dist::NodeMotion> motion_;
  // Forces for kicks over the coarse step: those of class k count 2⁻ᵏ.
  core::AlignedVector<dist::NodeForce> part_;  ///< forces of one class
  core::AlignedVector<dist::NodeForce> kick_;  ///< forces of the next kick
  core::AlignedVector<dist::NodeForce> last_;  ///< forces of the last kicks of all classes
  std::vector<dist::Halo> halos_;              ///< of motion_: of all nodes, then of class 2 and finer, 3 …
  std::vector<std::int32_t> others_;           ///< node number of each entry of ForcesOnNodes
  dynamics::ForceOptions options_;
  double coarse_s_ = 0;
  std::int64_t element_updates_ = 0;
};

}  // namespace brisance::sim
