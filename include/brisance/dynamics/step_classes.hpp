/// Sub-cycling: elements with a short stable step take several sub-steps while the others take one coarse step. An
/// element of step class k has a step of 2⁻ᵏ times the coarse one; a node takes the shortest step of its star.
///
/// At the start of each of its own steps h an element applies the impulse h f to its corners; between impulses nodes
/// move at constant velocity. That is symplectic Euler with an h for each element: an asynchronous variational
/// integrator (Lew, Marsden, Ortiz and West 2003), like r-RESPA. Momentum is kept exactly, and energy on average, as
/// long as no coarse step is in resonance with a vibration of fine elements. Such resonances are rare and weak with the
/// stable steps of critical_step.hpp, which share each node's mass among its elements by stiffness, and a little
/// damping suppresses them: hence kLeastDampingShare.
#pragma once

#include "brisance/core/aligned.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/dist/fields.hpp"
#include "brisance/dynamics/internal_forces.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

/// Step class of an element in the next step, from the last evaluation of its stable step.
inline constexpr dist::ElementFieldDeclaration<std::uint8_t> kStepClass{.name = "step_class", .unit = "-"};

/// Step class of an element in the last step, to which its velocities and energy accounts belong.
inline constexpr dist::ElementFieldDeclaration<std::uint8_t> kLastStepClass{.name = "last_step_class", .unit = "-"};

inline constexpr int kMostStepClasses = 10;  ///< so the finest step is at least 2⁻⁹ of the coarse one

/// Sub-cycling is chosen automatically only if the damping time of the least damped material is at least this share of
/// the coarse step. In tests no bar of elements of random lengths then gained energy at any step up to the bound;
/// without damping some did (test_step_classes).
inline constexpr double kLeastDampingShare = 0.02;

/// Largest share of elements in classes 1 and finer [–].
inline constexpr double kMostFineShare = 0.1;

/// Class of an element with stable step step_s: the smallest k with coarse_s 2⁻ᵏ ≤ step_s, at most kMostStepClasses
/// − 1. Local; does not throw.
[[nodiscard]] int step_class(double step_s, double coarse_s);

/// Histogram of the elements' stable steps, in logarithmic bins, four to a factor of two. Ranks may add up `count` if
/// they have the same shortest_s.
struct StepHistogram {
  static constexpr int kBinsPerOctave = 4, kOctaves = 24, kBins = kBinsPerOctave * kOctaves;
  std::array<std::int64_t, kBins> count{};  ///< bin i: elements with steps from shortest_s 2^(i/4) on
  double shortest_s = 0;                    ///< lower end of the first bin [s]
  void add(double step_s);
  /// Lower end of a bin [s].
  [[nodiscard]] double lower_end(int bin) const;
  /// Lower end of the bin of the shortest step, leaving out this share of the elements, those with the shortest steps
  /// [s].
  [[nodiscard]] double without_worst(double share) const;
};

/// Bounds and costs for the choice of the coarse step.
struct CoarseStepChoice {
  double longest_s = 0;                 ///< upper bound of the coarse step [s]
  double current_s = 0;                 ///< present coarse step, kept unless another is much better [s]; 0: none
  int most_classes = kMostStepClasses;  ///< upper bound of the number of classes
  double step_work = 0;                 ///< cost of contact in a coarse step, in element updates [–]
};

/// The coarse step with the least work per simulated second [s]. Work: an update of each element per coarse step, 2ᵏ
/// further updates of an element of class k > 0, a fixed cost of each sub-step, and step_work. The result lies between
/// the shortest step (then all elements take it) and longest_s, with at most kMostFineShare of the elements finer, so
/// that most elements, and with them cracks and accounts, are resolved as without sub-cycling. Local; does not throw.
[[nodiscard]] double choose_coarse_step(const StepHistogram& steps, const CoarseStepChoice& choice);

/// Numbers 1, 2, … for the nodes of a few chosen elements, in order of first occurrence, so that arrays of their data
/// are contiguous while their slots are scattered. Number 0 stands for slot 0, nobody. Local; does not throw.
class FewNodes {
public:
  /// Discards all numbers; from now on node slots are below `num_slots`.
  void clear(std::size_t num_slots);
  /// The number of the node in a slot; a new one if it has none yet.
  [[nodiscard]] std::int32_t number(std::int32_t slot) {
    std::int32_t& number = number_[static_cast<std::size_t>(slot)];
    if (number == 0 && slot != dist::kNobody) {
      number = static_cast<std::int32_t>(slots_.size());
      slots_.push_back(slot);
    }
    return number;
  }
  /// The number of the node in a slot; 0 if it has none. Any slot is allowed.
  [[nodiscard]] std::int32_t number_if_any(std::int32_t slot) const {
    return static_cast<std::size_t>(slot) < number_.size() ? number_[static_cast<std::size_t>(slot)] : 0;
  }
  [[nodiscard]] std::span<const std::int32_t> numbers() const { return number_; }  ///< by slot
  [[nodiscard]] std::span<const std::int32_t> slots() const { return slots_; }     ///< by number
  [[nodiscard]] std::size_t size() const { return slots_.size(); }                 ///< how many, with nobody

  [[nodiscard]] std::size_t memory_bytes() const { return core::bytes_of(slots_, number_); }

private:
  std::vector<std::int32_t> slots_{dist::kNobody};
  std::vector<std::int32_t> number_;  ///< by slot
};

/// Copies of a few elements whose forces are computed repeatedly, in sub-steps, each time with the same weight. Arrays
/// of nodes are indexed by the numbers of a FewNodes.
class PackedElements {
public:
  /// Copies the elements.
  /// @param chosen  element slots, ascending: the order in which forces are added
  /// @param weight  factor on their forces; a power of two, so that the multiplication is exact [–]
  /// @param nodes   gives the corners their numbers
  void pack(const ElementSpans& elements, std::span<const std::int32_t> chosen, double weight, FewNodes& nodes);
  /// Numbers of the corners, each once, in order of first occurrence.
  [[nodiscard]] std::span<const std::int32_t> corners() const { return corners_; }
  [[nodiscard]] std::size_t size() const { return num_elements_; }

  /// internal_forces of these elements alone, times the weight. Overwrites the entries of their corners and accesses no
  /// other. Local; does not throw.
  void internal_forces(std::span<const material::Material> materials, std::span<const dist::NodeMotion> nodes,
                       std::span<dist::NodeForce> forces, const ForceOptions& options) const;
  /// Plastic flow of the copies to the present positions, as in flow_and_internal_forces, then adds their forces times
  /// the weight to `forces`. Local; does not throw.
  void flow_and_add_internal_forces(std::span<const material::Material> materials,
                                    std::span<const dist::NodeMotion> nodes, std::span<dist::NodeForce> forces,
                                    const ForceOptions& options);
  /// Writes the plastic state of the copies back to the elements that were copied.
  /// @param chosen   as in pack
  /// @param plastic  the mesh's field kPlasticState
  void put_back_flow(std::span<const std::int32_t> chosen, std::span<PlasticBlock> plastic) const;

  [[nodiscard]] std::size_t memory_bytes() const {
    return core::bytes_of(blocks_, material_of_, plastic_, corners_, seen_);
  }

private:
  core::AlignedVector<dist::ElementBlock> blocks_;
  std::vector<material::Index> material_of_;
  core::AlignedVector<PlasticBlock> plastic_;
  std::vector<std::int32_t> corners_;
  std::vector<std::uint8_t> seen_;  ///< of node numbers, by pack
  std::size_t num_elements_ = 0;
};

}  // namespace brisance::dynamics
