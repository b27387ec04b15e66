/// Modes of the general problem against the exact search, elastic vibration and closed forms, on any number of ranks.
#include "brisance/core/error.hpp"
#include "brisance/elements/simplex.hpp"
#include "brisance/mesh/formats/read_tet_mesh.hpp"
#include "brisance/modes/general/general_modes.hpp"
#include "brisance/modes/pieces/pieces.hpp"
#include "brisance/modes/search/scalar_modes.hpp"
#include "brisance/modes/spectral/start_vectors.hpp"
#include "brisance/modes/spectral/vibration.hpp"
#include "brisance/modes/strength/strength.hpp"

#include "modes/general/cell_strain.hpp"
#include "support/data_folder.hpp"
#include "support/divided.hpp"
#include "support/kuhn.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

/// A bar of three different edges, so that no two modes have the same energy by symmetry.
mesh::TetMesh bar() { return test::kuhn_box(6, 3, 2, 2, 0.9, 0.7); }

/// A body and the problem on it, divided over all ranks.
struct Case {
  explicit Case(const mesh::TetMesh& solid) : mesh(simplices(solid)), graph(cell_graph(mesh)) {
    problem.body = test::divided(core::Comm(), mesh);
  }
  Simplices mesh;
  CellGraph graph;
  GeneralProblem problem;
};

/// This rank's block of a divided table.
std::vector<double> block_of(const std::vector<double>& whole, std::size_t width) {
  const core::Comm comm;
  return core::scatter_blocks(comm, whole, static_cast<int>(width));
}

/// Whole, on all ranks.
ModeSet modes_of(const Case& of, std::int32_t count, double gap = 1e-3, ModeSet known = {}) {
  const core::Comm comm;
  GeneralSettings settings;
  settings.count = count;
  settings.relative_gap = gap;
  for (Mode& mode : known.modes) {
    mode.value = block_of(mode.value, mode.value.size() / of.graph.volume.size());
    mode.corner_value =
        block_of(mode.corner_value, std::max<std::size_t>(mode.corner_value.size() / of.graph.volume.size(), 1));
    mode.jump = block_of(mode.jump, 1);
  }
  EXPECT_TRUE(find_general_modes(of.problem, settings, known, [](const ModeSet&, double) { return true; }));
  for (Mode& mode : known.modes) {
    mode.value = test::joined(comm, mode.value);
    mode.corner_value = test::joined(comm, mode.corner_value);
    mode.jump = test::joined(comm, mode.jump);
  }
  return known;
}

/// Each first convex optimum is a unique number, given the start and the earlier modes: here the exact ones.
void expect_the_exact_optima(const Case& of, int count) {
  const auto starts = start_vectors(of.mesh, count);
  ModeSet known;
  known.modes.push_back(constant_mode(of.graph));
  ScalarModeSearch search(of.graph, face_weights(of.graph, Weighting::area));
  for (int k = 1; k < count; ++k) {
    const Mode exact = search.next(starts[k]);
    const ModeSet found = modes_of(of, k + 1, 1e-3, known);
    const double optimum = exact.convex_energies.front();
    EXPECT_NEAR(found.modes.back().convex_energies.front(), optimum, 1e-3 * optimum) << "mode " << k;
    const Mode& mode = found.modes.back();
    EXPECT_LE(mode.relative_gap, 1e-3);
    EXPECT_LE(mode.convex_energies.front() * (1 - mode.convex_gaps.front()), optimum * (1 + 1e-6))
        << "the bound is above the optimum";
    known.modes.push_back(exact);
  }
}

TEST(GeneralModes, FirstConvexOptimaOfTheReducedProblemAreThoseOfTheExactSearch) {
  expect_the_exact_optima(Case(bar()), 4);
}

/// ADMM's own bound needs thousands of iterations to be that close; that of the flows is so at once.
TEST(GeneralModes, FlowsCertifyToManyDigits) {
  const ModeSet found = modes_of(Case(bar()), 3, 1e-6);
  for (int k = 1; k < 3; ++k)
    for (const double gap : found.modes[k].convex_gaps) EXPECT_LE(gap, 1e-6) << "mode " << k;
}

TEST(GeneralModes, FirstConvexOptimaOfABunnyAreThoseOfTheExactSearch) {
  const auto file = ::brisance::test::data_file("BRISANCE_TEST_REFERENCE", "modes/bunny3k.1.node");
  if (!file) GTEST_SKIP() << "BRISANCE_TEST_REFERENCE is not set";
  expect_the_exact_optima(Case(mesh::read_tet_mesh(*file)), 7);
}

