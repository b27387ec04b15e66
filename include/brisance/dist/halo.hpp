/// Keeps the copies of a node equal on all ranks that hold it.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/ids.hpp"
#include "brisance/la/star_forest.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace brisance::dist {

/// The owner's copy of a ghost.
struct GhostLink {
  LocalNode ghost;        ///< slot here
  int owner;              ///< rank
  LocalNode remote_slot;  ///< slot there
};

/// Star forests from owned nodes to their ghosts: one for the ghosts at construction, one for those added since. A
/// ghost that was removed still receives values; its slot must stay unused until the halo is built anew.
class Halo {
public:
  Halo() = default;
  /// Collective. `num_slots`: size of this rank's node arrays.
  Halo(const core::Comm& comm, std::size_t num_slots, std::span<const GhostLink> ghosts);

  /// A halo of a few ghosts alone, for arrays of `num_numbers` entries that are indexed by other numbers than slots.
  /// @param number  index of each slot, for these ghosts and for owned nodes that are such ghosts elsewhere.
  /// Collective.
  Halo(const core::Comm& comm, std::span<const GhostLink> ghosts, std::span<const std::int32_t> number,
       std::size_t num_numbers);

  /// A halo of those of its ghosts alone that have at least this level; requires that no ghosts were added.
  /// @param level  of all ghosts and owned entries of its arrays. Collective.
  [[nodiscard]] Halo from_level(const core::Comm& comm, std::span<const std::int8_t> level, int least) const;

  /// Adds new ghosts: the work is proportional to their number. Collective.
  void add(const core::Comm& comm, std::size_t num_slots, std::span<const GhostLink> ghosts);

  /// owner → ghost: every ghost takes its owner's value. T is trivially copyable. Collective.
  template <class T>
  void update_ghosts(std::span<T> values) const {
    const Array array{reinterpret_cast<std::byte*>(values.data()), sizeof(T)};
    update_ghosts(std::span<const Array>(&array, 1));
  }
  /// Updates several arrays of one entry a slot at once. Collective.
  struct Array {
    std::byte* data;
    std::size_t bytes_each;
  };
  void update_ghosts(std::span<const Array> arrays) const;
  /// ghost → owner: every owner takes the minimum of its own value and its ghosts'. Collective.
  void reduce_min(std::span<std::int64_t> values) const;

  /// Number of this rank's ghosts at construction, and of those added since.
  [[nodiscard]] std::size_t num_first() const { return num_first_; }
  [[nodiscard]] std::size_t num_added() const { return added_.size(); }

private:
  la::StarForest first_, later_;
  std::vector<GhostLink> added_;  ///< leaves of `later_`
  std::size_t num_first_ = 0;
  bool serial_ = true;
};

}  // namespace brisance::dist
