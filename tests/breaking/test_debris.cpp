/// Pieces of a run as rigid bodies: the data handed over, their flight, contact and rest.
#include "brisance/breaking/debris.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"

#include "support/kuhn.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include <gtest/gtest.h>

namespace brisance::breaking {
namespace {

constexpr double kDensity = 2000;

/// Boxes of tets side by side along x, each a piece with nodes of its own.
/// @param gap  between two [m]
RunFrame row_of_boxes(int count, const Vec3& size, int cells = 2, double gap = 0) {
  RunFrame frame;
  for (int b = 0; b < count; ++b) {
    const mesh::TetMesh box = test::kuhn_box(cells, cells, cells, size.x(), size.y(), size.z());
    const auto first = static_cast<std::int32_t>(frame.node_id.size());
    for (const Vec3& x : box.nodes) {
      frame.node_id.push_back(static_cast<std::int64_t>(frame.node_id.size()));
      frame.rest_position.push_back(x + Vec3(b * (size.x() + gap), 0, 0));
    }
    for (std::size_t t = 0; t < box.tets.size(); ++t) {
      auto corners = box.tets[t];
      for (std::int32_t& c : corners) c += first;
      for (int f = 0; f < 4; ++f) {
        if (box.face_source[t][f] == mesh::kNoSourceTriangle) continue;
        const auto& k = mesh::kFaceCorners[f];
        frame.triangles.push_back({corners[k[0]], corners[k[1]], corners[k[2]]});
        frame.triangle_tet.push_back(static_cast<std::int32_t>(frame.tets.size()));
        frame.triangle_element.push_back(static_cast<std::int64_t>(frame.tets.size()));
        frame.source_triangle.push_back(box.face_source[t][f]);
      }
      frame.tets.push_back(corners);
      frame.material.push_back(0);
      frame.piece.push_back(b);
    }
  }
  frame.position = frame.rest_position;
  frame.velocity.assign(frame.position.size(), Vec3::Zero());
  frame.header.num_pieces = count;
  frame.header.material_names = {"stone"};
  frame.header.time_s = 0.25;
  return frame;
}

void shift(RunFrame& frame, const Vec3& by) {
  for (Vec3& x : frame.position) x += by;
}

HandoverParameters stone() {
  HandoverParameters p;
  p.density = {kDensity};
  return p;
}

Debris debris(const RunFrame& frame, const DebrisParameters& parameters) {
  return {frame, hand_over(frame, stone()), parameters};
}

DebrisParameters on_ground() {
  DebrisParameters p;
  p.colliders.push_back({"ground", {}, {}});
  return p;
}

double lowest(const io::SnapshotPart& part) {
  double z = part.position[0].z();
  for (const Vec3& x : part.position) z = std::min(z, x.z());
  return z;
}

double kinetic(const Debris& d) { return d.momenta().energy; }

TEST(Handover, ABoxOfTetsHasTheMassCentreAndInertiaOfTheBox) {
  RunFrame frame = row_of_boxes(1, {0.1, 0.2, 0.4}, 3);
  shift(frame, {5, -3, 100});
  const Handover h = hand_over(frame, stone());
  ASSERT_EQ(h.pieces.size(), 1u);
  const rigid::BodyShape& s = h.pieces[0].shape;
  const double mass = kDensity * 0.1 * 0.2 * 0.4;
  EXPECT_NEAR(s.mass, mass, 1e-13 * mass);
  EXPECT_LT((s.centre - Vec3(5.05, -2.9, 100.2)).norm(), 1e-12);
  const Vec3 exact = mass / 12 * Vec3(0.04 + 0.16, 0.01 + 0.16, 0.01 + 0.04);
  EXPECT_LT((s.inertia - Mat3(exact.asDiagonal())).norm(), 1e-12 * exact.norm());
}

TEST(Handover, AStretchedPieceKeepsItsMassAndHasTheInertiaOfItsShapeNow) {
  RunFrame frame = row_of_boxes(1, {0.1, 0.1, 0.1});
  for (Vec3& x : frame.position) x.x() *= 2;
  const rigid::BodyShape s = hand_over(frame, stone()).pieces[0].shape;
  const double mass = kDensity * 1e-3;
  EXPECT_NEAR(s.mass, mass, 1e-13 * mass);
  EXPECT_NEAR(s.inertia(1, 1), mass / 12 * (0.04 + 0.01), 1e-12 * mass);
}

TEST(Handover, RigidMotionIsHandedOverAsItIs) {
  RunFrame frame = row_of_boxes(1, {0.1, 0.2, 0.4});
  const Vec3 velocity(1, -2, 3), spin(20, -7, 4), centre(0.05, 0.1, 0.2);
  for (std::size_t n = 0; n < frame.position.size(); ++n)
    frame.velocity[n] = velocity + spin.cross(frame.position[n] - centre);
  const Handover h = hand_over(frame, stone());
  EXPECT_LT((h.pieces[0].motion.velocity - velocity).norm(), 1e-13);
  EXPECT_LT((h.pieces[0].motion.angular_velocity - spin).norm(), 1e-11);
  EXPECT_NEAR(h.sums.rigid.energy, h.sums.field.energy, 1e-12 * h.sums.field.energy) << "nothing is dropped";
  EXPECT_GT(h.sums.nodes.energy, h.sums.field.energy) << "a fourth of a tet at each corner turns with more";
}

TEST(Handover, MomentaAreThoseOfTheTetsToRoundingWhateverThePiecesDo) {
  RunFrame frame = row_of_boxes(40, {0.02, 0.03, 0.01}, 2, 1e-4);
  shift(frame, {3, 2, 1});
  for (std::size_t n = 0; n < frame.position.size(); ++n)
    for (int k = 0; k < 3; ++k) {
      frame.velocity[n][k] = core::hash_uniform(7, n, k) - 0.3;
      frame.position[n][k] += 2e-4 * core::hash_uniform(8, n, k);
    }
  const HandoverSums s = hand_over(frame, stone()).sums;
  EXPECT_LT((s.rigid.linear - s.field.linear).norm(), 1e-14 * s.field.linear_scale);
  EXPECT_LT((s.rigid.angular - s.field.angular).norm(), 1e-13 * s.field.angular_scale);
  EXPECT_LT((s.nodes.linear - s.field.linear).norm(), 1e-14 * s.field.linear_scale);
  EXPECT_LT(s.rigid.energy, s.field.energy) << "vibration is lost, never gained";

  // By brute force: the run's momentum is that of a fourth of each tet's mass at its corners.
  Vec3 momentum = Vec3::Zero();
  for (const auto& tet : frame.tets) {
    const auto& x = frame.rest_position;
    const double mass = kDensity * mesh::tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]);
    for (const std::int32_t c : tet) momentum += mass / 4 * frame.velocity[c];
  }
  EXPECT_LT((s.rigid.linear - momentum).norm(), 1e-13 * s.field.linear_scale);
}

