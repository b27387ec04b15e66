/// Refined objects follow the shapes and files that they were made from, for any placement.
#include "brisance/dist/check.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/digest.hpp"
#include "support/simulated.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <optional>

#include <gtest/gtest.h>
#include <unistd.h>

namespace brisance::sim {
namespace {

using mesh::ShapeKind;

ObjectParameters object_of(ShapeKind shape, double edge_m, int refine) {
  ObjectParameters object;
  object.mesh.shape = shape;
  object.mesh.edge_length_m = edge_m;
  object.mesh.refine = refine;
  object.mesh.radius_m = 1, object.mesh.length_m = 1, object.mesh.thickness_m = 0.6;
  return object;
}

/// The scene's mesh, refined, on all ranks.
class Refined {
public:
  Refined(const core::Comm& comm, std::vector<ObjectParameters> objects) {
    Scene scene = test::bare_scene(test::solid(1e7, 0.2, 1000));
    for (ObjectParameters& object : objects) object.material = scene.materials[0].name;
    scene.objects = std::move(objects);
    const InitialMesh initial = build_initial_mesh(comm, scene);
    simulation_.emplace(comm, scene, initial.share, initial.regions);
  }
  [[nodiscard]] const dist::Mesh& mesh() const { return simulation_->mesh(); }

