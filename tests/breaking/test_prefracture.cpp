/// Modes in, solids out: on made-up modes of boxes, and on the shapes of a test data folder through their cages.
#include "brisance/breaking/prefracture.hpp"
#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/generate/generate.hpp"
#include "brisance/mesh/generate/generate_plane.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/clean.hpp"
#include "brisance/mesh/surface/solidify.hpp"

#include "support/data_folder.hpp"
#include "support/flat_pieces.hpp"
#include "support/kuhn.hpp"
#include "support/solids.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>

#include <gtest/gtest.h>

namespace brisance::breaking {
namespace {

namespace fs = std::filesystem;

Vec3 centre(const mesh::TetMesh& mesh, std::size_t t) {
  const auto& [a, b, c, d] = mesh.tets[t];
  return (mesh.nodes[a] + mesh.nodes[b] + mesh.nodes[c] + mesh.nodes[d]) / 4;
}

Vec3 centre(const mesh::PlaneMesh& plane, std::size_t t) {
  const auto& [a, b, c] = plane.surface.triangles[t];
  return (plane.surface.vertices[a] + plane.surface.vertices[b] + plane.surface.vertices[c]) / 3;
}

/// Scalar modes of two levels each: one side of a line through the origin against the other.
modes::ModeSet line_modes(const mesh::PlaneMesh& plane, const std::vector<Vec3>& normals) {
  modes::ModeSet set;
  set.dimension = 2;
  for (const Vec3& normal : normals) {
    modes::Mode& mode = set.modes.emplace_back();
    for (std::size_t t = 0; t < plane.surface.triangles.size(); ++t)
      mode.value.push_back(centre(plane, t).dot(normal) > 0 ? 1 : -1);
  }
  return set;
}

/// Scalar modes of two levels each: one side of a plane through the middle against the other.
modes::ModeSet plane_modes(const mesh::TetMesh& mesh, const std::vector<Vec3>& normals) {
  Vec3 middle = Vec3::Zero();
  for (const Vec3& x : mesh.nodes) middle += x / static_cast<double>(mesh.nodes.size());
  modes::ModeSet set;
  for (const Vec3& normal : normals) {
    modes::Mode& mode = set.modes.emplace_back();
    for (std::size_t t = 0; t < mesh.tets.size(); ++t)
      mode.value.push_back((centre(mesh, t) - middle).dot(normal) > 0 ? 1 : -1);
  }
  return set;
}

const std::vector<Vec3> kThreePlanes{{1, 0.1, 0.2}, {-0.1, 1, 0.1}, {0.2, -0.3, 1}};

void expect_solids(const io::PiecesFile& made, double tolerance) {
  for (const auto& piece : made.pieces) test::expect_solid(piece);
  EXPECT_NEAR(test::total_volume_m3(made.pieces) / made.volume_m3, 1, tolerance);
}

/// Largest distance of an outside vertex, and of an outside triangle's middle, from the plane of its source triangle's
/// file face, and how far it lies beyond that face's edges.
double outside_deviation(const io::PiecesFile& made, const mesh::Surface& body) {
  std::map<std::int32_t, std::vector<std::size_t>> triangles_of_face;
  for (std::size_t t = 0; t < body.triangles.size(); ++t) triangles_of_face[body.source_face[t]].push_back(t);
  double largest = 0;
  for (const auto& piece : made.pieces)
    for (std::size_t t = 0; t < piece.neighbour.size(); ++t) {
      if (piece.neighbour[t] != mesh::kNoNeighbour || piece.surface.source_face[t] == mesh::kNoSourceTriangle) continue;
      const auto& [a, b, c] = piece.surface.triangles[t];
      const auto& x = piece.surface.vertices;
      for (const Vec3& point : {x[a], x[b], x[c], Vec3((x[a] + x[b] + x[c]) / 3)}) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const std::size_t s : triangles_of_face.at(piece.surface.source_face[t])) {
          const Vec3 &o = body.vertices[body.triangles[s][0]], u = body.vertices[body.triangles[s][1]] - o,
                     v = body.vertices[body.triangles[s][2]] - o, normal = u.cross(v), p = point - o;
          const double beta = p.cross(v).dot(normal) / normal.squaredNorm();
          const double gamma = u.cross(p).dot(normal) / normal.squaredNorm();
          const double beyond = std::max({0.0, -beta, -gamma, beta + gamma - 1}) * std::max(u.norm(), v.norm());
          nearest = std::min(nearest, std::max(std::abs(p.dot(normal)) / normal.norm(), beyond));
        }
        largest = std::max(largest, nearest);
      }
    }
  return largest;
}

