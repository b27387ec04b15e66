/// Modes of bodies in several parts.
#include "brisance/core/error.hpp"
#include "brisance/modes/search/find_modes.hpp"

#include "support/flat_bell.hpp"
#include "support/kuhn.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <span>

#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

/// A box of 240 tets, one of 162 tets far away from it, and a lone tet; their tets take turns.
mesh::TetMesh three_parts() {
  mesh::TetMesh mesh = brisance::test::kuhn_box(5, 4, 2, 1, 0.8, 0.4), parts;
  mesh::TetMesh other = brisance::test::kuhn_box(3, 3, 3, 0.6, 0.6, 0.6);
  const auto first = static_cast<std::int32_t>(mesh.nodes.size());
  parts.nodes = mesh.nodes;
  for (const Vec3& x : other.nodes) parts.nodes.emplace_back(x + Vec3(5, 0, 0));
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    parts.tets.push_back(mesh.tets[e]);
    if (e >= other.tets.size()) continue;
    for (std::int32_t& corner : other.tets[e]) corner += first;
    parts.tets.push_back(other.tets[e]);
  }
  const auto lone = static_cast<std::int32_t>(parts.nodes.size());
  for (const Vec3& x : {Vec3(9, 0, 0), Vec3(10, 0, 0), Vec3(9, 1, 0), Vec3(9, 0, 1)}) parts.nodes.push_back(x);
  parts.tets.push_back({lone, lone + 1, lone + 2, lone + 3});
  return parts;
}

Body body_of(const mesh::TetMesh& mesh) {
  Body body;
  body.mesh = simplices(mesh);
  body.graph = cell_graph(mesh);
  body.face_weight = face_weights(body.graph, Weighting::area);
  return body;
}

TEST(FindModes, EachPartGetsItsOwnAndTheyAreOrthonormal) {
  const mesh::TetMesh mesh = three_parts();
  const Body body = body_of(mesh);
  const CellGraph& graph = body.graph;
  const auto part_of = connected_parts(graph);
  FindModesSettings settings;
  settings.count = 4;
  EXPECT_EQ(modes_of_parts(body, 4), (std::vector<std::int32_t>{4, 4, 1}));
  ModeSet set;
  int calls = 0;
  EXPECT_TRUE(find_modes(body, settings, set, [&](const ModeSet&, double) { return ++calls > 0; }));
  EXPECT_EQ(calls, 6);
  ASSERT_EQ(set.modes.size(), 9u);
  for (std::size_t i = 0; i < set.modes.size(); ++i) {
    const Mode& mode = set.modes[i];
    EXPECT_EQ(mode.energy == 0, i < 3);
    for (std::int32_t c = 0; c < graph.num_cells(); ++c)
      if (part_of[c] != mode.part) {
        ASSERT_EQ(mode.value[c], 0);
      }
    for (std::size_t j = 0; j <= i; ++j) {
      double dot = 0;
      for (std::int32_t c = 0; c < graph.num_cells(); ++c)
        dot += graph.volume[c] * mode.value[c] * set.modes[j].value[c];
      EXPECT_NEAR(dot, i == j ? 1 : 0, 1e-10);
    }
  }
}

/// The `count` lowest energies of displacement modes of scalar fields.
std::vector<double> lowest_energies(const ModeSet& set, std::span<const double> energy, std::size_t count) {
  std::vector<double> energies;
  for (const double e : energy)
    for (int axis = 0; axis < set.dimension; ++axis) energies.push_back(set.axis_strength[axis] * e);
  std::sort(energies.begin(), energies.end());
  energies.resize(count);
  return energies;
}

// Against all displacement modes of many fields: for any costs of axes and fields, the lowest are among the first.
TEST(FindModes, TheLowestDisplacementModesAreAmongTheFieldsSought) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> real(0, 1);
  std::int32_t most_needed = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    ModeSet set;
    set.dimension = 2 + trial % 2;
    for (double& strength : set.axis_strength) strength = std::exp(6 * real(random) - 3);
    std::vector<double> energy{0};
    while (energy.size() < 40) energy.push_back(energy.back() + real(random));
    const auto num = static_cast<std::size_t>(fields_for(set, 12));
    EXPECT_EQ(lowest_energies(set, std::span(energy).first(num), 12), lowest_energies(set, energy, 12));
    if (set.dimension == 2) continue;
    std::int32_t needed = 1;  // fields that the lowest twelve are of
    const double highest = lowest_energies(set, energy, 12).back();
    const double weakest = *std::min_element(set.axis_strength.begin(), set.axis_strength.end());
    while (weakest * energy[static_cast<std::size_t>(needed)] <= highest) ++needed;
    most_needed = std::max(most_needed, needed);
  }
  EXPECT_EQ(most_needed, 10);  // no fewer would do
}