  /// The largest measure of any node of the boundary, over all ranks.
  template <class Measure>
  [[nodiscard]] double largest_on_boundary(const Measure& measure) const {
    double largest = 0;
    for (const dist::BoundaryFace& face : mesh().surface().faces())
      for (int k = 0; k < 4; ++k)
        if (k != face.opposite) largest = std::max(largest, measure(mesh().rest[mesh().corners(face.element)[k]]));
    return mesh().comm().max(largest);
  }
  [[nodiscard]] double volume() const { return test::totals(mesh()).volume; }

private:
  std::optional<Simulation> simulation_;
};

double from_ball(const Vec3& x) { return std::min(std::abs(x.norm() - 1), std::abs(x.norm() - 0.4)); }

TEST(FollowedSurface, NodesLieOnARingAndItsVolumeErrorFallsWithTheSquareOfTheEdge) {
  // For a polyhedron with its corners on the ring it is c h² (1 + O(h²)): 16 times less with edges of a quarter, and
  // unchanged where they stay straight.
  std::vector<double> errors;
  for (const int refine : {0, 2}) {
    ObjectParameters object = object_of(ShapeKind::torus, 0.2, refine);
    object.mesh.tube_radius_m = 0.5;
    const Refined ring(core::Comm(), {object});
    EXPECT_EQ(dist::check_mesh(ring.mesh()), std::vector<std::string>());
    EXPECT_LT(ring.largest_on_boundary(
                  [](const Vec3& x) { return std::abs(std::hypot(std::hypot(x.x(), x.y()) - 1, x.z()) - 0.5); }),
              1e-14);
    errors.push_back(1 - ring.volume() / (2 * std::numbers::pi * std::numbers::pi * 0.25));
  }
  EXPECT_GT(errors[0], 0.02);
  EXPECT_NEAR(errors[0] / errors[1], 16, 1) << errors[0];
}

TEST(FollowedSurface, NodesLieOnBothSpheresOfAHollowBall) {
  const Refined ball(core::Comm(), {object_of(ShapeKind::hollow_ball, 0.15, 1)});
  EXPECT_EQ(dist::check_mesh(ball.mesh()), std::vector<std::string>());
  EXPECT_LT(ball.largest_on_boundary(from_ball), 1e-14);
}

TEST(FollowedSurface, KeptStraightWhereAsked) {
  ObjectParameters object = object_of(ShapeKind::hollow_ball, 0.4, 1);
  object.mesh.follow_surface = false;
  const Refined straight(core::Comm(), {object});
  object.mesh.refine = 0;
  const Refined coarse(core::Comm(), {object});
  EXPECT_NEAR(straight.volume(), coarse.volume(), 1e-12);
  EXPECT_GT(straight.largest_on_boundary(from_ball), 0.01);
}

TEST(FollowedSurface, RimsOfAPlacedCylinderAreRoundAndItsCapsFlat) {
  ObjectParameters object = object_of(ShapeKind::solid_cylinder, 0.35, 2);
  object.rotation_deg = {20, 30, 40};
  object.translation = {3, -2, 1};
  const Refined body(core::Comm(), {object});
  EXPECT_EQ(dist::check_mesh(body.mesh()), std::vector<std::string>());
  constexpr double kDegree = std::numbers::pi / 180;
  const Vec3 axis = Eigen::AngleAxisd(40 * kDegree, Vec3::UnitZ()) * Eigen::AngleAxisd(30 * kDegree, Vec3::UnitY()) *
                    Eigen::AngleAxisd(20 * kDegree, Vec3::UnitX()) * Vec3::UnitZ();
  // The centre follows from the caps: the number of nodes does not matter, only the positions of planes and circle.
  double low = 1e9, high = -1e9;
  for (std::int32_t i = 1; i < body.mesh().num_node_slots(); ++i)
    if (const LocalNode n(i); body.mesh().is_used(n)) {
      low = std::min(low, body.mesh().rest[n].dot(axis));
      high = std::max(high, body.mesh().rest[n].dot(axis));
    }
  low = body.mesh().comm().min(low), high = body.mesh().comm().max(high);
  EXPECT_NEAR(high - low, 1, 1e-12) << "nothing sticks out of the caps";
  const double volume = body.volume() / std::numbers::pi;
  EXPECT_GT(volume, 1 - 0.0022) << "edges of 0.35 leave 0.02, a sixteenth of it is 0.0013";
  EXPECT_LT(volume, 1);
}

TEST(FollowedSurface, ABoxFromAFileKeepsEveryBit) {
  const auto file = std::filesystem::temp_directory_path() / ("brisance_box" + std::to_string(getpid()) + ".off");
  const core::Comm comm;
  if (comm.is_root())
    std::ofstream(file) << "OFF\n8 6 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n4 3 2 1 0\n4 4 5 6 7\n"
                           "4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n";
  comm.barrier();
  std::uint64_t digests[2];
  for (const bool follows : {false, true}) {
    ObjectParameters object = object_of(ShapeKind::file, 0.4, 2);
    object.mesh.file = file;
    object.mesh.follow_surface = follows;
    object.rotation_deg = {0, 0, 30};
    digests[follows] = test::digest(Refined(comm, {object}).mesh());
  }
  EXPECT_EQ(digests[0], digests[1]);
  comm.barrier();
  if (comm.is_root()) std::filesystem::remove(file);
}

TEST(FollowedSurface, AFilesSphereIsFollowedToTheAccuracyOfItsTriangles) {
  const auto file = std::filesystem::temp_directory_path() / ("brisance_ball" + std::to_string(getpid()) + ".off");
  const core::Comm comm;
  mesh::Request ball;
  ball.shape = ShapeKind::hollow_ball, ball.radius_m = 1, ball.thickness_m = 0.6;
  const double edge = 0.06;  // its triangles deviate by edge² / 6 at most
  if (comm.is_root()) {
    const mesh::Surface surface = mesh::make_shape(ball, edge);
    std::ofstream out(file);
    out.precision(17);
    out << "OFF\n" << surface.vertices.size() << ' ' << surface.triangles.size() << " 0\n";
    for (const Vec3& x : surface.vertices) out << x.transpose() << '\n';
    for (const auto& [a, b, c] : surface.triangles) out << "3 " << a << ' ' << b << ' ' << c << '\n';
  }
  comm.barrier();
  ObjectParameters object = object_of(ShapeKind::file, 0.3, 2);
  object.mesh.file = file;
  const Refined fine(comm, {object});
  object.mesh.follow_surface = false;
  const Refined straight(comm, {object});
  EXPECT_EQ(dist::check_mesh(fine.mesh()), std::vector<std::string>());
  const double ideal = 4 * std::numbers::pi / 3 * (1 - 0.4 * 0.4 * 0.4);
  EXPECT_GT((straight.volume() / ideal - 1) / (fine.volume() / ideal - 1), 5);
  EXPECT_GT(straight.largest_on_boundary(from_ball), 0.006);
  comm.barrier();
  if (comm.is_root()) std::filesystem::remove(file);
}

TEST(FollowedSurface, ObjectsThatTouchFollowTheirOwnAndHaveTheBitsOfOneRank) {
  std::vector<ObjectParameters> objects{object_of(ShapeKind::torus, 0.3, 1), object_of(ShapeKind::box, 0.5, 1),
                                        object_of(ShapeKind::solid_cylinder, 0.4, 1)};
  objects[0].mesh.tube_radius_m = 0.4;
  objects[1].mesh.size = {1, 1, 1};
  objects[1].translation = {0, 0, 0.9};  // its lower side is the plane on which the ring lies
  objects[1].velocity = {0, 0, -1};
  objects[2].translation = {0, 0, 1.9};
  objects[2].angular_velocity = {0, 0, 2};
  const Refined body(core::Comm(), objects), alone(core::Comm(MPI_COMM_SELF), objects);
  EXPECT_EQ(dist::check_mesh(body.mesh()), std::vector<std::string>());
  EXPECT_EQ(test::digest(body.mesh()), test::digest(alone.mesh()));
  const double distance = body.largest_on_boundary([](const Vec3& x) {
    const double ring = std::abs(std::hypot(std::hypot(x.x(), x.y()) - 1, x.z()) - 0.4);
    const Vec3 in_box = (x - Vec3(0, 0, 0.9)).cwiseAbs();
    const double box = std::abs(in_box.maxCoeff() - 0.5);
    const double r = std::hypot(x.x(), x.y()), z = std::abs(x.z() - 1.9);
    const double cylinder = std::abs(std::max(r - 1, z - 0.5));
    return std::min({ring, box, cylinder});
  });
  EXPECT_LT(distance, 0.012);  // only middles that stay to keep tets valid deviate
}

}  // namespace
}  // namespace brisance::sim
