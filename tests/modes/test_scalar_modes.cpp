/// Exact scalar modes against closed forms, all subsets of small graphs, one dense linear program, and reference runs.
#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/mesh/formats/read_tet_mesh.hpp"
#include "brisance/modes/search/scalar_modes.hpp"
#include "brisance/modes/spectral/start_vectors.hpp"

#include "modes/random_graph.hpp"
#include "support/data_folder.hpp"
#include "support/kuhn.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>

#include <ClpSimplex.hpp>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace brisance::modes {
namespace {

double dot(const CellGraph& graph, const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t c = 0; c < x.size(); ++c) sum += graph.volume[c] * x[c] * y[c];
  return sum;
}

double energy(const CellGraph& graph, const std::vector<double>& weight, const std::vector<double>& u) {
  double sum = 0;
  for (std::size_t f = 0; f < weight.size(); ++f)
    sum += weight[f] * std::abs(u[graph.faces[f].a] - u[graph.faces[f].b]);
  return sum;
}

/// Normalises to mean 0 and norm 1, as the search does with its starts.
std::vector<double> normalised(const CellGraph& graph, std::vector<double> u) {
  const std::vector<double> one(u.size(), 1.0);
  const double mean = dot(graph, u, one) / dot(graph, one, one);
  for (double& v : u) v -= mean;
  const double norm = std::sqrt(dot(graph, u, u));
  for (double& v : u) v /= norm;
  return u;
}

std::vector<double> random_field(std::int32_t num_cells, std::uint64_t seed) {
  std::vector<double> field;
  for (std::int32_t c = 0; c < num_cells; ++c)
    field.push_back(core::hash_uniform(seed, static_cast<std::uint64_t>(c), 3) - 0.5);
  return field;
}

/// The constant mode and `count` − 1 more.
std::vector<Mode> modes_of(const CellGraph& graph, const std::vector<double>& weight,
                           const std::vector<std::vector<double>>& start) {
  std::vector<Mode> modes{constant_mode(graph)};
  ScalarModeSearch search(graph, weight);
  for (std::size_t i = 1; i < start.size(); ++i) modes.push_back(search.next(start[i]));
  return modes;
}

/// min Σ w|u_a − u_b| with dot(c, u) = 1 and u ⊥ each of `others`, as one linear program with a variable a cell and two
/// a face.
double dense_optimum(const CellGraph& graph, const std::vector<double>& weight, const std::vector<double>& c,
                     const std::vector<Mode>& others) {
  const int n = graph.num_cells(), m = static_cast<int>(weight.size());
  ClpSimplex program;
  program.setLogLevel(0);
  program.resize(0, n + 2 * m);
  for (int k = 0; k < n; ++k) program.setColumnBounds(k, -COIN_DBL_MAX, COIN_DBL_MAX);
  for (int f = 0; f < m; ++f) {  // u_a − u_b = s⁺ − s⁻
    program.setObjectiveCoefficient(n + 2 * f, weight[f]);
    program.setObjectiveCoefficient(n + 2 * f + 1, weight[f]);
    const int columns[4] = {graph.faces[f].a, graph.faces[f].b, n + 2 * f, n + 2 * f + 1};
    const double values[4] = {1, -1, -1, 1};
    program.addRow(4, columns, values, 0, 0);
  }
  const auto constrain = [&](const std::vector<double>& field, double value) {
    std::vector<int> columns(n);
    std::iota(columns.begin(), columns.end(), 0);
    std::vector<double> values(n);
    for (int k = 0; k < n; ++k) values[k] = graph.volume[k] * field[k];
    program.addRow(n, columns.data(), values.data(), value, value);
  };
  constrain(c, 1);
  for (const Mode& other : others) constrain(other.value, 0);
  program.dual();
  return program.objectiveValue();
}

/// Two blocks of 3×3×3 and 4×3×3 cubes of size 1, joined by one cube.
mesh::TetMesh dumb_bell() {
  mesh::TetMesh mesh = brisance::test::kuhn_box(8, 3, 3, 8, 3, 3), bell;
  bell.nodes = mesh.nodes;
  for (const auto& tet : mesh.tets) {
    Vec3 centre = Vec3::Zero();
    for (const std::int32_t corner : tet) centre += mesh.nodes[corner] / 4;
    const bool neck = centre.x() > 3 && centre.x() < 4;
    if (!neck || (std::abs(centre.y() - 1.5) < 0.5 && std::abs(centre.z() - 1.5) < 0.5)) bell.tets.push_back(tet);
  }
  return bell;
}

/// The mesh without nodes of no tet.
mesh::TetMesh compact(mesh::TetMesh mesh) {
  std::vector<std::int32_t> number(mesh.nodes.size(), -1);
  std::vector<Vec3> nodes;
  for (auto& tet : mesh.tets)
    for (std::int32_t& corner : tet) {
      if (number[corner] < 0) {
        number[corner] = static_cast<std::int32_t>(nodes.size());
        nodes.push_back(mesh.nodes[corner]);
      }
      corner = number[corner];
    }
  mesh.nodes = std::move(nodes);
  return mesh;
}

