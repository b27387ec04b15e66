/// Cracks between whole tets along cutters that pass through nodes, edges and faces of a regular grid, that have edges
/// and corners inside the body, and that end in it (VALIDATION F9).
#include "brisance/dist/check.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/division.hpp"
#include "brisance/fracture/rounds.hpp"

#include "fracture/virtual_nodes/crack_front.hpp"
#include "fracture/virtual_nodes/virtual_node_cutter.hpp"
#include "support/divided_surface.hpp"
#include "support/fracture_mesh.hpp"
#include "support/kuhn.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

constexpr double kCell = 0.1, kSize = 4 * kCell;

/// Part of a plane along which a crack grows.
struct CutterPanel {
  Vec3 seed;    ///< the crack starts at this node of the grid [m]
  Vec3 normal;  ///< the plane holds the seed
  std::function<bool(const Vec3&)> is_inside;
  [[nodiscard]] double distance(const Vec3& x) const { return std::abs((x - seed).dot(normal.normalized())); }
  [[nodiscard]] bool holds(const Vec3& x) const { return distance(x) < 1.1 * kCell && is_inside(x); }
};

/// The panel's node at a crack's front that is nearest to the seed and had less than three turns; invalid: none.
LocalNode next_at_front(const dist::Mesh& mesh, const CutterPanel& panel, std::map<GlobalNode, int>& turns) {
  const VirtualNodes virtual_nodes(mesh);
  LocalNode next;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n) || !dist::is_real(mesh, n) || !panel.holds(mesh.rest[n])) continue;
    if (next.valid() && (mesh.rest[n] - panel.seed).norm() >= (mesh.rest[next] - panel.seed).norm()) continue;
    if (turns[mesh.node_id[n]] < 3 && is_at_front(mesh, virtual_nodes, mesh.node_id[n])) next = n;
  }
  return next;
}

/// Fails the seed, then nodes at the front until each had its turns.
void grow(dist::Mesh& mesh, const CutterPanel& panel) {
  Rounds rounds(mesh, {}, {}, {}, make_virtual_node_cutter({}));
  std::map<GlobalNode, int> turns;
  LocalNode next;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n) && dist::is_real(mesh, n) && (mesh.rest[n] - panel.seed).norm() < 1e-9)
      next = n;
  for (std::int64_t step = 0; next.valid(); ++step) {
    ++turns[mesh.node_id[next]];
    std::map<LocalNode, Failure> failing{{next, {next, 1.5, panel.normal.normalized()}}};
    rounds.crack_round(mesh, failing, 0, step, 0);
    next = next_at_front(mesh, panel, turns);
  }
}

struct CornerCase {
  std::string name;
  std::vector<CutterPanel> panels;
  std::function<int(const Vec3&)> region;  ///< which part of the body the cutters leave this point in
  double smallest = 0;                     ///< volume of the smallest piece, where cracks are flat [m³]
};

/// The name in test lists and failures.
void PrintTo(const CornerCase& which, std::ostream* out) { *out << which.name; }

class CornerCuts : public ::testing::TestWithParam<CornerCase> {};

TEST_P(CornerCuts, LeaveClosedPiecesOnTheirSides) {
  dist::DistributeOptions options = test::with_fracture_fields();
  options.fields.add(dist::division_fields());
  dist::Mesh mesh = dist::distribute(core::Comm(MPI_COMM_SELF), test::kuhn_box(4, 4, 4, kSize, kSize, kSize), {},
                                     {test::stone()}, options);
  for (const CutterPanel& panel : GetParam().panels) grow(mesh, panel);
  const auto findings = dist::check_mesh(mesh);
  EXPECT_TRUE(findings.empty()) << findings.front();
  test::expect_sound_division(mesh);
  EXPECT_EQ(test::num_open_sides(mesh), 0);
  const test::DividedSurface surface = test::divided_surface(mesh);
  test::expect_closed(surface);
  double volume = 0;
  for (const test::PieceSurface& piece : surface.pieces) volume += piece.volume;
  EXPECT_NEAR(volume, kSize * kSize * kSize, 1e-14);

  // Vertices off the cutters are in pieces of their own side.
  const dist::Pieces pieces = dist::find_pieces(mesh);
  std::set<std::pair<int, int>> regions_of_pieces;
  std::set<int> regions, parts;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_used(n) || !dist::is_real(mesh, n)) continue;
    const Vec3& x = mesh.rest[n];
    if (std::ranges::any_of(GetParam().panels, [&](const CutterPanel& p) { return p.distance(x) < 0.5 * kCell; }))
      continue;
    regions.insert(GetParam().region(x));
    regions_of_pieces.emplace(pieces.of_node[n], GetParam().region(x));
    parts.insert(pieces.of_node[n]);
  }
  EXPECT_EQ(regions_of_pieces.size(), parts.size());
  if (GetParam().panels.size() == 1) {
    EXPECT_EQ(surface.pieces.size(), regions.size());
  }
  if (GetParam().smallest > 0) {
    EXPECT_NEAR(std::ranges::min(surface.pieces, {}, &test::PieceSurface::volume).volume, GetParam().smallest,
                1e-9 * volume);
  }
}

