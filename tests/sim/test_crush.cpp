// Elements compressed to crushed material: their stiffness, energy and mass.
#include "brisance/sim/crush.hpp"

#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

material::Material brick(double crush_below) {
  material::Material m = test::solid(1e6, 0.2, 1000, 1e-3);
  m.elastic_law = material::ElasticLaw::neo_hookean;
  m.crush_below = crush_below;
  return m;
}

TEST(Crush, FormsStandBehindTheMaterialsTheyBelongTo) {
  const std::vector<material::Material> materials{brick(0.2), test::solid(1, 0, 1), brick(0.1)};
  const auto list = with_crushed_forms(materials);
  ASSERT_EQ(list.size(), 5U);
  EXPECT_EQ(list[3].name, "solid (crushed)");
  EXPECT_DOUBLE_EQ(list[3].lame_mu, 0.01 * materials[0].lame_mu);
  EXPECT_DOUBLE_EQ(material::damping_time(list[3]), material::damping_time(materials[0]));
  EXPECT_EQ(list[4].crush_below, 0.1);
  EXPECT_EQ(crushed_forms(materials), (std::vector<material::Index>{3, 1, 4, 3, 4}));
}

/// A block between two regions with Dirichlet conditions, of which the upper moves down to 0.4 of its height and back.
struct Pressed {
  double elastic_at_bottom = 0, cut_loss = 0, imbalance = 0, mass = 0, height = 0;
  std::int64_t crushed = 0;
};
Pressed press(double crush_below) {
  constexpr std::uint32_t kFoot = 1, kTop = 2;
  Scene scene = test::bare_scene(brick(crush_below));
  scene.regions = {test::grip({true, true, true}), test::grip({true, true, true}, Vec3(0, 0, -6))};
  scene.regions[1].until_s = 0.1;
  const mesh::TetMesh block = test::kuhn_box(3, 3, 3, 1, 1, 1);
  std::vector<std::uint32_t> regions(block.nodes.size());
  for (std::size_t i = 0; i < block.nodes.size(); ++i)
    regions[i] = block.nodes[i].z() < 1e-9 ? kFoot : block.nodes[i].z() > 1 - 1e-9 ? kTop : 0;
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, block, regions);
  test::run_until(simulation, 0.099);
  Pressed result;
  const Energies e = simulation.energies();
  result.elastic_at_bottom = e.elastic;
  result.cut_loss = e.cut_loss;
  result.imbalance = std::abs(e.total()) / (e.supplied + 1e-300);
  result.crushed = simulation.num_crushed();
  test::run_until(simulation, 0.4);
  result.height = test::position(simulation, static_cast<std::int64_t>(block.nodes.size()) - 1).z();
  return result;
}

TEST(Crush, PowderCarriesNextToNothingAndTheAccountCloses) {
  const Pressed whole = press(0), crushed = press(0.6);
  EXPECT_EQ(whole.crushed, 0);
  EXPECT_EQ(whole.cut_loss, 0);
  EXPECT_NEAR(whole.height, 1, 0.3);  // springs back, and still vibrates
  EXPECT_EQ(crushed.crushed, 162);
  EXPECT_LT(crushed.elastic_at_bottom, 0.03 * whole.elastic_at_bottom);
  EXPECT_GT(crushed.cut_loss, 0.2 * whole.elastic_at_bottom);
  EXPECT_LT(crushed.height, 0.75);  // no force springs it back at once
  for (const Pressed& p : {whole, crushed}) EXPECT_LT(p.imbalance, 0.01);
}

}  // namespace
}  // namespace brisance::sim
