/// Array files written by all ranks are those of one rank, and are read in blocks.
#include "brisance/core/blocks.hpp"
#include "brisance/io/array_file.hpp"

#include "io/file_size_limit.hpp"
#include "io/hdf5_contents.hpp"
#include "io/shared_folder.hpp"
#include "io/write_columns.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>

namespace brisance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Values that identify their place.
template <class T>
std::vector<T> counting(std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), T{1});
  return values;
}

template <class T>
std::vector<T> rows_of(const std::vector<T>& values, const core::Block& rows, std::int64_t width = 1) {
  return {values.begin() + rows.first * width, values.begin() + (rows.first + rows.count) * width};
}

class ArrayFiles : public test::SharedFolder {
protected:
  [[nodiscard]] core::Block mine(std::int64_t num_rows) const {
    return core::block_of(num_rows, comm_.rank(), comm_.size());
  }

  /// Tables of all types with `num_rows` rows, distributed over `comm` as `block` says.
  static void write(const core::Comm& comm, const std::filesystem::path& path, std::int64_t num_rows,
                    const core::Block& block) {
    io::ArrayFileWriter file(comm, path);
    file.group("/g");
    file.number("/g", "answer", std::int64_t{42});
    file.number("/g", "half", 0.5);
    file.text("/g", "note", "kept");
    file.rows("/g/float64", rows_of(counting<double>(3 * num_rows), block, 3), 3);
    file.rows("/g/int64", rows_of(counting<std::int64_t>(num_rows), block));
    file.rows_of_root("/g/small", std::vector<double>{1, 2, 3});
    file.rows("/g/int32", rows_of(counting<std::int32_t>(4 * num_rows), block, 4), 4);
    file.rows("/g/uint8", rows_of(counting<std::uint8_t>(num_rows), block));
    file.publish();
  }

  void write_by_one(const std::filesystem::path& path, std::int64_t num_rows) const {
    on_root([&] { write(core::Comm(MPI_COMM_SELF), path, num_rows, {0, num_rows}); });
  }
};

TEST_F(ArrayFiles, WrittenByAllRanksAreThoseOfOne) {
  for (const std::int64_t num_rows : {0, 1, 2, 57}) {
    write_by_one(folder_ / "one.h5", num_rows);
    write(comm_, folder_ / "all.h5", num_rows, mine(num_rows));
    test::expect_same_contents(folder_ / "one.h5", folder_ / "all.h5");
    // rows need not be shared out evenly
    write(comm_, folder_ / "last.h5", num_rows, {0, comm_.rank() == comm_.size() - 1 ? num_rows : 0});
    test::expect_same_contents(folder_ / "one.h5", folder_ / "last.h5");
    comm_.barrier();
  }
  EXPECT_THAT(names(folder_), ElementsAre("all.h5", "last.h5", "one.h5"));
}

TEST_F(ArrayFiles, SmallTablesNumbersAndTextsAreThoseOfRankZero) {
  const auto rank = comm_.rank();
  io::ArrayFileWriter file(comm_, folder_ / "a.h5");
  file.group("/g");
  file.number("/g", "rank", std::int64_t{rank});
  file.text("/g", "text", "rank " + std::to_string(rank));
  file.rows_of_root("/g/small", std::vector<double>(static_cast<std::size_t>(3 + rank), rank));
  file.publish();
  const io::ArrayFileReader read(folder_ / "a.h5");
  EXPECT_EQ(read.integer("/g", "rank"), 0);
  EXPECT_EQ(read.text("/g", "text"), "rank 0");
  EXPECT_EQ(read.rows<double>("/g/small"), std::vector<double>(3, 0.0));
}

TEST_F(ArrayFiles, EachRankReadsItsBlock) {
  for (const std::int64_t num_rows : {0, 1, 2, 57}) {
    write_by_one(folder_ / "a.h5", num_rows);
    const io::ArrayFileReader read(folder_ / "a.h5");
    EXPECT_EQ(read.num_rows("/g/float64", 3), static_cast<std::size_t>(num_rows));
    EXPECT_EQ(read.block_rows<double>("/g/float64", comm_, 3),
              rows_of(counting<double>(3 * num_rows), mine(num_rows), 3));
    EXPECT_EQ(read.block_rows<std::uint8_t>("/g/uint8", comm_),
              rows_of(counting<std::uint8_t>(num_rows), mine(num_rows)));
    EXPECT_EQ(read.rows<std::int64_t>("/g/int64"), counting<std::int64_t>(num_rows));
    comm_.barrier();
  }
}

