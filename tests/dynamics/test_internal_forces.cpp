// The force pass against energies, closed forms and reference eigenvalues (VALIDATION A1–A4, A11, C6), and its
// guarantees about bits.
#include "brisance/dynamics/internal_forces.hpp"

#include "bodies.hpp"

#include <cstring>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace brisance::dynamics {
namespace {

using test::SerialBlocks;

std::vector<double> sorted(const Eigen::VectorXd& v) {
  std::vector<double> s(v.begin(), v.end());
  std::sort(s.begin(), s.end());
  return s;
}

/// λ of M⁻¹K, K = −∂f/∂p by central differences of the kernel at rest.
std::vector<double> vibration_eigenvalues(const mesh::TetMesh& mesh, const material::Material& law) {
  SerialBlocks body(mesh, {law});
  const int n = 3 * static_cast<int>(body.num_nodes());
  const double h = 1e-5;
  Eigen::MatrixXd scaled(n, n);
  auto force_at = [&](int column, double shift) {
    SerialBlocks moved = body;
    moved.nodes[column / 3 + 1].position[column % 3] += shift;
    moved.update_forces();
    Eigen::VectorXd f(n);
    for (int r = 0; r < n; ++r) f[r] = moved.forces[r / 3 + 1].force[r % 3] / std::sqrt(body.mass[r / 3 + 1]);
    return f;
  };
  for (int c = 0; c < n; ++c)
    scaled.col(c) = -(force_at(c, h) - force_at(c, -h)) / (2 * h) / std::sqrt(body.mass[c / 3 + 1]);
  return sorted(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (scaled + scaled.transpose())).eigenvalues());
}

void expect_eigenvalues(const mesh::TetMesh& mesh, double poisson, std::vector<double> flexible) {
  const auto found = vibration_eigenvalues(mesh, test::unit_material(poisson));
  std::vector<double> expected(6, 0.0);
  expected.insert(expected.end(), flexible.begin(), flexible.end());
  ASSERT_EQ(found.size(), expected.size());
  // Central differences at h = 1e-5: h² from the cubic stiffness, 1e-16/h from round-off.
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 3e-8) << "eigenvalue " << i;
}

const Vec3 kO(0, 0, 0), kX(1, 0, 0), kY(0, 1, 0), kZ(0, 0, 1);

// VALIDATION A1
TEST(InternalForces, AreTheGradientOfAQuarterOfThePapersEnergy) {
  std::mt19937 generator(1);
  SerialBlocks body(test::jittered_box(2, 2, 1, generator), {test::soft_viscous()});
  test::shake(body, generator, 0.1, 0.0);
  body.update_forces();
  const double h = 1e-6;
  for (std::size_t i = 0; i < body.num_nodes(); ++i)
    for (int k = 0; k < 3; ++k) {
      auto energy = [&](double shift) {
        SerialBlocks moved = body;
        moved.nodes[i + 1].position[k] += shift;
        return moved.elastic_energy();
      };
      const double slope = (energy(h) - energy(-h)) / (2 * h);
      EXPECT_NEAR(body.force(i)[k], -slope, 1e-8) << "node " << i << " axis " << k;
    }
}

// VALIDATION A1: f^ν·v = −½ vol κ, which element_states reports as damping power.
TEST(InternalForces, ViscousForcesTakeTheDampingPowerOut) {
  std::mt19937 generator(2);
  SerialBlocks body(test::jittered_box(2, 1, 2, generator), {test::soft_viscous()});
  test::shake(body, generator, 0.1, 1.0);
  body.update_forces();
  double work = 0, power = 0;
  for (std::size_t i = 0; i < body.num_nodes(); ++i) work += body.viscous(i).dot(body.velocity(i));
  for (const auto& state : body.states()) power += state.damping_power;
  EXPECT_GT(power, 0.1);
  EXPECT_NEAR(work, -power, 1e-12 * power);
}

