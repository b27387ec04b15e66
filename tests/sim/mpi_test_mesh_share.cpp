// Our own mesh files, read by all ranks: together they have the data that one rank alone reads, none has much more than
// its share, and the scene is the same as with a whole mesh.
#include "brisance/core/error.hpp"
#include "brisance/dist/slabs.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/setup/mesh_file.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/kuhn.hpp"
#include "support/over_ranks.hpp"
#include "support/simulated.hpp"

#include <filesystem>
#include <numeric>

#include <gmock/gmock.h>
#include <unistd.h>

namespace brisance::sim {
namespace {

/// Two boxes, one above the other, without a node in common; the upper one's top is named "lid", its tets "cup".
mesh::TetMesh two_boxes() {
  mesh::TetMesh low = test::kuhn_box(4, 3, 3, 0.4, 0.3, 0.3), both = low;
  const auto first = static_cast<std::int32_t>(low.nodes.size());
  std::int32_t sources = 0;
  for (const auto& faces : low.face_source) sources = std::max(sources, std::ranges::max(faces) + 1);
  both.groups.names = {{"cup"}, {"lid"}};
  both.groups.of_source.assign(static_cast<std::size_t>(2 * sources), mesh::kNoGroup);
  for (const Vec3& x : low.nodes) both.nodes.emplace_back(x + Vec3(0, 0, 0.5));
  for (std::size_t t = 0; t < low.tets.size(); ++t) {
    auto tet = low.tets[t];
    for (auto& n : tet) n += first;
    both.tets.push_back(tet);
    auto faces = low.face_source[t];
    for (int f = 0; f < 4; ++f)
      if (faces[f] >= 0) {
        faces[f] += sources;
        const auto on_top = [&](int corner) { return both.nodes[tet[corner]].z() > 0.79; };
        if (std::ranges::all_of(mesh::kFaceCorners[f], on_top)) both.groups.of_source[faces[f]] = 1;
      }
    both.face_source.push_back(faces);
  }
  both.group.assign(both.tets.size(), mesh::kNoGroup);
  for (std::size_t t = low.tets.size(); t < both.tets.size(); ++t) both.group[t] = 0;
  for (std::size_t t = 0; t < both.tets.size(); ++t) both.region.push_back(t < low.tets.size() ? 0 : 1);
  both.displacement.assign(both.nodes.size(), Vec3(0.01, 0, 0));
  for (const Vec3& x : both.nodes) both.velocity.emplace_back(x.y(), 1, 2);
  return both;
}

/// The mesh as several ranks write it: parts that share nodes, ids that ascend within each, positions not shifted.
io::SnapshotPart part_of(const mesh::TetMesh& mesh, int rank, int num_ranks) {
  io::SnapshotPart part;
  std::vector<std::int64_t> local(mesh.nodes.size(), -1);
  const auto is_mine = [&](std::size_t t) { return static_cast<int>(t * 7 % 5) % num_ranks == rank; };
  std::vector<int> owner(mesh.nodes.size(), -1);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (const std::int32_t n : mesh.tets[t])
      if (owner[n] < 0) owner[n] = static_cast<int>(t * 7 % 5) % num_ranks;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    bool used = false;
    for (std::size_t t = 0; t < mesh.tets.size(); ++t)
      used =
          used || (is_mine(t) && std::ranges::find(mesh.tets[t], static_cast<std::int32_t>(n)) != mesh.tets[t].end());
    if (!used) continue;
    local[n] = std::ssize(part.node_id);
    part.node_id.push_back(10 + 2 * static_cast<std::int64_t>(n));  // with gaps
    part.node_owned.push_back(owner[n] == rank ? 1 : 0);
    part.rest_position.push_back(mesh.nodes[n]);
    part.position.push_back(mesh.nodes[n]);
    part.velocity.push_back(Vec3::Zero());
  }
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    if (!is_mine(t)) continue;
    std::array<std::int64_t, 4> tet;
    for (int k = 0; k < 4; ++k) tet[k] = local[mesh.tets[t][k]];
    part.element_id.push_back(3 * static_cast<std::int64_t>(t));
    part.tets.push_back(tet);
    part.material.push_back(mesh.region[t]);
    part.group.push_back(mesh.group[t]);
    part.piece.push_back(0);
    part.stress.push_back(SymMat3::Zero());
    for (int f = 0; f < 4; ++f) {
      if (mesh.face_source[t][f] < 0) continue;
      const auto& c = mesh::kFaceCorners[f];
      part.boundary.push_back({tet[c[0]], tet[c[1]], tet[c[2]]});
      part.boundary_element.push_back(part.element_id.back());
      part.source_triangle.push_back(mesh.face_source[t][f]);
    }
  }
  return part;
}

