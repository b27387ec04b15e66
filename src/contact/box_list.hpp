/// Boxes that change one by one and are asked often which of them meet another: all of them are, side by side, eight at
/// a time, which for some hundreds is less than the way down a tree, and there is nothing to keep in balance.
#pragma once

#include "brisance/core/types.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace brisance::contact {

/// [m].
struct Box {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
};

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
    label_.push_back(label);
    const auto place = static_cast<std::int32_t>(label_.size() - 1);
    set(place, box);
    return place;
  }
  void set(std::int32_t place, const Box& box) {
    const auto i = static_cast<std::size_t>(place);
    for (std::size_t k = 0; k < 3; ++k) {
      side_[k][i] = below(box.low[static_cast<Eigen::Index>(k)]);
      side_[3 + k][i] = above(box.high[static_cast<Eigen::Index>(k)]);
    }
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
    return is_last ? -1 : label_[i];
  }
  /// No smaller than what was given.
  [[nodiscard]] Box box(std::int32_t place) const {
    const auto i = static_cast<std::size_t>(place);
    return {Vec3(side_[0][i], side_[1][i], side_[2][i]), Vec3(side_[3][i], side_[4][i], side_[5][i])};
  }
  /// Around all of them; of none: nothing.
  [[nodiscard]] std::optional<Box> whole() const {
    if (empty()) return std::nullopt;
    Box all;
    for (std::size_t k = 0; k < 3; ++k) {
      all.low[static_cast<Eigen::Index>(k)] = *std::min_element(side_[k].begin(), side_[k].end());
      all.high[static_cast<Eigen::Index>(k)] = *std::max_element(side_[3 + k].begin(), side_[3 + k].end());
    }
    return all;
  }
  /// Calls found(label) for each that meets the box, in the order of their places; nothing may be changed meanwhile.
  template <class Found>
  void each_at(const Box& at, const Found& found) const {
    std::array<float, 3> low{}, high{};
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = below(at.low[static_cast<Eigen::Index>(k)]);
      high[k] = above(at.high[static_cast<Eigen::Index>(k)]);
    }
    constexpr std::size_t kBatch = 64;
    std::array<std::int32_t, kBatch> meets{};
    for (std::size_t first = 0; first < size(); first += kBatch) {
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
    return label_.capacity() * (side_.size() * sizeof(float) + sizeof(std::int32_t));
  }

private:
  static float below(double x) {
    const auto near = static_cast<float>(x);
    return near <= x ? near : std::nextafter(near, -std::numeric_limits<float>::infinity());
  }
  static float above(double x) {
    const auto near = static_cast<float>(x);
    return near >= x ? near : std::nextafter(near, std::numeric_limits<float>::infinity());
  }

  std::array<std::vector<float>, 6> side_;  ///< low x, y, z, high x, y, z
  std::vector<std::int32_t> label_;
};

}  // namespace brisance::contact
