#include "brisance/contact/overlap/tet_overlap.hpp"

#include "support/random_tet.hpp"

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using Corners = std::array<Vec3, 4>;
using test::random_tet;

Corners unit_tet(const Vec3& shift = Vec3::Zero()) {
  return {shift, shift + Vec3::UnitX(), shift + Vec3::UnitY(), shift + Vec3::UnitZ()};
}

/// A cube as six tets around its diagonal, or those of a grid of cubes.
std::vector<Corners> cube(const Vec3& low, int parts) {
  std::vector<Corners> tets;
  const double h = 1.0 / parts;
  for (int i = 0; i < parts * parts * parts; ++i) {
    const Vec3 origin = low + h * Vec3(i % parts, i / parts % parts, i / parts / parts);
    for (const auto& [p, q] : {std::pair(0, 1), {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}}) {
      Corners c{origin, origin + h * Vec3::Unit(p), origin + h * (Vec3::Unit(p) + Vec3::Unit(q)),
                origin + h * Vec3::Ones()};
      if (placed_tet(c).volume < 0) std::swap(c[1], c[2]);
      tets.push_back(c);
    }
  }
  return tets;
}

// VALIDATION E4: the tet (0, e1, e2, e3) and itself moved by s(1,1,1) share (1 − 3s)³/6.
TEST(TetOverlap, ShiftedTetHasTheClosedForm) {
  for (const double s : {0.0001, 0.1, 0.2, 0.3333}) {
    const TetOverlap o = tet_overlap(placed_tet(unit_tet()), placed_tet(unit_tet(s * Vec3::Ones())));
    const double left = 1 - 3 * s;
    EXPECT_NEAR(o.volume, left * left * left / 6, 1e-15);
    EXPECT_NEAR((o.area() - left * left / 2 * Vec3::Ones()).norm(), 0, 1e-14);
    EXPECT_NEAR((o.centroid - (s + left / 4) * Vec3::Ones()).norm(), 0, 1e-11);
  }
}

// E4: a tet and its reflection in its centroid share half of it, whatever its shape.
TEST(TetOverlap, ReflectedTetSharesHalf) {
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    const Corners c = random_tet(random);
    const Vec3 centroid = (c[0] + c[1] + c[2] + c[3]) / 4;
    Corners r;
    for (std::size_t k = 0; k < 4; ++k) r[k] = 2 * centroid - c[k];
    std::swap(r[0], r[1]);
    const TetOverlap o = tet_overlap(placed_tet(c), placed_tet(r));
    EXPECT_NEAR(o.volume / placed_tet(c).volume, 0.5, 1e-12);
    EXPECT_NEAR((o.centroid - centroid).norm(), 0, 1e-12);
  }
}

// E4: a tet inside another has no common area.
TEST(TetOverlap, ContainedTetHasItsVolumeAndNoArea) {
  Corners small = unit_tet();
  for (Vec3& x : small) x = Vec3::Constant(0.1) + 0.2 * x;
  for (const bool swapped : {false, true}) {
    const PlacedTet a = placed_tet(swapped ? unit_tet() : small), b = placed_tet(swapped ? small : unit_tet());
    const TetOverlap o = tet_overlap(a, b);
    EXPECT_NEAR(o.volume, 0.008 / 6, 1e-16);
    EXPECT_NEAR(o.area().norm(), 0, 1e-16);
  }
}

TEST(TetOverlap, TouchingTetsShareNothing) {
  const PlacedTet a = placed_tet(unit_tet());
  const Corners below{Vec3::Zero(), Vec3::UnitY(), Vec3::UnitX(), -Vec3::UnitZ()};  // face to face
  EXPECT_EQ(tet_overlap(a, placed_tet(below)).volume, 0);
  EXPECT_EQ(tet_overlap(a, placed_tet(unit_tet(Vec3(0, 0, 2)))).volume, 0);
}

// E6: bodies that are divided into tets in any way have the same common volume and area.
TEST(TetOverlap, CubesDoNotNoticeTheirTessellation) {
  const Vec3 shift(0.3, 0.45, 0.8);
  const double expected = 0.7 * 0.55 * 0.2;
  for (const int parts : {1, 2, 4}) {
    double volume = 0;
    Vec3 area = Vec3::Zero();
    for (const Corners& a : cube(Vec3::Zero(), 1))
      for (const Corners& b : cube(shift, parts)) {
        const TetOverlap o = tet_overlap(placed_tet(a), placed_tet(b));
        volume += o.volume;
        area += o.area();
      }
    EXPECT_NEAR(volume, expected, 1e-14) << parts;
    EXPECT_NEAR((area - Vec3(0.55 * 0.2, 0.7 * 0.2, 0.7 * 0.55)).norm(), 0, 1e-13) << parts;
  }
}