class MeshShareOfAFile : public ::testing::Test {
protected:
  MeshShareOfAFile() {
    std::int64_t number = getpid();
    MPI_Bcast(&number, 1, MPI_INT64_T, 0, comm_.raw());
    file_ = std::filesystem::temp_directory_path() / ("brisance_share" + std::to_string(number) + ".hdf");
    if (comm_.is_root()) write_mesh_file(file_, two_boxes());
    comm_.barrier();
  }
  ~MeshShareOfAFile() override {
    comm_.barrier();
    if (comm_.is_root()) std::filesystem::remove(file_);
  }

  void write_in_parts(const mesh::TetMesh& mesh) const {
    io::SnapshotHeader header;
    header.groups = mesh.groups;
    header.num_pieces = 1;
    header.material_names = {"a", "b"};
    io::write_snapshot(comm_, file_, header, part_of(mesh, comm_.rank(), comm_.size()));
  }

  void expect_share_of(const mesh::TetMesh& whole) const {
    const dist::MeshShare share = read_mesh_share(comm_, file_);
    const mesh::TetMesh& mesh = share.mesh;
    ASSERT_EQ(share.num_tets, std::ssize(whole.tets));
    ASSERT_EQ(share.num_nodes, std::ssize(whole.nodes));
    EXPECT_EQ(comm_.sum(std::ssize(share.tet_id)), share.num_tets);
    EXPECT_LE(std::ssize(share.tet_id), 1 + (share.num_tets + 2) / comm_.size());
    EXPECT_EQ(mesh.groups, whole.groups);
    const std::int64_t before = core::rows_before(comm_, std::ssize(share.tet_id));
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
      const auto id = static_cast<std::size_t>(share.tet_id[t]);
      ASSERT_EQ(share.tet_id[t], before + static_cast<std::int64_t>(t));
      for (int k = 0; k < 4; ++k) EXPECT_EQ(share.node_id[mesh.tets[t][k]], whole.tets[id][k]) << "tet " << id;
      EXPECT_EQ(mesh.face_source[t], whole.face_source[id]) << "tet " << id;
      EXPECT_EQ(mesh.region[t], whole.region[id]);
      EXPECT_EQ(mesh.group[t], whole.group[id]);
    }
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
      EXPECT_EQ(mesh.nodes[n], whole.nodes[static_cast<std::size_t>(share.node_id[n])]);
      const auto id = static_cast<std::size_t>(share.node_id[n]);
      EXPECT_EQ(mesh.velocity[n], whole.velocity.empty() ? Vec3(Vec3::Zero()) : whole.velocity[id]);
    }
  }

  [[nodiscard]] Scene scene() const {
    Scene scene = test::bare_scene(test::solid(1e7, 0.2, 1000));
    scene.materials.push_back(test::solid(2e7, 0.2, 3000));
    scene.materials[0].name = "light", scene.materials[1].name = "heavy";
    ObjectParameters object;
    object.name = "boxes";
    object.material = "light";
    object.mesh.shape = mesh::ShapeKind::file;
    object.mesh.file = file_;
    object.rotation_deg = Vec3(10, 20, 30);
    object.angular_velocity = Vec3(1, -2, 3);
    object.drop_to_height_m = 0.1;
    scene.objects = {object};
    return scene;
  }
  [[nodiscard]] std::string error_of(const Scene& scene) const {
    try {
      (void)build_initial_mesh(comm_, scene);
    } catch (const core::BadInput& e) {
      return e.what();
    }
    return "no error";
  }
  static RegionParameters group_region(const std::string& group) {
    RegionParameters region = test::grip({true, true, true});
    region.shape = RegionShape::group;
    region.group = group;
    return region;
  }

  core::Comm comm_;
  std::filesystem::path file_;
};

TEST_F(MeshShareOfAFile, IsWhatOneRankReads) {
  expect_share_of(two_boxes());
  const mesh::TetMesh whole = read_mesh_file(file_);
  EXPECT_EQ(whole.tets, two_boxes().tets);
  EXPECT_EQ(whole.nodes, two_boxes().nodes);
}

TEST_F(MeshShareOfAFile, TakesPartsInAnyOrderAndNumbersWithoutGaps) {
  mesh::TetMesh boxes = two_boxes();
  boxes.velocity.clear();
  write_in_parts(boxes);
  expect_share_of(boxes);
}

TEST_F(MeshShareOfAFile, TurnsTetsWhereAllAreTheOtherWayRound) {
  mesh::TetMesh boxes = two_boxes(), turned = boxes;
  for (auto& tet : turned.tets) std::swap(tet[2], tet[3]);
  for (auto& faces : turned.face_source) std::swap(faces[2], faces[3]);
  if (comm_.is_root()) write_mesh_file(file_, turned);
  comm_.barrier();
  expect_share_of(boxes);
}

