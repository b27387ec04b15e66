/// Playback of a bar that falls and breaks: free fall, momentum, contents of the snapshots.
#include "brisance/breaking/own_modes.hpp"
#include "brisance/breaking/playback.hpp"
#include "brisance/core/error.hpp"
#include "brisance/io/monitor.hpp"
#include "brisance/io/series.hpp"
#include "brisance/modes/pieces/impact.hpp"

#include "support/slab_bar.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

namespace brisance::breaking {
namespace {

/// A bar of 8 slabs, 0.4×0.1×0.1 m, that falls end first.
PlaybackParameters end_first(double break_speed) {
  PlaybackParameters p;
  p.orientation = Eigen::AngleAxisd(1.3, Vec3::UnitY());
  p.break_speed = break_speed;
  p.drop_height = 0.5;
  p.duration = 0.6;
  return p;
}

Playback bar(const PlaybackParameters& parameters) {
  const test::SlabBar b = test::slab_bar(8, 8, 2, 0.1);
  modes::SmearParameters smear;
  return {atom_geometry(b.mesh, b.atoms),
          runtime::Generations(modes::impact_set(b.mesh, b.graph, b.modes, b.atoms, smear)), parameters};
}

double tet_volume(const io::SnapshotPart& part, std::size_t t, const std::vector<Vec3>& x) {
  const auto& c = part.tets[t];
  return mesh::tet_volume(x[c[0]], x[c[1]], x[c[2]], x[c[3]]);
}

TEST(Playback, FallsFreelyUntilItMeetsTheGround) {
  Playback playback = bar(end_first(1));
  const double mass = 2500 * 0.004;
  while (playback.time_s() < 0.3) playback.step();  // the ground is reached after √(2·0.5/9.81) = 0.319 s
  EXPECT_NEAR(playback.momenta().linear.z(), -mass * 9.81 * playback.time_s(), 1e-9);
  EXPECT_EQ(playback.num_bodies(), 1u);
  double lowest = 1;
  for (const Vec3& x : playback.snapshot_part().position) lowest = std::min(lowest, x.z());
  EXPECT_NEAR(lowest, 0.5 - 9.81 / 2 * 0.3 * 0.3, 0.01);
}

TEST(Playback, BreaksIntoMorePiecesTheWeakerItIs) {
  std::map<double, std::size_t> pieces;
  for (const double break_speed : {1000.0, 3.0, 0.01}) {
    Playback playback = bar(end_first(break_speed));
    while (playback.time_s() < 0.5) playback.step();
    pieces[break_speed] = playback.num_bodies();
  }
  EXPECT_EQ(pieces[1000], 1u);
  EXPECT_GT(pieces[3], 1u);
  EXPECT_GT(pieces[0.01], pieces[3]);
  EXPECT_LE(pieces[0.01], 8u);
}

TEST(Playback, BreakingKeepsHorizontalMomentumAndAddsNoEnergy) {
  PlaybackParameters p = end_first(1);
  p.friction = 0;
  p.velocity = {0.7, -0.3, 0};
  Playback playback = bar(p);
  const Vec3 before = playback.momenta().linear;
  bool broke = false;
  while (playback.time_s() < 0.5) {
    const std::size_t bodies = playback.num_bodies();
    const double energy = playback.momenta().energy;
    playback.step();
    EXPECT_NEAR(playback.momenta().linear.x(), before.x(), 1e-6);
    EXPECT_NEAR(playback.momenta().linear.y(), before.y(), 1e-6);
    if (playback.num_bodies() == bodies) continue;
    broke = true;
    EXPECT_LE(playback.momenta().energy, energy * 1.02) << "gravity gives 1.5 % in this step";
  }
  EXPECT_TRUE(broke);
}

TEST(Playback, ASwapKeepsMomentumSpinAndEnergyToRounding) {
  PlaybackParameters p = end_first(0.5);
  p.angular_velocity = {3, -5, 2};
  p.velocity = {0.5, 1, -2};
  Playback playback = bar(p);
  while (playback.time_s() < 0.4) playback.step();
  EXPECT_GT(playback.swap_errors().num_swaps, 0);
  EXPECT_LT(playback.swap_errors().momentum, 1e-13);
  EXPECT_LT(playback.swap_errors().angular_momentum, 1e-13);
  EXPECT_LT(playback.swap_errors().kinetic_energy, 1e-13);
}

/// Without weight and ground, 0.5 kg at 6 m/s into the side of a bar of 10 kg.
PlaybackParameters hit_by_a_ball() {
  PlaybackParameters p;
  p.gravity = 0;
  p.friction = 0;
  p.ground = false;
  p.drop_height = 0;
  p.break_speed = 0.1;
  p.duration = 0.1;
  p.obstacles = {{rigid::Obstacle::Kind::ball, {0.1, -0.2, 0.05}, {0.04, 0, 0}, 0.5, {0, 6, 0}},
                 {rigid::Obstacle::Kind::box, {0, 0.5, 0}, {2, 0.1, 1}},
                 {rigid::Obstacle::Kind::plane, {0, -1, 0}, {0, 1, 0}}};
  return p;
}

TEST(Playback, ABallBreaksABarAndHandsItItsMomentum) {
  const PlaybackParameters p = hit_by_a_ball();
  Playback playback = bar(p);
  const rigid::Momenta before = playback.momenta();
  EXPECT_NEAR(before.linear.y(), 3, 1e-12);
  while (playback.time_s() < p.duration) playback.step();
  EXPECT_GT(playback.num_bodies(), 1u);
  const rigid::Momenta after = playback.momenta();
  EXPECT_LT((after.linear - before.linear).norm(), 1e-11 * before.linear_scale);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-3 * before.angular_scale)
      << "contacts with an overlap are not exact";
  EXPECT_LT(after.energy, before.energy);
  const auto colliders = playback.snapshot_header(1).colliders;
  ASSERT_EQ(colliders.size(), 3u) << "no ground";
  EXPECT_EQ(colliders[0].kind, "sphere");
  EXPECT_GT(colliders[0].centre.y(), -0.15) << "where it is, not where it began";
  EXPECT_EQ(colliders[1].kind, "box");
  EXPECT_EQ(colliders[2].kind, "plane");
}

TEST(Playback, AnObstacleTooFastForItsSizeIsRefused) {
  PlaybackParameters p = hit_by_a_ball();
  p.obstacles[0].velocity = {0, 200, 0};
  EXPECT_THROW(bar(p), core::Error);
  p.step = 1e-4;
  EXPECT_NO_THROW(bar(p));
}

TEST(Playback, PiecesBreakAgainByTheirOwnModes) {
  const test::SlabBar b = test::slab_bar(4, 4, 4, 0.1);
  const auto pieces = [&](std::int32_t count) {
    Breakable object;
    object.mesh = b.mesh;
    object.atoms = b.atoms;
    object.set = modes::impact_set(b.mesh, b.graph, b.modes, b.atoms, {});
    for (const modes::Face& face : b.graph.faces) object.face_weight.push_back(face.area);
    OwnModes own = own_modes(object, {}, {.count = count});
    object.set.own = std::move(own.of_piece);
    Playback playback(atom_geometry(b.mesh, own.atoms), runtime::Generations(std::move(object.set)), end_first(0.2));
    while (playback.time_s() < 0.5) playback.step();
    EXPECT_LT(playback.swap_errors().angular_momentum, 1e-13);
    double volume = 0;
    const io::SnapshotPart part = playback.snapshot_part();
    for (std::size_t t = 0; t < part.tets.size(); ++t) volume += tet_volume(part, t, part.position);
    EXPECT_NEAR(volume, 0.004, 1e-12);
    return playback.num_bodies();
  };
  const std::size_t without = pieces(0), with = pieces(9);
  EXPECT_LE(without, 4u);
  EXPECT_GT(with, 4u);
}

TEST(Playback, SnapshotsHoldRigidPiecesWithClosedSurfaces) {
  Playback playback = bar(end_first(1));
  while (playback.num_bodies() == 1 && playback.time_s() < 0.6) playback.step();
  for (int i = 0; i < 40; ++i) playback.step();
  ASSERT_GT(playback.num_bodies(), 1u);
  const io::SnapshotPart part = playback.snapshot_part();
  const io::SnapshotHeader header = playback.snapshot_header(3);
  EXPECT_EQ(header.num_pieces, static_cast<std::int64_t>(playback.num_bodies()));
  EXPECT_EQ(header.num_cracks, 16 * (header.num_pieces - 1)) << "16 nodes in a cross section";
  for (std::size_t t = 0; t < part.tets.size(); ++t)
    EXPECT_NEAR(tet_volume(part, t, part.position) / tet_volume(part, t, part.rest_position), 1, 1e-9);

  // Divergence theorem: a closed outward surface has no net area, and encloses its tets' volume.
  std::map<std::int64_t, Vec3> area;
  std::map<std::int64_t, double> enclosed, volume;
  int cracks = 0;
  for (std::size_t f = 0; f < part.boundary.size(); ++f) {
    const auto& c = part.boundary[f];
    const std::int64_t piece = part.piece[part.boundary_element[f]];
    const Vec3 &x = part.position[c[0]], &y = part.position[c[1]], &z = part.position[c[2]];
    area.try_emplace(piece, Vec3::Zero()).first->second += (y - x).cross(z - x) / 2;
    enclosed[piece] += x.cross(y).dot(z) / 6;
    cracks += part.source_triangle[f] == -1;
  }
  for (std::size_t t = 0; t < part.tets.size(); ++t) volume[part.piece[t]] += tet_volume(part, t, part.position);
  EXPECT_EQ(area.size(), playback.num_bodies());
  for (const auto& [piece, sum] : area) {
    EXPECT_LT(sum.norm(), 1e-12);
    EXPECT_NEAR(enclosed[piece], volume[piece], 1e-12);
  }
  EXPECT_EQ(cracks, 2 * 18 * static_cast<int>(playback.num_bodies() - 1)) << "18 triangles a cut, on both sides";
}

TEST(Playback, TheSameFallTwiceGivesTheSameBits) {
  const auto end = [] {
    Playback playback = bar(end_first(0.5));
    while (playback.time_s() < 0.5) playback.step();
    return playback.snapshot_part().position;
  };
  const auto a = end(), b = end();
  EXPECT_EQ(0, std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)));
}

