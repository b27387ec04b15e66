/// Choosing which failing nodes crack in this round.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criterion.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace brisance::fracture {

/// Keeps an array over all nodes between rounds, and goes through no more of it than the failing nodes' surroundings
/// and the ghosts.
class WinnerSelection {
public:
  /// Failing nodes whose key is the largest within three edges: their cuts touch no common element. The key is the
  /// severity in half octaves, then a hash of (seed, id, round), then the id, so that a smooth stress field does not
  /// crack in single file; it depends on nothing but the failing nodes themselves. Ascending slot. Collective.
  [[nodiscard]] std::vector<LocalNode> select(const dist::Mesh& mesh, const std::map<LocalNode, Failure>& failing,
                                              std::uint64_t seed, std::int64_t step, std::int64_t round);

  struct Key {
    std::uint64_t rank = 0;  ///< severity bucket in the top byte, hash below; 0: not failing
    std::int64_t id = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

private:
  NodeField<Key> best_;            ///< largest key within as many edges as sweeps were made; zero between rounds
  std::vector<LocalNode> active_;  ///< slots with a key other than zero
};

}  // namespace brisance::fracture