TEST(FindModes, HowManyFieldsItTakes) {
  ModeSet set;
  EXPECT_EQ(fields_for(set, 12), 4);
  EXPECT_EQ(fields_for(set, 13), 5);
  set.axis_strength = {10, 10, 1};
  EXPECT_EQ(fields_for(set, 12), 10);  // three translations and nine along z
  EXPECT_EQ(fields_for(set, 1), 1);
  set.dimension = 2;
  EXPECT_EQ(fields_for(set, 12), 6);  // the third axis does not count
  set.axis_strength = {10, 1, 1};
  EXPECT_EQ(fields_for(set, 12), 11);
  set.components = 2;
  EXPECT_EQ(fields_for(set, 12), 12);
}

/// A set of fields of these energies, all of one part.
ModeSet fields_of(std::array<double, 3> axis_strength, std::span<const double> energy) {
  ModeSet set;
  set.axis_strength = axis_strength;
  for (const double e : energy) set.modes.emplace_back().energy = e;
  return set;
}

TEST(FindModes, TheLowestAreHeldOnceTheLastFieldFoundIsNoneOfThem) {
  const std::vector<std::int32_t> many{100}, five{5};
  const auto holds = [&](std::array<double, 3> strength, std::vector<double> energy,
                         std::span<const std::int32_t> most) {
    return holds_lowest(fields_of(strength, energy), 12, most);
  };
  EXPECT_TRUE(holds({1, 1, 1}, {0, 1, 2, 3}, many));
  EXPECT_FALSE(holds({1, 1, 1}, {0, 1, 2}, many));
  EXPECT_FALSE(holds({1, 1, 1}, {0, 1, 3, 2}, many)) << "the last is lower than one that is kept";
  EXPECT_FALSE(holds({1, 1, 1}, {0, 1, 3, 2, 1.5}, many));
  EXPECT_TRUE(holds({1, 1, 1}, {0, 1, 3, 2, 2.5}, many)) << "the last is the highest of those kept";
  EXPECT_TRUE(holds({1, 1, 1}, {0, 1, 3, 2, 1.5, 4}, many));
  EXPECT_TRUE(holds({1, 1, 1}, {0, 1, 3, 2, 1.5}, five)) << "there are no more";
  EXPECT_TRUE(holds({10, 10, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, many));
  EXPECT_FALSE(holds({10, 10, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}, many));
  EXPECT_TRUE(holds({10, 10, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 9, 8, 9.5}, many));
  ModeSet two = fields_of({1, 1, 1}, std::vector<double>{0, 0, 1, 2, 3, 1, 3, 2});
  for (std::size_t i = 0; i < two.modes.size(); ++i) two.modes[i].part = i == 1 || i > 4 ? 1 : 0;
  EXPECT_FALSE(holds_lowest(two, 12, std::vector<std::int32_t>{100, 100})) << "each part by itself";
  EXPECT_TRUE(holds_lowest(two, 12, std::vector<std::int32_t>{100, 4}));
}

// For any order in which fields are found: once the rule holds, and if no later field is lower than the last, the
// lowest of all are among those found.
TEST(FindModes, NoFieldThatComesLaterIsAmongTheLowestHeld) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> real(0, 1);
  int num_extended = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    ModeSet set;
    for (double& strength : set.axis_strength) strength = std::exp(4 * real(random) - 2);
    std::vector<double> energy{0};
    while (energy.size() < 80) energy.push_back(static_cast<double>(energy.size()) + 3 * real(random));
    auto num = static_cast<std::size_t>(fields_for(set, 12));
    const std::size_t first = num;
    while (!holds_lowest(fields_of(set.axis_strength, std::span(energy).first(num)), 12, std::vector<std::int32_t>{80}))
      ++num;
    num_extended += num > first ? 1 : 0;
    std::vector<double> all(energy.begin(), energy.begin() + static_cast<std::ptrdiff_t>(num));
    for (std::size_t i = num; i < energy.size(); ++i) all.push_back(std::max(energy[i], energy[num - 1]));
    EXPECT_EQ(lowest_energies(set, std::span(energy).first(num), 12), lowest_energies(set, all, 12)) << trial;
  }
  EXPECT_GT(num_extended, 100);
}

TEST(FindModes, LowestModesByAxis) {
  ModeSet set;
  set.axis_strength = {10, 5, 1};
  const std::vector<double> energy{0, 1, 2, 3, 9, 10};
  EXPECT_EQ(num_lowest(set, energy), (std::array<std::int32_t, 3>{2, 3, 6}));
  EXPECT_EQ(num_lowest(set, {}), (std::array<std::int32_t, 3>{0, 0, 0}));
}

