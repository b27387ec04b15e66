// Crack growth at a front on random meshes: the plane in which it grows (VALIDATION C3), and the fracture energy when
// the mesh is halved (C9). Static shapes, exact fields at the edge of the mesh.
#include "brisance/dist/distribute.hpp"
#include "brisance/dynamics/mesh_spans.hpp"
#include "brisance/fracture/criteria/failure_search.hpp"
#include "brisance/fracture/criteria/separation.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/fracture/fronts.hpp"

#include "support/cracked_plate.hpp"
#include "support/fracture_mesh.hpp"
#include "support/tip_fields.hpp"

#include <cmath>
#include <iostream>
#include <numbers>
#include <optional>

#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

/// A cracked plate with prescribed boundary displacements.
class Plate {
public:
  Plate(int per_metre, double half_length, std::uint64_t seed, const material::Material& m,
        const std::function<bool(const Vec3&)>& is_held)
      : whole_(test::cracked_plate(per_metre, half_length, seed)),
        statics_(whole_, m, [&](std::size_t i) { return is_held(whole_.nodes[i]); }),
        is_below_(whole_.nodes.size(), false) {
    for (const auto& tet : whole_.tets) {
      double y = 0;
      for (const std::int32_t n : tet) y += whole_.nodes[n].y();
      for (const std::int32_t n : tet)
        if (y < 0) is_below_[n] = true;
    }
    mesh_.emplace(dist::distribute(core::Comm(), whole_, {}, {m}, test::with_fracture_fields()));
    note_uncut_areas(*mesh_);
    note_fronts(*mesh_);
  }

  /// `at(position, is_below)`: displacement of held nodes [m].
  void deform(const std::function<Vec3(const Vec3&, bool)>& at) {
    std::vector<Vec3> held;
    for (std::size_t i = 0; i < whole_.nodes.size(); ++i) held.push_back(at(whole_.nodes[i], is_below_[i]));
    const std::vector<Vec3> moved = statics_.displacements(held);
    dist::Mesh& mesh = *mesh_;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_used(n))
        for (int k = 0; k < 3; ++k)
          mesh.motion[n].position[k] = mesh.rest[n][k] + moved[static_cast<std::size_t>(mesh.node_id[n].value)][k];
  }

  /// Owned nodes of the front; other fronts are far from it.
  [[nodiscard]] std::vector<LocalNode> tips() const {
    std::vector<LocalNode> found;
    const dist::Mesh& mesh = *mesh_;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_owned(n) && noted_front(mesh, n)) {
        EXPECT_LT(Vec3(mesh.rest[n].x(), mesh.rest[n].y(), 0).norm(), 1e-9);
        found.push_back(n);
      }
    return found;
  }

  [[nodiscard]] CornerForceFunction corner_forces() const {
    return [this](std::span<const std::int32_t> chosen, std::span<dist::CornerForces> into) {
      const dist::Mesh& mesh = *mesh_;
      dynamics::corner_forces(dynamics::spans_of(mesh), mesh.materials, mesh.motion.span(), chosen, into);
    };
  }

  [[nodiscard]] dist::Mesh& mesh() { return *mesh_; }

private:
  mesh::TetMesh whole_;
  test::PlaneStatics statics_;
  std::vector<bool> is_below_;
  std::optional<dist::Mesh> mesh_;
};

constexpr int kMeshes = 12;

