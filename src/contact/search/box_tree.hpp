/// A binary tree over boxes, built by halving along the longest side of the remaining set.
#pragma once

#include "contact/box_list.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

class BoxTree {
public:
  BoxTree() = default;
  explicit BoxTree(std::span<const Box> boxes);

  /// Calls found(i) for each box i that is at most `reach` away from `at`, in no particular order. Local.
  template <class Found>
  void each_near(const Box& at, double reach, const Found& found) const {
    if (nodes_.empty()) return;
    std::vector<std::int32_t> open{0};
    while (!open.empty()) {
      const Node& node = nodes_[static_cast<std::size_t>(open.back())];
      open.pop_back();
      if (!meet(node.box, at, reach)) continue;
      if (node.right >= 0) {
        open.push_back(node.right);
        open.push_back(node.left);
        continue;
      }
      for (std::int32_t i = node.first; i < node.end; ++i) {
        const std::int32_t number = order_[static_cast<std::size_t>(i)];
        if (meet(boxes_[static_cast<std::size_t>(number)], at, reach)) found(number);
      }
    }
  }

  /// Boxes around parts of the tree that together contain all, at most 2^depth.
  [[nodiscard]] std::vector<Box> parts(int depth) const;

private:
  struct Node {
    Box box;
    std::int32_t first, end;             ///< range in order_
    std::int32_t left = -1, right = -1;  ///< indices in nodes_; −1: a leaf
  };
  std::int32_t add(std::int32_t first, std::int32_t end);
  void add_parts(std::int32_t node, int depth, std::vector<Box>& parts) const;

  std::vector<Box> boxes_;
  std::vector<std::int32_t> order_;
  std::vector<Node> nodes_;  ///< the root first
};

}  // namespace brisance::contact
