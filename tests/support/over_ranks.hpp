/// Quantities of a simulation for tests of whole bodies on any number of ranks.
#pragma once

#include "brisance/la/sums.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <algorithm>
#include <complex>
#include <functional>
#include <vector>

namespace brisance::test {

/// Small systems, whose equations PETSc's ILU solves fastest on more ranks than cores; the lattice has its own test
/// (mpi_test_implicit_bits).
inline sim::Scene implicit_scene(const material::Material& m, double step_s) {
  sim::Scene scene = bare_scene(m);
  scene.time.solver = dynamics::Solver::automatic;
  scene.time.integrator = dynamics::Integrator::implicit_euler;
  scene.time.step_s = step_s;
  return scene;
}

/// Long motions for which one rank and two suffice; more may be more than the machine has cores. Equality on any number
/// of ranks is tested on all.
inline bool has_many_ranks() { return core::Comm().size() > 2; }

/// Whole motions that are compared with closed forms: once, on two ranks. Equality on any number of ranks is tested on
/// all.
inline bool is_left_to_two_ranks() { return core::Comm().size() != 2; }

/// This rank by itself.
class OneRank {
public:
  OneRank() {
    const core::Comm world;
    MPI_Comm_split(world.raw(), world.rank(), 0, &raw_);
  }
  ~OneRank() { MPI_Comm_free(&raw_); }
  OneRank(const OneRank&) = delete;
  OneRank& operator=(const OneRank&) = delete;
  [[nodiscard]] core::Comm comm() const { return core::Comm(raw_); }

private:
  MPI_Comm raw_ = MPI_COMM_NULL;
};

/// Calls visit(slot, global id) for each owned node.
template <class Visit>
void for_each_owned(const sim::Simulation& simulation, const Visit& visit) {
  const dist::Mesh& mesh = simulation.mesh();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) visit(n, mesh.node_id[n].value);
}

/// The largest of all owned nodes of all ranks.
template <class Measure>
double largest(const sim::Simulation& simulation, const Measure& measure) {
  double most = 0;
  for_each_owned(simulation, [&](LocalNode n, std::int64_t) { most = std::max(most, measure(n)); });
  return simulation.comm().max(most);
}

inline Vec3 sum_over_ranks(const core::Comm& comm, Vec3 v) {
  la::sum_over_ranks(comm, std::span<double>(v.data(), 3));
  return v;
}

/// Position of a node, from the rank that owns it, on every rank.
inline Vec3 position_of(const sim::Simulation& simulation, std::int64_t id) {
  Vec3 x = Vec3::Zero();
  for_each_owned(simulation, [&](LocalNode n, std::int64_t i) {
    if (i == id) x = Vec3(simulation.mesh().motion[n].position);
  });
  return sum_over_ranks(simulation.comm(), x);
}

inline std::vector<Vec3> positions_by_id(const sim::Simulation& simulation, std::int64_t count) {
  std::vector<Vec3> all;
  for (std::int64_t id = 0; id < count; ++id) all.push_back(position_of(simulation, id));
  return all;
}

inline double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
  return worst;
}

inline void set_velocity(sim::Simulation& simulation, const std::function<Vec3(const Vec3& rest)>& velocity) {
  dist::Mesh& mesh = simulation.mesh();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    Eigen::Map<Vec3>(mesh.motion[LocalNode(i)].velocity) = velocity(mesh.rest[LocalNode(i)]);
}

inline Vec3 spin(const sim::Simulation& simulation) {
  Vec3 spin = Vec3::Zero();
  for_each_owned(simulation, [&](LocalNode n, std::int64_t) {
    const dist::NodeMotion& m = simulation.mesh().motion[n];
    spin += simulation.mesh().mass[n] * Vec3(m.position).cross(Vec3(m.velocity));
  });
  return sum_over_ranks(simulation.comm(), spin);
}

/// One tet of which one corner moves along x: ω² = V (λ+2μ) / (ρ V/4), V = 1/6.
struct Oscillator {
  static constexpr double kStiffness = 3, kDensity = 2, kShift = 1e-3;
  static mesh::TetMesh mesh() {
    mesh::TetMesh tet;
    tet.nodes = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    tet.tets = {{0, 1, 2, 3}};
    tet.displacement.assign(4, Vec3::Zero());
    tet.displacement[1].x() = kShift;
    return tet;
  }
  static std::vector<std::uint32_t> masks() { return {2, 1, 2, 2}; }
  static sim::Scene scene(double z) {
    material::Material m = solid(1, 0, kDensity);
    m.lame_mu = 0.5 * kStiffness;  // λ = 0: λ + 2μ
    sim::Scene s = implicit_scene(m, z / frequency());
    s.time.solver_tolerance = 1e-13;
    s.regions = {grip({false, true, true}), grip({true, true, true})};
    return s;
  }
  static double frequency() { return std::sqrt(4 * kStiffness / kDensity); }
  /// x + i v/ω of the corner.
  static std::complex<double> state(const sim::Simulation& simulation) {
    double x = 0, v = 0;
    for_each_owned(simulation, [&](LocalNode n, std::int64_t id) {
      if (id != 1) return;
      x = simulation.mesh().motion[n].position[0] - 1;
      v = simulation.mesh().motion[n].velocity[0];
    });
    return {la::sum_over_ranks(simulation.comm(), x), la::sum_over_ranks(simulation.comm(), v) / frequency()};
  }
};

/// A block thrown at the ground, with friction: everything but cracks.
inline sim::Scene busy_scene() {
  sim::Scene scene = implicit_scene(solid(1e6, 0.3, 1000, 1e-4), 1.0 / 600);
  scene.gravity = Vec3(0, 0, -9.81);
  contact::ColliderParameters ground;
  ground.name = "ground";
  scene.colliders = {ground};
  return scene;
}
inline mesh::TetMesh busy_block() {
  mesh::TetMesh block = kuhn_box(4, 3, 3, 0.4, 0.3, 0.3);
  for (Vec3& x : block.nodes) {
    x = Eigen::AngleAxisd(0.2, Vec3(1, 1, 0).normalized()) * x + Vec3(0, 0, 0.12);
    block.velocity.emplace_back(0.5, 0, -1);
  }
  return block;
}

/// A bar that is thinner in its middle and pulled at both ends.
inline mesh::TetMesh waisted_bar() {
  mesh::TetMesh bar = kuhn_box(15, 3, 3, 1, 0.2, 0.2);
  for (Vec3& x : bar.nodes) {
    const double off = (x[0] - 0.5) / 0.15, thin = 1 - 0.4 * std::exp(-off * off);
    x[1] = 0.1 + thin * (x[1] - 0.1);
    x[2] = 0.1 + thin * (x[2] - 0.1);
  }
  return bar;
}
inline std::vector<std::uint32_t> both_ends(const mesh::TetMesh& bar) {
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : bar.nodes) masks.push_back(x[0] == 0 ? 1 : (x[0] == 1 ? 2 : 0));
  return masks;
}
inline sim::Scene pulled_scene(double step_s) {
  material::Material m = solid(1e7, 0.2, 1000, 1e-4);
  m.toughness = 1e5;
  m.toughness_mode = material::ToughnessMode::stress;
  sim::Scene scene = implicit_scene(m, step_s);
  scene.regions = {grip({true, true, true}, Vec3(-0.05, 0, 0)), grip({true, true, true}, Vec3(0.05, 0, 0))};
  for (sim::RegionParameters& region : scene.regions) region.ramp_s = 0.01;
  return scene;
}

}  // namespace brisance::test
