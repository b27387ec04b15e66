/// Strength factors against closed forms: regions, directions, paint, and merged cells.
#include "brisance/core/error.hpp"
#include "brisance/modes/body/merged_graph.hpp"
#include "brisance/modes/search/find_modes.hpp"
#include "brisance/modes/strength/strength.hpp"

#include "modes/body/face_normal.hpp"
#include "modes/random_graph.hpp"
#include "support/divided.hpp"
#include "support/kuhn.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

struct Bar {
  Simplices mesh = simplices(brisance::test::kuhn_box(8, 4, 2, 2, 1, 0.5));
  CellGraph graph = cell_graph(mesh);
};

DividedBody alone(const Simplices& mesh, const std::vector<std::int32_t>& region = {}) {
  return brisance::test::divided(core::Comm(MPI_COMM_SELF), mesh, region);
}

TEST(NormalStrength, IsTheFactorOfTheAxisAFaceLooksAlong) {
  const Bar bar;
  const auto eta = normal_strength(bar.mesh, bar.graph, Vec3(2, 3, 5));
  int along_x = 0;
  for (std::size_t f = 0; f < eta.size(); ++f) {
    EXPECT_GE(eta[f], 2);
    EXPECT_LE(eta[f], 5);
    double least = 1e300, most = -1e300;  // x of the corners
    for (const std::int32_t corner : bar.mesh.cell(bar.graph.faces[f].a))
      for (const std::int32_t other : bar.mesh.cell(bar.graph.faces[f].b)) {
        if (corner != other) continue;
        least = std::min(least, bar.mesh.nodes[corner].x());
        most = std::max(most, bar.mesh.nodes[corner].x());
      }
    if (most - least < 1e-12) {
      EXPECT_NEAR(eta[f], 2, 1e-12);
      ++along_x;
    }
  }
  EXPECT_GT(along_x, 0);
  EXPECT_THAT([&] { (void)normal_strength(bar.mesh, bar.graph, Vec3(1, 0, 1)); },
              ThrowsMessage<core::BadInput>(HasSubstr("along y must be positive")));
}

/// Modes of a box with strength by normal, one start a mode. @return of the area of all cracks, the share of faces
/// whose normal is within 45° of this axis
double share_across(const Simplices& mesh, const Vec3& eta, int axis) {
  Body body;
  body.mesh = mesh;
  body.graph = cell_graph(mesh);
  body.eta = normal_strength(body.mesh, body.graph, eta);
  body.face_weight = face_weights(body.graph, Weighting::area, body.eta);
  FindModesSettings settings;
  settings.count = 6;
  ModeSet set;
  EXPECT_TRUE(find_modes(body, settings, set, [](const ModeSet&, double) { return true; }));
  double across = 0, all = 0;
  for (const Mode& mode : set.modes)
    for (const Face& face : body.graph.faces) {
      if (mode.energy == 0 || std::abs(mode.value[face.a] - mode.value[face.b]) < 1e-6) continue;
      all += face.area;
      if (std::abs(face_normal(mesh, face)[axis]) > std::sqrt(0.5)) across += face.area;
    }
  EXPECT_GT(all, 0);
  return across / all;
}

TEST(NormalStrength, AWoodenCubeSplitsAlongItsGrain) {
  const Simplices cube = simplices(brisance::test::kuhn_box(5, 5, 5, 1, 1.01, 1.02));
  for (int grain = 0; grain < 3; ++grain)
    EXPECT_LT(share_across(cube, Vec3::Ones() + 9 * Vec3::Unit(grain), grain), 0.05) << grain;
}

/// A plank is long: starts without knowledge of the grain cut it across although that is ten times as expensive.
TEST(NormalStrength, AWoodenPlankSplitsAlongItsGrainFromOneStartAMode) {
  const Simplices plank = simplices(brisance::test::kuhn_box(20, 5, 2, 0.8, 0.2, 0.06));
  EXPECT_GT(share_across(plank, Vec3::Ones(), 0), 0.7);
  EXPECT_LT(share_across(plank, Vec3(10, 1, 1), 0), 0.2);
}

TEST(RegionStrength, AFaceHasThatOfTheWeakerRegion) {
  const Bar bar;
  std::vector<std::int32_t> region;
  for (std::int32_t c = 0; c < bar.graph.num_cells(); ++c) region.push_back(cell_centre(bar.mesh, c).x() < 1 ? 4 : 7);
  const auto eta = region_strength(alone(bar.mesh, region), {{4, 0.25}, {7, 3.0}});
  for (std::size_t f = 0; f < eta.size(); ++f) {
    const bool both = region[bar.graph.faces[f].a] == 7 && region[bar.graph.faces[f].b] == 7;
    EXPECT_EQ(eta[f], both ? 3.0 : 0.25);
  }
  EXPECT_THAT(
      [&] {
        (void)region_strength(alone(bar.mesh, region), {{5, 1.0}});
      },
      ThrowsMessage<core::BadInput>(HasSubstr("no such region (it has 4, 7)")));
  for (const double bad : {0.0, -2.0, std::nan("")})
    EXPECT_THROW((void)region_strength(alone(bar.mesh, region), {{4, bad}}), core::BadInput);
}

