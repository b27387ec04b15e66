/// Boxes that change one by one and are asked often which of them meet another: batches of them as wholes, then each
/// box of a batch, side by side, eight at a time, which for some hundreds is less than the way down a tree, and there
/// is nothing to keep in balance.
#pragma once

#include "brisance/core/types.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace brisance::contact {

/// [m].
struct Box {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
};

/// The nearest float that is no more, no less than x.
[[nodiscard]] inline float below(double x) {
  const auto near = static_cast<float>(x);
  return near <= x ? near : std::nextafter(near, -std::numeric_limits<float>::infinity());
}
[[nodiscard]] inline float above(double x) {
  const auto near = static_cast<float>(x);
  return near >= x ? near : std::nextafter(near, std::numeric_limits<float>::infinity());
}

/// Are they no farther than `reach` from each other, along any axis?
[[nodiscard]] inline bool meet(const Box& a, const Box& b, double reach) {
  for (int k = 0; k < 3; ++k)
    if (a.low[k] > b.high[k] + reach || b.low[k] > a.high[k] + reach) return false;
  return true;
}

class BoxList {
public:
  [[nodiscard]] std::size_t size() const { return label_.size(); }
  [[nodiscard]] bool empty() const { return label_.empty(); }

  /// Returns its place, which is its own until something is removed.
  std::int32_t add(const Box& box, std::int32_t label) {
    for (std::vector<float>& side : side_) side.push_back(0);
    if (label_.size() % kBatch == 0) batches_.push_back(Batch());
    label_.push_back(label);
    const auto place = static_cast<std::int32_t>(label_.size() - 1);
    set(place, box);
    ++num_out_of_order_;
    return place;
  }
  void set(std::int32_t place, const Box& box) {
    const auto i = static_cast<std::size_t>(place);
    for (std::size_t k = 0; k < 3; ++k) {
      side_[k][i] = below(box.low[static_cast<Eigen::Index>(k)]);
      side_[3 + k][i] = above(box.high[static_cast<Eigen::Index>(k)]);
    }
    take_in(i);
  }
  /// The last one takes the place that is free: returns its label, or −1 if it was the last.
  std::int32_t remove(std::int32_t place) {
    const auto i = static_cast<std::size_t>(place);
    const bool is_last = i + 1 == label_.size();
    for (std::vector<float>& side : side_) {
      side[i] = side.back();
      side.pop_back();
    }
    label_[i] = label_.back();
    label_.pop_back();
    if (label_.size() % kBatch == 0)
      batches_.pop_back();
    else
      batches_.back().is_tight = false;
    is_tight_ = false;
    if (is_last) return -1;
    take_in(i);
    ++num_out_of_order_;
    return label_[i];
  }
  /// So many have come, or taken another's place, since they were in order that most batches are all over the place.
  [[nodiscard]] bool is_out_of_order() const { return num_out_of_order_ > kBatch + size() / 4; }
  /// Gives those that are near each other places in one batch (halving the longest side, again and again). Calls
  /// placed(label, place) for each.
  template <class Placed>
  void put_in_order(const Placed& placed) {
    std::vector<std::size_t> order(size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    halve(order);
    const auto reorder = [&](auto& values) {
      auto old = values;
      for (std::size_t i = 0; i < order.size(); ++i) values[i] = old[order[i]];
    };
    for (std::vector<float>& side : side_) reorder(side);
    reorder(label_);
    for (std::size_t i = 0; i < label_.size(); ++i) placed(label_[i], static_cast<std::int32_t>(i));
    for (Batch& batch : batches_) batch.is_tight = false;
    is_tight_ = false;
    num_out_of_order_ = 0;
  }
  /// No smaller than what was given.
  [[nodiscard]] Box box(std::int32_t place) const {
    const auto i = static_cast<std::size_t>(place);
    return {Vec3(side_[0][i], side_[1][i], side_[2][i]), Vec3(side_[3][i], side_[4][i], side_[5][i])};
  }
  /// Since tighten() no box was set, and none removed.
  [[nodiscard]] bool is_tight() const { return is_tight_; }
  /// Batches have grown with every box that was set: makes each as small as its boxes are.
  void tighten() {
    for (std::size_t b = 0; b < batches_.size(); ++b) {
      if (batches_[b].is_tight) continue;
      const auto first = static_cast<std::ptrdiff_t>(b * kBatch);
      const auto last = static_cast<std::ptrdiff_t>(std::min(size(), (b + 1) * kBatch));
      for (std::size_t k = 0; k < 3; ++k) {
        batches_[b].low[k] = *std::min_element(side_[k].begin() + first, side_[k].begin() + last);
        batches_[b].high[k] = *std::max_element(side_[3 + k].begin() + first, side_[3 + k].begin() + last);
      }
      batches_[b].is_tight = true;
    }
    is_tight_ = true;
  }
  /// Around all of them, and larger since tighten() if they have moved; of none: nothing.
  [[nodiscard]] std::optional<Box> whole() const {
    if (empty()) return std::nullopt;
    Batch all;
    for (const Batch& batch : batches_) all.take_in(batch);
    return Box{Vec3(all.low[0], all.low[1], all.low[2]), Vec3(all.high[0], all.high[1], all.high[2])};
  }
  /// Calls found(label) for each that meets the box, in the order of their places; nothing may be changed meanwhile.
  template <class Found>
  void each_at(const Box& at, const Found& found) const {
    std::array<float, 3> low{}, high{};
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = below(at.low[static_cast<Eigen::Index>(k)]);
      high[k] = above(at.high[static_cast<Eigen::Index>(k)]);
    }
    std::array<std::int32_t, kBatch> meets{};
    for (std::size_t first = 0; first < size(); first += kBatch) {
      if (!batches_[first / kBatch].meets(low, high)) continue;
      const std::size_t count = std::min(kBatch, size() - first);
      const float *low_x = &side_[0][first], *low_y = &side_[1][first], *low_z = &side_[2][first];
      const float *high_x = &side_[3][first], *high_y = &side_[4][first], *high_z = &side_[5][first];
      std::int32_t any = 0;
      for (std::size_t i = 0; i < count; ++i) {  // no branches: the compiler does eight at a time
        meets[i] = static_cast<std::int32_t>(low_x[i] <= high[0]) & static_cast<std::int32_t>(low_y[i] <= high[1]) &
                   static_cast<std::int32_t>(low_z[i] <= high[2]) & static_cast<std::int32_t>(high_x[i] >= low[0]) &
                   static_cast<std::int32_t>(high_y[i] >= low[1]) & static_cast<std::int32_t>(high_z[i] >= low[2]);
        any |= meets[i];
      }
      if (any == 0) continue;
      for (std::size_t i = 0; i < count; ++i)
        if (meets[i] != 0) found(label_[first + i]);
    }
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    return label_.capacity() * (side_.size() * sizeof(float) + sizeof(std::int32_t)) +
           batches_.capacity() * sizeof(Batch);
  }

private:
  static constexpr std::size_t kBatch = 64;
  struct Batch {
    std::array<float, 3> low = {kFar, kFar, kFar}, high = {-kFar, -kFar, -kFar};
    bool is_tight = false;

