/// sub-cycling: elements whose own step is short take several short ones while the rest takes one. Class k has steps
/// 2⁻ᵏ as long as the coarse one; a node moves by the finest step of its star.
///
/// Every element kicks its corners, h f at a time, h being its own step; between kicks nodes drift. That is what
/// symplectic Euler does, with an h for each element (an asynchronous variational integrator; Lew, Marsden, Ortiz and
/// West 2003; r-RESPA): momentum is kept exactly, and energy on average, for as long as no coarse step beats in time
/// with a vibration of fine elements. Masses shared by stiffness (critical_step.hpp) make such beats rare and weak, and
/// a little damping stops them: hence kLeastDampingShare.
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

/// The class an element's next step has, by the last evaluation at its bound.
inline constexpr dist::ElementFieldDeclaration<std::uint8_t> kStepClass{.name = "step_class", .unit = "-"};

/// The class of its last step: what its velocities and accounts belong to.
inline constexpr dist::ElementFieldDeclaration<std::uint8_t> kLastStepClass{.name = "last_step_class", .unit = "-"};

inline constexpr int kMostStepClasses = 10;  ///< the finest step is at least 2⁻⁹ of the coarse one

/// Damping time of the least damped material over the coarse step, from which on sub-cycling are safe: with it no
/// bar of elements of random lengths grows at any step up to the bound, without it some do (test_step_classes).
inline constexpr double kLeastDampingShare = 0.02;

/// Largest share of elements with a finer step than the coarse one.
inline constexpr double kMostFineShare = 0.1;

/// Smallest k for which coarse_s 2⁻ᵏ does not exceed step_s, at most kMostStepClasses − 1.
[[nodiscard]] int step_class(double step_s, double coarse_s);

/// How many elements have which step: bins of a quarter of an octave. Counts add up over ranks.
struct StepHistogram {
  static constexpr int kBinsPerOctave = 4, kOctaves = 24, kBins = kBinsPerOctave * kOctaves;
  std::array<std::int64_t, kBins> count{};  ///< of steps from shortest_s 2^(bin/4) on
  double shortest_s = 0;                    ///< lower end of the first bin
  void add(double step_s);
  [[nodiscard]] double lower_end(int bin) const;
  /// Lower end of the bin of the shortest step, were this share of the elements, those with the shortest, left out.
  [[nodiscard]] double without_worst(double share) const;
};

/// What else a choice of the coarse step goes by.
struct CoarseStepChoice {
  double longest_s = 0;  ///< [s]
  double current_s = 0;  ///< kept where another is not much better; 0: there is none [s]
  int most_classes = kMostStepClasses;
  double step_work = 0;  ///< of a coarse step beside elements, in updates of an element: contact
};

/// The coarse step that needs the least work for a second of the run: an element costs one update a coarse step, and
/// where its class is finer another 2ᵏ of chosen elements; every sub-step costs something by itself. Between the
/// shortest step, one clock, and the longest, and so that few elements are finer (kMostFineShare): what the many do,
/// and with them cracks and accounts, is to be resolved as before. Local; does not throw.
[[nodiscard]] double choose_coarse_step(const StepHistogram& steps, const CoarseStepChoice& choice);

/// Numbers 1, 2, … for the few nodes that chosen elements have, as they come: what is kept of these nodes lies close
/// together, wherever cuts have put their slots. Number 0 stands for slot 0, nobody.
class FewNodes {
public:
  /// Starts afresh with node slots below `num_slots`.
  void clear(std::size_t num_slots);
  /// The node's number; the next one where it has none yet.
  [[nodiscard]] std::int32_t number(std::int32_t slot) {
    std::int32_t& number = number_[static_cast<std::size_t>(slot)];
    if (number == 0 && slot != dist::kNobody) {
      number = static_cast<std::int32_t>(slots_.size());
      slots_.push_back(slot);
    }
    return number;
  }
  /// 0 of a node that has none. Slots beyond those it was started with have none.
  [[nodiscard]] std::int32_t number_if_any(std::int32_t slot) const {
    return static_cast<std::size_t>(slot) < number_.size() ? number_[static_cast<std::size_t>(slot)] : 0;
  }
  [[nodiscard]] std::span<const std::int32_t> numbers() const { return number_; }  ///< by slot
  [[nodiscard]] std::span<const std::int32_t> slots() const { return slots_; }     ///< by number
  [[nodiscard]] std::size_t size() const { return slots_.size(); }                 ///< with nobody

  [[nodiscard]] std::size_t memory_bytes() const { return core::bytes_of(slots_, number_); }

private:
  std::vector<std::int32_t> slots_{dist::kNobody};
  std::vector<std::int32_t> number_;  ///< by slot
};

/// Copies of a few elements, whose forces are wanted again and again, each time with the same weight.
class PackedElements {
public:
  /// @param chosen  element slots, ascending: the order in which forces are added
  /// @param weight  of their forces; a power of two, so that weighing costs no bit [–]
  /// @param nodes   gives their corners numbers, by which all arrays of nodes are read below
  void pack(const ElementSpans& elements, std::span<const std::int32_t> chosen, double weight, FewNodes& nodes);
  /// Numbers of the corners, each once, as they come.
  [[nodiscard]] std::span<const std::int32_t> corners() const { return corners_; }
  [[nodiscard]] std::size_t size() const { return num_elements_; }

  /// internal_forces of these elements alone, weighed: the entries of their corners are overwritten, no other is looked
  /// at. Local; does not throw.
  void internal_forces(std::span<const material::Material> materials, std::span<const dist::NodeMotion> nodes,
                       std::span<dist::NodeForce> forces, const ForceOptions& options) const;
  /// The copies flow to where the nodes are, as in flow_and_internal_forces, and the forces are added to what is there.
  /// Local; does not throw.
  void flow_and_add_internal_forces(std::span<const material::Material> materials,
                                    std::span<const dist::NodeMotion> nodes, std::span<dist::NodeForce> forces,
                                    const ForceOptions& options);
  /// Gives the elements that were copied the plastic state of their copies.
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