TEST(FindModes, StopsWhenToldAndGoesOnFromThere) {
  const mesh::TetMesh mesh = brisance::test::kuhn_box(6, 4, 3, 1.2, 0.9, 0.5);
  const Body body = body_of(mesh);
  FindModesSettings settings;
  settings.count = 6;
  ModeSet straight, in_two;
  EXPECT_TRUE(find_modes(body, settings, straight, [](const ModeSet&, double) { return true; }));
  EXPECT_FALSE(find_modes(body, settings, in_two, [](const ModeSet& m, double) { return m.modes.size() < 3; }));
  ASSERT_EQ(in_two.modes.size(), 3u);
  EXPECT_TRUE(find_modes(body, settings, in_two, [](const ModeSet&, double) { return true; }));
  ASSERT_EQ(in_two.modes.size(), 6u);
  for (int i = 1; i < 6; ++i)
    EXPECT_NEAR(in_two.modes[i].convex_energies.front(), straight.modes[i].convex_energies.front(), 1e-7);
}

TEST(FindModes, InThePlaneADumbBellBreaksAtItsNeck) {
  Body body;
  body.mesh = simplices(brisance::test::flat_bell());
  body.graph = cell_graph(body.mesh);
  body.face_weight = face_weights(body.graph, Weighting::area);
  FindModesSettings settings;
  settings.count = 6;
  ModeSet set;
  EXPECT_TRUE(find_modes(body, settings, set, [](const ModeSet&, double) { return true; }));
  // E = w/√(A f (1 − f)): the neck is 1 wide; with the neck on the smaller side the areas are 10 and 12.
  EXPECT_NEAR(set.modes[1].energy, 1 / std::sqrt(22 * (10.0 / 22) * (12.0 / 22)), 1e-12);
  for (std::int32_t c = 0; c < body.graph.num_cells(); ++c)
    EXPECT_EQ(set.modes[1].value[c] == set.modes[1].value[0], cell_centre(body.mesh, c).x() < 4) << c;
  for (std::size_t i = 0; i < set.modes.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double dot = 0;
      for (std::int32_t c = 0; c < body.graph.num_cells(); ++c)
        dot += body.graph.volume[c] * set.modes[i].value[c] * set.modes[j].value[c];
      EXPECT_NEAR(dot, i == j ? 1 : 0, 1e-10);
    }
}

/// A bar of 8×2×2 cubes; without its middle it would break there.
TEST(FindModes, NoFaceOpensWhereABodyMustNotBreak) {
  const mesh::TetMesh mesh = brisance::test::kuhn_box(8, 2, 2, 8, 2, 2);
  Body body = body_of(mesh);
  for (std::int32_t c = 0; c < body.graph.num_cells(); ++c) {
    const double x = cell_centre(body.mesh, c).x();
    body.no_break.push_back(x > 2 && x < 6 ? 1 : 0);
  }
  FindModesSettings settings;
  settings.count = 5;
  ModeSet set;
  EXPECT_TRUE(find_modes(body, settings, set, [](const ModeSet&, double) { return true; }));
  ASSERT_EQ(set.modes.size(), 5u);
  for (const Mode& mode : set.modes)
    for (const Face& face : body.graph.faces)
      if (body.no_break[face.a] != 0 && body.no_break[face.b] != 0) {
        ASSERT_EQ(mode.value[face.a], mode.value[face.b]);
      }
  // The best cut left is through a whole cross-section of 4 at x = 2 or x = 6: a quarter of the volume 32.
  EXPECT_NEAR(set.modes[1].energy, 4 / std::sqrt(32 * 0.25 * 0.75), 1e-12);
  EXPECT_TRUE(set.modes[1].settled);
}

TEST(FindModes, CellsThatHoldTogetherAllowFewerModes) {
  Body body = body_of(brisance::test::kuhn_box(1, 1, 1, 1, 1, 1));  // 6 tets, 8 nodes
  body.no_break = {1, 1, 1, 1, 0, 0};
  EXPECT_THROW((void)modes_of_parts(body, 6), core::Error);
  EXPECT_LE(modes_of_parts(body, 3).front(), 3);
}

TEST(FindModes, ASearchThatIsStoppedSaysSo) {
  const Body body = body_of(brisance::test::kuhn_box(6, 4, 3, 1.2, 0.9, 0.5));
  FindModesSettings settings;
  settings.count = 3;
  settings.search.most_steps = 1;
  ModeSet set;
  EXPECT_TRUE(find_modes(body, settings, set, [](const ModeSet&, double) { return true; }));
  EXPECT_FALSE(set.modes[1].settled);
  EXPECT_EQ(set.modes[1].convex_energies.size(), 1u);
}

TEST(FindModes, MoreModesThanTheLargestPartAllowsIsAnError) {
  const mesh::TetMesh mesh = brisance::test::kuhn_box(1, 1, 1, 1, 1, 1);  // 6 tets, 8 nodes
  const Body body = body_of(mesh);
  EXPECT_EQ(modes_of_parts(body, 6), std::vector<std::int32_t>{6});
  EXPECT_THROW((void)modes_of_parts(body, 7), core::Error);
}

}  // namespace
}  // namespace brisance::modes
