// Tet meshes in our own files: they read back as written, and inverted tets are distinguished from another convention.
#include "brisance/core/error.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include "support/kuhn.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <unistd.h>

namespace brisance::sim {
namespace {

class MeshFile : public ::testing::Test {
protected:
  MeshFile() { std::filesystem::create_directories(folder_); }
  ~MeshFile() override { std::filesystem::remove_all(folder_); }

  mesh::TetMesh written_and_read(const mesh::TetMesh& mesh) const {
    write_mesh_file(folder_ / "mesh.hdf", mesh);
    return read_mesh_file(folder_ / "mesh.hdf");
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("brisance_mesh_file" + std::to_string(getpid()));
};

void turn(std::array<std::int32_t, 4>& tet) { std::swap(tet[2], tet[3]); }

TEST_F(MeshFile, WhatIsWrittenReadsBack) {
  mesh::TetMesh box = test::kuhn_box(2, 3, 2, 0.2, 0.3, 0.2);
  for (std::size_t t = 0; t < box.tets.size(); ++t) box.region.push_back(static_cast<std::int32_t>(t % 3));
  const mesh::TetMesh back = written_and_read(box);
  EXPECT_EQ(back.nodes, box.nodes);
  EXPECT_EQ(back.tets, box.tets);
  EXPECT_EQ(back.region, box.region);
  EXPECT_EQ(back.face_source, box.face_source);
}

TEST_F(MeshFile, TetsThatAreAllNegativeAreTurned) {
  mesh::TetMesh box = test::kuhn_box(2, 2, 2, 0.2, 0.2, 0.2), turned = box;
  for (auto& tet : turned.tets) turn(tet);
  for (auto& faces : turned.face_source) turn(faces);
  const mesh::TetMesh back = written_and_read(turned);
  EXPECT_EQ(back.tets, box.tets);
  EXPECT_EQ(back.face_source, box.face_source);
}

TEST_F(MeshFile, AnInvertedTetAmongOthersIsAnError) {
  mesh::TetMesh box = test::kuhn_box(2, 2, 2, 0.2, 0.2, 0.2);
  for (const int t : {7, 30}) turn(box.tets[t]);
  try {
    (void)written_and_read(box);
    FAIL() << "no error";
  } catch (const core::Error& e) {
    EXPECT_THAT(e.what(), ::testing::HasSubstr("mesh.hdf: 2 of 48 tets are inverted at the start (negative volume): "
                                               "tet 7, 30, counted from 0"));
  }
}

}  // namespace
}  // namespace brisance::sim
