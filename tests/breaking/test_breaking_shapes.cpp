/// Parametric shapes through their modes to solid pieces, and the dumbbell, whose first mode has a closed form.
#include "brisance/breaking/prefracture.hpp"
#include "brisance/mesh/generate/generate.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/modes/search/find_modes.hpp"

#include "support/solids.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::breaking {
namespace {

using mesh::ShapeKind;

mesh::Request request_of(ShapeKind kind) {
  mesh::Request request;
  request.shape = kind;
  request.target_tets = 1500;
  request.radius_m = 0.05, request.tube_radius_m = 0.02, request.length_m = 0.2;
  if (kind == ShapeKind::goblet) request.thickness_m = 0.01, request.tube_radius_m = 0.008;
  if (kind == ShapeKind::mug) request.thickness_m = 0.01, request.tube_radius_m = 0.01, request.length_m = 0.12;
  if (kind == ShapeKind::chair) request.size = {0.45, 0.45, 0.9}, request.thickness_m = 0.06;
  if (kind == ShapeKind::notched_block)
    request.size = {0.2, 0.2, 0.1}, request.notch_depth_m = 0.06, request.notch_width_m = 0.02;
  return request;
}

mesh::TetMesh mesh_of(const mesh::Request& request) {
  mesh::MeshReport report;
  return mesh::generate(request, report);
}

modes::ModeSet modes_of(const mesh::TetMesh& mesh, std::int32_t count) {
  modes::Body body;
  body.mesh = modes::simplices(mesh);
  body.graph = modes::cell_graph(body.mesh);
  body.face_weight = modes::face_weights(body.graph, modes::Weighting::area);
  modes::FindModesSettings settings;
  settings.count = count;
  modes::ModeSet set;
  modes::find_modes(body, settings, set, [](const modes::ModeSet&, double) { return true; });
  return set;
}

class BreakingShapes : public ::testing::TestWithParam<ShapeKind> {};

TEST_P(BreakingShapes, FallApartIntoSolidPiecesThatFillThem) {
  const mesh::TetMesh mesh = mesh_of(request_of(GetParam()));
  const modes::ModeSet set = modes_of(mesh, 4);
  for (const double smoothing_m2 : {-1.0, 1e-5}) {
    const io::PiecesFile made = prefracture(mesh, set, {}, {.smallest_share = 0.01, .smoothing_m2 = smoothing_m2});
    EXPECT_GT(made.pieces.size(), 2u);
    for (const auto& piece : made.pieces) test::expect_solid(piece);
    EXPECT_NEAR(test::total_volume_m3(made.pieces) / made.volume_m3, 1, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(All, BreakingShapes,
                         ::testing::Values(ShapeKind::dumbbell, ShapeKind::notched_block, ShapeKind::goblet,
                                           ShapeKind::bone, ShapeKind::mug, ShapeKind::chair),
                         [](const auto& tested) { return std::string(shape_name(tested.param)); });

// A mode of two values that is orthogonal to the constant jumps by √(V / (V₁V₂)); its energy is that times the cut
// area, which is least across the neck: E = A √(V / (V₁V₂)).
TEST(Dumbbell, FirstModeCutsTheNeckWithTheEnergyOfTheClosedForm) {
  const mesh::Request request = request_of(ShapeKind::dumbbell);
  const mesh::TetMesh mesh = mesh_of(request);
  const modes::CellGraph graph = modes::cell_graph(mesh);
  const modes::Mode mode = modes_of(mesh, 2).modes.at(1);

  const double below = *std::ranges::min_element(mode.value), above = *std::ranges::max_element(mode.value);
  double volume_below = 0, volume_above = 0, cut_area = 0;
  for (std::int32_t c = 0; c < graph.num_cells(); ++c) {
    ASSERT_TRUE(std::abs(mode.value[c] - below) < 1e-9 * above || std::abs(mode.value[c] - above) < 1e-9 * above);
    (mode.value[c] < 0 ? volume_below : volume_above) += graph.volume[c];
  }
  const double neck_end = request.length_m / 2 - std::sqrt(request.radius_m * request.radius_m -
                                                           request.tube_radius_m * request.tube_radius_m);
  for (const modes::Face& face : graph.faces) {
    if ((mode.value[face.a] < 0) == (mode.value[face.b] < 0)) continue;
    cut_area += face.area;
    // Each cut face, a triangle that both tets have, lies in the neck.
    const auto &a = mesh.tets[face.a], &b = mesh.tets[face.b];
    for (const std::int32_t corner : a)
      if (std::ranges::find(b, corner) != b.end()) {
        EXPECT_LT(std::abs(mesh.nodes[corner].z()), neck_end + 0.3 * request.tube_radius_m);
      }
  }
  const double volume = volume_below + volume_above;
  EXPECT_NEAR(mode.energy, cut_area * std::sqrt(volume / (volume_below * volume_above)), 1e-9 * mode.energy);
  // The cut follows the faces of tets, so it is somewhat larger than the neck's section.
  const double section = std::numbers::pi * request.tube_radius_m * request.tube_radius_m;
  EXPECT_GT(cut_area, 0.8 * section);
  EXPECT_LT(cut_area, 1.6 * section);
  EXPECT_NEAR(volume_below / volume, 0.5, 0.12);
}

}  // namespace
}  // namespace brisance::breaking