TEST(Handover, CrumbsAreBoxesOrPiecesOrLeftOut) {
  RunFrame frame = row_of_boxes(3, {0.1, 0.1, 0.1});
  for (std::size_t n = 0; n < frame.position.size(); ++n)  // the last is a thousandth of the others
    if (n >= 2 * frame.position.size() / 3)
      for (auto* x : {&frame.rest_position[n], &frame.position[n]}) *x = Vec3(0.5, 0, 0) + 0.1 * (*x - Vec3(0.2, 0, 0));
  for (Vec3& v : frame.velocity) v = {1, 0, 0};
  HandoverParameters p = stone();
  p.small_share = 0.01;
  const Handover boxes = hand_over(frame, p);
  ASSERT_EQ(boxes.pieces.size(), 3u);
  EXPECT_TRUE(boxes.pieces[2].is_small && !boxes.pieces[1].is_small);
  EXPECT_EQ(boxes.pieces[2].shape.hulls.size(), 1u);
  EXPECT_EQ(boxes.pieces[2].shape.hulls[0].size(), 8u);
  for (const Vec3& x : boxes.pieces[2].shape.hulls[0]) {  // still a cube
    const Vec3 from_centre = x - boxes.pieces[2].shape.centre;
    EXPECT_NEAR(from_centre.norm(), 0.005 * std::sqrt(3.0), 1e-9);
  }
  p.crumbs = Crumbs::full;
  EXPECT_FALSE(hand_over(frame, p).pieces[2].is_small);
  p.crumbs = Crumbs::drop;
  const Handover dropped = hand_over(frame, p);
  EXPECT_EQ(dropped.pieces.size(), 2u);
  EXPECT_EQ(dropped.sums.num_dropped, 1);
  EXPECT_NEAR(dropped.sums.dropped_mass, kDensity * 1e-6, 1e-15);
  EXPECT_NEAR(dropped.sums.dropped.linear.x() + dropped.sums.rigid.linear.x(), boxes.sums.rigid.linear.x(), 1e-14);
  const Debris left({frame}, dropped, {});
  EXPECT_EQ(left.snapshot_header(0).num_pieces, 2);
  for (const std::int64_t piece : left.snapshot_part().piece) EXPECT_LT(piece, 2);
}