TEST_F(MeshShareOfAFile, RefusesInvertedTetsAndMissingNodesOnAllRanks) {
  mesh::TetMesh boxes = two_boxes();
  for (const int t : {7, 230}) std::swap(boxes.tets[t][2], boxes.tets[t][3]);
  if (comm_.is_root()) write_mesh_file(file_, boxes);
  comm_.barrier();
  EXPECT_THAT(error_of(scene()),
              ::testing::HasSubstr("2 of 432 tets are inverted at the start (negative volume): tet 7, "
                                   "230, counted from 0"));
  if (comm_.is_root()) {
    io::Snapshot all = io::read_snapshot(file_);
    all.part.node_owned[100] = 0;
    io::write_snapshot(core::Comm(MPI_COMM_SELF), file_, all.header, all.part);
  }
  comm_.barrier();
  EXPECT_THAT(error_of(scene()), ::testing::HasSubstr("no part owns node 100"));
}

/// The share of rank 0, which has all, gives the scene the same bits as shares of all ranks.
TEST_F(MeshShareOfAFile, MakesTheMeshThatAWholeOneMakes) {
  Scene with_all = scene();
  with_all.regions = {group_region("lid"), group_region("cup")};
  FactorParameters scatter;
  scatter.of = FactorOf::strength;
  scatter.weibull_modulus = 5;
  FactorParameters graded;
  graded.of = FactorOf::stiffness;
  graded.formula = "1 + x";
  with_all.factors = {scatter, graded};
  const test::OneRank alone;
  const InitialMesh whole = build_initial_mesh(alone.comm(), with_all), mine = build_initial_mesh(comm_, with_all);
  EXPECT_EQ(mine.report, whole.report);
  ASSERT_EQ(mine.share.num_nodes, std::ssize(whole.share.node_id));
  for (std::size_t n = 0; n < mine.regions.size(); ++n) {
    const auto id = static_cast<std::size_t>(mine.share.node_id[n]);
    EXPECT_EQ(mine.regions[n], whole.regions[id]) << "node " << id;
    EXPECT_EQ(mine.share.mesh.velocity[n], whole.share.mesh.velocity[id]) << "node " << id;
  }
  EXPECT_EQ(dist::is_on_root(comm_, mine.share), comm_.size() == 1);

  const Simulation from_shares(comm_, with_all, mine.share, mine.regions);
  dist::MeshShare on_root = whole.share;
  if (!comm_.is_root()) {
    on_root.mesh.nodes.clear();
    on_root.mesh.tets.clear();
    on_root.node_id.clear();
    on_root.tet_id.clear();
  }
  const Simulation from_root(comm_, with_all, on_root, whole.regions);
  const dist::Records a = dist::slab_of(from_shares.mesh()), b = dist::slab_of(from_root.mesh());
  ASSERT_EQ(a.elements.size(), b.elements.size());
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  EXPECT_EQ(a.element_fields, b.element_fields);
  EXPECT_EQ(a.node_fields, b.node_fields);
  for (std::size_t e = 0; e < a.elements.size(); ++e) {
    EXPECT_EQ(a.elements[e].id, b.elements[e].id);
    EXPECT_EQ(a.elements[e].corners, b.elements[e].corners);
    EXPECT_EQ(a.elements[e].material, b.elements[e].material);
  }
  for (std::size_t n = 0; n < a.nodes.size(); ++n) {
    EXPECT_EQ(a.nodes[n].position, b.nodes[n].position);
    EXPECT_EQ(a.nodes[n].velocity, b.nodes[n].velocity);
  }
}

TEST_F(MeshShareOfAFile, IsDividedEvenly) {
  const InitialMesh initial = build_initial_mesh(comm_, scene());
  const Simulation simulation(comm_, scene(), initial.share, initial.regions);
  std::int64_t owned = 0;
  test::for_each_owned(simulation, [&](LocalNode, std::int64_t) { ++owned; });
  EXPECT_EQ(comm_.sum(owned), initial.share.num_nodes);
  EXPECT_LT(static_cast<double>(comm_.max(owned)),
            1.35 * static_cast<double>(initial.share.num_nodes) / comm_.size());  // 160 nodes: some are a large share
}

TEST_F(MeshShareOfAFile, WhatStaticsDoesNotHoldIsFoundAcrossRanks) {
  Scene held = scene();
  held.time.integrator = dynamics::Integrator::statics;
  held.regions = {group_region("lid")};
  EXPECT_THAT(error_of(held), ::testing::HasSubstr("object \"boxes\" is not fully constrained"));  // the lower box
  RegionParameters all = test::grip({true, true, true});
  all.shape = RegionShape::half_space;
  all.normal = Vec3(0, 0, 1);
  all.centre = Vec3(0, 0, 0.2);
  held.regions.push_back(all);
  EXPECT_EQ(error_of(held), "no error");
}

TEST_F(MeshShareOfAFile, NamesWhatNoRankHas) {
  Scene odd = scene();
  odd.regions = {group_region("saucer")};
  EXPECT_THAT(error_of(odd), ::testing::HasSubstr("Groups of the objects: cup, lid"));
  odd = scene();
  odd.parts = {{"saucer", "heavy", ""}};
  EXPECT_THAT(error_of(odd), ::testing::HasSubstr("no tet has the group \"saucer\". Groups of tets: cup."));
}

}  // namespace
}  // namespace brisance::sim
