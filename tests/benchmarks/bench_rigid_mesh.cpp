// Distances to a rigid mesh, near its surface and all over its bounds, and the cost of building the hierarchy.
#include "brisance/contact/shapes/rigid_mesh.hpp"
#include "brisance/core/random.hpp"

#include "support/rigid_meshes.hpp"

#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace brisance;

constexpr std::size_t kPoints = 4096;

Vec3 random_vector(std::uint64_t id) {
  return 2 * Vec3(core::hash_uniform(1, id, 0), core::hash_uniform(1, id, 1), core::hash_uniform(1, id, 2)) -
         Vec3::Ones();
}

void count(benchmark::State& state, std::size_t triangles) {
  state.SetItemsProcessed(static_cast<std::int64_t>(kPoints) * state.iterations());
  state.counters["triangles"] = static_cast<double>(triangles);
}

// range(0): halvings of a ball's edges, 8 · 4ⁿ triangles. Points within a hundredth of the radius of its surface.
void distance_near_the_surface(benchmark::State& state) {
  const auto mesh = test::ball(1, static_cast<int>(state.range(0))).solid();
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < kPoints; ++i)
    points.push_back((1 + 0.01 * random_vector(i + kPoints).x()) * random_vector(i).normalized());
  Vec3 normal;
  for (auto _ : state)
    for (const Vec3& point : points) benchmark::DoNotOptimize(mesh->signed_distance(point, normal));
  count(state, mesh->triangles().size());
}
BENCHMARK(distance_near_the_surface)->Arg(3)->Arg(4)->Arg(5)->Arg(6)->Arg(7)->Unit(benchmark::kMicrosecond);

// Nodes inside the bounds of a thorny ball, most of them outside the ball: a table access, then the search.
void depth_all_over_the_bounds(benchmark::State& state) {
  const auto mesh = test::thorny_ball(1, static_cast<int>(state.range(0)), 3).solid();
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < kPoints; ++i) points.push_back(mesh->reach() * random_vector(i));
  Vec3 normal;
  std::int64_t searched = 0;
  for (auto _ : state)
    for (const Vec3& point : points) {
      if (!mesh->may_hold(point)) continue;
      ++searched;
      benchmark::DoNotOptimize(mesh->signed_distance(point, normal));
    }
  count(state, mesh->triangles().size());
  state.counters["searched"] = static_cast<double>(searched) / static_cast<double>(kPoints * state.iterations());
}
BENCHMARK(depth_all_over_the_bounds)->Arg(3)->Arg(5)->Arg(7)->Unit(benchmark::kMicrosecond);

void make(benchmark::State& state) {
  const auto ball = test::ball(1, static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(ball.solid());
  state.counters["triangles"] = static_cast<double>(ball.triangles.size());
}
BENCHMARK(make)->Arg(3)->Arg(7)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
