// The stress at which bodies break, the plane, and the crack speed (VALIDATION C1, C2, C7, C8, C11).
#include "brisance/dist/pieces.hpp"

#include "support/ball_star.hpp"
#include "support/divided_surface.hpp"
#include "support/kuhn.hpp"
#include "support/simulated.hpp"
#include "support/topology.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

constexpr double kStrength = 1e-3;  ///< in units of E = 1

material::Material brittle(double poisson, double damping_time_s = 0) {
  material::Material m = test::solid(1, poisson, 1, damping_time_s);
  m.toughness = kStrength;
  return m;
}

/// A bar along x that stretches at a constant strain rate, its end faces prescribed, its sides free: without waves.
void stretch(mesh::TetMesh& bar, Scene& scene, std::vector<std::uint32_t>& masks, double strain_rate, double poisson) {
  double length = 0;
  for (const Vec3& x : bar.nodes) length = std::max(length, x[0]);
  for (const Vec3& x : bar.nodes) {
    bar.velocity.push_back(strain_rate * x.cwiseProduct(Vec3(1, -poisson, -poisson)));
    masks.push_back(x[0] == 0 ? 1 : x[0] == length ? 2 : 0);
  }
  scene.regions = {test::grip({true, false, false}),
                   test::grip({true, false, false}, Vec3(strain_rate * length, 0, 0))};
}

/// Mean axial stress of the bar's middle cells in the state that broke it.
double breaking_stress(material::ToughnessMode mode, double toughness) {
  material::Material m = brittle(0.3);
  m.toughness_mode = mode;
  m.toughness = toughness;
  Scene scene = test::bare_scene(m);
  mesh::TetMesh bar = test::kuhn_box(10, 2, 2, 1, 0.2, 0.2);
  std::vector<std::uint32_t> masks;
  stretch(bar, scene, masks, 1e-5, 0.3);
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, bar, masks);
  while (simulation.time_s() < 300) {
    const double stress = test::mean_stress(simulation, 96, 48)[0];
    simulation.step(300);
    if (simulation.fracture_counters().cracks > 0) return stress;
  }
  return 0;
}

// VALIDATION C1: `stress` mode breaks at σ_c, `force` mode at τ/A_n of the nodes with the largest A_n, h² = 0.01 m²
// inside a bar. 1 %: strains of 0.1 % and a stress that grows by 0.02 % a step.
TEST(Strength, C1BarBreaksAtItsStrength) {
  const double stress = breaking_stress(material::ToughnessMode::stress, kStrength);
  const double force = breaking_stress(material::ToughnessMode::force, kStrength * 0.01);
  RecordProperty("stress_mode_over_strength", std::to_string(stress / kStrength));
  RecordProperty("force_mode_over_strength", std::to_string(force / kStrength));
  EXPECT_NEAR(stress, kStrength, 0.01 * kStrength);
  EXPECT_NEAR(force, kStrength, 0.01 * kStrength);
}

mesh::TetMesh bar_with_a_waist() {
  mesh::TetMesh bar = test::kuhn_box(12, 2, 2, 1, 0.2, 0.2);
  const Eigen::Vector2d axis(0.1, 0.1);
  for (Vec3& x : bar.nodes)
    x.tail<2>() = axis + (x.tail<2>() - axis) * (1 - 0.2 * std::exp(-std::pow((x[0] - 0.5) / 0.1, 2)));
  return bar;
}

struct Broken {
  double time_s = 0;  ///< of the first crack
  std::int64_t cracks = 0;
  std::vector<dist::Piece> pieces;
  test::Topology topology;
  std::vector<Vec3> positions;  ///< of the nodes the mesh began with
};

