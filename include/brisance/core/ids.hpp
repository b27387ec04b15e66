/// Typed indices: a local index names a slot in this rank's arrays, a global id names a node or element for life,
/// the same on any number of ranks. They do not convert into each other, so one cannot slip into the other's place.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace brisance {

template <class Tag, class Integer>
struct Id {
  Integer value = -1;

  constexpr Id() = default;
  constexpr explicit Id(Integer v) : value(v) {}
  [[nodiscard]] constexpr bool valid() const { return value >= 0; }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

using LocalNode = Id<struct LocalNodeTag, std::int32_t>;
using LocalElement = Id<struct LocalElementTag, std::int32_t>;
using GlobalNode = Id<struct GlobalNodeTag, std::int64_t>;
using GlobalElement = Id<struct GlobalElementTag, std::int64_t>;

}  // namespace brisance

template <class Tag, class Integer>
struct std::hash<brisance::Id<Tag, Integer>> {
  std::size_t operator()(brisance::Id<Tag, Integer> id) const noexcept {
    // Ids are dense counters; a multiplicative spread keeps neighbouring ids out of neighbouring buckets.
    return static_cast<std::size_t>(static_cast<std::uint64_t>(id.value) * 0x9E3779B97F4A7C15ULL >> 7);
  }
};
