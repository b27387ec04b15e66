// Objects that flow differently in one run: each has the result of a run of its own.
#include "brisance/dynamics/plastic_state.hpp"

#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <array>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

constexpr double kLength = 0.6, kThickness = 0.1;  ///< of a bar [m]
constexpr std::size_t kBars = 3;

/// Pulled apart at the start, by different multiples of the materials' yield.
mesh::TetMesh bar(double offset_m, std::int32_t region) {
  mesh::TetMesh mesh = test::kuhn_box(6, 1, 1, kLength, kThickness, kThickness);
  for (Vec3& x : mesh.nodes) {
    mesh.velocity.emplace_back(40 * (x.x() - kLength / 2), 0, 0);
    x.y() += offset_m;
  }
  mesh.region.assign(mesh.tets.size(), region);
  return mesh;
}

void append(const mesh::TetMesh& from, mesh::TetMesh& to) {
  const auto first = static_cast<std::int32_t>(to.nodes.size());
  to.nodes.insert(to.nodes.end(), from.nodes.begin(), from.nodes.end());
  to.velocity.insert(to.velocity.end(), from.velocity.begin(), from.velocity.end());
  to.region.insert(to.region.end(), from.region.begin(), from.region.end());
  to.face_source.insert(to.face_source.end(), from.face_source.begin(), from.face_source.end());
  for (std::array<std::int32_t, 4> tet : from.tets) {
    for (std::int32_t& n : tet) n += first;
    to.tets.push_back(tet);
  }
}

/// One that stays elastic, one that flows late and far, one that flows at once and not far.
std::vector<material::Material> materials() {
  std::vector<material::Material> all(kBars, test::solid(1e6, 0.3, 1000, 1e-4));
  const std::array<std::array<double, 2>, kBars> flow{{{0, 0}, {0.04, 0.5}, {0.005, 0.02}}};  // γ1, γ2
  for (std::size_t k = 0; k < kBars; ++k) {
    all[k].yield_strain = flow[k][0];
    all[k].plastic_limit = flow[k][1];
  }
  return all;
}

Scene scene_of(const std::vector<material::Material>& all) {
  Scene scene = test::bare_scene(all[0]);
  scene.materials = all;
  scene.time.max_step_s = 2e-5;  // shorter than any is stable with: all runs take the same steps
  return scene;
}

double plastic_norm(const Simulation& simulation, std::int64_t first, std::int64_t count) {
  double largest = 0;
  const auto flowed = simulation.mesh().field(dynamics::kPlasticState);
  for (std::int64_t e = first; e < first + count; ++e) {
    const std::int32_t slot = simulation.mesh().find(GlobalElement(e)).value;
    double square = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      const double strain =
          flowed.empty() ? 0 : flowed[static_cast<std::size_t>(slot / dist::kBatch)].strain[k][slot % dist::kBatch];
      square += (k < 3 ? 1 : 2) * strain * strain;
    }
    largest = std::max(largest, std::sqrt(square));
  }
  return largest;
}

TEST(FlowSideBySide, EachObjectFlowsAsIfAlone) {
  const std::vector<material::Material> all = materials();
  mesh::TetMesh together;
  for (std::size_t k = 0; k < kBars; ++k) append(bar(static_cast<double>(k), static_cast<std::int32_t>(k)), together);
  Simulation beside(core::Comm(MPI_COMM_SELF), scene_of(all), together, {});
  for (int i = 0; i < 1000; ++i) beside.step(1);

  std::array<double, kBars> flowed{};
  for (std::size_t k = 0; k < kBars; ++k) {
    const mesh::TetMesh mesh = bar(static_cast<double>(k), 0);
    Simulation alone(core::Comm(MPI_COMM_SELF), scene_of({all[k]}), mesh, {});
    for (int i = 0; i < 1000; ++i) alone.step(1);
    ASSERT_EQ(alone.time_s(), beside.time_s());
    const auto nodes = static_cast<std::int64_t>(mesh.nodes.size()), tets = static_cast<std::int64_t>(mesh.tets.size());
    const auto nth = static_cast<std::int64_t>(k);
    for (std::int64_t n = 0; n < nodes; ++n) {
      EXPECT_EQ(test::position(alone, n), test::position(beside, nth * nodes + n)) << "object " << k << ", node " << n;
      EXPECT_EQ(test::velocity(alone, n), test::velocity(beside, nth * nodes + n));
    }
    flowed[k] = plastic_norm(beside, nth * tets, tets);
    EXPECT_EQ(flowed[k], plastic_norm(alone, 0, tets));
  }
  EXPECT_EQ(flowed[0], 0);
  EXPECT_GT(flowed[1], 0.02);           // beyond what the third may
  EXPECT_NEAR(flowed[2], 0.02, 1e-12);  // its limit
}

}  // namespace
}  // namespace brisance::sim