TEST(TetOverlap, GradientIsThatOfTheVolume) {
  std::mt19937 random(2);
  int meeting = 0;
  for (int i = 0; i < 200; ++i) {
    const Corners a = random_tet(random), b = random_tet(random);
    const TetOverlap o = tet_overlap(placed_tet(a), placed_tet(b));
    if (o.volume < 1e-3) continue;
    ++meeting;
    const double h = 1e-6;
    for (std::size_t k = 0; k < 8; ++k)
      for (int axis = 0; axis < 3; ++axis) {
        const auto moved = [&](double by) {
          Corners p = a, q = b;
          (k < 4 ? p[k] : q[k - 4])[axis] += by;
          return tet_overlap(placed_tet(p), placed_tet(q)).volume;
        };
        EXPECT_NEAR((moved(h) - moved(-h)) / (2 * h), o.gradient[k][axis], 1e-6);
      }
  }
  EXPECT_GT(meeting, 20);
}

TEST(TetOverlap, LessASliverItHasTheGradientOfWhatIsLeft) {
  const Corners a = unit_tet();
  const double sliver = 1e-3;
  const auto left = [&](double depth) {  // the corner of one in the other: depth³/6
    TetOverlap o = tet_overlap(placed_tet(a), placed_tet(unit_tet((1 - depth) / 3 * Vec3::Ones())));
    const double whole = o.volume;
    const bool is_left = take_sliver_off(o, sliver);
    EXPECT_EQ(is_left, whole > sliver);
    EXPECT_NEAR(is_left ? o.volume : 0,
                whole < sliver       ? 0
                : whole < 3 * sliver ? (whole - sliver) * (whole - sliver) / (4 * sliver)
                                     : whole - 2 * sliver,
                1e-15);
    return is_left ? o : TetOverlap();
  };
  int kinds = 0;
  for (const double depth : {0.15, 0.2, 0.24, 0.26, 0.3, 0.5}) {
    const double h = 1e-6;
    const Vec3 push = left(depth).area();  // a third of B's displacement is depth
    EXPECT_NEAR(push[0], (left(depth + h).volume - left(depth - h).volume) / (2 * h), 1e-7) << depth;
    kinds += push[0] > 0 ? 1 : 0;
  }
  EXPECT_EQ(kinds, 5);
}

// A rigid motion of both tets changes nothing: forces along the gradient keep both momenta.
TEST(TetOverlap, GradientHasNeitherForceNorMoment) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const Corners a = random_tet(random), b = random_tet(random);
    const TetOverlap o = tet_overlap(placed_tet(a), placed_tet(b));
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (std::size_t k = 0; k < 8; ++k) {
      force += o.gradient[k];
      moment += (k < 4 ? a[k] : b[k - 4]).cross(o.gradient[k]);
    }
    EXPECT_LT(force.norm(), 1e-13);
    EXPECT_LT(moment.norm(), 1e-13);
  }
}

// As along a closing crack: side faces of both lie in common planes, up to rounding.
TEST(TetOverlap, CommonPlanesOfFacesLeaveNoForce) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> coordinate(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    const Mat3 turn = Eigen::Quaterniond::FromTwoVectors(
                          Vec3(1, 0, 0), Vec3(coordinate(random), coordinate(random), coordinate(random)))
                          .toRotationMatrix();
    const double depth = 1e-3 * (coordinate(random) + 1);
    Corners above{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(0, 0, 1)};
    Corners below{Vec3(0, 0, depth), Vec3(0, 1, depth), Vec3(1, 0, depth), Vec3(0, 0, depth - 1)};
    for (Corners* c : {&above, &below})
      for (Vec3& x : *c) x = turn * x + Vec3(3, 2, 1);
    const TetOverlap o = tet_overlap(placed_tet(above), placed_tet(below));
    Vec3 force = Vec3::Zero();
    for (const Vec3& g : o.gradient) force += g;
    ASSERT_LT(force.norm(), 1e-14);
    ASSERT_NEAR(o.volume, depth * (0.5 - 0.5 * depth), depth * depth + 1e-15);
  }
}

}  // namespace
}  // namespace brisance::contact