/// First Piola–Kirchhoff stress from the corner forces of a deformed unit tet: P = Σ_j f_j ⊗ u_j / −vol.
Mat3 first_piola(const Mat3& f, const material::Material& law) {
  SerialBlocks body(test::single_tet(kO, kX, kY, kZ), {law});
  test::deform(body, f);
  body.update_forces();
  Mat3 p = Mat3::Zero();
  const Vec3 rest[4] = {kO, kX, kY, kZ};
  for (int j = 0; j < 4; ++j) p -= body.force(j) * rest[j].transpose() * 6;
  return p;
}

// VALIDATION A2, closed forms at finite strain.
TEST(InternalForces, SimpleShearStressIsTheClosedForm) {
  const material::Material m = test::soft_viscous();
  for (const double g : {1e-3, 0.1, 0.7}) {
    Mat3 f = Mat3::Identity();
    f(0, 1) = g;
    const Mat3 p = first_piola(f, m);
    const double half_p_wave = m.lame_lambda / 2 + m.lame_mu;
    EXPECT_NEAR(p(0, 1), m.lame_mu * g + half_p_wave * g * g * g, 1e-14);
    EXPECT_NEAR(p(1, 0), m.lame_mu * g, 1e-14);
    EXPECT_NEAR(p(0, 0), half_p_wave * g * g, 1e-14);
    EXPECT_NEAR(p(1, 1), half_p_wave * g * g, 1e-14);
    EXPECT_NEAR(p(2, 2), m.lame_lambda / 2 * g * g, 1e-14);
  }
}

TEST(InternalForces, UniaxialStrainStressIsTheClosedFormAndPeaksInCompressionAtOneOverRootThree) {
  const material::Material m = test::soft_viscous();
  const double p_wave = m.lame_lambda + 2 * m.lame_mu;
  auto stress = [&](double s) { return first_piola(Vec3(s, 1, 1).asDiagonal(), m)(0, 0); };
  for (const double s : {0.3, 0.9, 1.0, 1.4}) EXPECT_NEAR(stress(s), p_wave / 2 * s * (s * s - 1), 1e-14);
  const double peak = 1 / std::sqrt(3.0);
  EXPECT_NEAR(stress(peak), -p_wave / (3 * std::sqrt(3.0)), 1e-14);
  EXPECT_GT(stress(peak - 0.01), stress(peak));
  EXPECT_GT(stress(peak + 0.01), stress(peak));
}

TEST(InternalForces, DilationEnergyIsTheClosedForm) {
  const material::Material m = test::soft_viscous();
  for (const double s : {0.5, 1.01, 1.5}) {
    SerialBlocks body(test::kuhn_box(2, 2, 2, 1, 1, 1), {m});
    test::deform(body, s * Mat3::Identity());
    const double expected = 3.0 / 8 * (3 * m.lame_lambda + 2 * m.lame_mu) * (s * s - 1) * (s * s - 1);
    EXPECT_NEAR(body.elastic_energy(), expected, 1e-13 * std::max(1.0, expected));
  }
}

// VALIDATION A2: in an affine state the forces on interior nodes of a distorted mesh balance.
TEST(InternalForces, PatchTestInSixStates) {
  const int kAxes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
  for (const auto& axes : kAxes) {
    std::mt19937 generator(3);
    const mesh::TetMesh mesh = test::jittered_box(3, 3, 3, generator);
    SerialBlocks body(mesh, {test::soft_viscous()});
    Mat3 gradient = Mat3::Zero();
    gradient(axes[0], axes[1]) += 0.02;
    if (axes[0] != axes[1]) gradient(axes[1], axes[0]) += 0.02;
    test::deform(body, Mat3::Identity() + gradient);
    body.update_forces();
    const Mat3 strain = gradient + gradient.transpose() + gradient.transpose() * gradient;
    for (const auto& state : body.states()) EXPECT_LT((full_matrix(SymMat3(state.strain)) - strain).norm(), 1e-14);
    for (int i = 0; i < 64; ++i) {
      const int x = i / 16, y = i / 4 % 4, z = i % 4;
      const bool interior = std::min({x, y, z}) > 0 && std::max({x, y, z}) < 3;
      EXPECT_TRUE(!interior || body.force(i).norm() < 1e-14) << body.force(i).norm();
    }
  }
}

