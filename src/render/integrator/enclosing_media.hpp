/// The solids around a point of a path, and what fills them.
#pragma once

#include "render/materials/material.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace brisance::render {

/// A stack: the solid entered last decides what the light travels in. Of more than kMost solids the outermost is
/// forgotten.
class EnclosingMedia {
public:
  static constexpr std::size_t kMost = 8;

  /// What fills the space here; null: air, of index 1.
  [[nodiscard]] const Interior* current() const { return count_ > 0 ? entries_[count_ - 1].interior : nullptr; }
  /// The solid entered last. There is one.
  [[nodiscard]] std::uint32_t current_solid() const { return entries_[count_ - 1].solid; }
  [[nodiscard]] bool contains(std::uint32_t solid) const { return place_of(solid) < count_; }
  void enter(std::uint32_t solid, const Interior& interior) {
    if (count_ == kMost) erase(0);
    entries_[count_++] = {solid, &interior};
  }
  /// The solid was around the point all along.
  void assume(std::uint32_t solid, const Interior& interior) {
    enter(solid, interior);
    std::rotate(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(count_) - 1,
                entries_.begin() + static_cast<std::ptrdiff_t>(count_));
  }
  void leave(std::uint32_t solid) {
    if (const std::size_t place = place_of(solid); place < count_) erase(place);
  }

private:
  struct Entry {
    std::uint32_t solid;
    const Interior* interior;
  };

  [[nodiscard]] std::size_t place_of(std::uint32_t solid) const {
    std::size_t place = 0;
    while (place < count_ && entries_[place].solid != solid) ++place;
    return place;
  }
  void erase(std::size_t place) {
    std::copy(entries_.begin() + static_cast<std::ptrdiff_t>(place) + 1,
              entries_.begin() + static_cast<std::ptrdiff_t>(count_),
              entries_.begin() + static_cast<std::ptrdiff_t>(place));
    --count_;
  }

  std::array<Entry, kMost> entries_{};
  std::size_t count_ = 0;
};

/// Refractive index of a medium; of air for none.
[[nodiscard]] inline float index_of(const Interior* interior) { return interior == nullptr ? 1 : interior->index; }

/// Is light scattered in it?
[[nodiscard]] inline bool is_turbid(const Interior* interior) {
  return interior != nullptr && interior->turbid != nullptr;
}

/// Share of the light left after a distance [m] in a medium: e^(−σ_a s), Beer's law.
[[nodiscard]] inline Rgb transmittance(const Interior* interior, float distance) {
  return interior == nullptr ? Rgb(Rgb::Ones()) : Rgb((-interior->absorption * distance).exp());
}

}  // namespace brisance::render