bool everywhere(const Vec3&) { return true; }
bool is_low(double x) { return x < 0.5 * kSize; }
std::function<bool(const Vec3&)> up_to_middle(int axis, int other) {
  return [=](const Vec3& x) { return x[axis] < 0.51 * kSize && x[other] < 0.51 * kSize; };
}

/// A crack through the nodes at half the height leaves a tenth of an edge to these.
constexpr double kBelowCrack = kSize * kSize * (0.5 * kSize - 0.1 * kCell);

const CutterPanel kAcrossZ{Vec3(0, 0, 0.2), Vec3(0, 0, 1), everywhere},
    kAcrossX{Vec3(0.2, 0, 0), Vec3(1, 0, 0), everywhere};

INSTANTIATE_TEST_SUITE_P(
    F9, CornerCuts,
    ::testing::Values(
        CornerCase{"Faces", {kAcrossZ}, [](const Vec3& x) { return is_low(x.z()) ? 1 : 0; }, kBelowCrack},
        CornerCase{"EdgesOfTheBody",
                   {{Vec3(0.4, 0, 0), Vec3(1, 1, 0), everywhere}},
                   [](const Vec3& x) { return x.x() + x.y() < kSize ? 1 : 0; }},
        CornerCase{"CornersOfTheBody",
                   {{Vec3(0.2, 0.1, 0.1), Vec3(1, 1, 1), everywhere}},
                   [](const Vec3& x) { return x.sum() < kSize ? 1 : 0; }},
        CornerCase{"OneVertexOff",
                   {{Vec3(0.1, 0, 0), Vec3(1, 1, 1), everywhere}},
                   [](const Vec3& x) { return x.sum() < kCell ? 1 : 0; }},
        CornerCase{"EndsInside", {{Vec3(0, 0, 0.2), Vec3(0, 0, 1), up_to_middle(0, 0)}}, [](const Vec3&) { return 0; }},
        CornerCase{"TwoThatMeet",
                   {{Vec3(0, 0, 0.2), Vec3(0, 0, 1), [](const Vec3& x) { return x.x() < 1.5 * kCell; }},
                    {Vec3(0.4, 0, 0.2), Vec3(0, 0, 1), everywhere}},
                   [](const Vec3& x) { return is_low(x.z()) ? 1 : 0; },
                   kBelowCrack},
        CornerCase{"AnEdgeInside",
                   {{Vec3(0, 0, 0.2), Vec3(0, 0, 1), up_to_middle(0, 0)},
                    {Vec3(0.2, 0, 0), Vec3(1, 0, 0), up_to_middle(2, 2)}},
                   [](const Vec3& x) { return is_low(x.z()) && is_low(x.x()) ? 1 : 0; }},
        CornerCase{"ACornerInside",
                   {{Vec3(0, 0, 0.2), Vec3(0, 0, 1), up_to_middle(0, 1)},
                    {Vec3(0.2, 0, 0), Vec3(1, 0, 0), up_to_middle(1, 2)},
                    {Vec3(0, 0.2, 0), Vec3(0, 1, 0), up_to_middle(0, 2)}},
                   [](const Vec3& x) { return is_low(x.x()) && is_low(x.y()) && is_low(x.z()) ? 1 : 0; }},
        CornerCase{"T",
                   {kAcrossZ, {Vec3(0.2, 0, 0), Vec3(1, 0, 0), up_to_middle(2, 2)}},
                   [](const Vec3& x) { return is_low(x.z()) ? (is_low(x.x()) ? 1 : 2) : 0; }},
        CornerCase{"X",
                   {kAcrossZ, kAcrossX, {Vec3(0.2, 0, 0.4), Vec3(1, 0, 0), everywhere}},
                   [](const Vec3& x) { return (is_low(x.z()) ? 1 : 0) + (is_low(x.x()) ? 2 : 0); }}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace brisance::fracture