TEST(Handover, WhatHasNoDensityIsRefused) {
  const RunFrame frame = row_of_boxes(1, {0.1, 0.1, 0.1});
  HandoverParameters p = stone();
  p.density = {0};
  EXPECT_THROW((void)hand_over(frame, p), core::Error);
  p.density = {};
  EXPECT_THROW((void)hand_over(frame, p), core::Error);
}

TEST(Debris, ATumblingBrickFliesOnAParabolaAndTurnsAsASymmetricTopDoes) {
  RunFrame frame = row_of_boxes(1, {0.1, 0.1, 0.3});
  const Vec3 velocity(2, 0, 4), spin(6, 0, 11), centre(0.05, 0.05, 0.15);
  for (std::size_t n = 0; n < frame.position.size(); ++n)
    frame.velocity[n] = velocity + spin.cross(frame.position[n] - centre);
  DebrisParameters p;
  p.step = 1.0 / 960;
  Debris flight = debris(frame, p);
  const rigid::BodyShape shape = flight.pieces()[0].shape;
  const rigid::Momenta start = rigid::momenta(shape, flight.motion_of_piece(0), centre);
  while (flight.passed_s() < 0.8) flight.step();
  const double t = flight.passed_s();
  EXPECT_NEAR(flight.time_s(), 0.25 + t, 1e-12);
  const rigid::Motion m = flight.motion_of_piece(0);
  // Semi-implicit Euler is above or below the parabola by ½ g t Δt.
  const Vec3 parabola = centre + velocity * t - Vec3(0, 0, 9.81 / 2 * t * t);
  EXPECT_LT((m.position - parabola - Vec3(0, 0, -9.81 / 2 * t / 960)).norm(), 1e-9);
  EXPECT_LT((m.velocity - velocity + Vec3(0, 0, 9.81 * t)).norm(), 1e-10);
  const rigid::Momenta now = rigid::momenta(shape, m, m.position);
  EXPECT_LT((now.angular - start.angular).norm(), 1e-12 * start.angular.norm()) << "about its own centre";
  const Vec3 moments = shape.inertia.diagonal(), momentum = moments.cwiseProduct(spin);
  const Eigen::Quaterniond exact = Eigen::AngleAxisd(momentum.norm() / moments[0] * t, momentum.normalized()) *
                                   Eigen::AngleAxisd(spin.z() * (1 - moments[2] / moments[0]) * t, Vec3::UnitZ());
  EXPECT_LT(m.orientation.angularDistance(exact), 1e-3);
}

TEST(Debris, ComesToRestOnTheGroundAndDoesNotSink) {
  RunFrame frame = row_of_boxes(8, {0.04, 0.06, 0.03}, 2, 0.005);
  shift(frame, {0, 0, 0.3});
  for (std::size_t n = 0; n < frame.position.size(); ++n) {
    const double turn = 0.3 * frame.piece[0];
    frame.velocity[n] = Vec3(0.2 * std::sin(10 * frame.position[n].x()), turn, 0);
  }
  Debris fall = debris(frame, on_ground());
  while (fall.passed_s() < 5) fall.step();
  EXPECT_EQ(fall.num_awake(), 0u);
  EXPECT_LT(kinetic(fall), 1e-12);
  const double z = lowest(fall.snapshot_part());
  EXPECT_GT(z, -1e-3) << "a thirtieth of the thinnest edge";
  EXPECT_LT(z, 1e-3);
  const io::SnapshotPart at_rest = fall.snapshot_part();
  while (fall.passed_s() < 6) fall.step();
  EXPECT_EQ(at_rest.position, fall.snapshot_part().position);
}

