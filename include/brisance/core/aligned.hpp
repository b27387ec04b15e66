/// Storage for the hot loops: 64-byte aligned, on large pages where the system grants them.
#pragma once

#include <cstdlib>
#include <new>
#include <vector>

#include <sys/mman.h>

namespace brisance::core {

/// Allocator for SIMD data. Blocks of 4 MiB and more are aligned to 2 MiB and offered to the kernel as large pages: the
/// force kernel gathers nodes from all over memory, and address translation would otherwise dominate.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    const bool large = bytes >= (std::size_t{4} << 20);
    const std::size_t alignment = large ? (std::size_t{2} << 20) : 64;
    void* p = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (p == nullptr) throw std::bad_alloc();
    if (large) madvise(p, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) { std::free(p); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace brisance::core