/// With the identity as tensor the axes separate: triples of the scalar energy, [S22] eq. (31).
TEST(GeneralModes, AnIdentityTensorGivesTheScalarModeThreeTimes) {
  Case of(bar());
  of.problem.tensor = {Mat3::Identity()};
  const ModeSet found = modes_of(of, 6);
  ScalarModeSearch search(of.graph, face_weights(of.graph, Weighting::area));
  const Mode exact = search.next(start_vectors(of.mesh, 2)[1]);
  for (int k = 3; k < 6; ++k) {
    EXPECT_NEAR(found.modes[k].convex_energies.front(), exact.convex_energies.front(),
                1e-3 * exact.convex_energies.front());
    EXPECT_NEAR(found.modes[k].energy, exact.energy, 2e-3 * exact.energy);
  }
}

/// A diagonal tensor scales the energies of the axes, (10, 10, 1) of figure 17.
TEST(GeneralModes, ADiagonalTensorScalesTheEnergiesOfItsAxes) {
  Case of(bar());
  of.problem.tensor = {Mat3(Vec3(10, 10, 1).asDiagonal())};
  const ModeSet found = modes_of(of, 6);
  EXPECT_NEAR(found.modes[3].energy / found.modes[5].energy, 10, 0.03);
  EXPECT_NEAR(found.modes[4].energy / found.modes[5].energy, 10, 0.03);
}

/// Sliding at half the cost of opening: the straight cut across the bar costs the same along its normal, half along y.
/// (The third mode must be orthogonal to those two, which may have used up that cut.)
TEST(GeneralModes, SlidingCostsWhatItsTensorSays) {
  Case of(bar());
  of.problem.tensor = sliding_tensors(of.problem.body.local.mesh, of.problem.body.local.graph, 1, 0.5);
  const ModeSet found = modes_of(of, 6);
  const double volume = 2 * 0.9 * 0.7, across = 0.9 * 0.7 / std::sqrt(volume / 4);  // two halves: E = w/√(V f(1−f))
  EXPECT_LE(found.modes[3].energy, across * 1.001);
  EXPECT_LE(found.modes[4].energy, 0.5 * across * 1.001);
}

/// Figure 12, left end: if breaking is expensive the modes are those of elastic vibration, ½ uᵀQu = ½ (2πf)².
TEST(GeneralModes, WhereBreakingIsDearTheyAreElasticVibrations) {
  Case of(bar());
  of.problem.strain = StrainEnergy::elastic;
  of.problem.omega = 100;
  const ModeSet found = modes_of(of, 8);
  const auto vibration = vibration_modes(test::divided(core::Comm(), bar()), {1.5, 1, 1}, 8);  // ν = 0.3: λ = 1.5 μ
  for (int k = 6; k < 8; ++k) {
    const double expected = std::pow(2 * std::numbers::pi * vibration[k].frequency_hz, 2) / 2;
    EXPECT_NEAR(found.modes[k].energy, expected, 1e-3 * expected);
    EXPECT_GT(found.modes[k].strain_energy, 0.999 * found.modes[k].energy);
  }
}

/// Figure 12, right end: if it is cheap, cells do not deform and few faces open.
TEST(GeneralModes, WhereBreakingIsCheapOnlyCracksOpen) {
  Case of(bar());
  of.problem.strain = StrainEnergy::laplacian;
  of.problem.omega = 0.01;
  const ModeSet found = modes_of(of, 4);
  const Mode& mode = found.modes[3];
  EXPECT_LT(mode.strain_energy, 0.01 * mode.energy);
  const double across = 0.9 * 0.7 / std::sqrt(2 * 0.9 * 0.7 / 4);
  EXPECT_LE(mode.energy, 0.01 * across * 1.001);  // the start leads to the straight cut or to something cheaper
  const auto open = std::count_if(mode.jump.begin(), mode.jump.end(), [](double jump) { return jump > 0; });
  EXPECT_GT(open, 0);
  EXPECT_LT(open, static_cast<std::ptrdiff_t>(mode.jump.size()) / 4);
  EXPECT_GE(intersect_modes(of.graph, found).num_pieces(), 2);
}

TEST(GeneralModes, AreOrthonormalAndGoOnFromThoseThatAreKnown) {
  Case of(test::kuhn_box(3, 2, 2, 1.5, 1, 0.8));
  of.problem.strain = StrainEnergy::elastic;
  of.problem.omega = 0.3;
  const ModeSet first = modes_of(of, 8);
  const ModeSet more = modes_of(of, 9, 1e-3, first);
  ASSERT_EQ(more.modes.size(), 9u);
  const std::vector<double>& volume = of.graph.volume;
  for (std::size_t i = 0; i < more.modes.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < more.modes[i].corner_value.size(); ++k)
        sum += volume[k / 12] / 4 * more.modes[i].corner_value[k] * more.modes[j].corner_value[k];
      EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-8) << i << " " << j;
    }
  EXPECT_EQ(first.modes[7].corner_value, more.modes[7].corner_value);
}