    void take_in(const Batch& other) {
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], other.low[k]);
        high[k] = std::max(high[k], other.high[k]);
      }
    }
    [[nodiscard]] bool meets(const std::array<float, 3>& from, const std::array<float, 3>& to) const {
      for (std::size_t k = 0; k < 3; ++k)
        if (low[k] > to[k] || high[k] < from[k]) return false;
      return true;
    }
  };
  static constexpr float kFar = std::numeric_limits<float>::infinity();

  void halve(std::span<std::size_t> places) const {
    if (places.size() <= kBatch) return;
    const auto middle = [&](std::size_t place, std::size_t axis) {
      return side_[axis][place] + side_[3 + axis][place];
    };
    std::size_t longest = 0;
    float length = -1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      float low = kFar, high = -kFar;
      for (const std::size_t place : places) {
        low = std::min(low, middle(place, axis));
        high = std::max(high, middle(place, axis));
      }
      if (high - low <= length) continue;
      length = high - low;
      longest = axis;
    }
    const std::size_t half = (places.size() / kBatch + 1) / 2 * kBatch;
    std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(half), places.end(),
                     [&](std::size_t a, std::size_t b) { return middle(a, longest) < middle(b, longest); });
    halve(places.first(half));
    halve(places.subspan(half));
  }
  void take_in(std::size_t i) {
    Batch& batch = batches_[i / kBatch];
    batch.take_in({{side_[0][i], side_[1][i], side_[2][i]}, {side_[3][i], side_[4][i], side_[5][i]}});
    batch.is_tight = is_tight_ = false;
  }
  std::array<std::vector<float>, 6> side_;  ///< low x, y, z, high x, y, z
  std::vector<std::int32_t> label_;
  std::vector<Batch> batches_;  ///< around the boxes of each
  bool is_tight_ = true;
  std::size_t num_out_of_order_ = 0;
};

}  // namespace brisance::contact
