#include "brisance/io/snapshot.hpp"

#include "io/expect_parts.hpp"
#include "io/file_size_limit.hpp"
#include "io/sample_frame.hpp"
#include "io/shared_folder.hpp"

#include <gmock/gmock.h>

namespace brisance {
namespace {

using test::expect_equal;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SnapshotFiles : public test::SharedFolder {
protected:
  io::SnapshotPart mine(int cubes, bool plastic = true) const {
    return test::sample_part(cubes, comm_.rank(), comm_.size(), plastic);
  }

  std::string failure_of_writing(const std::filesystem::path& file, const io::SnapshotPart& part) const {
    return failure_of([&] { io::write_snapshot(comm_, file, test::sample_header(), part); });
  }
};

TEST_F(SnapshotFiles, EachPartReadsBackAsWritten) {
  const auto part = mine(8);
  io::write_snapshot(comm_, folder_ / "000003.hdf", test::sample_header(), part);
  EXPECT_THAT(names(folder_), ElementsAre("000003.hdf"));
  EXPECT_EQ(io::num_parts(folder_ / "000003.hdf"), comm_.size());
  expect_equal(io::read_snapshot(folder_ / "000003.hdf", comm_.rank(), 1).part, part);
}

TEST_F(SnapshotFiles, HeaderReadsBackAsWritten) {
  const auto header = test::sample_header();
  io::write_snapshot(comm_, folder_ / "000003.hdf", header, mine(2));
  const auto read = io::read_snapshot_header(folder_ / "000003.hdf");
  EXPECT_EQ(read.time_s, header.time_s);
  EXPECT_EQ(read.step, header.step);
  EXPECT_EQ(read.frame, header.frame);
  EXPECT_EQ(read.num_pieces, header.num_pieces);
  EXPECT_EQ(read.num_cracks, header.num_cracks);
  EXPECT_EQ(read.material_names, header.material_names);
  EXPECT_EQ(read.scene, header.scene);
  ASSERT_EQ(read.colliders.size(), 3u);
  EXPECT_EQ(read.colliders[1].name, "ball");
  EXPECT_EQ(read.colliders[1].kind, "sphere");
  EXPECT_EQ(read.colliders[1].centre, header.colliders[1].centre);
  EXPECT_EQ(read.colliders[1].size, header.colliders[1].size);
  EXPECT_EQ(read.colliders[1].orientation, header.colliders[1].orientation);
  EXPECT_TRUE(read.colliders[1].vertices.empty());
  EXPECT_EQ(read.colliders[2].vertices, header.colliders[2].vertices);
  EXPECT_EQ(read.colliders[2].triangles, header.colliders[2].triangles);
}

TEST_F(SnapshotFiles, JoinedPartsAreTheWholeMesh) {
  io::write_snapshot(comm_, folder_ / "a.hdf", test::sample_header(), mine(8));
  const auto joined = io::read_snapshot(folder_ / "a.hdf").part;
  const auto whole = test::sample_part(8, 0, 1);
  EXPECT_EQ(joined.element_id, whole.element_id);  // slabs: ascending over the parts as well
  EXPECT_EQ(std::count(joined.node_owned.begin(), joined.node_owned.end(), 1), std::ssize(whole.node_id));
  for (std::size_t e = 0; e < whole.tets.size(); ++e)
    for (int c = 0; c < 4; ++c)
      ASSERT_EQ(joined.node_id[joined.tets[e][c]], whole.node_id[whole.tets[e][c]]) << "tet " << e;
  ASSERT_EQ(joined.boundary.size(), whole.boundary.size());
  for (std::size_t t = 0; t < whole.boundary.size(); ++t)
    for (int c = 0; c < 3; ++c)
      ASSERT_EQ(joined.node_id[joined.boundary[t][c]], whole.node_id[whole.boundary[t][c]]) << "triangle " << t;
}

TEST_F(SnapshotFiles, NoPlasticStrainAndNoElementsAtAll) {
  io::write_snapshot(comm_, folder_ / "a.hdf", test::sample_header(), mine(2, false));
  EXPECT_TRUE(io::read_snapshot(folder_ / "a.hdf").part.plastic_strain.empty());
  io::write_snapshot(comm_, folder_ / "b.hdf", {}, {});
  const auto empty = io::read_snapshot(folder_ / "b.hdf");
  EXPECT_TRUE(empty.part.tets.empty());
  EXPECT_TRUE(empty.header.colliders.empty());
  EXPECT_EQ(empty.header.scene, "");
}

TEST_F(SnapshotFiles, FolderMissingOrNotAFolder) {
  EXPECT_THAT(failure_of_writing(folder_ / "absent" / "a.hdf", mine(2)), HasSubstr("No such file"));
  on_root([&] { write_text(folder_ / "file", "mine"); });
  EXPECT_THAT(failure_of_writing(folder_ / "file" / "a.hdf", mine(2)), HasSubstr("Not a directory"));
}

TEST_F(SnapshotFiles, FullDiskLeavesTheFileOfBefore) {
  io::write_snapshot(comm_, folder_ / "a.hdf", test::sample_header(), mine(1));
  const io::SnapshotPart large = mine(500);
  {
    const test::FileSizeLimit limit(64 << 10);
    EXPECT_THAT(failure_of_writing(folder_ / "a.hdf", large), HasSubstr("File too large"));
    EXPECT_THAT(failure_of_writing(folder_ / "b.hdf", large), HasSubstr("free space"));
  }
  EXPECT_THAT(names(folder_), ElementsAre("a.hdf"));
  EXPECT_EQ(io::read_snapshot(folder_ / "a.hdf").part.tets.size(), 6u);
  comm_.barrier();
  // and the library is still of use afterwards
  io::write_snapshot(comm_, folder_ / "b.hdf", test::sample_header(), large);
  EXPECT_EQ(io::read_snapshot(folder_ / "b.hdf").part.tets.size(), 3000u);
}

TEST_F(SnapshotFiles, ArraysOfDifferentLengthsAreRefusedOnAllRanks) {
  auto part = mine(8);
  if (comm_.rank() == comm_.size() - 1) part.velocity.pop_back();
  EXPECT_THAT(failure_of_writing(folder_ / "a.hdf", part), HasSubstr("different lengths"));
  EXPECT_TRUE(names(folder_).empty());
}

}  // namespace
}  // namespace brisance