TEST(GeneralModes, CellsThatHoldTogetherStayTogether) {
  Case of(bar());
  of.problem.tensor = {Mat3::Identity()};
  const auto holds = [&](const Simplices& mesh, std::int32_t cell) { return cell_centre(mesh, cell).x() < 1.2; };
  Body& local = of.problem.body.local;
  for (std::int32_t c = 0; c < local.graph.num_cells(); ++c) local.no_break.push_back(holds(local.mesh, c) ? 1 : 0);
  const ModeSet found = modes_of(of, 4);
  for (std::size_t f = 0; f < of.graph.faces.size(); ++f) {
    const Face& face = of.graph.faces[f];
    if (holds(of.mesh, face.a) && holds(of.mesh, face.b)) {
      EXPECT_EQ(found.modes[3].jump[f], 0);
    }
  }
  EXPECT_GT(*std::max_element(found.modes[3].jump.begin(), found.modes[3].jump.end()), 0);
}

/// One tet, or two with a face in common.
mesh::TetMesh few_tets(int count) {
  mesh::TetMesh mesh;
  mesh.nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(1, 1, 1)};
  mesh.tets = {{0, 1, 2, 3}, {1, 2, 3, 4}};
  mesh.tets.resize(count);
  return mesh;
}

TEST(GeneralModes, RanksWithoutFacesTakePart) {
  Case of(few_tets(2));
  of.problem.tensor = sliding_tensors(of.problem.body.local.mesh, of.problem.body.local.graph, 1, 0.5);
  ASSERT_TRUE(of.problem.couples_axes());
  const ModeSet found = modes_of(of, 6);
  double sum = 0;  // of ‖W d‖ over three orthonormal jumps d: tr W at least, √(3 tr W²) at most
  for (const Mode& mode : found.modes) sum += mode.energy;
  const double volume = of.graph.volume[0] + of.graph.volume[1];
  const double across = of.graph.faces[0].area * std::sqrt(volume / (of.graph.volume[0] * of.graph.volume[1]));
  EXPECT_GE(sum, 2 * across * (1 - 1e-6));
  EXPECT_LE(sum, std::sqrt(3 * 1.5) * across * (1 + 1e-6));
}

TEST(GeneralModes, ATetByItselfMovesAsAWhole) {
  const ModeSet found = modes_of(Case(few_tets(1)), 1);
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_EQ(found.modes[0].energy, 0);
  EXPECT_NEAR(found.modes[0].value.at(0), std::sqrt(6.0), 1e-12);
}

TEST(GeneralModes, KnownModesOfAnotherProblemAreRefusedOnAllRanks) {
  Case of(bar());
  of.problem.strain = StrainEnergy::laplacian;
  ModeSet known;
  for (int k = 0; k < 4; ++k) known.modes.push_back(constant_mode(of.graph));  // no values at the corners
  EXPECT_THROW((void)modes_of(of, 5, 1e-3, known), core::Error);
}

TEST(GeneralModes, TooManyAreRefusedOnAllRanks) {
  const Case of(test::kuhn_box(1, 1, 1, 1, 1, 1));
  GeneralSettings settings;
  settings.count = 50;
  ModeSet modes;
  EXPECT_THROW(find_general_modes(of.problem, settings, modes, [](const ModeSet&, double) { return true; }),
               core::Error);
}

/// Linear elasticity by an independent formula; in the plane a triangle is a slice of a prism.
TEST(CellStrain, MatchesTheTetsStiffnessAndIgnoresRigidMotion) {
  const std::array<Vec3, 4> corners{Vec3(0, 0, 0), Vec3(1, 0.1, 0), Vec3(0.2, 1.1, 0.1), Vec3(0.1, 0.3, 0.9)};
  const Eigen::MatrixXd q = cell_strain_energy(corners, StrainEnergy::elastic, 0.25);
  EXPECT_LT((q - elements::elastic_stiffness(elements::tetrahedron(corners), 1, 1)).cwiseAbs().maxCoeff(),
            1e-14);  // ν = ¼: λ = μ
  const std::array<Vec3, 3> triangle{Vec3(0.1, 0, 2), Vec3(1, 0.2, 2), Vec3(0.3, 0.9, 2)};
  const Eigen::MatrixXd plane = cell_strain_energy(triangle, StrainEnergy::elastic, 0.25);
  Eigen::VectorXd turn(6), stretch(6);
  for (int k = 0; k < 3; ++k) {
    turn.segment<2>(2 * k) << -triangle[k].y(), triangle[k].x();
    stretch.segment<2>(2 * k) << triangle[k].x(), 0;
  }
  EXPECT_LT((plane * turn).cwiseAbs().maxCoeff(), 1e-14);
  const double area = 0.5 * ((1 - 0.1) * 0.9 - (0.3 - 0.1) * 0.2);
  EXPECT_NEAR(0.5 * stretch.dot(plane * stretch), area * 1.5, 1e-14);  // ½λe² + μe² with e = 1
}

}  // namespace
}  // namespace brisance::modes