// VALIDATION A3
TEST(InternalForces, RigidMotionIsFree) {
  std::mt19937 generator(4);
  SerialBlocks body(test::jittered_box(2, 2, 2, generator), {test::soft_viscous()});
  const Vec3 axis(1, 2, 3);
  const Mat3 rotation = Eigen::AngleAxisd(axis.norm(), axis.normalized()).toRotationMatrix();
  const Vec3 spin(0.4, -1.0, 0.3), drift(5, 6, 7);
  for (std::size_t i = 0; i < body.num_nodes(); ++i) {
    const Vec3 x = rotation * body.position(i);
    body.place(i, x + Vec3(3, -2, 1), drift + spin.cross(x));
  }
  body.update_forces();
  for (std::size_t i = 0; i < body.num_nodes(); ++i) EXPECT_LT(body.force(i).norm(), 2e-14);
  for (const auto& state : body.states()) {
    EXPECT_LT(SymMat3(state.strain).norm(), 2e-14);
    EXPECT_LT(SymMat3(state.strain_rate).norm(), 2e-14);
    EXPECT_NEAR(state.determinant, 1, 1e-14);
  }
}

// VALIDATION 0.4: a mirrored tet has no strain; its determinant reveals the inversion.
TEST(InternalForces, MirroredTetHasNoStrainAndANegativeDeterminant) {
  SerialBlocks body(test::single_tet(kO, kX, kY, kZ), {test::soft_viscous()});
  test::deform(body, Vec3(-1, 1, 1).asDiagonal());
  const ElementState state = body.states()[0];
  EXPECT_LT(SymMat3(state.strain).norm(), 1e-15);
  EXPECT_EQ(state.determinant, -1);
}

// VALIDATION A4
TEST(InternalForces, UnitTetVibratesAtTheReferenceEigenvalues) {
  const auto tet = test::single_tet(kO, kX, kY, kZ);
  expect_eigenvalues(tet, 0.3, {3.0769230769, 3.0769230769, 5.1005254793, 7.6923076923, 7.6923076923, 24.130243751});
  expect_eigenvalues(tet, 0.0, {4, 4, 4, 10, 10, 16});
}

TEST(InternalForces, RegularTetVibratesAtTheReferenceEigenvalues) {
  const double s = 1 / std::sqrt(8.0);
  const auto tet = test::single_tet(s * Vec3(1, 1, 1), s * Vec3(1, -1, -1), s * Vec3(-1, -1, 1), s * Vec3(-1, 1, -1));
  ASSERT_NEAR((tet.nodes[0] - tet.nodes[3]).norm(), 1, 1e-15);
  expect_eigenvalues(tet, 0.3, {6.1538461538, 6.1538461538, 6.1538461538, 6.1538461538, 6.1538461538, 20});
}

TEST(InternalForces, KuhnCubeVibratesAtTheReferenceEigenvalues) {
  expect_eigenvalues(test::kuhn_box(1, 1, 1, 1, 1, 1), 0.3,
                     {2.0550307659, 2.5166029635, 2.5166029635, 3.0769230769, 3.1915524725, 3.1915524725, 3.8461538462,
                      3.8461538462, 4.6153846154, 4.6153846154, 5.3968980483, 6.1538461538, 10, 11.6802423990,
                      11.6802423990, 12.8044814420, 13.6372431900, 13.6372431900});
}

