/// A hierarchy of boxes over items that each have one. Search results do not depend on how it was built.
#pragma once

#include "brisance/contact/box.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

class BoxTree {
public:
  /// Divides into halves of equal number along the longest extent of the items' centres, so that its depth is log₂ n.
  /// Local.
  explicit BoxTree(std::span<const Box> items);

  /// All items in the tree's order: neighbours are close to each other.
  [[nodiscard]] std::span<const std::int32_t> order() const { return order_; }

  /// Calls `visit(item)` for every item whose boxes on the way down all have `bound(box)` at most the last value that
  /// `visit` returned, at first `limit`; of two boxes that with the lower bound comes first.
  template <class Bound, class Visit>
  void nearest_first(double limit, const Bound& bound, const Visit& visit) const {
    std::array<Open, kDeepest> open;
    std::size_t count = 0;
    if (nodes_.empty()) return;
    open[count++] = {bound(nodes_[0].box), 0};
    while (count > 0) {
      const Open next = open[--count];
      if (next.bound > limit) continue;
      const Node& node = nodes_[next.node];
      if (node.num_items > 0) {
        for (std::int32_t i = 0; i < node.num_items; ++i) limit = visit(order_[node.first + i]);
        continue;
      }
      Open near{bound(nodes_[node.first].box), node.first};
      Open far{bound(nodes_[node.first + 1].box), node.first + 1};
      if (far.bound < near.bound) std::swap(near, far);
      if (far.bound <= limit) open[count++] = far;
      if (near.bound <= limit) open[count++] = near;
    }
  }

  /// Calls `visit(item)` for every item whose boxes on the way down all satisfy `enter(box)`, in the tree's order.
  template <class Enter, class Visit>
  void for_each(const Enter& enter, const Visit& visit) const {
    nearest_first(
        0, [&](const Box& box) { return enter(box) ? 0.0 : 1.0; },
        [&](std::int32_t item) {
          visit(item);
          return 0.0;
        });
  }

  /// Boxes around parts of the tree that together contain all items, at most 2^depth.
  [[nodiscard]] std::vector<Box> parts(int depth) const;

private:
  struct Node {
    Box box;
    std::int32_t first = 0;      ///< first item in `order_`, or first of two children in `nodes_`
    std::int32_t num_items = 0;  ///< 0: the node has children
  };
  struct Open {
    double bound;
    std::int32_t node;
  };
  static constexpr std::size_t kDeepest = 64;  ///< 2³¹ items are 31 deep, and each depth leaves one open

  void divide(std::size_t node, std::int32_t first, std::int32_t count, std::span<const Box> items);

  std::vector<Node> nodes_;
  std::vector<std::int32_t> order_;
};

}  // namespace brisance::contact