TEST(Prefracture, ThreeCrossedPlanesMakeEightPieces) {
  const mesh::TetMesh box = test::kuhn_box(6, 6, 6, 1, 1, 1);
  for (const double smoothing_m2 : {-1.0, 0.0, 0.01}) {
    const io::PiecesFile made =
        prefracture(box, plane_modes(box, kThreePlanes), {}, {.smallest_share = 0.02, .smoothing_m2 = smoothing_m2});
    EXPECT_EQ(made.pieces.size(), 8u);
    expect_solids(made, 1e-9);
    EXPECT_NEAR(test::outside_area(made.pieces), 6, 1e-9);
    test::expect_matching_cracks(made.pieces);
    for (std::size_t p = 0; p < made.pieces.size(); ++p) EXPECT_EQ(made.pieces[p].label, static_cast<std::int32_t>(p));
  }
}

/// Length of the rims of flat pieces that lies on the outline of the square of side 1 around the origin; each edge
/// elsewhere must be the edge of another piece, turned round.
double outline_length(const io::PiecesFile& made) {
  using End = std::array<double, 2>;
  std::map<std::pair<End, End>, int> cracks;
  double sum = 0;
  for (const auto& piece : made.pieces)
    for (const auto& [from, to] : test::rim(piece.surface)) {
      const Vec3 &a = piece.surface.vertices[from], &b = piece.surface.vertices[to];
      const bool on_x = std::abs(a.x()) == 0.5 && a.x() == b.x(), on_y = std::abs(a.y()) == 0.5 && a.y() == b.y();
      if (on_x || on_y)
        sum += (b - a).norm();
      else
        ++cracks[{{a.x(), a.y()}, {b.x(), b.y()}}];
    }
  for (const auto& [edge, count] : cracks) {
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(cracks.contains({edge.second, edge.first}));
  }
  return sum;
}

TEST(Prefracture, AFlatBodyFallsIntoFlatPiecesOrPlates) {
  mesh::Request request;
  request.edge_length_m = 0.06;
  mesh::PlaneReport report;
  const mesh::PlaneMesh plane = mesh::generate_plane(request, report);
  const modes::ModeSet modes = line_modes(plane, {{1, 0.2, 0}, {-0.2, 1, 0}});
  for (const double smoothing_m2 : {-1.0, 0.0, 1e-3}) {
    const PrefractureParameters parameters{.smallest_share = 0.02, .smoothing_m2 = smoothing_m2};
    const io::PiecesFile flat = prefracture(plane, modes, {}, parameters, 0);
    ASSERT_EQ(flat.pieces.size(), 4u);
    EXPECT_TRUE(flat.is_flat());
    EXPECT_NEAR(flat.area_m2, 1, 1e-12);
    double area = 0;
    for (const auto& piece : flat.pieces) {
      test::expect_flat(piece);
      area += flat.size(piece);
    }
    EXPECT_NEAR(area, 1, 1e-12);
    EXPECT_NEAR(outline_length(flat), 4, 1e-12);

    const io::PiecesFile thick = prefracture(plane, modes, {}, parameters, 0.1);
    ASSERT_EQ(thick.pieces.size(), 4u);
    EXPECT_FALSE(thick.is_flat());
    EXPECT_NEAR(thick.volume_m3, 0.1, 1e-13);
    expect_solids(thick, 1e-9);
    test::expect_matching_cracks(thick.pieces);
    EXPECT_NEAR(test::outside_area(thick.pieces), 2 + 4 * 0.1, 1e-12);
    for (std::size_t p = 0; p < 4; ++p) {
      EXPECT_EQ(thick.pieces[p].label, flat.pieces[p].label);
      EXPECT_NEAR(thick.size(thick.pieces[p]), 0.1 * flat.size(flat.pieces[p]), 1e-13);
    }
  }
}