// VALIDATION A11
TEST(InternalForces, AddUpToNoForceAndNoMoment) {
  std::mt19937 generator(5);
  SerialBlocks body(test::jittered_box(3, 2, 2, generator), {test::soft_viscous()});
  test::shake(body, generator, 0.15, 1.0);
  body.update_forces();
  Vec3 total = Vec3::Zero(), moment = Vec3::Zero(), viscous_moment = Vec3::Zero();
  double size = 0;
  for (std::size_t i = 0; i < body.num_nodes(); ++i) {
    total += body.force(i);
    moment += body.position(i).cross(body.force(i));
    viscous_moment += body.position(i).cross(body.viscous(i));
    size += body.force(i).norm();
  }
  EXPECT_GT(size, 1);
  EXPECT_LT(total.norm(), 1e-14 * size);
  EXPECT_LT(moment.norm(), 1e-13 * size);
  EXPECT_LT(viscous_moment.norm(), 1e-13 * size);
}

// VALIDATION C6: turning the world turns the forces; turning the rest shape changes nothing.
TEST(InternalForces, FollowRotationsOfWorldAndMaterial) {
  std::mt19937 generator(6);
  mesh::TetMesh mesh = test::jittered_box(2, 2, 2, generator);
  SerialBlocks body(mesh, {test::soft_viscous()});
  test::shake(body, generator, 0.1, 1.0);
  body.update_forces();
  const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();

  SerialBlocks turned = body;
  for (std::size_t i = 0; i < body.num_nodes(); ++i) turned.place(i, turn * body.position(i), turn * body.velocity(i));
  turned.update_forces();

  for (Vec3& node : mesh.nodes) node = turn * node;
  SerialBlocks other_rest(mesh, {test::soft_viscous()});
  for (std::size_t i = 0; i < body.num_nodes(); ++i) other_rest.place(i, body.position(i), body.velocity(i));
  other_rest.update_forces();
  for (std::size_t i = 0; i < body.num_nodes(); ++i) {
    EXPECT_LT((turned.force(i) - turn * body.force(i)).norm(), 1e-13);
    EXPECT_LT((other_rest.force(i) - body.force(i)).norm(), 1e-13);
  }
}

SerialBlocks displaced_body(std::vector<material::Material> materials, bool plastic) {
  std::mt19937 generator(7);
  mesh::TetMesh mesh = test::jittered_box(3, 3, 3, generator);  // 162 tets: the last block has unused lanes
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) mesh.region.push_back(e % materials.size());
  SerialBlocks body(mesh, std::move(materials), plastic);
  test::shake(body, generator, 0.1, 1.0);
  return body;
}

bool same_force_bits(const SerialBlocks& a, const SerialBlocks& b) {
  for (std::size_t n = 1; n < a.nodes.size(); ++n)
    if (std::memcmp(a.forces[n].force, b.forces[n].force, 3 * sizeof(double)) != 0) return false;
  return true;
}

TEST(InternalForces, BitsDoNotDependOnTheByProductsAskedFor) {
  for (const bool plastic : {false, true})
    for (const int num_materials : {1, 2}) {
      std::vector<material::Material> materials(num_materials, test::soft_viscous());
      materials[0].lame_lambda = 2;
      if (plastic) materials[0].yield_strain = 0.05, materials[0].plastic_limit = 0.2;
      SerialBlocks plain = displaced_body(materials, plastic);
      plain.update_forces({false, false});
      for (const ForceOptions options : {ForceOptions{true, false}, {false, true}, {true, true}}) {
        SerialBlocks other = displaced_body(materials, plastic);
        other.update_forces(options);
        EXPECT_TRUE(same_force_bits(plain, other)) << plastic << num_materials << options.viscous_split;
      }
    }
}

TEST(InternalForces, BitsDoNotDependOnTheNumberOfMaterialsInTheTable) {
  SerialBlocks one = displaced_body({test::soft_viscous()}, false);
  SerialBlocks two = displaced_body({test::soft_viscous(), test::soft_viscous()}, false);
  one.update_forces();
  two.update_forces();
  EXPECT_TRUE(same_force_bits(one, two));
}

