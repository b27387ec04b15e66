#include "contact/box_tree.hpp"

#include "contact/box_list.hpp"

#include <algorithm>
#include <numeric>

namespace brisance::contact {
namespace {

constexpr std::int32_t kItemsInALeaf = 4;

}  // namespace

BoxTree::BoxTree(std::span<const Box> items) : order_(items.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (items.empty()) return;
  nodes_.reserve(items.size());
  nodes_.emplace_back();
  divide(0, 0, static_cast<std::int32_t>(items.size()), items);
}

void BoxTree::divide(std::size_t node, std::int32_t first, std::int32_t count, std::span<const Box> items) {
  const auto begin = order_.begin() + first, end = begin + count;
  const auto middle_of = [&](std::int32_t i) {
    const Box& box = items[static_cast<std::size_t>(i)];
    return Vec3(0.5 * (box.low + box.high));
  };
  Box box = items[static_cast<std::size_t>(*begin)], middles{middle_of(*begin), middle_of(*begin)};
  for (auto i = begin; i != end; ++i) {
    box = around(box, items[static_cast<std::size_t>(*i)]);
    middles = around(middles, {middle_of(*i), middle_of(*i)});
  }
  nodes_[node].box = box;
  if (count <= kItemsInALeaf) {
    nodes_[node].first = first;
    nodes_[node].num_items = count;
    return;
  }
  int axis = 0;
  (middles.high - middles.low).maxCoeff(&axis);
  std::nth_element(begin, begin + count / 2, end, [&](std::int32_t a, std::int32_t b) {
    const double x = middle_of(a)[axis], y = middle_of(b)[axis];
    return x < y || (x == y && a < b);
  });
  const std::size_t children = nodes_.size();
  nodes_[node].first = static_cast<std::int32_t>(children);
  nodes_.resize(children + 2);
  divide(children, first, count / 2, items);
  divide(children + 1, first + count / 2, count - count / 2, items);
}

std::vector<Box> BoxTree::parts(int depth) const {
  std::vector<Node> found(nodes_.begin(), nodes_.begin() + (nodes_.empty() ? 0 : 1));
  for (int d = 0; d < depth; ++d) {
    std::vector<Node> children;
    for (const Node& node : found)
      if (node.num_items > 0)
        children.push_back(node);
      else
        children.insert(children.end(), nodes_.begin() + node.first, nodes_.begin() + node.first + 2);
    found = std::move(children);
  }
  std::vector<Box> boxes;
  for (const Node& node : found) boxes.push_back(node.box);
  return boxes;
}

}  // namespace brisance::contact
