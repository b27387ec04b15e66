#include "contact/search/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace brisance::contact {

namespace {

constexpr std::int32_t kLeafSize = 8;

}  // namespace

BoxTree::BoxTree(std::span<const Box> boxes) : boxes_(boxes.begin(), boxes.end()), order_(boxes.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (!boxes_.empty()) add(0, static_cast<std::int32_t>(boxes_.size()));
}

std::int32_t BoxTree::add(std::int32_t first, std::int32_t end) {
  const auto box = [&](std::int32_t number) -> const Box& { return boxes_[static_cast<std::size_t>(number)]; };
  const std::span<std::int32_t> part =
      std::span(order_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
  Box all = box(part.front());
  for (const std::int32_t number : part) all = around(all, box(number));
  const auto node = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({.box = all, .first = first, .end = end});
  if (end - first <= kLeafSize) return node;
  Eigen::Index axis = 0;
  (all.high - all.low).maxCoeff(&axis);
  const std::int32_t middle = first + (end - first) / 2;
  std::nth_element(part.begin(), part.begin() + (middle - first), part.end(), [&](std::int32_t a, std::int32_t b) {
    return box(a).low[axis] + box(a).high[axis] < box(b).low[axis] + box(b).high[axis];
  });
  const std::int32_t left = add(first, middle), right = add(middle, end);
  nodes_[static_cast<std::size_t>(node)].left = left;
  nodes_[static_cast<std::size_t>(node)].right = right;
  return node;
}

std::vector<Box> BoxTree::parts(int depth) const {
  std::vector<Box> found;
  if (!nodes_.empty()) add_parts(0, depth, found);
  return found;
}

void BoxTree::add_parts(std::int32_t number, int depth, std::vector<Box>& parts) const {
  const Node& node = nodes_[static_cast<std::size_t>(number)];
  if (depth == 0 || node.right < 0) {
    parts.push_back(node.box);
    return;
  }
  add_parts(node.left, depth - 1, parts);
  add_parts(node.right, depth - 1, parts);
}

}  // namespace brisance::contact
