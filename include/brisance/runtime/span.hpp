// SPDX-License-Identifier: MIT
/// A view of consecutive values: std::span for a library that compiles as C++17.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace brisance::runtime {

template <class T>
class Span {
public:
  constexpr Span() = default;
  constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}
  /// Views a vector, an array or another view, which must outlive this one.
  template <class Values, class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<Values&>().data()), T*>>>
  constexpr Span(Values&& values)  // NOLINT(bugprone-forwarding-reference-overload,google-explicit-constructor)
      : data_(values.data()), size_(values.size()) {}

  [[nodiscard]] constexpr T* data() const { return data_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] constexpr T* begin() const { return data_; }
  [[nodiscard]] constexpr T* end() const { return data_ + size_; }

private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace brisance::runtime