// VALIDATION B7: a material that does not flow has the bits of the brittle one, even beside flowing ones.
TEST(InternalForces, BrittleMaterialHasTheSameBitsInAPlasticRun) {
  SerialBlocks brittle = displaced_body({test::soft_viscous()}, false);
  SerialBlocks plastic = displaced_body({test::soft_viscous()}, true);
  brittle.update_forces();
  plastic.update_forces();
  EXPECT_TRUE(same_force_bits(brittle, plastic));
  for (const auto& block : plastic.plastic)
    for (int k = 0; k < 6; ++k)
      for (const double strain : block.strain[k]) EXPECT_EQ(strain, 0);
}

TEST(InternalForces, NodeSumIsTheElementsContributionsAddedInSlotOrder) {
  SerialBlocks body = displaced_body({test::soft_viscous()}, false);
  body.update_forces();
  std::vector<std::int32_t> slots(body.num_elements);
  for (int e = 0; e < body.num_elements; ++e) slots[e] = e;
  std::vector<CornerForces> corners(slots.size());
  corner_forces(body.spans(), body.materials, body.nodes, slots, corners);
  std::vector<Vec3> sum(body.nodes.size(), Vec3::Zero());
  for (int e = 0; e < body.num_elements; ++e)
    for (int j = 0; j < 4; ++j) sum[body.blocks[e / 8].corner[j][e % 8]] += Vec3(corners[e].corner[j].total);
  for (std::size_t n = 1; n < body.nodes.size(); ++n)
    EXPECT_EQ(std::memcmp(sum[n].data(), body.forces[n].force, 3 * sizeof(double)), 0) << "node slot " << n;
}

/// Elements with a corner among these node slots, ascending.
std::vector<std::int32_t> elements_at(const SerialBlocks& body, const std::vector<std::int32_t>& nodes) {
  std::vector<std::int32_t> slots;
  for (int e = 0; e < body.num_elements; ++e)
    for (int j = 0; j < 4; ++j)
      if (std::find(nodes.begin(), nodes.end(), body.blocks[e / 8].corner[j][e % 8]) != nodes.end()) {
        slots.push_back(e);
        break;
      }
  return slots;
}

// Forces updated near a crack are those of the whole pass.
TEST(InternalForces, NodesWithAllTheirElementsChosenHaveTheSameBits) {
  for (const bool plastic : {false, true})
    for (const int num_materials : {1, 2})
      for (const ForceOptions options : {ForceOptions{false, false}, {true, false}, {false, true}, {true, true}}) {
        std::vector<material::Material> materials(num_materials, test::soft_viscous());
        if (plastic) materials[0].yield_strain = 0.05, materials[0].plastic_limit = 0.2;
        SerialBlocks body = displaced_body(materials, plastic);
        body.update_forces(options);
        const std::vector<std::int32_t> nodes{1, 5, 6, 11}, chosen = elements_at(body, nodes);
        ASSERT_LT(static_cast<int>(chosen.size()), body.num_elements);
        auto some = body.forces;
        for (auto& force : some) force.force[0] = -7;  // previous contents do not matter
        internal_forces_of(body.spans(), body.materials, body.nodes, chosen, some, options);
        for (const std::int32_t n : nodes)
          EXPECT_EQ(std::memcmp(&some[n], &body.forces[n], sizeof(dist::NodeForce)), 0) << "node slot " << n;
      }
}

TEST(InternalForces, DampingScaleScalesTheViscousPartAlone) {
  SerialBlocks full = displaced_body({test::soft_viscous()}, false),
               half = displaced_body({test::soft_viscous()}, false);
  for (auto& block : half.blocks) std::fill(std::begin(block.damping_scale), std::end(block.damping_scale), 0.5);
  full.update_forces();
  half.update_forces();
  for (std::size_t i = 0; i < full.num_nodes(); ++i) {
    EXPECT_LT((half.viscous(i) - 0.5 * full.viscous(i)).norm(), 1e-14);
    EXPECT_LT((half.force(i) - half.viscous(i) - (full.force(i) - full.viscous(i))).norm(), 1e-13);
  }
}

