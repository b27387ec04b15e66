/// Every call of the C library with the nth allocation failing, for each n: the call returns its failure value and says
/// why, and no exception leaves it. usage: allocation_fails FILE.impact
#include "brisance/runtime/impact.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

long allocations_left = -1;  ///< -1: any number

void* allocate(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

/// Calls until enough allocations are allowed; returns how often it failed, or -1 if a failure had no text.
template <class Call>
int failures_of(const Call& call) {
  for (int allowed = 0;; ++allowed) {
    allocations_left = allowed;
    const bool done = call();
    allocations_left = -1;
    if (done) return allowed;
    if (std::strlen(brisance_last_error()) == 0) return -1;
  }
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  brisance_target* target = nullptr;
  const int opening = failures_of([&] { return (target = brisance_target_open(argv[1])) != nullptr; });
  brisance_impact impact{};
  impact.point[2] = impact.direction[2] = impact.strength = impact.threshold = 1;
  std::array<std::int32_t, 16> piece_of_atom{};
  const int striking =
      failures_of([&] { return brisance_target_strike(target, &impact, nullptr, 0, piece_of_atom.data()) >= 0; });
  const int again = failures_of(
      [&] { return brisance_target_strike(target, &impact, piece_of_atom.data(), 0, piece_of_atom.data()) >= 0; });
  std::array<brisance_solid, 16> pieces{};
  const int shapes =
      failures_of([&] { return brisance_target_pieces(target, piece_of_atom.data(), 16, pieces.data()) == 0; });
  const int mistakes = brisance_target_strike(target, nullptr, nullptr, 0, piece_of_atom.data());
  brisance_target_close(target);
  std::printf("failed allocations: %d while opening, %d and %d while striking, %d for shapes\n", opening, striking,
              again, shapes);
  return opening > 10 && striking > 3 && again > 3 && shapes > 0 && mistakes == -1 ? 0 : 1;
}