/// Pulls a bar until it breaks, and for six transits more.
Broken pull_apart(mesh::TetMesh bar) {
  Scene scene = test::bare_scene(brittle(0.3, 0.003));
  std::vector<std::uint32_t> masks;
  stretch(bar, scene, masks, 2e-5, 0.3);
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, bar, masks);
  while (simulation.time_s() < 100 && simulation.fracture_counters().cracks == 0) simulation.step(100);
  Broken result;
  result.time_s = simulation.time_s();
  test::run_until(simulation, result.time_s + 6);
  result.cracks = simulation.fracture_counters().cracks;
  result.pieces = dist::find_pieces(simulation.mesh()).list;
  result.topology = test::topology(test::whole_mesh(simulation.mesh()));
  for (std::size_t i = 0; i < bar.nodes.size(); ++i)
    result.positions.push_back(test::position(simulation, static_cast<std::int64_t>(i)));
  return result;
}

// VALIDATION C1: a bar with a waist breaks there, once, square to its axis: two pieces, and the crack surface has the
// waist's section on either side. (A uniform bar breaks at all its nodes at once, D10.)
TEST(Strength, C1BarWithAWaistBreaksInTwoSquareToItsAxis) {
  const Broken broken = pull_apart(bar_with_a_waist());
  ASSERT_EQ(broken.pieces.size(), 2u);
  EXPECT_NEAR(broken.pieces[0].mass, broken.pieces[1].mass, 0.01 * broken.pieces[0].mass);
  const auto [area, vector] = broken.topology.crack_area([](const auto& f) { return f.area()[0] > 0; });
  const double section = 0.16 * 0.16, tilt = std::hypot(vector[1], vector[2]) / vector[0];
  RecordProperty("area_over_section", std::to_string(area / section));
  RecordProperty("tilt_deg", std::to_string(tilt * 57.2958));
  EXPECT_NEAR(area, section, 0.02 * section);
  EXPECT_LT(tilt, 0.0175);  // 1°
}

// VALIDATION C7: on any number of ranks the bits agree (mpi_test_reproducible); sums run in ascending element id, so
// another numbering of the input's tets changes the rounding, and only that: the same cracks, and positions within
// 1e-9 of the length after some hundred steps; but for the nodes of the crack, where the lowest element id decides
// which side keeps the node.
TEST(Strength, C7ShuffledTetsBreakAlike) {
  const mesh::TetMesh bar = bar_with_a_waist();
  mesh::TetMesh shuffled = bar;
  std::vector<std::size_t> order(bar.tets.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  for (std::size_t i = 0; i < order.size(); ++i) {
    shuffled.tets[i] = bar.tets[order[i]];
    shuffled.face_source[i] = bar.face_source[order[i]];
  }
  const Broken a = pull_apart(bar), b = pull_apart(shuffled);
  EXPECT_NEAR(a.time_s, b.time_s, 1e-9);
  EXPECT_EQ(a.cracks, b.cracks);
  EXPECT_EQ(a.pieces.size(), b.pieces.size());
  EXPECT_EQ(a.topology.euler(), b.topology.euler());
  double apart = 0;
  for (std::size_t i = 0; i < a.positions.size(); ++i)
    if (std::abs(bar.nodes[i][0] - 0.5) > 0.01) apart = std::max(apart, (a.positions[i] - b.positions[i]).norm());
  RecordProperty("largest_difference_1e15", std::to_string(apart * 1e15));
  EXPECT_GT(apart, 0);  // the claim of equal bits is not made here
  EXPECT_LT(apart, 1e-9);
}

// VALIDATION C2: a block in pure shear, its surface prescribed, cracks along the plane at 45° under the tension. One
// inner node; its crack takes the whole star. 3°: snapping to the link's nodes.
TEST(Strength, C2ShearBlockCracksAtFortyFiveDegrees) {
  Scene scene = test::bare_scene(brittle(0.25));
  scene.regions = {test::grip({true, true, true})};
  mesh::TetMesh block = test::kuhn_box(2, 2, 2, 2, 2, 2);
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : block.nodes) {
    const double shear = 1.01 * kStrength * 2.5;  // σ = μγ, μ = 0.4
    block.displacement.push_back(0.5 * shear * Vec3(x[1] - 1, x[0] - 1, 0));
    masks.push_back((x - Vec3(1, 1, 1)).norm() > 0.1 ? 1 : 0);
  }
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, block, masks);
  simulation.step(1000);
  EXPECT_EQ(simulation.fracture_counters().cracks, 1);
  const Vec3 expected = Vec3(1, 1, 0).normalized();
  const auto topology = test::topology(test::whole_mesh(simulation.mesh()));
  const auto [area, vector] = topology.crack_area([&](const auto& f) { return f.area().dot(expected) > 0; });
  ASSERT_GT(area, 0);
  RecordProperty("angle_off_deg", std::to_string(std::acos(vector.normalized().dot(expected)) * 57.2958));
  EXPECT_GT(vector.normalized().dot(expected), std::cos(3 * 0.0174533));
}