TEST(Prefracture, SmallPiecesAreJoined) {
  const mesh::TetMesh box = test::kuhn_box(6, 6, 6, 1, 1, 1);
  const io::PiecesFile made =
      prefracture(box, plane_modes(box, kThreePlanes), {}, {.smallest_share = 0.2, .smoothing_m2 = 0});
  EXPECT_LE(made.pieces.size(), 5u);
  for (const auto& piece : made.pieces) EXPECT_GE(mesh::enclosed_volume_m3(piece.surface), 0.2);
  expect_solids(made, 1e-9);
}

TEST(Prefracture, ACageCutBackHasTheBodysOutside) {
  mesh::Request request;
  request.shape = mesh::ShapeKind::torus;
  const mesh::Surface torus = mesh::make_shape(request, 0.02);
  const mesh::TetMesh cage = test::kuhn_box(10, 10, 4, 0.5, 0.5, 0.2);
  mesh::Surface body = torus;
  for (Vec3& x : body.vertices) x += Vec3(0.25, 0.25, 0.1);
  const io::PiecesFile cage_pieces =
      prefracture(cage, plane_modes(cage, {{1, 0.1, 0.2}, {-0.1, 1, 0.1}}), {}, {.smoothing_m2 = 1e-3});
  const io::PiecesFile made = cut_back_to(body, cage, cage_pieces);
  EXPECT_EQ(made.pieces.size(), 4u);
  EXPECT_TRUE(made.is_exact_outside);
  expect_solids(made, 1e-9);
  EXPECT_LT(outside_deviation(made, body), 1e-15);
  double area = 0;
  for (const auto& [a, b, c] : body.triangles)
    area += (body.vertices[b] - body.vertices[a]).cross(body.vertices[c] - body.vertices[a]).norm() / 2;
  EXPECT_NEAR(test::outside_area(made.pieces) / area, 1, 1e-12);
}

TEST(Prefracture, ABodyOutsideItsCageIsAnError) {
  const mesh::TetMesh cage = test::kuhn_box(2, 2, 2, 1, 1, 1);
  const io::PiecesFile pieces = prefracture(cage, plane_modes(cage, kThreePlanes), {}, {.smoothing_m2 = 0});
  mesh::Surface far_away = mesh::make_shape({}, 0.5);
  for (Vec3& x : far_away.vertices) x += Vec3(10, 0, 0);
  EXPECT_THROW((void)cut_back_to(far_away, cage, pieces), core::Error);
}

class PrefractureData : public ::testing::TestWithParam<const char*> {
protected:
  void SetUp() override {
    const auto file = test::data_file("BRISANCE_TEST_DATA", GetParam());
    if (!file) GTEST_SKIP() << "BRISANCE_TEST_DATA is not set";
    request.shape = mesh::ShapeKind::file;
    request.file = *file;
    request.cage = true;
    request.target_tets = 4000;
  }
  mesh::Request request;
};

TEST_P(PrefractureData, GoesThroughTheCageToPieces) {
  mesh::MeshReport report;
  const mesh::TetMesh cage = mesh::generate(request, report);
  const io::PiecesFile pieces = prefracture(cage, plane_modes(cage, kThreePlanes), {},
                                            {.smoothing_m2 = report.edge_length_m * report.edge_length_m});
  EXPECT_GE(pieces.pieces.size(), 4u);
  expect_solids(pieces, 1e-9);

  mesh::CleanReport cleaned;
  mesh::Surface body = mesh::clean(mesh::read_surface(request.file), cleaned);
  mesh::SolidifyReport report_of_body;
  if (!mesh::check_surface(body).meshable()) body = mesh::solidify(body, report_of_body);
  const io::PiecesFile made = cut_back_to(body, cage, pieces);
  expect_solids(made, 1e-6);
  for (const auto& piece : made.pieces) {
    EXPECT_EQ(mesh::check_surface(piece.surface).num_self_intersections, 0);
    EXPECT_GE(mesh::enclosed_volume_m3(piece.surface), made.smallest_share * made.volume_m3);
  }
  const double diagonal = (mesh::check_surface(body).upper - mesh::check_surface(body).lower).norm();
  EXPECT_LT(outside_deviation(made, body), 1e-12 * diagonal);
}

INSTANTIATE_TEST_SUITE_P(Shapes, PrefractureData,
                         ::testing::Values("bunny.obj", "torus.obj", "fandisk.obj", "rocker_arm.obj", "teapot.obj",
                                           "beetle.obj", "suzanne.obj"));

}  // namespace
}  // namespace brisance::breaking