TEST(Playback, WritesARunFolderLikeAnyOther) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "brisance_playback";
  std::filesystem::remove_all(path);
  const core::Comm comm;
  PlaybackParameters p = end_first(1);
  p.frame_interval = 0.1;
  Playback playback = bar(p);
  const io::RunFolder folder = io::RunFolder::create(comm, path, false);
  EXPECT_EQ(play(comm, playback, p, "[play]\n", folder), io::RunEnd::finished);
  EXPECT_EQ(folder.status(), io::RunStatus::finished);
  const auto frames = io::read_series(folder.series());
  ASSERT_EQ(frames.size(), 7u);
  EXPECT_NEAR(frames[3].time_s, 0.3, p.step);
  const io::Snapshot last = io::read_snapshot(path / frames.back().name);
  EXPECT_EQ(last.header.num_pieces, static_cast<std::int64_t>(playback.num_bodies()));
  EXPECT_EQ(last.header.colliders.at(0).kind, "plane");
  EXPECT_EQ(last.header.scene, "[play]\n");
  EXPECT_EQ(last.part.position, playback.snapshot_part().position);
  const io::MonitorTable monitor = io::read_monitor(folder.monitor());
  const std::vector<double> time = monitor.column("time_s"), num_pieces = monitor.column("pieces");
  std::size_t breaks = 0;
  for (std::size_t i = 1; i < num_pieces.size(); ++i) breaks += num_pieces[i] != num_pieces[i - 1];
  EXPECT_GT(breaks, 0u);
  EXPECT_LE(time.size(), 0.6 / p.monitor_interval + breaks + 2) << "a line an interval and a break, not a step";
  EXPECT_GE(time.size(), 0.6 / p.monitor_interval);
  std::filesystem::remove_all(path);
}