TEST_F(ArrayFiles, RowsOfAGroupStayTogether) {
  write_by_one(folder_ / "a.h5", 20);
  const io::ArrayFileReader read(folder_ / "a.h5");
  EXPECT_EQ(read.block_rows<std::int64_t>("/g/int64", comm_, 1, 4), rows_of(counting<std::int64_t>(20), mine(5), 4));
  EXPECT_EQ(read.block_rows<double>("/g/float64", comm_, 3, 5), rows_of(counting<double>(60), mine(4), 15));
  EXPECT_THAT(failure_of([&] { (void)read.block_rows<std::int64_t>("/g/int64", comm_, 1, 3); }),
              HasSubstr("/g/int64 is missing, unreadable or does not fit"));
  EXPECT_THAT(failure_of([&] { (void)read.block_rows<double>("/g/float64", comm_, 2); }), HasSubstr("/g/float64"));
}

TEST_F(ArrayFiles, ColumnsTooLargeForOneWriteAreWrittenInSeveral) {
  const std::int64_t num_rows = 100;
  // the first rank has most, so that the others take part in writes for which they have nothing left
  const std::int64_t first = num_rows - 5 * (comm_.size() - 1);
  const core::Block block = comm_.is_root() ? core::Block{0, first} : core::Block{first + 5 * (comm_.rank() - 1), 5};
  const auto values = rows_of(counting<double>(3 * num_rows), block, 3);
  const io::Share share{100, static_cast<hsize_t>(block.first), static_cast<hsize_t>(block.count)};
  const io::Column column{"/rows", io::file_type<double>(), io::memory_type<double>(), 3, share, values.data()};
  for (const int level : {0, 6}) {
    io::write_columns(comm_, folder_ / "a.h5", {&column, 1}, {.deflate_level = level, .most_bytes_a_write = 100},
                      [](io::Hdf5Writer&) {});
    EXPECT_EQ(io::ArrayFileReader(folder_ / "a.h5").rows<double>("/rows", 3), counting<double>(3 * num_rows)) << level;
    comm_.barrier();
  }
}

TEST_F(ArrayFiles, TablesThatDifferBetweenRanksAreRefused) {
  if (comm_.size() == 1) GTEST_SKIP() << "takes two ranks";
  const bool last = comm_.rank() == comm_.size() - 1;
  const auto failure = [&](const auto& fill) {
    return failure_of([&] {
      io::ArrayFileWriter file(comm_, folder_ / "a.h5");
      fill(file);
      file.publish();
    });
  };
  EXPECT_THAT(failure([&](auto& file) { file.rows(last ? "/a" : "/b", counting<double>(6)); }),
              HasSubstr("do not write the same tables"));
  EXPECT_THAT(failure([&](auto& file) { file.rows("/a", counting<double>(6), last ? 2 : 3); }), HasSubstr("same"));
  EXPECT_THAT(failure([&](auto& file) {
                if (!last) file.rows("/a", counting<double>(6));
              }),
              HasSubstr("same"));
  EXPECT_TRUE(names(folder_).empty());
}

TEST_F(ArrayFiles, FullDiskLeavesTheFileOfBefore) {
  write_by_one(folder_ / "a.h5", 5);
  {
    const test::FileSizeLimit limit(64 << 10);
    EXPECT_THAT(failure_of([&] { write(comm_, folder_ / "a.h5", 20000, mine(20000)); }), HasSubstr("File too large"));
    EXPECT_THAT(failure_of([&] { write(comm_, folder_ / "b.h5", 20000, mine(20000)); }), HasSubstr("free space"));
  }
  EXPECT_THAT(names(folder_), ElementsAre("a.h5"));
  EXPECT_EQ(io::ArrayFileReader(folder_ / "a.h5").rows<std::int64_t>("/g/int64"), counting<std::int64_t>(5));
  comm_.barrier();
  // and the library is still of use afterwards
  write(comm_, folder_ / "b.h5", 20000, mine(20000));
  EXPECT_EQ(io::ArrayFileReader(folder_ / "b.h5").num_rows("/g/int64"), 20000u);
}

TEST_F(ArrayFiles, FolderMissingOrNotAFolder) {
  EXPECT_THAT(failure_of([&] { write(comm_, folder_ / "absent" / "a.h5", 5, mine(5)); }), HasSubstr("No such file"));
  on_root([&] { write_text(folder_ / "file", "mine"); });
  EXPECT_THAT(failure_of([&] { write(comm_, folder_ / "file" / "a.h5", 5, mine(5)); }), HasSubstr("Not a directory"));
  EXPECT_THAT(names(folder_), ElementsAre("file"));
}

}  // namespace
}  // namespace brisance