TEST(PaintedStrength, ALinearPaintIsLinearInside) {
  const Bar bar;  // the harmonic extension of a linear field is that field, exactly so with linear elements
  std::vector<double> eta;
  for (const Vec3& x : bar.mesh.nodes) eta.push_back(1 + x.x());
  const auto on_face = painted_strength(alone(bar.mesh), bar.mesh.nodes, eta);
  for (std::size_t f = 0; f < on_face.size(); ++f) {
    const Face& face = bar.graph.faces[f];
    double expected = 0;
    for (const std::int32_t corner : bar.mesh.cell(face.a))
      for (const std::int32_t other : bar.mesh.cell(face.b))
        if (corner == other) expected += eta[corner] / 3;
    EXPECT_NEAR(on_face[f], expected, 1e-11);
  }
}

TEST(PaintedStrength, StaysBetweenItsExtremesAndRefusesWhatIsNotPositive) {
  const Bar bar;
  const std::vector<Vec3> points{{0, 0, 0}, {2, 1, 0.5}};
  for (const double eta : painted_strength(alone(bar.mesh), points, std::vector<double>{0.1, 20})) {
    EXPECT_GE(eta, 0.1);
    EXPECT_LE(eta, 20);
  }
  EXPECT_THAT(
      [&] {
        (void)painted_strength(alone(bar.mesh), points, std::vector<double>{1, std::nan("")});
      },
      ThrowsMessage<core::BadInput>(HasSubstr("point 1")));
  EXPECT_THROW((void)painted_strength(alone(bar.mesh), {}, {}), core::BadInput);
}

TEST(NoBreak, MarksWhatIsInsideAndRefusesEmptyPlaces) {
  const Bar bar;
  NoBreak where;
  EXPECT_TRUE(cells_not_to_break(alone(bar.mesh), where).empty());
  where.boxes.push_back({Vec3(0, 0, 0), Vec3(0.5, 1, 0.5)});
  where.spheres.push_back({Vec3(2, 1, 0.5), 0.4});
  const auto marked = cells_not_to_break(alone(bar.mesh), where);
  for (std::int32_t c = 0; c < bar.graph.num_cells(); ++c) {
    const Vec3 x = cell_centre(bar.mesh, c);
    EXPECT_EQ(marked[c], x.x() < 0.5 || (x - Vec3(2, 1, 0.5)).norm() < 0.4 ? 1 : 0);
  }
  where.spheres.push_back({Vec3(9, 9, 9), 0.1});
  EXPECT_THAT([&] { (void)cells_not_to_break(alone(bar.mesh), where); },
              ThrowsMessage<core::BadInput>(HasSubstr("No element of the mesh is in the sphere")));
  where.spheres.back() = {Vec3::Zero(), 100};
  EXPECT_THAT([&] { (void)cells_not_to_break(alone(bar.mesh), where); },
              ThrowsMessage<core::BadInput>(HasSubstr("nothing is left to break")));
}

TEST(MergedGraph, KeepsEnergyNormAndMean) {
  const CellGraph graph = test::random_graph(30, 40, 5);
  const auto weight = face_weights(graph, Weighting::sqrt_area);
  std::vector<std::int32_t> set_of;
  for (int c = 0; c < 30; ++c) set_of.push_back(c * 7 % 4);
  const MergedGraph merged = merge_cells(graph, weight, set_of);
  const std::vector<double> field{0.3, -1, 2, 0.7};
  const auto on_cells = merged.on_cells(field);
  double energy = 0, merged_energy = 0, norm = 0, merged_norm = 0;
  for (std::size_t f = 0; f < weight.size(); ++f)
    energy += weight[f] * std::abs(on_cells[graph.faces[f].a] - on_cells[graph.faces[f].b]);
  for (std::size_t f = 0; f < merged.face_weight.size(); ++f)
    merged_energy += merged.face_weight[f] * std::abs(field[merged.graph.faces[f].a] - field[merged.graph.faces[f].b]);
  for (int c = 0; c < 30; ++c) norm += graph.volume[c] * on_cells[c] * on_cells[c];
  for (int s = 0; s < 4; ++s) merged_norm += merged.graph.volume[s] * field[s] * field[s];
  EXPECT_NEAR(energy, merged_energy, 1e-12 * energy);
  EXPECT_NEAR(norm, merged_norm, 1e-12 * norm);
  const auto back = merged.means(graph, on_cells);
  for (int s = 0; s < 4; ++s) EXPECT_NEAR(back[s], field[s], 1e-14);
}

}  // namespace
}  // namespace brisance::modes
