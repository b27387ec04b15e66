/// State of contact of the points where cracks cut edges of elements that stay whole (dist/division.hpp). Such a point
/// is no node: the lower node of its edge has the state.
#pragma once

#include "brisance/contact/fields.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace brisance::contact {

/// One edge point that touches something.
struct EdgePointState {
  GlobalNode other;               ///< the edge's higher node; invalid: no point
  double collider_offset_m = -1;  ///< depth in colliders without force; negative: it touches none [m]
  ContactSpring spring{};         ///< against facets
  double next_search_s = 0;       ///< until then the point keeps the facet of its spring [s]

  [[nodiscard]] bool touches() const { return collider_offset_m >= 0 || spring.exists(); }
};

/// Most edge points at a node that touch something; further ones feel no force until others are free.
inline constexpr std::size_t kMostEdgePoints = 8;

/// The edge points of a node, those without contact left out.
struct EdgePointStates {
  std::array<EdgePointState, kMostEdgePoints> state{};

  [[nodiscard]] bool is_empty() const {
    return std::ranges::none_of(state, [](const EdgePointState& point) { return point.other.valid(); });
  }
  /// Null if the point touches nothing.
  [[nodiscard]] const EdgePointState* find(GlobalNode other) const {
    const auto found = std::ranges::find(state, other, &EdgePointState::other);
    return other.valid() && found != state.end() ? &*found : nullptr;
  }
  [[nodiscard]] EdgePointState* find(GlobalNode other) {
    return const_cast<EdgePointState*>(std::as_const(*this).find(other));
  }
  /// The point's state, a new one if it has none; null if there is no room.
  [[nodiscard]] EdgePointState* take(GlobalNode other) {
    auto place = std::ranges::find(state, other, &EdgePointState::other);
    if (place == state.end()) place = std::ranges::find(state, GlobalNode(), &EdgePointState::other);
    if (place == state.end()) return nullptr;
    place->other = other;
    return &*place;
  }
  /// Forgets points that touch nothing.
  void drop_idle() {
    for (EdgePointState& point : state)
      if (point.other.valid() && !point.touches()) point = {};
  }
};

inline constexpr dist::NodeFieldDeclaration<EdgePointStates> kEdgePoints{
    .name = "edge_points", .unit = "mixed", .copy = dist::AtCopy::initial};

static_assert(sizeof(EdgePointState) == 80);  // no bytes without a value

}  // namespace brisance::contact

template <>
struct brisance::dist::Components<brisance::contact::EdgePointStates> {
  static constexpr std::size_t each = 3 + Components<brisance::contact::ContactSpring>::width;
  static constexpr std::size_t width = each * brisance::contact::kMostEdgePoints;
  static void write(const brisance::contact::EdgePointStates& states, double* out) {
    for (const brisance::contact::EdgePointState& point : states.state) {
      out[0] = static_cast<double>(point.other.value);
      out[1] = point.collider_offset_m;
      Components<brisance::contact::ContactSpring>::write(point.spring, out + 2);
      out[each - 1] = point.next_search_s;
      out += each;
    }
  }
};