TEST(ScalarModes, ADumbBellBreaksAtItsNeck) {
  const mesh::TetMesh mesh = compact(dumb_bell());
  const CellGraph graph = cell_graph(mesh);
  const auto modes = modes_of(graph, face_weights(graph, Weighting::area), start_vectors(mesh, 2));
  // The neck's cross-section is 1; its left end, with the neck on the smaller side, divides the volume more evenly.
  const double volume = 64, share = 28 / volume;
  EXPECT_NEAR(modes[1].energy, 1 / std::sqrt(volume * share * (1 - share)), 1e-12);
  const double left = modes[1].value.front();
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    double x = 0;
    for (const std::int32_t corner : mesh.tets[e]) x += mesh.nodes[corner].x() / 4;
    EXPECT_EQ(modes[1].value[e] == left, x < 4) << "tet " << e;
  }
}

TEST(ScalarModes, AreOrthonormalWithTheEnergiesTheySay) {
  const mesh::TetMesh mesh = brisance::test::kuhn_box(7, 5, 4, 1.4, 1.1, 0.7);
  const CellGraph graph = cell_graph(mesh);
  for (const Weighting weighting : {Weighting::area, Weighting::sqrt_area}) {
    const auto weight = face_weights(graph, weighting);
    const auto modes = modes_of(graph, weight, start_vectors(mesh, 9));
    for (std::size_t i = 0; i < modes.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j)
        EXPECT_NEAR(dot(graph, modes[i].value, modes[j].value), i == j ? 1 : 0, 1e-10) << i << ' ' << j;
      EXPECT_NEAR(modes[i].energy, energy(graph, weight, modes[i].value), 1e-12 * modes[i].energy);
      if (i == 0) continue;
      EXPECT_LE(modes[i].relative_gap, 1e-8);
      EXPECT_NEAR(modes[i].energy, modes[i].convex_energies.back(), 1e-7 * modes[i].energy);
      // A vertex solution has at most i + 1 levels.
      std::set<std::int64_t> levels;
      for (const double v : modes[i].value) levels.insert(std::llround(1e7 * v));
      EXPECT_LE(levels.size(), i + 1);
    }
  }
}

TEST(ScalarModes, EnergiesFallFromStepToStep) {
  const mesh::TetMesh mesh = brisance::test::kuhn_box(6, 5, 4, 1.2, 1, 0.8);
  const CellGraph graph = cell_graph(mesh);
  for (const Mode& mode : modes_of(graph, face_weights(graph, Weighting::area), start_vectors(mesh, 6)))
    for (std::size_t k = 1; k < mode.convex_energies.size(); ++k)
      EXPECT_LE(mode.convex_energies[k], mode.convex_energies[k - 1] * (1 + 1e-7));
}

TEST(ScalarModes, FirstStepIsTheBestRatioOfAllSubsets) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CellGraph graph = test::random_graph(11, 9, seed);
    const auto weight = face_weights(graph, Weighting::area);
    const auto c = normalised(graph, random_field(11, seed));
    double best = 1e300;
    for (unsigned subset = 1; subset + 1 < 1u << 11; ++subset) {
      std::vector<double> indicator(11);
      for (int k = 0; k < 11; ++k) indicator[k] = subset >> k & 1u;
      best = std::min(best, energy(graph, weight, indicator) / std::abs(dot(graph, c, indicator)));
    }
    const auto modes = modes_of(graph, weight, {{}, c});
    EXPECT_NEAR(modes[1].convex_energies.front(), best, 1e-9 * best) << "seed " << seed;
  }
}

TEST(ScalarModes, FirstStepsEqualOneDenseProgram) {
  const mesh::TetMesh mesh = brisance::test::kuhn_box(3, 3, 2, 1, 0.9, 0.5);
  const CellGraph graph = cell_graph(mesh);
  const auto weight = face_weights(graph, Weighting::sqrt_area);
  const auto start = start_vectors(mesh, 7);
  const auto modes = modes_of(graph, weight, start);
  for (std::size_t i = 1; i < modes.size(); ++i) {
    const std::vector<Mode> others(modes.begin(), modes.begin() + static_cast<std::ptrdiff_t>(i));
    const double expected = dense_optimum(graph, weight, normalised(graph, start[i]), others);
    EXPECT_NEAR(modes[i].convex_energies.front(), expected, 1e-6 * expected) << "mode " << i;
  }
}

