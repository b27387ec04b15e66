/// Sub-cycling (dynamics/step_classes.hpp) in a run. The coarse step kicks all nodes, with each element's force acting
/// for the length of the element's own step. Then the few nodes of fine elements, which the coarse step moved too far,
/// return to their start and take their sub-steps. All data here follow from the mesh and its step classes, or live
/// within a step.
#pragma once

#include "brisance/dist/halo.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/step_classes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::sim {

/// Forces other than those of elements, on single nodes, evaluated at each sub-step. Entries are numbered; a node may
/// have several, which act in their order.
class ForcesOnNodes {
public:
  struct Entry {
    std::int32_t slot;
    Vec3 first;  ///< its part in the forces of the first kick [N]
  };
  struct Moment {
    const dist::NodeMotion& motion;
    Vec3 expected_velocity;  ///< after the step, by the forces of all others [m/s]
    double elapsed;          ///< time since the coarse step began, as a share of it
    double step_s;           ///< the node's sub-step [s]
  };
  ForcesOnNodes() = default;
  ForcesOnNodes(const ForcesOnNodes&) = delete;
  ForcesOnNodes& operator=(const ForcesOnNodes&) = delete;
  virtual ~ForcesOnNodes() = default;
  virtual Vec3 force(std::size_t entry, const Moment& moment) = 0;  ///< [N]
  /// Called after the sub-step with this force.
  virtual void taken(std::size_t entry, const Vec3& velocity, double step_s) = 0;
};

class Subcycling {
public:
  /// To be called when classes or the mesh have changed: gather() rebuilds its lists.
  void forget() { stale_ = true; }

  /// Lists the fine elements (field kStepClass) and their nodes, if anything has changed. `finest_class` is the finest
  /// of all ranks. Collective.
  void gather(const dist::Mesh& mesh, int finest_class);
  /// Scales forces for the first kick: an element of class k counts 2⁻ᵏ, so that a kick over the coarse step equals one
  /// over its own step. Nodes without fine elements keep their forces. `others`: other forces in `forces` on owned
  /// nodes with moves(n), which are evaluated again at each of their sub-steps. Collective.
  void begin(const dist::Mesh& mesh, double coarse_s, std::span<dist::NodeForce> forces,
             const dynamics::ForceOptions& options, std::span<const ForcesOnNodes::Entry> others);

  /// A constrained node: these components of its velocity keep their values after the first kick and the Dirichlet
  /// condition.
  struct ConstrainedNode {
    std::int32_t slot;
    std::array<bool, 3> axes;
  };
  /// Accounts that fine kicks add to [J]; viscous empty: no account is kept.
  struct Accounts {
    std::span<double> viscous, supplied;
  };
  /// To be called after the first kick: takes all other sub-steps of the fine nodes, to the end of the coarse step,
  /// with plastic flow in each. Leaves the forces of the last kicks in `forces`, scaled as by begin(). Collective.
  void run(dist::Mesh& mesh, std::span<dist::NodeForce> forces, std::span<const ConstrainedNode> held,
           const Accounts& accounts, ForcesOnNodes& others);

  [[nodiscard]] bool any() const { return !classes_.empty(); }
  [[nodiscard]] bool moves(LocalNode n) const {
    return any() && fine_[static_cast<std::size_t>(nodes_.number_if_any(n.value))].step_class > 0;
  }
  /// Updates of fine elements so far, without those of the coarse steps.
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
