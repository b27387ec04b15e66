/// Keeps the copies of a node equal on every rank that holds one.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/ids.hpp"
#include "brisance/la/star_forest.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace brisance::dist {

/// Where a ghost's value comes from.
struct GhostLink {
  LocalNode ghost;        ///< slot here
  int owner;              ///< rank
  LocalNode remote_slot;  ///< slot there
};

/// The star forest from owned nodes to their ghosts. The plan is fixed at construction; after a cut that made or freed
/// ghosts, or a migration, build a new one.
class Halo {
public:
  Halo() = default;
  /// Collective. `num_slots`: size of this rank's node arrays.
  Halo(const core::Comm& comm, std::size_t num_slots, std::span<const GhostLink> ghosts);

  /// One for some of its ghosts alone (slots, ascending). Collective.
  [[nodiscard]] Halo restricted_to(std::span<const LocalNode> ghosts) const;

  /// owner → ghost: every ghost takes its owner's value. T is trivially copyable. Collective.
  template <class T>
  void update_ghosts(std::span<T> values) const {
    const Array array{reinterpret_cast<std::byte*>(values.data()), sizeof(T)};
    update_ghosts(std::span<const Array>(&array, 1));
  }
  /// The same for several arrays of one entry a slot, all under way at once. Collective.
  struct Array {
    std::byte* data;
    std::size_t bytes_each;
  };
  void update_ghosts(std::span<const Array> arrays) const;
  /// ghost → owner: every owner takes the minimum of its own value and its ghosts'. Collective.
  void reduce_min(std::span<std::int64_t> values) const;

  /// Slots of the ghosts, ascending; none on one rank.
  [[nodiscard]] std::span<const LocalNode> ghosts() const { return ghosts_; }

private:
  la::StarForest forest_;
  std::vector<LocalNode> ghosts_;
  bool serial_ = true;
};

}  // namespace brisance::dist