material::Material resisting(double damping_time_s = 0) {
  material::Material m = test::unit_material(0.3);
  m.elastic_law = material::ElasticLaw::neo_hookean;
  m.damping_phi = m.lame_lambda * damping_time_s;
  m.damping_psi = m.lame_mu * damping_time_s;
  return m;
}

TEST(InternalForces, OfNeoHookeanElementsAreTheGradientOfTheirEnergy) {
  std::mt19937 generator(3);
  SerialBlocks body(test::jittered_box(2, 2, 1, generator), {resisting()});
  test::shake(body, generator, 0.3, 0.0);  // some are inverted
  body.update_forces();
  constexpr double kStep = 1e-6;
  for (std::size_t i = 0; i < body.num_nodes(); ++i)
    for (int k = 0; k < 3; ++k) {
      SerialBlocks there = body, back = body;
      there.nodes[i + 1].position[k] += kStep;
      back.nodes[i + 1].position[k] -= kStep;
      const double slope = (there.elastic_energy() - back.elastic_energy()) / (2 * kStep);
      EXPECT_NEAR(body.force(i)[k], -slope, 1e-8 * (1 + std::abs(slope)));
    }
}

// Elements of the papers' law have the same bits with or without neo-Hookean ones beside them.
TEST(InternalForces, OneLawDoesNotTouchTheOther) {
  std::mt19937 generator(4);
  mesh::TetMesh mesh = test::jittered_box(3, 2, 2, generator);
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) mesh.region.push_back(static_cast<int>(e % 3 == 0));
  material::Material other = resisting(0.1);
  SerialBlocks mixed(mesh, {test::soft_viscous(), other});
  test::shake(mixed, generator, 0.05, 0.1);
  const auto forces_of = [&](SerialBlocks& body, int remainder) {
    std::vector<std::int32_t> chosen;
    for (int e = 0; e < body.num_elements; ++e)
      if ((e % 3 == 0) == (remainder == 0)) chosen.push_back(e);
    core::AlignedVector<dist::NodeForce> forces(body.nodes.size());
    internal_forces_of(body.spans(), body.materials, body.nodes, chosen, forces, {});
    return forces;
  };
  SerialBlocks soft = mixed, hard = mixed;
  soft.materials[1] = test::soft_viscous();
  hard.materials[0] = other;
  for (const auto& [pure, remainder] : {std::pair{&soft, 1}, std::pair{&hard, 0}}) {
    const auto wanted = forces_of(*pure, remainder), found = forces_of(mixed, remainder);
    EXPECT_EQ(std::memcmp(wanted.data(), found.data(), wanted.size() * sizeof(dist::NodeForce)), 0) << remainder;
  }
}

/// Final volume over that at rest of a tet whose tip was moved through its base and released.
double volume_after_being_pushed_through(material::Material law) {
  law.damping_phi = law.lame_lambda * 0.3;
  law.damping_psi = law.lame_mu * 0.3;
  SerialBlocks tet(test::single_tet(kO, kX, kY, kZ), {law});
  tet.place(3, Vec3(0.3, 0.3, -0.6), Vec3::Zero());
  for (int i = 0; i < 20000; ++i) tet.symplectic_euler_step(0.01);
  return tet.states()[0].determinant;
}

TEST(InternalForces, I5ATetPushedThroughItselfReturnsIfItsLawResists) {
  EXPECT_NEAR(volume_after_being_pushed_through(resisting()), 1, 1e-3);
  EXPECT_LT(volume_after_being_pushed_through(test::unit_material(0.3)), 0);
}

}  // namespace
}  // namespace brisance::dynamics
