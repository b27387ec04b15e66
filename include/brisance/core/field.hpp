/// Arrays indexed by a typed id, so that a global id or a foreign index does not compile.
#pragma once

#include "brisance/core/aligned.hpp"
#include "brisance/core/ids.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace brisance {

template <class Index, class T, class Allocator = std::allocator<T>>
class Field {
public:
  Field() = default;
  explicit Field(std::size_t size, const T& value = T()) : data_(size, value) {}

  [[nodiscard]] T& operator[](Index i) { return data_[static_cast<std::size_t>(i.value)]; }
  [[nodiscard]] const T& operator[](Index i) const { return data_[static_cast<std::size_t>(i.value)]; }
  [[nodiscard]] std::size_t size() const { return data_.size(); }
  void resize(std::size_t size, const T& value = T()) { data_.resize(size, value); }
  void assign(std::size_t size, const T& value) { data_.assign(size, value); }
  void push_back(const T& value) { data_.push_back(value); }
  [[nodiscard]] std::span<T> span() { return data_; }
  [[nodiscard]] std::span<const T> span() const { return data_; }

private:
  std::vector<T, Allocator> data_;
};

template <class T>
using NodeField = Field<LocalNode, T>;
template <class T>
using AlignedNodeField = Field<LocalNode, T, core::AlignedAllocator<T>>;
template <class T>
using ElementField = Field<LocalElement, T>;

}  // namespace brisance
