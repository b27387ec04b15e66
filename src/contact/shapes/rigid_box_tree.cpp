#include "rigid_box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace brisance::contact {
namespace {

constexpr std::int32_t kItemsInALeaf = 4;

void grow(Bounds& box, const Bounds& other) {
  box.low = box.low.cwiseMin(other.low);
  box.high = box.high.cwiseMax(other.high);
}

}  // namespace

RigidBoxTree::RigidBoxTree(std::span<const Bounds> items) : order_(items.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.reserve(items.size());
  nodes_.emplace_back();
  divide(0, 0, static_cast<std::int32_t>(items.size()), items);
}

void RigidBoxTree::divide(std::size_t node, std::int32_t first, std::int32_t count, std::span<const Bounds> items) {
  const auto begin = order_.begin() + first, end = begin + count;
  const auto middle_of = [&](std::int32_t i) {
    const Bounds& box = items[static_cast<std::size_t>(i)];
    return Vec3(0.5 * (box.low + box.high));
  };
  Bounds box = items[static_cast<std::size_t>(*begin)], middles{middle_of(*begin), middle_of(*begin)};
  for (auto i = begin; i != end; ++i) {
    grow(box, items[static_cast<std::size_t>(*i)]);
    grow(middles, {middle_of(*i), middle_of(*i)});
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

}  // namespace brisance::contact
