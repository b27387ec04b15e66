/// Bodies divided over the ranks against the same bodies whole, on any number of ranks.
#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/modes/spectral/start_vectors.hpp"
#include "brisance/modes/strength/strength.hpp"

#include "modes/body/hilbert.hpp"
#include "modes/spectral/conductivity.hpp"
#include "support/divided.hpp"
#include "support/kuhn.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A body without symmetries, with cells in an order unrelated to their places.
Simplices shuffled_bar() {
  mesh::TetMesh mesh = test::kuhn_box(7, 4, 3, 2, 0.9, 0.7);
  std::vector<std::size_t> order(mesh.tets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [](std::size_t x, std::size_t y) { return core::hash_uniform(7, x, 0) < core::hash_uniform(7, y, 0); });
  const auto tets = mesh.tets;
  for (std::size_t k = 0; k < order.size(); ++k) mesh.tets[k] = tets[order[k]];
  return simplices(mesh);
}

std::vector<std::int32_t> halves(const Simplices& mesh) {
  std::vector<std::int32_t> region;
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c) region.push_back(cell_centre(mesh, c).x() < 1.1 ? 4 : 7);
  return region;
}

/// Data of each rank about its own faces, in the body's order.
std::vector<double> of_all_faces(const DividedBody& body, const std::vector<double>& on_local_faces) {
  return test::joined(body.comm, body.face_block.store(DividedBody::pick(on_local_faces, body.own_faces)));
}

template <class T>
std::vector<T> of_all_cells(const DividedBody& body, const std::vector<T>& on_local_cells) {
  return test::joined(body.comm, body.cell_block.store(DividedBody::pick(on_local_cells, body.own_cells)));
}

TEST(DividedBody, HasTheCellsAndFacesOfTheWholeInItsOrder) {
  const core::Comm comm;
  const Simplices mesh = shuffled_bar();
  const CellGraph graph = cell_graph(mesh);
  const DividedBody body = test::divided(comm, mesh, halves(mesh));
  EXPECT_EQ(body.num_cells, mesh.num_cells());
  EXPECT_EQ(body.num_faces, static_cast<std::int64_t>(graph.faces.size()));
  EXPECT_EQ(of_all_cells(body, body.local.graph.volume), graph.volume);
  EXPECT_EQ(of_all_cells(body, body.region), halves(mesh));
  std::vector<double> a, b, area;
  for (const Face& face : body.local.graph.faces) {
    a.push_back(body.cell_id[face.a]);
    b.push_back(body.cell_id[face.b]);
    area.push_back(face.area);
  }
  a = of_all_faces(body, a);
  b = of_all_faces(body, b);
  area = of_all_faces(body, area);
  for (std::size_t f = 0; f < graph.faces.size(); ++f) {
    EXPECT_EQ(a[f], graph.faces[f].a);
    EXPECT_EQ(b[f], graph.faces[f].b);
    EXPECT_EQ(area[f], graph.faces[f].area);
  }
}

/// Each rank has about its part, and copies at the rim only.
TEST(DividedBody, NoRankHasMuchMoreThanItsPart) {
  const core::Comm comm;
  const DividedBody body = test::divided(comm, test::kuhn_box(16, 16, 16, 1, 1, 1));
  const double part = static_cast<double>(body.num_cells) / comm.size();
  EXPECT_NEAR(static_cast<double>(body.own_cells.size()), part, 0.01 * part);
  if (comm.size() == 1) {
    EXPECT_EQ(body.cell_id.size(), body.own_cells.size());
  }
  EXPECT_LT(static_cast<double>(body.cell_id.size()), 1.5 * part);
}

TEST(DividedBody, NodesWithoutCellsDoNotCount) {
  const core::Comm comm;
  mesh::TetMesh mesh = test::kuhn_box(8, 8, 8, 1, 1, 1);
  mesh.nodes.emplace_back(1e12, 1e12, 1e12);
  const DividedBody body = test::divided(comm, mesh);
  const double part = static_cast<double>(body.num_cells) / comm.size();
  EXPECT_NEAR(static_cast<double>(body.own_cells.size()), part, 0.05 * part);
}

/// Copies come from owners: one value each, sent to blocks and fetched again.
TEST(DividedBody, EveryCopyHasItsOwnersNumber) {
  const core::Comm comm;
  const DividedBody body = test::divided(comm, shuffled_bar());
  EXPECT_EQ(body.cells.fetch(DividedBody::pick(body.cell_id, body.own_cells)), body.cell_id);
  EXPECT_EQ(body.nodes.fetch(DividedBody::pick(body.node_id, body.own_nodes)), body.node_id);
  std::vector<std::int32_t> face_a;
  for (const Face& face : body.local.graph.faces) face_a.push_back(body.cell_id[face.a] * 10000 + body.cell_id[face.b]);
  EXPECT_EQ(body.faces.fetch(DividedBody::pick(face_a, body.own_faces)), face_a);
  std::vector<std::int32_t> nodes = test::joined(comm, DividedBody::pick(body.node_id, body.own_nodes));
  std::sort(nodes.begin(), nodes.end());
  EXPECT_EQ(std::adjacent_find(nodes.begin(), nodes.end()), nodes.end());
  EXPECT_EQ(nodes.size(), shuffled_bar().nodes.size());
}