TEST(ScalarModes, ASearchGoesOnFromKnownModes) {
  const mesh::TetMesh mesh = brisance::test::kuhn_box(7, 5, 4, 1.4, 1.1, 0.7);
  const CellGraph graph = cell_graph(mesh);
  const auto weight = face_weights(graph, Weighting::area);
  const auto start = start_vectors(mesh, 6);
  const auto modes = modes_of(graph, weight, start);
  ScalarModeSearch search(graph, weight);
  for (int i = 1; i < 4; ++i) search.add_known(modes[i]);
  for (int i = 4; i < 6; ++i)
    EXPECT_NEAR(search.next(start[i]).convex_energies.front(), modes[i].convex_energies.front(),
                1e-8 * modes[i].convex_energies.front());
}

TEST(ScalarModes, AllModesOfATinyBodyAndNoneBeyond) {
  const CellGraph graph = test::random_graph(6, 3, 1);
  const auto weight = face_weights(graph, Weighting::area);
  ScalarModeSearch search(graph, weight);
  for (std::uint64_t i = 1; i < 6; ++i) EXPECT_GT(search.next(random_field(6, i)).energy, 0);
  EXPECT_THROW((void)search.next(random_field(6, 7)), core::Error);
}

TEST(ScalarModes, FacesWithoutAreaOrStrengthAreErrors) {
  CellGraph graph = test::random_graph(5, 2, 1);
  std::vector<double> eta(graph.faces.size(), 1.0);
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    eta[2] = bad;
    EXPECT_THROW((void)face_weights(graph, Weighting::area, eta), core::Error) << bad;
  }
  graph.faces[1].area = 0;
  EXPECT_THROW((void)face_weights(graph, Weighting::area), core::Error);
}

/// With cells of almost no volume there are fields so close in energy that steps lead from one to the other and back.
TEST(ScalarModes, ASearchThatWouldGoRoundInCirclesEnds) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CellGraph graph = test::random_graph(40, 60, seed);
    std::vector<bool> is_tiny(40);
    for (int c = 0; c < 40; ++c) is_tiny[c] = core::hash_uniform(seed, static_cast<std::uint64_t>(c), 77) < 0.4;
    for (int c = 0; c < 40; ++c) graph.volume[c] *= is_tiny[c] ? 1e-8 : 1;
    for (Face& face : graph.faces) face.area *= is_tiny[face.a] || is_tiny[face.b] ? 1e-6 : 1;
    ScalarModeSearch search(graph, face_weights(graph, Weighting::area));
    for (int i = 1; i < 8; ++i) {
      const Mode mode = search.next(random_field(40, 100 * seed + i));
      EXPECT_TRUE(mode.settled) << "seed " << seed << ", mode " << i;
      EXPECT_LT(mode.convex_energies.size(), 20u);
    }
  }
}

/// Energies of every mode and of every first convex step, computed beforehand by another program; agreement of both
/// between that program and an interior-point solver was 1.5e-10. See the folder's README.
struct Reference {
  const char* mesh;
  const char* weighting;
  int num_modes;
  double relative_gap;
};

class ReferenceModes : public testing::TestWithParam<Reference> {};

TEST_P(ReferenceModes, EnergiesAgree) {
  const Reference& p = GetParam();
  const auto modes_file = ::brisance::test::data_file(
      "BRISANCE_TEST_REFERENCE", "modes/exact_" + std::string(p.mesh) + "_" + p.weighting + "_d1_k10.json");
  if (!modes_file) GTEST_SKIP() << "BRISANCE_TEST_REFERENCE is not set";
  std::ifstream file(*modes_file);
  const auto expected = nlohmann::json::parse(file).at("modes");
  const mesh::TetMesh mesh = mesh::read_tet_mesh(modes_file->parent_path() / (std::string(p.mesh) + ".1.node"));
  const CellGraph graph = cell_graph(mesh);
  const Weighting weighting = p.weighting[0] == 'A' ? Weighting::area : Weighting::sqrt_area;
  ScalarModeSearch search(graph, face_weights(graph, weighting), {.relative_gap = p.relative_gap});
  const auto start = start_vectors(mesh, p.num_modes);
  for (int i = 1; i < p.num_modes; ++i) {
    const Mode mode = search.next(start[i]);
    const double first = expected[i]["inner_objectives"][0], last = expected[i]["E"];
    EXPECT_NEAR(mode.convex_energies.front(), first, std::max(p.relative_gap, 2e-8) * first) << "mode " << i;
    EXPECT_NEAR(mode.energy, last, std::max(p.relative_gap, 2e-8) * last) << "mode " << i;
    EXPECT_LE(mode.relative_gap, p.relative_gap);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceModes,
                         testing::Values(Reference{"bunny3k", "A", 10, 1e-8}, Reference{"bunny3k", "S", 10, 1e-8},
                                         Reference{"homer12k", "A", 10, 1e-8}, Reference{"homer12k", "S", 10, 1e-8},
                                         Reference{"bunny80k", "A", 8, 1e-6}),
                         [](const auto& test_case) {
                           return std::string(test_case.param.mesh) + "_" + test_case.param.weighting;
                         });

}  // namespace
}  // namespace brisance::modes
