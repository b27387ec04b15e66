/// Vibration modes of a free bar against closed forms, on any number of ranks.
#include "brisance/core/error.hpp"
#include "brisance/modes/spectral/vibration.hpp"

#include "support/divided.hpp"
#include "support/kuhn.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

/// E = 1 Pa, ν = 0, ρ = 1 kg/m³: no coupling between stretching and thickness.
constexpr ElasticSolid kCork{0, 0.5, 1};

/// Modes of the whole body, displacements in the order of its nodes.
std::vector<VibrationMode> modes_of(const mesh::TetMesh& mesh, const ElasticSolid& solid, int count,
                                    const core::Comm& comm = core::Comm()) {
  const DividedBody body = test::divided(comm, mesh);
  std::vector<VibrationMode> modes = vibration_modes(body, solid, count);
  for (VibrationMode& mode : modes) {
    std::vector<double> values;
    for (const Vec3& u : body.node_block.store(mode.displacement)) values.insert(values.end(), u.begin(), u.end());
    values = test::joined(comm, values);
    mode.displacement.clear();
    for (std::size_t i = 0; i < values.size(); i += 3)
      mode.displacement.emplace_back(values[i], values[i + 1], values[i + 2]);
  }
  return modes;
}

/// f = n/(2L) √(E/ρ): the first mode that mostly stretches.
TEST(Vibration, ABarStretchesAtItsClosedFormFrequency) {
  const mesh::TetMesh mesh = test::kuhn_box(24, 2, 2, 4, 0.5, 0.5);
  const auto modes = modes_of(mesh, kCork, 16);
  double frequency = 0;
  for (std::size_t k = 6; k < modes.size() && frequency == 0; ++k) {
    double along = 0, all = 0;
    for (const Vec3& u : modes[k].displacement) {
      along += u.x() * u.x();
      all += u.squaredNorm();
    }
    if (along > 0.9 * all) frequency = modes[k].frequency_hz;
  }
  EXPECT_NEAR(frequency, 1 / 8.0, 1e-3 / 8);
}

/// Euler–Bernoulli, f = 4.7300²/(2πL²) √(EI/ρA). Linear tets bend too stiffly by c·h²: two meshes give the limit. The
/// beam's own shear and rotary inertia (Timoshenko) lower it by about 0.7 % at this length.
TEST(Vibration, ABarBendsAtItsClosedFormFrequency) {
  const double length = 20, expected = 4.7300 * 4.7300 / (2 * std::numbers::pi * length * length) / std::sqrt(12.0);
  const auto squared = [&](int n) {
    const auto modes = modes_of(test::kuhn_box(12 * n, n, n, length, 1, 1), kCork, 7);
    return modes[6].frequency_hz * modes[6].frequency_hz;
  };
  const double coarse = squared(2), fine = squared(4);
  EXPECT_GT(coarse, fine);
  EXPECT_NEAR(std::sqrt((4 * fine - coarse) / 3), 0.993 * expected, 0.02 * expected);
}

TEST(Vibration, ModesAreOrthonormalAndTheFirstSixAreRigid) {
  const mesh::TetMesh mesh = test::kuhn_box(5, 4, 3, 1, 0.9, 0.7);
  const ElasticSolid solid{2, 1, 3};
  const auto modes = modes_of(mesh, solid, 10);
  std::vector<double> mass(mesh.nodes.size(), 0.0);
  for (const auto& [a, b, c, d] : mesh.tets)
    for (const std::int32_t corner : {a, b, c, d})
      mass[corner] += 3 * mesh::tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]) / 4;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    EXPECT_EQ(modes[i].frequency_hz == 0, i < 6);
    for (std::size_t j = 0; j <= i; ++j) {
      double dot = 0;
      for (std::size_t k = 0; k < mass.size(); ++k)
        dot += mass[k] * modes[i].displacement[k].dot(modes[j].displacement[k]);
      EXPECT_NEAR(dot, i == j ? 1 : 0, 1e-9) << i << ' ' << j;
    }
  }
  EXPECT_THROW((void)modes_of(test::kuhn_box(1, 1, 1, 1, 1, 1), solid, 25), core::Error);
}

TEST(Vibration, FrequenciesDoNotDependOnTheNumberOfRanks) {
  const mesh::TetMesh mesh = test::kuhn_box(5, 4, 3, 1, 0.9, 0.7);
  const auto together = modes_of(mesh, kCork, 12);
  const auto alone = modes_of(mesh, kCork, 12, core::Comm(MPI_COMM_SELF));
  for (std::size_t k = 6; k < 12; ++k)
    EXPECT_NEAR(together[k].frequency_hz, alone[k].frequency_hz, 1e-9 * alone[k].frequency_hz);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    EXPECT_LT((together[6].displacement[i] - alone[6].displacement[i]).norm(), 1e-6);
}

}  // namespace
}  // namespace brisance::modes