TEST(Playback, StopsWhenAskedWithALastSnapshot) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "brisance_playback_stopped";
  std::filesystem::remove_all(path);
  const PlaybackParameters p = end_first(1);
  Playback playback = bar(p);
  const io::RunFolder folder = io::RunFolder::create(core::Comm(), path, false);
  const auto after_20_steps = [&] { return playback.num_steps() == 20; };
  EXPECT_EQ(play(core::Comm(), playback, p, "[play]\n", folder, after_20_steps), io::RunEnd::interrupted);
  EXPECT_EQ(folder.status(), io::RunStatus::interrupted);
  const auto frames = io::read_series(folder.series());
  ASSERT_EQ(frames.size(), 3u) << "at steps 0, 16 and 20";
  EXPECT_EQ(io::read_snapshot_header(path / frames.back().name).step, 20);
  std::filesystem::remove_all(path);
}

TEST(Playback, NonsenseIsRefused) {
  EXPECT_THROW(bar(end_first(0)), core::Error);
  PlaybackParameters p = end_first(1);
  p.density = -1;
  EXPECT_THROW(bar(p), core::Error);
  const test::SlabBar b = test::slab_bar(4, 2);
  modes::PieceLabels halves = b.atoms;
  halves.volume.pop_back();
  for (auto& label : halves.of_cell) label = std::min(label, 2);
  EXPECT_THROW(Playback(atom_geometry(b.mesh, halves),
                        runtime::Generations(modes::impact_set(b.mesh, b.graph, b.modes, b.atoms, {})), p),
               core::Error);
}

}  // namespace
}  // namespace brisance::breaking
