/// Flat bodies struck as they are and as plates: closed forms of a dumb-bell that breaks at its neck.
#include "brisance/breaking/breakable.hpp"
#include "brisance/breaking/plate.hpp"
#include "brisance/core/error.hpp"
#include "brisance/runtime/impact_answer.hpp"

#include "support/flat_bell_modes.hpp"

#include <cmath>
#include <filesystem>
#include <numeric>

#include <gtest/gtest.h>
#include <unistd.h>

namespace brisance::breaking {
namespace {

constexpr double kThickness = 0.25;

class Plate : public ::testing::Test {
protected:
  Plate() : file_(std::filesystem::temp_directory_path() / ("brisance_plate" + std::to_string(getpid()) + ".h5")) {}
  ~Plate() override { std::filesystem::remove(file_); }

  Breakable read(int scalar_count, double thickness_m) {
    write_mode_file(file_, test::flat_bell_modes(scalar_count));
    BreakableParameters parameters;
    parameters.thickness_m = thickness_m;
    parameters.smear.gaussian = true;
    return read_breakable(file_, parameters);
  }

private:
  std::filesystem::path file_;
};

TEST_F(Plate, ModesKeepNormAndTheEnergyOfTheirCracks) {
  ModeFile flat = test::flat_bell_modes(4);
  for (double& weight : flat.face_weight) weight *= 3;  // η = 3
  const ModeFile plate = plate_of(flat, kThickness);
  const modes::Body body = body_of(plate);
  EXPECT_NEAR(std::accumulate(body.graph.volume.begin(), body.graph.volume.end(), 0.0), 22 * kThickness, 1e-12);
  for (std::size_t i = 0; i < 4; ++i) {
    const modes::Mode& mode = plate.modes.modes[i];
    double norm = 0, energy = 0;
    for (std::int32_t c = 0; c < body.graph.num_cells(); ++c)
      norm += body.graph.volume[c] * mode.value[c] * mode.value[c];
    for (std::size_t f = 0; f < body.graph.faces.size(); ++f)
      energy += body.face_weight[f] * std::abs(mode.value[body.graph.faces[f].a] - mode.value[body.graph.faces[f].b]);
    EXPECT_NEAR(norm, 1, 1e-12);
    EXPECT_NEAR(energy, 3 * mode.energy, 1e-12);
    EXPECT_NEAR(mode.energy, std::sqrt(kThickness) * flat.modes.modes[i].energy, 1e-12);
  }
}

TEST_F(Plate, AtomsAreThinSheetsOrSolidPlates) {
  const Breakable flat = read(2, 0), plate = read(2, kThickness);
  ASSERT_EQ(flat.set.num_atoms(), 2);
  EXPECT_EQ(flat.set.dimension, 2);
  EXPECT_EQ(plate.set.dimension, 3);
  EXPECT_TRUE(flat.mesh.tets.empty());
  // The larger half, 4 × 3 with centre (6, 1.5): Ixx = A h²/12, Iyy = A w²/12.
  const auto& sheet = flat.set.atoms[1];
  const auto& solid = plate.set.atoms[1];
  EXPECT_NEAR(sheet.volume, 12, 1e-12);
  EXPECT_NEAR(sheet.centre[0], 6, 1e-12);
  EXPECT_NEAR(sheet.centre[2], 2, 1e-12);
  EXPECT_NEAR(sheet.inertia[0], 12 * 9 / 12.0, 1e-11);
  EXPECT_NEAR(sheet.inertia[1], 12 * 16 / 12.0, 1e-11);
  EXPECT_NEAR(sheet.inertia[2], 12 * 25 / 12.0, 1e-11);
  EXPECT_NEAR(solid.volume, 12 * kThickness, 1e-12);
  EXPECT_NEAR(solid.inertia[0], kThickness * 12 * (9 + kThickness * kThickness) / 12.0, 1e-11);
  EXPECT_NEAR(solid.inertia[2], kThickness * 12 * 25 / 12.0, 1e-11);
  ASSERT_EQ(flat.set.faces.size(), 1u);
  EXPECT_NEAR(flat.set.faces[0].area, 1, 1e-14);
  EXPECT_NEAR(plate.set.faces[0].area, kThickness, 1e-14);
}

TEST_F(Plate, ABlowIsSharedOutAndBreaksTheNeck) {
  for (const double thickness : {0.0, kThickness}) {
    const Breakable body = read(2, thickness);
    for (const auto& table : {*body.set.elastic, *body.set.gaussian})
      for (std::size_t v = 0; v < body.set.vertices.size(); ++v) {
        EXPECT_NEAR(table.share[2 * v] + table.share[2 * v + 1], 1, 1e-6);
        const double x = body.set.vertices[v][0];
        if (x < 2 || x > 6) {
          EXPECT_GT(table.share[2 * v + (x > 6 ? 1 : 0)], 0.5);
        }
      }
    const runtime::Target target(body.set);
    runtime::Impact impact;
    impact.point = {0, 1, 2};
    impact.direction = {1, 0, 0};
    impact.threshold = 0.1;
    EXPECT_EQ(target.strike(impact).num_pieces, 2);
    impact.threshold = 3;
    EXPECT_EQ(target.strike(impact).num_pieces, 1);
  }
}

TEST_F(Plate, SolidsAndNothingThickAreRefused) {
  const ModeFile flat = test::flat_bell_modes(1);
  EXPECT_THROW((void)plate_of(flat, 0), core::Error);
  EXPECT_THROW((void)plate_of(flat, NAN), core::Error);
  EXPECT_THROW((void)plate_of(plate_of(flat, 1), 1), core::Error);
}

}  // namespace
}  // namespace brisance::breaking