TEST(DividedBody, StrengthsHaveTheBitsOfTheWhole) {
  const core::Comm comm, alone(MPI_COMM_SELF);
  const Simplices mesh = shuffled_bar();
  DividedBody body = test::divided(comm, mesh, halves(mesh)), whole = test::divided(alone, mesh, halves(mesh));
  const std::map<std::int32_t, double> eta{{4, 0.25}, {7, 3.0}};
  EXPECT_EQ(of_all_faces(body, region_strength(body, eta)), region_strength(whole, eta));
  const Vec3 axes(2, 3, 5);
  EXPECT_EQ(of_all_faces(body, normal_strength(body.local.mesh, body.local.graph, axes)),
            normal_strength(whole.local.mesh, whole.local.graph, axes));
  NoBreak where;
  where.regions = {4};
  where.spheres.push_back({Vec3(2, 0.9, 0.7), 0.5});
  EXPECT_EQ(of_all_cells(body, cells_not_to_break(body, where)), cells_not_to_break(whole, where));

  const std::vector<Vec3> points{{0, 0, 0}, {2, 0.9, 0.7}, {1, 0, 0.7}};
  const std::vector<double> paint{0.5, 4, 2};
  const auto painted = of_all_faces(body, painted_strength(body, points, paint));
  const auto expected = painted_strength(whole, points, paint);
  for (std::size_t f = 0; f < expected.size(); ++f) EXPECT_NEAR(painted[f], expected[f], 1e-11);
}

/// The fit of a tensor to few faces magnifies rounding by up to a million (its regularisation towards isotropy).
TEST(DividedBody, ConductivityIsThatOfTheWholeOnCopiesToo) {
  const core::Comm comm, alone(MPI_COMM_SELF);
  const Simplices mesh = shuffled_bar();
  DividedBody body = test::divided(comm, mesh), whole = test::divided(alone, mesh);
  for (DividedBody* b : {&body, &whole}) b->local.eta = normal_strength(b->local.mesh, b->local.graph, Vec3(1, 1, 10));
  const auto here = cell_conductivity(body), there = cell_conductivity(whole);
  ASSERT_EQ(here.size(), body.cell_id.size());
  for (std::size_t c = 0; c < here.size(); ++c)
    EXPECT_LT((here[c] - there[body.cell_id[c]]).norm(), 1e-9 * there[body.cell_id[c]].norm());
}

/// The bar has no two equal eigenvalues.
void expect_the_start_vectors_of_the_whole(const Simplices& mesh, int count) {
  const core::Comm comm;
  const DividedBody body = test::divided(comm, mesh);
  const auto expected = start_vectors(mesh, 6);
  for (const EigenMethod method : {EigenMethod::shift_invert, EigenMethod::iterative}) {
    const auto found = nodal_start_vectors(body, count, method);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const auto on_cells = of_all_cells(body, averaged_to_cells(body.local.mesh, found[k]));
      for (std::size_t c = 0; c < on_cells.size(); ++c) EXPECT_NEAR(on_cells[c], expected[k][c], 1e-8) << k;
    }
  }
}

TEST(DividedBody, StartVectorsAreThoseOfTheWhole) { expect_the_start_vectors_of_the_whole(shuffled_bar(), 6); }

/// Pairs of vectors have one eigenvalue; also where only one of a pair is asked for.
TEST(DividedBody, StartVectorsOfACubeAreThoseOfTheWhole) {
  const Simplices cube = simplices(test::kuhn_box(4, 4, 4, 1, 1, 1));
  for (int count = 2; count <= 6; ++count) expect_the_start_vectors_of_the_whole(cube, count);
}

TEST(DividedBody, PartsAreCountedAcrossRanks) {
  const core::Comm comm;
  mesh::TetMesh two = test::kuhn_box(5, 3, 3, 1, 1, 1);
  EXPECT_EQ(count_parts(test::divided(comm, two)), 1);
  const mesh::TetMesh other = test::kuhn_box(2, 6, 2, 1, 1, 1);
  const auto first = static_cast<std::int32_t>(two.nodes.size());
  for (const Vec3& x : other.nodes) two.nodes.push_back(x + Vec3(3, 0, 0));
  for (const auto& t : other.tets) two.tets.push_back({first + t[0], first + t[1], first + t[2], first + t[3]});
  EXPECT_EQ(count_parts(test::divided(comm, two)), 2);
}

TEST(DividedBody, AFewCellsAreEnough) {
  const core::Comm comm;
  const DividedBody body = test::divided(comm, test::kuhn_box(1, 1, 1, 1, 1, 1));
  EXPECT_EQ(body.num_cells, 6);
  EXPECT_EQ(body.num_faces, 6);
  EXPECT_EQ(count_parts(body), 1);
}

TEST(DividedBody, ThreeCellsAtAFaceAreRefusedByAllRanks) {
  Simplices fan;
  fan.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 2}, {0.2, 0.2, 3}, {9, 9, 9}};
  fan.corner = {0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5};
  EXPECT_THAT([&] { (void)test::divided(core::Comm(), fan); },
              ThrowsMessage<core::Error>(HasSubstr("Three cells share one face (cells 0, 1 and 2)")));
}

TEST(Hilbert, NeighboursOnTheCurveAreNeighboursInSpace) {
  constexpr int n = 8;
  std::vector<std::pair<std::uint64_t, Vec3>> cells;
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z) {
        const Vec3 centre((x + 0.5) / n, (y + 0.5) / n, (z + 0.5) / n);
        cells.emplace_back(hilbert_key(centre) >> 51, centre);  // three levels of twenty
      }
  std::sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 1; k < cells.size(); ++k) {
    EXPECT_EQ(cells[k].first, k);
    EXPECT_NEAR((cells[k].second - cells[k - 1].second).norm(), 1.0 / n, 1e-12);
  }
}

}  // namespace
}  // namespace brisance::modes
