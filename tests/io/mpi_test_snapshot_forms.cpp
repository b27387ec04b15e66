#include "brisance/io/diff.hpp"
#include "brisance/io/snapshot.hpp"

#include "io/expect_parts.hpp"
#include "io/hdf5_handles.hpp"
#include "io/sample_frame.hpp"
#include "io/shared_folder.hpp"

#include <gmock/gmock.h>

namespace brisance {
namespace {

using test::expect_equal;
using ::testing::HasSubstr;

/// Frames that have less than the whole moment.
class SnapshotForms : public test::SharedFolder {
protected:
  io::SnapshotHeader header_of(const io::FrameForm& form) const {
    io::SnapshotHeader header = test::sample_header();
    header.form = form;
    return header;
  }
  io::Snapshot written(const io::FrameForm& form, const io::SnapshotPart& part) const {
    io::write_snapshot(comm_, folder_ / "a.hdf", header_of(form), part);
    io::Snapshot read = io::read_snapshot(folder_ / "a.hdf", comm_.rank(), 1);
    comm_.barrier();
    return read;
  }
};

TEST_F(SnapshotForms, SurfaceReadsBackAsWritten) {
  const auto part = test::sample_surface(8, comm_.rank(), comm_.size());
  const io::FrameForm form{.surface_only = true, .single_precision = false, .left_out = {}};
  const auto read = written(form, part);
  EXPECT_EQ(read.header.form, form);
  expect_equal(read.part, part);
  const io::Snapshot whole{header_of({}), test::sample_part(8, 0, 1)};
  EXPECT_THAT(io::diff(io::read_snapshot(folder_ / "a.hdf"), whole, 0).text(), HasSubstr("form: a has surface"));
}

TEST_F(SnapshotForms, SurfaceOfAnyNumberOfRanksIsTheSame) {
  const io::FrameForm form{.surface_only = true, .single_precision = false, .left_out = {}};
  static_cast<void>(written(form, test::sample_surface(8, comm_.rank(), comm_.size())));
  const io::Snapshot joined = io::read_snapshot(folder_ / "a.hdf");
  io::Snapshot alone{header_of(form), test::sample_surface(8, 0, 1)};
  const auto same = io::diff(joined, alone, 0);
  EXPECT_TRUE(same.equal()) << same.text();
  EXPECT_EQ(same.num_triangles, 8 * 8 + 4);
  alone.part.stress[5][2] += 1;
  EXPECT_THAT(io::diff(joined, alone, 0).text(), HasSubstr("tet stress: 1 differ"));
}

TEST_F(SnapshotForms, FieldsLeftOutAreEmptyAndTheRestIsThere) {
  auto part = test::sample_part(8, comm_.rank(), comm_.size());
  part.velocity.clear();
  part.stress.clear();
  const io::FrameForm form{.surface_only = false, .single_precision = false, .left_out = {"velocity", "stress"}};
  const auto read = written(form, part);
  EXPECT_EQ(read.header.form, form);
  expect_equal(read.part, part);
  const io::Snapshot whole{header_of({}), test::sample_part(8, 0, 1)};
  const auto difference = io::diff(io::read_snapshot(folder_ / "a.hdf"), whole, 0);
  ASSERT_EQ(difference.fields.size(), 1u) << difference.text();
  EXPECT_THAT(difference.fields[0].first_a, HasSubstr("without velocity stress"));
}

TEST_F(SnapshotForms, DeflatedFramesAreSmallerAndHoldTheSame) {
  // Several chunks a column, some with rows of two ranks.
  const auto part = test::sample_part(3000, comm_.rank(), comm_.size());
  const auto size_of = [&](int level) {
    const auto file = folder_ / "a.hdf";
    io::write_snapshot(comm_, file, header_of({}), part, level);
    expect_equal(io::read_snapshot(file, comm_.rank(), 1).part, part);
    const auto bytes = std::filesystem::file_size(file);
    comm_.barrier();
    return bytes;
  };
  const auto plain = size_of(0), fast = size_of(1), best = size_of(9);
  EXPECT_LT(fast, plain / 2);
  EXPECT_LE(best, fast);
}

TEST_F(SnapshotForms, SinglePrecisionRoundsEveryReal) {
  const auto part = test::sample_part(8, comm_.rank(), comm_.size());
  const auto read = written({.surface_only = false, .single_precision = true, .left_out = {}}, part);
  auto rounded = part;
  const auto round = [](auto& rows) {
    for (auto& row : rows)
      for (double& x : row) x = static_cast<double>(static_cast<float>(x));
  };
  round(rounded.position);
  round(rounded.rest_position);
  round(rounded.velocity);
  round(rounded.stress);
  round(rounded.plastic_strain);
  for (auto* state : {&rounded.node_state, &rounded.element_state})
    for (auto& column : *state)
      for (double& x : column.values) x = static_cast<double>(static_cast<float>(x));
  expect_equal(read.part, rounded);
  EXPECT_FALSE(comm_.size() == 1 && rounded.position == part.position);  // so that the test is not trivial
}

TEST_F(SnapshotForms, WholeFramesKeepTheFirstVersion) {
  const auto version = [&] {
    const io::Hdf5File file(H5Fopen((folder_ / "a.hdf").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const io::Hdf5Attribute attribute(
        H5Aopen_by_name(file.raw(), "/brisance", "format_version", H5P_DEFAULT, H5P_DEFAULT));
    std::int64_t number = 0;
    H5Aread(attribute.raw(), H5T_NATIVE_INT64, &number);
    return number;
  };
  static_cast<void>(written({}, test::sample_part(2, comm_.rank(), comm_.size())));
  EXPECT_EQ(version(), 1);
  comm_.barrier();
  static_cast<void>(written({.surface_only = false, .single_precision = true, .left_out = {}},
                            test::sample_part(2, comm_.rank(), comm_.size())));
  EXPECT_EQ(version(), 2);
}

TEST_F(SnapshotForms, PartThatDoesNotFitItsFormIsRefused) {
  const auto part = test::sample_part(8, comm_.rank(), comm_.size());
  const auto failure = [&](const io::FrameForm& form) {
    return failure_of([&] { io::write_snapshot(comm_, folder_ / "b.hdf", header_of(form), part); });
  };
  EXPECT_THAT(failure({.surface_only = true, .single_precision = false, .left_out = {}}),
              HasSubstr("different lengths"));
  EXPECT_THAT(failure({.surface_only = false, .single_precision = false, .left_out = {"stress"}}),
              HasSubstr("different lengths"));
  EXPECT_TRUE(names(folder_).empty());
}

}  // namespace
}  // namespace brisance
