/// Sub-cycling: elements with a short stable step take several sub-steps while the rest takes one coarse step. Class k
/// has steps 2⁻ᵏ as long as the coarse one; a node moves by the finest step of its star.
///
/// Every element applies an impulse h f to its corners at a time, h being its own step; between these impulses nodes
/// drift. That is symplectic Euler with an h for each element (an asynchronous variational integrator; Lew, Marsden,
/// Ortiz and West 2003; r-RESPA): momentum is kept exactly, and energy on average, as long as no coarse step is in
/// resonance with a vibration of fine elements. Masses shared by stiffness (critical_step.hpp) make such resonances
/// rare and weak, and a little damping suppresses them: hence kLeastDampingShare.
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

/// Class of an element's next step, from the last evaluation of its bound.
inline constexpr dist::ElementFieldDeclaration<std::uint8_t> kStepClass{.name = "step_class", .unit = "-"};

/// Class of its last step, to which its velocities and energy accounts belong.
inline constexpr dist::ElementFieldDeclaration<std::uint8_t> kLastStepClass{.name = "last_step_class", .unit = "-"};

inline constexpr int kMostStepClasses = 10;  ///< the finest step is at least 2⁻⁹ of the coarse one

/// Least damping time over the coarse step, of the least damped material, with which sub-cycling is safe: no bar of
/// elements of random lengths then gains energy at any step up to the bound, without damping some do
/// (test_step_classes).
inline constexpr double kLeastDampingShare = 0.02;

/// Largest share of elements with a finer step than the coarse one.
inline constexpr double kMostFineShare = 0.1;

/// Smallest k for which coarse_s 2⁻ᵏ does not exceed step_s, at most kMostStepClasses − 1.
[[nodiscard]] int step_class(double step_s, double coarse_s);

/// Histogram of the elements' steps, in bins of a quarter of an octave. Counts add up over ranks.
struct StepHistogram {
  static constexpr int kBinsPerOctave = 4, kOctaves = 24, kBins = kBinsPerOctave * kOctaves;
  std::array<std::int64_t, kBins> count{};  ///< bin i: steps from shortest_s 2^(i/4) on
  double shortest_s = 0;                    ///< lower end of the first bin
  void add(double step_s);
  [[nodiscard]] double lower_end(int bin) const;
  /// Lower end of the bin of the shortest step, without this share of the elements, those with the shortest steps.
  [[nodiscard]] double without_worst(double share) const;
};

/// Further data for the choice of the coarse step.
struct CoarseStepChoice {
  double longest_s = 0;  ///< [s]
  double current_s = 0;  ///< kept unless another is much better; 0: there is none [s]
  int most_classes = kMostStepClasses;
  double step_work = 0;  ///< further work of a coarse step, in updates of an element: contact
};

/// The coarse step with the least work per second of the run: an element costs one update per coarse step, and if its
/// class is finer another 2ᵏ updates of chosen elements; every sub-step has a cost of its own. The result lies between
/// the shortest step (a single step for all) and the longest, with few finer elements (kMostFineShare), so that most
/// elements, and with them cracks and accounts, are resolved as without sub-cycling. Local; does not throw.
[[nodiscard]] double choose_coarse_step(const StepHistogram& steps, const CoarseStepChoice& choice);

/// Compact numbers 1, 2, … for the few nodes of chosen elements, in order of first occurrence: data of these nodes is
/// contiguous, wherever cuts have put their slots. Number 0 stands for slot 0, nobody.
class FewNodes {
public:
  /// Discards all numbers; node slots are below `num_slots`.
  void clear(std::size_t num_slots);
  /// The node's number; a new one if it has none yet.
  [[nodiscard]] std::int32_t number(std::int32_t slot) {
    std::int32_t& number = number_[static_cast<std::size_t>(slot)];
    if (number == 0 && slot != dist::kNobody) {
      number = static_cast<std::int32_t>(slots_.size());
      slots_.push_back(slot);
    }
    return number;
  }
  /// The node's number; 0 if it has none, as slots beyond `num_slots` have.
  [[nodiscard]] std::int32_t number_if_any(std::int32_t slot) const {
    return static_cast<std::size_t>(slot) < number_.size() ? number_[static_cast<std::size_t>(slot)] : 0;
  }
  [[nodiscard]] std::span<const std::int32_t> numbers() const { return number_; }  ///< by slot
  [[nodiscard]] std::span<const std::int32_t> slots() const { return slots_; }     ///< by number
  [[nodiscard]] std::size_t size() const { return slots_.size(); }                 ///< nobody included

  [[nodiscard]] std::size_t memory_bytes() const { return core::bytes_of(slots_, number_); }

private:
  std::vector<std::int32_t> slots_{dist::kNobody};
  std::vector<std::int32_t> number_;  ///< by slot
};

/// Copies of a few elements whose forces are computed repeatedly, each time with the same weight.
class PackedElements {
public:
  /// @param chosen  element slots, ascending: the order in which forces are added
  /// @param weight  of their forces; a power of two, so that the multiplication is exact [–]
  /// @param nodes   gives their corners numbers, by which all arrays of nodes are indexed below
  void pack(const ElementSpans& elements, std::span<const std::int32_t> chosen, double weight, FewNodes& nodes);
  /// Numbers of the corners, each once, in order of first occurrence.
  [[nodiscard]] std::span<const std::int32_t> corners() const { return corners_; }
  [[nodiscard]] std::size_t size() const { return num_elements_; }

  /// internal_forces of these elements alone, times the weight: the entries of their corners are overwritten, no other
  /// is accessed. Local; does not throw.
  void internal_forces(std::span<const material::Material> materials, std::span<const dist::NodeMotion> nodes,
                       std::span<dist::NodeForce> forces, const ForceOptions& options) const;
  /// Plastic flow of the copies to the present positions, as in flow_and_internal_forces; the forces are added to
  /// `forces`. Local; does not throw.
  void flow_and_add_internal_forces(std::span<const material::Material> materials,
                                    std::span<const dist::NodeMotion> nodes, std::span<dist::NodeForce> forces,
                                    const ForceOptions& options);
  /// Writes the plastic state of the copies to the elements that were copied.
  /// @param chosen  as in pack
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
