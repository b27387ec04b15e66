// Bodies that come to rest under damping, on any number of ranks: patch test and gravity column (VALIDATION A2, A13).
#include "brisance/core/random.hpp"

#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

constexpr std::uint64_t kSeed = 7;

/// 3 × 3 × 3 cubes with every inner node moved by up to 0.15 of an edge.
mesh::TetMesh distorted_box() {
  mesh::TetMesh box = test::kuhn_box(3, 3, 3, 3, 3, 3);
  for (std::size_t i = 0; i < box.nodes.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if ((box.nodes[i].array() > 0).all() && (box.nodes[i].array() < 3).all())
        box.nodes[i][k] += 0.3 * (core::hash_uniform(kSeed, i, k) - 0.5);
  return box;
}

bool on_boundary(const Vec3& x) { return (x.array() == 0).any() || (x.array() == 3).any(); }

/// Material with the damping time that makes the slowest motion of a body of this size die within a few transits.
material::Material damped(double size) { return test::solid(1, 0.3, 1, 0.3 * size); }

// VALIDATION A2: the boundary is prescribed at x + A x for six states A, the inner nodes start at rest position and
// must end at x + A x themselves; every element then has ε = A + Aᵀ + AᵀA. 1e-12 relative to the size: only round-off
// remains after 60 decay times.
TEST(Statics, A2PatchTestOnADistortedMesh) {
  const double a = 0.01;
  const mesh::TetMesh rest = distorted_box();
  for (int state = 0; state < 6; ++state) {
    SymMat3 unit = SymMat3::Zero();
    unit[state] = a;
    const Mat3 gradient = full_matrix(unit);
    mesh::TetMesh box = rest;
    std::vector<std::uint32_t> masks;
    for (const Vec3& x : box.nodes) {
      masks.push_back(on_boundary(x) ? 1 : 0);
      box.displacement.push_back(on_boundary(x) ? Vec3(gradient * x) : Vec3(Vec3::Zero()));
    }
    Scene scene = test::bare_scene(damped(3));
    scene.regions = {test::grip({true, true, true})};
    Simulation simulation(core::Comm(), scene, box, masks);
    test::run_until(simulation, 60);
    const dist::Mesh& mesh = simulation.mesh();
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_owned(n)) {
        const Vec3 expected = mesh.rest[n] + gradient * mesh.rest[n];
        EXPECT_LT((Vec3(mesh.motion[n].position) - expected).norm(), 3e-12) << "state " << state;
      }
    const Mat3 strain = 0.5 * (2 * gradient + gradient * gradient);
    const double trace = strain.trace();
    const material::Material& m = scene.materials[0];
    const double energy = 27 * (0.5 * m.lame_lambda * trace * trace + m.lame_mu * strain.squaredNorm());
    EXPECT_NEAR(simulation.energies().elastic, energy, 1e-10 * energy) << "state " << state;
  }
}

// VALIDATION A13: a column of the bowl material (Table 1: λ = 2.65e6, μ = 3.97e6, ρ = 1013), 0.1 m high, on rollers
// under its weight. Base stress ρgH = 993.7 Pa, tip −ρgH²/(2(λ+2μ)). A linear element has the stress of its middle, and
// the lumped half element at the base rests on the ground: 1 % at ten elements, 0.01 % for the nodal displacement,
// where the discrete solution is exact but for the material's O(ε) = 1e-4.
TEST(Statics, A13GravityColumn) {
  constexpr int kCells = 10;
  const double height = 0.1, gravity = 9.81;
  material::Material m;
  m.density = 1013;
  m.lame_lambda = 2.65e6;
  m.lame_mu = 3.97e6;
  const double speed = material::pressure_wave_speed(m), time = 0.2 * height / speed;
  m.damping_phi = time * m.lame_lambda;
  m.damping_psi = time * m.lame_mu;
  const mesh::TetMesh column = test::kuhn_box(1, 1, kCells, 0.01, 0.01, height);
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : column.nodes) masks.push_back(x[2] == 0 ? 3 : 1);
  Scene scene = test::bare_scene(m);
  scene.gravity = Vec3(0, 0, -gravity);
  scene.regions = {test::grip({true, true, false}), test::grip({false, false, true})};
  Simulation simulation(core::Comm(), scene, column, masks);
  test::run_until(simulation, 80 * height / speed);

  const double modulus = m.lame_lambda + 2 * m.lame_mu, weight = m.density * gravity * height;
  const dist::Mesh& mesh = simulation.mesh();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    const double z = mesh.rest[n][2];
    const double expected = -m.density * gravity * (height * z - 0.5 * z * z) / modulus;
    EXPECT_NEAR(mesh.motion[n].position[2] - z, expected, 0.01 * weight * height / (2 * modulus)) << z;
  }
  // Axial stress of each cell at its middle, on the ranks that hold all six tets of it.
  for (std::int64_t cell = 0; cell < kCells; ++cell) {
    bool held = true;
    for (int e = 0; e < 6; ++e) held &= mesh.find(GlobalElement(6 * cell + e)).valid();
    if (!held) continue;
    const double expected = -m.density * gravity * (height - (static_cast<double>(cell) + 0.5) * height / kCells);
    EXPECT_NEAR(test::mean_stress(simulation, 6 * cell, 6)[2], expected, 0.01 * weight) << cell;
  }
}

}  // namespace
}  // namespace brisance::sim
