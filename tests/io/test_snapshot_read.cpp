/// Invalid files: each gives one core::Error that names the file and the remedy.
#include "brisance/core/error.hpp"
#include "brisance/io/array_file.hpp"
#include "brisance/io/finite_frame.hpp"
#include "brisance/io/snapshot.hpp"

#include "io/hdf5_handles.hpp"
#include "io/sample_frame.hpp"
#include "io/shared_folder.hpp"
#include "io/snapshot_layout.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>

namespace brisance {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class BadSnapshots : public test::SharedFolder {
protected:
  BadSnapshots() : file_(folder_ / "a.hdf") {
    io::write_snapshot(comm_, file_, test::sample_header(), test::sample_part(8, 0, 1));
  }

  std::string failure_of_reading() const {
    try {
      static_cast<void>(io::read_snapshot(file_));
    } catch (const core::Error& e) {
      EXPECT_THAT(e.what(), HasSubstr(file_.string()));
      return e.what();
    }
    return "read without complaint";
  }

  template <class T>
  void set_first(const char* dataset, T value) const {
    const io::Hdf5File file(H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const io::Hdf5Dataset data(H5Dopen2(file.raw(), dataset, H5P_DEFAULT));
    const io::Hdf5Space space(H5Dget_space(data.raw()));
    const std::vector<hsize_t> first(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.raw())), 0);
    H5Sselect_elements(space.raw(), H5S_SELECT_SET, 1, first.data());
    const io::Hdf5Space scalar(H5Screate(H5S_SCALAR));
    ASSERT_GE(H5Dwrite(data.raw(), io::memory_type<T>(), scalar.raw(), space.raw(), H5P_DEFAULT, &value), 0);
  }

