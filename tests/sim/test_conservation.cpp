// Conserved quantities of a free body, its fall and spin, through the whole time loop (VALIDATION A3, A11).
#include "support/digest.hpp"
#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <map>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

/// Velocity of a rigid rotation about an axis through `centre`.
void spin(mesh::TetMesh& body, const Vec3& centre, const Vec3& rate) {
  body.velocity.clear();
  for (const Vec3& x : body.nodes) body.velocity.push_back(rate.cross(x - centre));
}

/// Σ m x × v about the centre of mass.
Vec3 angular_momentum(const Simulation& simulation) {
  const dist::Mesh& mesh = simulation.mesh();
  Vec3 sum = Vec3::Zero();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    sum += mesh.mass[n] * Vec3(mesh.motion[n].position).cross(Vec3(mesh.motion[n].velocity));
  }
  return sum;
}

// VALIDATION A11: symplectic Euler falls by exactly ½ g t (t + dt); 1e-12 is the round-off of a thousand steps.
TEST(Conservation, A11FreeFallIsSymplecticEulersParabola) {
  Scene scene = test::bare_scene(test::solid(1e6, 0.3, 1000));
  scene.gravity = Vec3(0, 0, -9.81);
  scene.time.max_step_s = 1e-3;
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, test::kuhn_box(2, 2, 2, 1, 1, 1), {});
  for (int i = 0; i < 1000; ++i) simulation.step(1e6);
  for (int i = 0; i < 27; ++i) {
    EXPECT_NEAR(test::displacement(simulation, i)[2], -0.5 * 9.81 * 1.0 * 1.001, 1e-9);
    EXPECT_NEAR(test::velocity(simulation, i)[2], -9.81, 1e-9);
  }
}

// VALIDATION A11: a cube spinning at 10 rad/s that also vibrates keeps momentum and angular momentum to round-off, and
// its energy does not drift by 0.1 % over more than 100 periods of its slowest vibration: mean of the last tenth
// against mean of the first (within a period it swings by O(dt)). Step safety 0.5 is the case's CFL.
TEST(Conservation, A11SpinningCubeKeepsMomentaAndEnergy) {
  mesh::TetMesh cube = test::kuhn_box(3, 3, 3, 1, 1, 1);
  spin(cube, Vec3(0.5, 0.5, 0.5), Vec3(6, 0, 8));
  for (std::size_t i = 0; i < cube.nodes.size(); ++i)
    cube.velocity[i] += Vec3(1, -2, 3) * (1 + 0.01 * cube.nodes[i][0]);
  Scene scene = test::bare_scene(test::solid(1e6, 0.3, 1000));  // c_s = 19.6 m/s
  scene.time.step_safety = 0.5;
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, cube, {});
  const Energies before = simulation.energies();
  const Vec3 spin_before = angular_momentum(simulation);
  auto mean_energy_until = [&](double time_s) {
    double sum = 0;
    int count = 0;
    for (; simulation.time_s() < time_s; ++count) {
      simulation.step(time_s);
      sum += simulation.energies().total();
    }
    return sum / count;
  };
  const double first = mean_energy_until(1);
  test::run_until(simulation, 9);
  const double last = mean_energy_until(10);  // the slowest vibration of such a cube takes less than 2 L/c_s = 0.1 s
  const Energies after = simulation.energies();
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12 * before.momentum.norm());
  EXPECT_LT((angular_momentum(simulation) - spin_before).norm(), 1e-11 * spin_before.norm());
  RecordProperty("energy_drift", std::to_string((last - first) / first));
  EXPECT_NEAR(last, first, 1e-3 * first);
}

/// A disc of radius 1: a hexagonal lattice of `rings` rings made round, every prism over a triangle cut into three
/// tets.
mesh::TetMesh disc(int rings, double thickness) {
  mesh::TetMesh mesh;
  std::map<std::pair<int, int>, std::int32_t> index;
  for (int q = -rings; q <= rings; ++q)
    for (int r = std::max(-rings, -rings - q); r <= std::min(rings, rings - q); ++r) {
      const Eigen::Vector2d lattice(q + 0.5 * r, std::sqrt(0.75) * r);
      const int ring = std::max({std::abs(q), std::abs(r), std::abs(q + r)});
      const Eigen::Vector2d at =
          ring > 0 ? Eigen::Vector2d(lattice.normalized() * ring / rings) : Eigen::Vector2d(Eigen::Vector2d::Zero());
      index[{q, r}] = static_cast<std::int32_t>(mesh.nodes.size());
      for (const double z : {0.0, thickness}) mesh.nodes.emplace_back(at[0], at[1], z);
    }
  auto add_prism = [&](std::array<std::pair<int, int>, 3> corners) {
    std::array<std::int32_t, 3> bottom;
    for (int i = 0; i < 3; ++i) {
      const auto found = index.find(corners[i]);
      if (found == index.end()) return;
      bottom[i] = found->second;
    }
    std::sort(bottom.begin(), bottom.end());  // the same diagonals seen from both sides of a prism's wall
    const auto [i, j, k] = bottom;
    for (std::array<std::int32_t, 4> tet :
         {std::array{i, j, k, k + 1}, {i, j, j + 1, k + 1}, {i, i + 1, j + 1, k + 1}}) {
      const auto& x = mesh.nodes;
      if (mesh::tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 0) std::swap(tet[0], tet[1]);
      mesh.tets.push_back(tet);
    }
  };
  for (const auto& [at, node] : index) {
    const auto [q, r] = at;
    add_prism({{{q, r}, {q + 1, r}, {q, r + 1}}});
    add_prism({{{q, r}, {q - 1, r}, {q, r - 1}}});
  }
  mesh.face_source.assign(mesh.tets.size(), {-1, -1, -1, -1});
  return mesh;
}

// VALIDATION A11: a thin disc set spinning grows until u(R) = ρω²R³(1−ν)/(4E), and keeps its angular momentum while
// damping brings its radial vibration to rest. 3 %: polygonal rim and stiffness of eight rings of linear tets.
TEST(Conservation, A11SpinningDiscGrowsByTheClosedForm) {
  const double poisson = 0.3, rate = 0.03;
  mesh::TetMesh plate = disc(8, 0.1);
  spin(plate, Vec3::Zero(), Vec3(0, 0, rate));
  Simulation simulation(core::Comm(MPI_COMM_SELF), test::bare_scene(test::solid(1, poisson, 1, 0.3)), plate, {});
  const Vec3 spin_before = angular_momentum(simulation);
  test::run_until(simulation, 20);
  double growth = 0;
  int count = 0;
  for (std::size_t i = 0; i < plate.nodes.size(); ++i) {
    if (plate.nodes[i].head<2>().norm() < 1 - 1e-9) continue;
    growth += test::position(simulation, static_cast<std::int64_t>(i)).head<2>().norm() - 1;
    ++count;
  }
  const double expected = rate * rate * (1 - poisson) / 4;
  RecordProperty("growth_over_reference", std::to_string(growth / count / expected));
  EXPECT_NEAR(growth / count, expected, 0.03 * expected);
  EXPECT_LT((angular_momentum(simulation) - spin_before).norm(), 1e-12 * spin_before.norm());
}

}  // namespace
}  // namespace brisance::sim