TEST(Debris, PiecesThatTouchAlongACrackFlyOnTogether) {
  RunFrame frame = row_of_boxes(5, {0.05, 0.05, 0.05});
  const Vec3 spin(0, 0, 3), centre(0.125, 0.025, 0.025);  // a rigid rotation, so the contact forces point outward
  for (std::size_t n = 0; n < frame.position.size(); ++n)
    frame.velocity[n] = Vec3(1, 2, 3) + spin.cross(frame.position[n] - centre);
  DebrisParameters p;
  p.gravity.setZero();
  Debris row = debris(frame, p);
  const double before = kinetic(row);
  const Vec3 momentum = row.momenta().linear;
  for (int i = 0; i < 10; ++i) row.step();
  EXPECT_LE(kinetic(row), before * (1 + 1e-12));
  EXPECT_GT(kinetic(row), 0.999 * before);
  EXPECT_LT((row.momenta().linear - momentum).norm(), 1e-12 * momentum.norm());
}

TEST(Debris, HullsThatOverlapAtTheHandOverGiveNoEnergy) {
  // Three cubes: two are one piece, an L, and the third sits in its corner, where the hull of the L is.
  RunFrame frame = row_of_boxes(3, {0.05, 0.05, 0.05}, 3);
  for (std::size_t t = 0; t < frame.tets.size(); ++t) frame.piece[t] = frame.piece[t] == 0 ? 0 : 1;
  for (std::size_t n = 2 * frame.position.size() / 3; n < frame.position.size(); ++n)
    for (auto* x : {&frame.rest_position[n], &frame.position[n]})
      *x += Vec3(-0.1 + 0.025, 0.05, 0);  // over both others
  frame.header.num_pieces = 2;
  DebrisParameters p;
  p.gravity.setZero();
  Debris pair = debris(frame, p);
  for (int i = 0; i < 480; ++i) pair.step();
  EXPECT_LT(kinetic(pair), 1e-20) << "what rests stays at rest";
  for (std::size_t b = 0; b < 2; ++b)
    EXPECT_LT((pair.motion_of_piece(b).position - pair.pieces()[b].shape.centre).norm(), 1e-5);
}

TEST(Debris, AStackThatWasCutStandsAndTakesNoEnergyFromTheHandOver) {
  RunFrame frame = row_of_boxes(4, {0.05, 0.05, 0.05});
  for (Vec3* x : {frame.rest_position.data(), frame.position.data()})
    for (std::size_t n = 0; n < frame.position.size(); ++n) std::swap(x[n].x(), x[n].z());  // one above the other
  for (auto& tet : frame.tets) std::swap(tet[0], tet[1]);
  Debris stack = debris(frame, on_ground());
  const double energy = kinetic(stack) + stack.gravity_energy();
  for (int i = 0; i < 4; ++i) stack.step();
  EXPECT_LT(kinetic(stack), 3e-4) << "of 3e-3 J that four steps of free fall would give";
  EXPECT_LT(kinetic(stack) + stack.gravity_energy(), energy * (1 + 1e-12));
  while (stack.passed_s() < 6) stack.step();
  EXPECT_EQ(stack.num_awake(), 0u);
  for (std::size_t b = 0; b < 4; ++b)
    EXPECT_LT((stack.motion_of_piece(b).position - stack.pieces()[b].shape.centre).norm(), 2e-3);
}

TEST(Debris, GripsHoldPiecesFollowTheirPathAndLetGo) {
  RunFrame frame = row_of_boxes(2, {0.05, 0.05, 0.05}, 1, 0.05);
  HandoverParameters handing = stone();
  handing.constraint.assign(frame.node_id.size(), kUnconstrained);
  handing.constraint[3] = 0;
  for (Vec3& v : frame.velocity) v = {0, 0, 1};
  DebrisParameters p;
  p.gravity.setZero();
  Constraint constraint;
  constraint.path = [](double time_s) {  // 1 m/s along y
    Eigen::Isometry3d path = Eigen::Isometry3d::Identity();
    path.translation() = Vec3(0, time_s, 0);
    return path;
  };
  constraint.until_s = 0.25 + 0.5;
  p.constraints = {constraint};
  Handover h = hand_over(frame, handing);
  EXPECT_EQ(h.sums.num_constrained, 1);
  EXPECT_NEAR(h.sums.rigid.linear.z(), kDensity * 0.05 * 0.05 * 0.05, 1e-12) << "the free one's alone";
  Debris held(frame, std::move(h), p);
  const Vec3 start = held.motion_of_piece(0).position;
  while (held.passed_s() < 0.4 - 1e-9) held.step();
  EXPECT_LT((held.motion_of_piece(0).position - start - Vec3(0, held.passed_s(), 0)).norm(), 1e-9);
  EXPECT_NEAR(held.motion_of_piece(1).position.z() - 0.025, held.passed_s(), 1e-9);
  while (held.passed_s() < 1 - 1e-9) held.step();
  EXPECT_LT((held.motion_of_piece(0).velocity - Vec3(0, 1, 0)).norm(), 1e-9) << "goes on by itself";
  EXPECT_LT((held.motion_of_piece(0).position - start - Vec3(0, held.passed_s(), 0)).norm(), 1e-6);
}