  void unlink(const char* name) const {
    const io::Hdf5File file(H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    ASSERT_GE(H5Ldelete(file.raw(), name, H5P_DEFAULT), 0);
  }

  std::filesystem::path file_;
};

TEST_F(BadSnapshots, TheGoodOneReads) { EXPECT_EQ(failure_of_reading(), "read without complaint"); }

TEST_F(BadSnapshots, Missing) {
  std::filesystem::remove(file_);
  EXPECT_THAT(failure_of_reading(), HasSubstr("no such file"));
}

TEST_F(BadSnapshots, NotHdf5AndEmpty) {
  write_text(file_, "solid teapot\n");
  EXPECT_THAT(failure_of_reading(), HasSubstr("not an HDF5 file"));
  write_text(file_, "");
  EXPECT_THAT(failure_of_reading(), HasSubstr("not an HDF5 file"));
}

TEST_F(BadSnapshots, CutShortAnywhere) {
  const auto size = std::filesystem::file_size(file_);
  for (const auto keep : {size - 1, size / 2, size / 10}) {
    std::filesystem::resize_file(file_, keep);
    EXPECT_THAT(failure_of_reading(), HasSubstr("cut short")) << keep;
  }
}

TEST_F(BadSnapshots, AnotherHdf5FileOrAnotherVersion) {
  const std::int64_t version = 7;
  {
    const io::Hdf5File file(H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const io::Hdf5Group ours(H5Gopen2(file.raw(), io::layout::kOurs, H5P_DEFAULT));
    const io::Hdf5Attribute attribute(H5Aopen(ours.raw(), "format_version", H5P_DEFAULT));
    ASSERT_GE(H5Awrite(attribute.raw(), H5T_NATIVE_INT64, &version), 0);
  }
  EXPECT_THAT(failure_of_reading(), AllOf(HasSubstr("format 7"), HasSubstr("reads format 1")));
  unlink(io::layout::kOurs);
  EXPECT_THAT(failure_of_reading(), HasSubstr("not a snapshot of brisance"));
}

TEST_F(BadSnapshots, MissingDataset) {
  unlink(io::layout::kStress);
  EXPECT_THAT(failure_of_reading(), AllOf(HasSubstr(io::layout::kStress), HasSubstr("missing")));
}

TEST_F(BadSnapshots, CountsAndCornersThatDoNotFit) {
  set_first<std::int64_t>(io::layout::kConnectivity, 36);
  EXPECT_THAT(failure_of_reading(), HasSubstr(io::layout::kConnectivity));
  set_first<std::int64_t>(io::layout::kConnectivity, -1);
  EXPECT_THAT(failure_of_reading(), HasSubstr(io::layout::kConnectivity));
  set_first<std::int64_t>(io::layout::kNumCells, std::int64_t{1} << 60);
  EXPECT_THAT(failure_of_reading(), HasSubstr("does not fit"));
  set_first<std::int64_t>(io::layout::kNumCells, -5);
  EXPECT_THAT(failure_of_reading(), HasSubstr(io::layout::kNumCells));
}

TEST_F(BadSnapshots, CountsOfMorePartsThanThereAre) {
  const io::Snapshot good = io::read_snapshot(file_);
  // The rows of a part without nodes: their piece numbers would be checked against the tets of the whole file.
  const auto with_another_part = [&](const char* name, std::size_t rows) {
    unlink(name);
    const std::array<std::int64_t, 2> counts{static_cast<std::int64_t>(rows), 1000};
    const hsize_t parts = counts.size();
    const io::Hdf5File file(H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const io::Hdf5Space space(H5Screate_simple(1, &parts, nullptr));
    const io::Hdf5Dataset made(
        H5Dcreate2(file.raw(), name, H5T_STD_I64LE, space.raw(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    ASSERT_GE(H5Dwrite(made.raw(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, counts.data()), 0);
  };
  with_another_part(io::layout::kNumTriangles, good.part.boundary.size());
  EXPECT_THAT(failure_of_reading(), HasSubstr(io::layout::kNumTriangles));
  with_another_part(io::layout::kNumCells, good.part.tets.size());
  set_first<std::int64_t>(io::layout::kPiece, 500);
  EXPECT_THAT(failure_of_reading(), HasSubstr(io::layout::kNumCells));
}

TEST_F(BadSnapshots, PieceNumbersAndSizesThatAskForMemory) {
  set_first<std::int64_t>(io::layout::kPiece, 10'000'000'000);
  EXPECT_THAT(failure_of_reading(), HasSubstr(io::layout::kPiece));
  set_first<std::int64_t>(io::layout::kPiece, 0);
  unlink(io::layout::kNodeId);
  {
    // 80 GB that no byte of the file stands for.
    const io::Hdf5File file(H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const hsize_t rows = 10'000'000'000, chunk = 1024;
    const io::Hdf5Space space(H5Screate_simple(1, &rows, nullptr));
    const io::Hdf5Properties chunked(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(chunked.raw(), 1, &chunk);
    const io::Hdf5Dataset made(H5Dcreate2(file.raw(), io::layout::kNodeId, H5T_STD_I64LE, space.raw(), H5P_DEFAULT,
                                          chunked.raw(), H5P_DEFAULT));
    ASSERT_TRUE(made.valid());
  }
  EXPECT_THAT(failure_of_reading(), HasSubstr(io::layout::kNodeId));
}

TEST_F(BadSnapshots, LinksAndValuesOutsideTheFile) {
  const auto good = file_;
  const auto other = folder_ / "other.hdf", raw = folder_ / "raw.bin";
  std::filesystem::copy_file(file_, other);
  const auto changed = [&](const char* name, const auto& make) {
    file_ = folder_ / "b.hdf";
    std::filesystem::copy_file(good, file_, std::filesystem::copy_options::overwrite_existing);
    unlink(name);
    const io::Hdf5File file(H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    make(file);
  };
  for (const char* name : {"/VTKHDF/Points", "/VTKHDF/PointData", "/brisance"}) {
    changed(name, [&](const io::Hdf5File& file) {
      ASSERT_GE(H5Lcreate_external(other.c_str(), name, file.raw(), name, H5P_DEFAULT, H5P_DEFAULT), 0);
    });
    EXPECT_THAT(failure_of_reading(), AllOf(HasSubstr(name), HasSubstr("lies in another file"))) << name;
    EXPECT_THAT(failure_of([&] { (void)io::has_group(file_, "/brisance/checkpoint"); }),
                HasSubstr("lies in another file"));
  }
  const hsize_t size[2] = {36, 3};
  write_text(raw, std::string(sizeof(double) * size[0] * size[1], 'x'));
  changed("/VTKHDF/Points", [&](const io::Hdf5File& file) {
    const io::Hdf5Space space(H5Screate_simple(2, size, nullptr));
    const io::Hdf5Properties properties(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_external(properties.raw(), raw.c_str(), 0, H5F_UNLIMITED);
    const io::Hdf5Dataset made(H5Dcreate2(file.raw(), "/VTKHDF/Points", H5T_IEEE_F64LE, space.raw(), H5P_DEFAULT,
                                          properties.raw(), H5P_DEFAULT));
    ASSERT_TRUE(made.valid());
  });
  EXPECT_THAT(failure_of_reading(), AllOf(HasSubstr("Points"), HasSubstr("lies in another file")));
  changed("/VTKHDF/Points", [&](const io::Hdf5File& file) {
    const io::Hdf5Space space(H5Screate_simple(2, size, nullptr));
    const io::Hdf5Properties properties(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_virtual(properties.raw(), space.raw(), other.c_str(), "/VTKHDF/Points", space.raw());
    const io::Hdf5Dataset made(H5Dcreate2(file.raw(), "/VTKHDF/Points", H5T_IEEE_F64LE, space.raw(), H5P_DEFAULT,
                                          properties.raw(), H5P_DEFAULT));
    ASSERT_TRUE(made.valid());
  });
  EXPECT_THAT(failure_of_reading(), AllOf(HasSubstr("Points"), HasSubstr("lies in another file")));
  changed("/VTKHDF/Points", [&](const io::Hdf5File& file) {  // within the file a link is as good as another
    const io::Hdf5File from(H5Fopen(good.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    ASSERT_GE(H5Ocopy(from.raw(), "/VTKHDF/Points", file.raw(), "places", H5P_DEFAULT, H5P_DEFAULT), 0);
    ASSERT_GE(H5Lcreate_soft("/places", file.raw(), "/VTKHDF/Points", H5P_DEFAULT, H5P_DEFAULT), 0);
  });
  EXPECT_EQ(failure_of_reading(), "read without complaint");
}

TEST_F(BadSnapshots, CountsAndMomentsThatCannotBe) {
  const auto with = [&](const char* name, auto value) {
    const io::Hdf5File file(H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const io::Hdf5Group ours(H5Gopen2(file.raw(), io::layout::kOurs, H5P_DEFAULT));
    const io::Hdf5Attribute attribute(H5Aopen(ours.raw(), name, H5P_DEFAULT));
    ASSERT_GE(H5Awrite(attribute.raw(), io::memory_type<decltype(value)>(), &value), 0);
  };
  const io::SnapshotHeader good = io::read_snapshot_header(file_);
  const std::int64_t most = std::ssize(io::read_snapshot(file_).part.element_id);
  for (const std::int64_t pieces : {std::int64_t{-1}, most + 1, std::int64_t{1} << 40}) {
    with("num_pieces", pieces);
    EXPECT_THAT(failure_of_reading(), HasSubstr("num_pieces")) << pieces;
  }
  with("num_pieces", most);
  EXPECT_EQ(failure_of_reading(), "read without complaint");
  for (const double time : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    with("time_s", time);
    EXPECT_THAT(failure_of_reading(), HasSubstr("time_s"));
  }
  with("time_s", good.time_s);
  with("step", std::int64_t{-4});
  EXPECT_THAT(failure_of_reading(), HasSubstr("step"));
}

TEST_F(BadSnapshots, NumbersThatAreNotFinite) {
  const auto failure = [&] { return failure_of([&] { io::require_finite(file_, io::read_snapshot(file_).part); }); };
  EXPECT_EQ(failure(), "");
  set_first(io::layout::kVelocity, -std::numeric_limits<double>::infinity());
  EXPECT_THAT(failure(), AllOf(HasSubstr(file_.string()), HasSubstr("the velocity of node 3 is -inf")));
  set_first(io::layout::kPoints, std::nan(""));
  EXPECT_THAT(failure(), HasSubstr("the position of node 3 is nan"));
  set_first(io::layout::kColliderCentre, std::nan(""));
  EXPECT_THAT(failure_of_reading(), HasSubstr(io::layout::kColliderCentre));
}

TEST_F(BadSnapshots, AnAttributeOfManyElementsIsNotWrittenBeyondItsPlace) {
  {
    const io::Hdf5File file(H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const io::Hdf5Group ours(H5Gopen2(file.raw(), io::layout::kOurs, H5P_DEFAULT));
    ASSERT_GE(H5Adelete(ours.raw(), "time_s"), 0);
    const hsize_t many = 4000;
    const io::Hdf5Space space(H5Screate_simple(1, &many, nullptr));
    const io::Hdf5Attribute made(
        H5Acreate2(ours.raw(), "time_s", H5T_IEEE_F64LE, space.raw(), H5P_DEFAULT, H5P_DEFAULT));
    const std::vector<double> values(many, 1.0);
    ASSERT_GE(H5Awrite(made.raw(), H5T_NATIVE_DOUBLE, values.data()), 0);
  }
  EXPECT_THAT(failure_of_reading(), HasSubstr("time_s"));
}

TEST_F(BadSnapshots, PartsThatAreNotThere) {
  EXPECT_THROW(static_cast<void>(io::read_snapshot(file_, 1, 1)), core::Error);
  EXPECT_THROW(static_cast<void>(io::read_snapshot(file_, -1)), core::Error);
  EXPECT_TRUE(io::read_snapshot(file_, 1).part.tets.empty());  // from part 1 on: none
}

}  // namespace
}  // namespace brisance