// VALIDATION C8: the centre of a ball star under tensions of 3 and 2.6 times its strength is cut across the larger
// first; when the waiting time of the copies is over, these are cut across the other: into four, and not further. A
// copy has half the star: by the area of the whole it is twice as strong, and tensions below 2 σ_c stop at two; by its
// remaining half, it is cut by 1.43 σ_c (not by 1.3: its other side is free now, and deforms).
TEST(Strength, C8BiaxialNodeIsCutAcrossTheLargerTensionFirstAndIntoFourAtMost) {
  struct Case {
    double scale, least_area_share;
    std::size_t parts;
  };
  for (const auto& [scale, least_area_share, parts] :
       {Case{0.5, 1, 2}, Case{1, 1, 4}, Case{0.55, 0.5, 4}, Case{0.9, 1, 2}}) {
    Scene scene = test::bare_scene(brittle(0));
    scene.fracture.least_area_share = least_area_share;
    scene.regions = {test::grip({true, true, true})};
    mesh::TetMesh ball = test::ball_star(2);
    std::vector<std::uint32_t> masks(ball.nodes.size(), 1);
    masks[0] = 0;
    for (const Vec3& x : ball.nodes) ball.displacement.push_back(scale * kStrength * x.cwiseProduct(Vec3(3, 2.6, 0)));
    Simulation simulation(core::Comm(MPI_COMM_SELF), scene, ball, masks);
    auto copies = [&] {
      std::set<std::int64_t> ids;
      for (const auto& e : test::whole_mesh(simulation.mesh()))
        for (int i = 0; i < 4; ++i)
          if (e.at(i).norm() < 1e-12) ids.insert(e.corners[i]);
      return ids.size();
    };
    simulation.step(1000);
    EXPECT_EQ(copies(), 2u);
    const auto cracks = test::topology(test::whole_mesh(simulation.mesh()));
    EXPECT_GT(cracks.crack_area([](const auto& f) { return f.area()[0] > 0; }).second.normalized()[0], 1 - 1e-6);
    test::run_until(simulation, 20);
    EXPECT_EQ(copies(), parts);
  }
}

/// A strip 2 × 1 × 1/16 with a slit of length 0.5 at half its height.
mesh::TetMesh slit_strip() {
  mesh::TetMesh strip = test::kuhn_box(32, 16, 1, 2, 1, 1.0 / 16);
  std::map<std::int32_t, std::int32_t> upper;
  const std::size_t count = strip.nodes.size();
  for (std::size_t i = 0; i < count; ++i)
    if (strip.nodes[i][1] == 0.5 && strip.nodes[i][0] < 0.49) {
      upper[static_cast<std::int32_t>(i)] = static_cast<std::int32_t>(strip.nodes.size());
      strip.nodes.push_back(Vec3(strip.nodes[i]));
    }
  for (auto& tet : strip.tets) {
    double height = 0;
    for (std::int32_t n : tet) height += strip.nodes[n][1] / 4;
    if (height < 0.5) continue;
    for (std::int32_t& n : tet)
      if (const auto found = upper.find(n); found != upper.end()) n = found->second;
  }
  return strip;
}