TEST(Debris, TheSameFrameGivesTheSameBits) {
  const auto pile = [] {
    RunFrame frame = row_of_boxes(20, {0.03, 0.04, 0.02});
    shift(frame, {0, 0, 0.1});
    for (std::size_t n = 0; n < frame.velocity.size(); ++n)
      frame.velocity[n] = Vec3(core::hash_uniform(1, n, 0) - 0.5, 0, 0);
    Debris d = debris(frame, on_ground());
    for (int i = 0; i < 600; ++i) d.step();
    return d.snapshot_part();
  };
  const io::SnapshotPart a = pile(), b = pile();
  EXPECT_EQ(0, std::memcmp(a.position.data(), b.position.data(), a.position.size() * sizeof(Vec3)));
  EXPECT_EQ(0, std::memcmp(a.velocity.data(), b.velocity.data(), a.velocity.size() * sizeof(Vec3)));
}

TEST(Debris, TheFirstFrameIsTheSurfaceAtTheHandOver) {
  const RunFrame frame = row_of_boxes(3, {0.1, 0.1, 0.1});
  const Debris d = debris(frame, {});
  const io::SnapshotPart part = d.snapshot_part();
  const io::SnapshotHeader header = d.snapshot_header(0);
  EXPECT_TRUE(header.form.surface_only);
  EXPECT_EQ(header.time_s, 0.25);
  EXPECT_EQ(part.boundary.size(), frame.triangles.size());
  EXPECT_EQ(part.element_id, part.boundary_element);
  std::map<std::int64_t, Vec3> there;
  for (std::size_t n = 0; n < frame.node_id.size(); ++n) there[frame.node_id[n]] = frame.position[n];
  for (std::size_t n = 0; n < part.node_id.size(); ++n)
    EXPECT_LT((part.position[n] - there.at(part.node_id[n])).norm(), 1e-15);
}

TEST(Debris, SmallPiecesThatFlyFarOffAreStrays) {
  std::vector<RigidPiece> pieces(4);
  const std::vector<double> mass{1, 0.5, 1e-4, 1e-4}, farthest{0.5, 2, 5.9, 6.1};
  for (std::size_t p = 0; p < pieces.size(); ++p) pieces[p].shape.mass = mass[p];
  EXPECT_EQ(stray_pieces(pieces, farthest), (std::vector<std::uint8_t>{0, 0, 0, 1}));
  EXPECT_EQ(stray_pieces(pieces, {0.5, 200, 5.9, 6.1}), (std::vector<std::uint8_t>{0, 0, 0, 0}))
      << "what is heavy shows how large the scene is";
}

TEST(Debris, ParametersThatMakeNoSenseAreRefused) {
  const RunFrame frame = row_of_boxes(1, {0.1, 0.1, 0.1});
  for (const auto change :
       {+[](DebrisParameters& p) { p.duration = -1; }, +[](DebrisParameters& p) { p.step = 0; },
        +[](DebrisParameters& p) { p.restitution = 2; }, +[](DebrisParameters& p) { p.friction = -0.1; },
        +[](DebrisParameters& p) { p.frame_interval = 0; }, +[](DebrisParameters& p) { p.frame_interval = 1e-30; },
        +[](DebrisParameters& p) { p.gravity.x() = std::nan(""); }}) {
    DebrisParameters p;
    change(p);
    EXPECT_THROW(debris(frame, p), core::Error);
  }
}

}  // namespace
}  // namespace brisance::breaking
