#include "brisance/contact/surface/node_grid.hpp"

#include "brisance/core/memory.hpp"

#include <bit>

namespace brisance::contact {

void NodeGrid::reset(std::size_t num_nodes, double cell_m) {
  cell_m_ = cell_m;
  num_put_ = 0;
  head_.assign(std::bit_ceil(std::max<std::size_t>(2 * num_nodes, 16)), kEnd);
  next_.assign(num_nodes, kOutside);
  back_.assign(num_nodes, kOutside);
  cell_.assign(num_nodes, {});
}

void NodeGrid::put(std::int32_t node, const Vec3& position) {
  const auto i = static_cast<std::size_t>(node);
  if (i >= next_.size()) {
    next_.resize(i + 1, kOutside);
    back_.resize(i + 1, kOutside);
    cell_.resize(i + 1);
  }
  const Cell cell = cell_of(position);
  if (next_[i] != kOutside) {
    if (cell_[i] == cell) return;
    take_out(node);
  }
  cell_[i] = cell;
  std::int32_t& head = head_[bucket(cell)];
  next_[i] = head;
  back_[i] = kEnd;
  if (head != kEnd) back_[static_cast<std::size_t>(head)] = node;
  head = node;
  ++num_put_;
}

void NodeGrid::take_out(std::int32_t node) {
  const auto i = static_cast<std::size_t>(node);
  if (back_[i] == kEnd)
    head_[bucket(cell_[i])] = next_[i];
  else
    next_[static_cast<std::size_t>(back_[i])] = next_[i];
  if (next_[i] != kEnd) back_[static_cast<std::size_t>(next_[i])] = back_[i];
  next_[i] = kOutside;
  --num_put_;
}

std::size_t NodeGrid::memory_bytes() const { return core::bytes_of(head_, next_, back_, cell_); }

}  // namespace brisance::contact
