// 1000 random impacts through the C interface, each timed on its own: the time that a game waits when something breaks.
// The object is a cube of 82,944 tets in 150 Voronoi pieces with 30 random modes, more pieces and modes than a bunny of
// that size has; or the runtime file that the environment variable BRISANCE_IMPACT_FILE names.
#include "brisance/core/random.hpp"
#include "brisance/modes/pieces/impact.hpp"
#include "brisance/runtime/impact.h"
#include "brisance/runtime/impact_file.hpp"

#include "support/kuhn.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace brisance;

constexpr int kImpacts = 1000;

Vec3 random_point(std::uint64_t seed, std::uint64_t id) {
  return {core::hash_uniform(seed, id, 0), core::hash_uniform(seed, id, 1), core::hash_uniform(seed, id, 2)};
}

std::string made_object() {
  constexpr int kPieces = 150, kModes = 30;
  const mesh::TetMesh cube = test::kuhn_box(24, 24, 24, 1, 1, 1);
  const modes::CellGraph graph = modes::cell_graph(cube);
  std::vector<std::int32_t> label;
  for (const auto& tet : cube.tets) {
    const Vec3 centre = (cube.nodes[tet[0]] + cube.nodes[tet[1]] + cube.nodes[tet[2]] + cube.nodes[tet[3]]) / 4;
    std::vector<double> squared;
    for (int seed = 0; seed < kPieces; ++seed) squared.push_back((random_point(1, seed) - centre).squaredNorm());
    label.push_back(static_cast<std::int32_t>(std::min_element(squared.begin(), squared.end()) - squared.begin()));
  }
  const modes::PieceLabels atoms = modes::split_into_parts(graph, label);
  modes::ModeSet set;
  for (int i = 0; i < kModes; ++i) {
    modes::Mode mode;
    for (const std::int32_t a : atoms.of_cell) mode.value.push_back(core::hash_uniform(2 + i, a, 0) - 0.5);
    set.modes.push_back(mode);
  }
  modes::SmearParameters both;
  both.gaussian = true;
  return runtime::encode(modes::impact_set(cube, graph, set, atoms, both));
}

brisance_target* object() {
  static brisance_target* const target = [] {
    if (const char* file = std::getenv("BRISANCE_IMPACT_FILE")) return brisance_target_open(file);
    const std::string bytes = made_object();
    return brisance_target_open_bytes(bytes.data(), bytes.size());
  }();
  return target;
}

// range(0): method; range(1): 1 strikes one of two bodies, whose modes are made orthonormal at each impact.
void impact(benchmark::State& state) {
  brisance_target* const target = object();
  if (!target) {
    state.SkipWithError(brisance_last_error());
    return;
  }
  brisance_target_info info;
  brisance_target_describe(target, &info);
  std::vector<brisance_solid> atoms(info.num_atoms);
  brisance_target_atoms(target, atoms.data());
  std::vector<std::int32_t> pieces(info.num_atoms), bodies(info.num_atoms);
  for (int a = 0; a < info.num_atoms; ++a) bodies[a] = atoms[a].centre[0] > atoms[0].centre[0];

  std::vector<double> times_ms;
  double num_pieces = 0;
  std::uint64_t id = 0;
  for (auto _ : state) {
    const Vec3 point = random_point(1000, id), direction = random_point(2000, id) - Vec3(0.5, 0.5, 0.4999);
    ++id;
    const brisance_impact blow{{point.x(), point.y(), point.z()},
                               {direction.x(), direction.y(), direction.z()},
                               1,
                               0.3,
                               BRISANCE_SMEAR_ELASTIC,
                               static_cast<std::int32_t>(state.range(0))};
    const auto start = std::chrono::steady_clock::now();
    num_pieces += brisance_target_strike(target, &blow, state.range(1) ? bodies.data() : nullptr, 1, pieces.data());
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(elapsed.count());
    times_ms.push_back(1e3 * elapsed.count());
  }
  std::sort(times_ms.begin(), times_ms.end());
  state.counters["median_ms"] = times_ms[times_ms.size() / 2];
  state.counters["worst_ms"] = times_ms.back();
  state.counters["mean_pieces"] = num_pieces / static_cast<double>(times_ms.size());
  state.counters["atoms"] = info.num_atoms;
  state.counters["modes"] = info.num_modes;
}
BENCHMARK(impact)
    ->ArgNames({"least_squares", "piece"})
    ->Args({0, 0})
    ->Args({1, 0})
    ->Args({0, 1})
    ->Iterations(kImpacts)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