/// Corners of the crack surface at rest [m].
std::vector<Vec3> crack_points(const dist::Mesh& mesh) {
  std::vector<Vec3> points;
  if (mesh.find_field(dist::kDivision) == nullptr) {
    for (const auto& f : test::topology(test::whole_mesh(mesh)).surface)
      if (f.is_crack) points.insert(points.end(), f.rest.begin(), f.rest.end());
    return points;
  }
  for (const std::int32_t i : dist::home_elements(mesh)) {
    std::vector<elements::SurfaceTriangle> cracks, outside;
    test::append_copy_surface(mesh, LocalElement(i), cracks, outside);
    for (const elements::SurfaceTriangle& triangle : cracks)
      for (const elements::Barycentric& weights : triangle) {
        Vec3& x = points.emplace_back(Vec3::Zero());
        for (int v = 0; v < 4; ++v)
          x += weights[static_cast<std::size_t>(v)] * mesh.rest[mesh.corner(LocalElement(i), v)];
      }
  }
  return points;
}

/// Speed of a crack through a stretched strip, over the Rayleigh speed. ν = 0 keeps the strip's ends at rest. Cracks
/// far from the tip do not count: waves break the strip's free end too.
double crack_speed(const dynamics::Parameters& time, const std::string& cutter = "remeshing") {
  const material::Material m = brittle(0);
  Scene scene = test::bare_scene(m);
  scene.time = time;
  scene.fracture.cutter = cutter;
  scene.regions = {test::grip({true, true, true})};
  mesh::TetMesh strip = slit_strip();
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : strip.nodes) {
    strip.displacement.push_back(Vec3(0, 0.75 * kStrength * (x[1] - 0.5), 0));
    masks.push_back(x[1] == 0 || x[1] == 1 ? 1 : 0);
  }
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, strip, masks);
  constexpr double kUntil = 40;
  double first_time = -1, first_tip = 0, last_time = 0, tip = 0;
  std::int64_t cracks = 0;
  while (simulation.time_s() < kUntil && tip < 1.4) {
    simulation.step(kUntil);
    if (simulation.fracture_counters().cracks == cracks) continue;
    cracks = simulation.fracture_counters().cracks;
    const double before = tip, reach = std::max(tip, 0.5) + 0.3;
    for (const Vec3& x : crack_points(simulation.mesh()))
      if (x[0] < reach) tip = std::max(tip, x[0]);
    if (tip == before) continue;
    last_time = simulation.time_s();
    if (first_time < 0) {
      first_time = last_time;
      first_tip = tip;
    }
  }
  EXPECT_GT(tip - first_tip, 0.75);
  return (tip - first_tip) / (last_time - first_time) / material::rayleigh_wave_speed(m);
}

// VALIDATION C11: a crack stays below the Rayleigh speed c_R; the test requires 0.75 c_R, the limit of the benchmarks
// D4 and D8. The nodes of the crack's front wait by 0.6 c_R, but nodes beside its plane do not, so 0.6 is no strict
// bound; measured was 0.65.
TEST(Strength, C11CrackRunsBelowItsSpeedLimit) {
  const double speed = crack_speed(test::bare_scene(brittle(0)).time);
  RecordProperty("speed_over_rayleigh", std::to_string(speed));
  EXPECT_LT(speed, 0.75);
  EXPECT_GT(speed, 0.5);  // only the limit slows the crack
}

// The same between tets that stay whole.
TEST(Strength, C11ACrackOfVirtualNodesRunsBelowItsSpeedLimit) {
  const double speed = crack_speed(test::bare_scene(brittle(0)).time, "virtual_nodes");
  RecordProperty("speed_over_rayleigh", std::to_string(speed));
  EXPECT_LT(speed, 0.65);
  EXPECT_GT(speed, 0.4);
}

// The same in implicit steps of 1.2, in which a crack of 0.6 c_R crosses seven of the strip's tets. With short steps
// after it, each until all of its front may advance, it crosses most of them (0.42); without them, one a step.
TEST(Strength, C11CrackCrossesSeveralTetsInAnImplicitStep) {
  dynamics::Parameters time = test::bare_scene(brittle(0)).time;
  time.integrator = dynamics::Integrator::implicit_euler;
  time.step_s = 1.2;
  const double speed = crack_speed(time);
  RecordProperty("speed_over_rayleigh", std::to_string(speed));
  EXPECT_LT(speed, 0.75);
  EXPECT_GT(speed, 0.35);
  time.crack_steps = 0;
  EXPECT_LT(crack_speed(time), 0.2);
}

}  // namespace
}  // namespace brisance::sim