// VALIDATION C3, on a disc of 16 edges across: the angle of the hoop criterion, and that of the separation tensor (its
// −45° for −70.5° is inherent).
TEST(FrontCriteria, C3DirectionsOnMeshesAtRandom) {
  const material::Material m = test::elastic();
  struct Mode {
    double k1, k2, theory, hoop_margin, separation, separation_margin;
  };
  const std::array<Mode, 3> modes{{{1e4, 0, 0, 5, 0, 5}, {0, 1e4, -70.53, 6, -45, 5}, {1e4, 1e4, -53.13, 6, -39.4, 5}}};
  std::array<std::array<std::vector<double>, 2>, 3> mine;
  for (int seed = 1; seed <= kMeshes; ++seed) {
    Plate plate(8, 1, static_cast<std::uint64_t>(seed), m, [](const Vec3& x) {
      return std::abs(std::abs(x.x()) - 1) < 1e-9 || std::abs(std::abs(x.y()) - 1) < 1e-9;
    });
    const std::vector<LocalNode> tips = plate.tips();
    EXPECT_EQ(plate.mesh().comm().sum(static_cast<std::int64_t>(tips.size())), 2);
    for (std::size_t k = 0; k < modes.size(); ++k) {
      plate.deform(
          [&](const Vec3& x, bool below) { return test::tip_displacement(m, modes[k].k1, modes[k].k2, x, below); });
      for (const Direction direction : {Direction::hoop, Direction::separation}) {
        Parameters parameters;
        parameters.direction = direction;
        FailureSearch criterion(plate.mesh(), parameters, {}, plate.corner_forces());
        const auto failures = criterion.failures(plate.mesh(), tips, 1);
        EXPECT_EQ(failures.size(), tips.size());
        for (const auto& f : failures) {
          EXPECT_LT(std::abs(f.normal.z()), direction == Direction::hoop ? 1e-4 : 1);
          double kink = std::atan2(-f.normal.x(), f.normal.y()) * 180 / std::numbers::pi;
          while (kink > 90) kink -= 180;
          while (kink < -90) kink += 180;
          if (direction == Direction::separation && modes[k].k1 == 0 && kink > 45) kink -= 180;  // as near to −90°
          mine[k][direction == Direction::hoop ? 0 : 1].push_back(kink);
        }
      }
    }
  }
  const core::Comm comm;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const test::Spread hoop = test::of_all_ranks(comm, mine[k][0]), separation = test::of_all_ranks(comm, mine[k][1]);
    EXPECT_EQ(hoop.values.size(), 2u * kMeshes);
    if (comm.is_root())
      std::cout << "C3 K_I " << modes[k].k1 << " K_II " << modes[k].k2 << " theory " << modes[k].theory << ": hoop "
                << hoop.mean() << " ± " << hoop.deviation() << " (furthest off " << hoop.furthest_from(modes[k].theory)
                << "), separation " << separation.mean() << " ± " << separation.deviation() << " (furthest off "
                << separation.furthest_from(modes[k].theory) << ")\n";
    EXPECT_LT(hoop.furthest_from(modes[k].theory), modes[k].hoop_margin);
    EXPECT_NEAR(separation.mean(), modes[k].separation, modes[k].separation_margin);
  }
}

// VALIDATION C9: a clamped strip 2H high, its edges moved apart by ±δ; G = (λ+2μ)δ²/H. The problem is linear, so the δ
// at which the front fails follows from the severity at one small δ. Mean of random meshes of edge H/8 and H/16. All
// three grow by some 10 % more than they should, since the coarse mesh resolves more of a tip's stress (C9's c₁ is
// 0.588 of it, then 0.567): 15 % for the energy, as in VALIDATION, 20 % for the others.
TEST(FrontCriteria, C9EffectiveEnergyWhenTheMeshIsHalved) {
  constexpr double kGc = 10, kSmall = 1e-7;  // J/m², m
  struct Way {
    const char* name;
    material::ToughnessMode mode;
    FrontToughness front;
    double growth;  ///< of G when the mesh is halved
    double margin;
  };
  const std::array<Way, 3> ways{{{"force", material::ToughnessMode::force, FrontToughness::strength, 8, 0.2},
                                 {"stress", material::ToughnessMode::stress, FrontToughness::strength, 0.5, 0.2},
                                 {"energy", material::ToughnessMode::stress, FrontToughness::energy, 1, 0.15}}};
  material::Material m = test::elastic();
  m.toughness = 1e5;
  const core::Comm comm;
  std::array<std::array<double, 2>, 3> energy{};
  for (int fine = 0; fine < 2; ++fine) {
    std::array<std::vector<double>, 3> mine;
    for (int seed = 1; seed <= 6; ++seed) {
      Plate plate(fine == 0 ? 8 : 16, 2, static_cast<std::uint64_t>(seed), m,
                  [](const Vec3& x) { return std::abs(std::abs(x.y()) - 1) < 1e-9; });
      plate.deform([&](const Vec3& x, bool) { return Vec3(0, x.y() > 0 ? kSmall : -kSmall, 0); });
      const auto tips = plate.tips();
      for (const auto& s : separations(plate.mesh(), tips, plate.corner_forces()))
        for (std::size_t w = 0; w < ways.size(); ++w) {
          plate.mesh().materials[0].toughness_mode = ways[w].mode;
          Parameters parameters;
          parameters.front_toughness = ways[w].front;
          parameters.tips = {{kGc, 0}};
          mine[w].push_back(severity(plate.mesh(), s, parameters) / kSmall);
        }
    }
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const test::Spread severity = test::of_all_ranks(comm, mine[w]);
      const double opening = 1 / severity.mean();
      energy[w][fine] = (m.lame_lambda + 2 * m.lame_mu) * opening * opening;
      if (comm.is_root())
        std::cout << "C9 " << ways[w].name << (fine == 0 ? " h = H/8" : " h = H/16") << ": G " << energy[w][fine]
                  << " J/m² (severity ± " << 100 * severity.deviation() / severity.mean() << " %)\n";
    }
  }
  for (std::size_t w = 0; w < ways.size(); ++w)
    EXPECT_NEAR(energy[w][1] / energy[w][0], ways[w].growth, ways[w].margin * ways[w].growth) << ways[w].name;
  EXPECT_NEAR(energy[2][1], kGc, 0.2 * kGc);  // the scatter of meshes is 10 % in stress, 20 % in energy
}

}  // namespace
}  // namespace brisance::fracture
