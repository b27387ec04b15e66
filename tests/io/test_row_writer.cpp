/// Rows past the page cache: the same bytes in the file wherever they begin and end, on a disk and on a file system in
/// memory; what can't be written is an error that names the file.
#include "brisance/core/error.hpp"

#include "io/file_size_limit.hpp"
#include "io/row_writer.hpp"
#include "io/shared_folder.hpp"

#include <fstream>
#include <random>

#include <gmock/gmock.h>

namespace brisance {
namespace {

class Rows : public test::SharedFolder {
protected:
  static std::vector<char> contents(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Pieces of these lengths one after the other, from `begin` on.
  static void expect_written(const std::filesystem::path& file, std::uint64_t begin,
                             const std::vector<std::uint64_t>& lengths) {
    std::uint64_t size = begin;
    for (const std::uint64_t length : lengths) size += length;
    std::vector<char> expected(size, 0);
    std::mt19937_64 random(size);
    std::generate(expected.begin() + static_cast<std::ptrdiff_t>(begin), expected.end(),
                  [&] { return static_cast<char>(random()); });
    io::reserve_space(file, size);
    {
      io::RowWriter out(file);
      std::uint64_t at = begin;
      for (const std::uint64_t length : lengths) {
        out.write(expected.data() + at, length, at);
        at += length;
      }
      out.flush();
    }
    EXPECT_EQ(contents(file), expected) << file << " from " << begin;
    std::filesystem::remove(file);
  }
};

TEST_F(Rows, AnyBeginAndLength) {
  const std::vector<std::vector<std::uint64_t>> all{
      {1}, {4096}, {4095, 4097}, {10000, 3, 50000}, {9'000'000}, {4'194'304, 4'194'304}, {100, 8'400'000, 77}};
  const std::filesystem::path in_memory = "/dev/shm/brisance_row_writer_" + std::to_string(::getpid());
  for (const auto& lengths : all)
    for (const std::uint64_t begin : {0, 1, 4095, 4096, 5000}) {
      expect_written(folder_ / "rows", begin, lengths);
      if (std::filesystem::exists("/dev/shm")) expect_written(in_memory, begin, lengths);
    }
}

// Two writers share a page: what one has through the cache is not lost where the other goes past it.
TEST_F(Rows, NeighboursInOnePage) {
  const std::filesystem::path file = folder_ / "rows";
  const std::vector<char> a(10000, 'a'), b(20000, 'b');
  io::reserve_space(file, a.size() + b.size());
  {
    io::RowWriter first(file), second(file);
    first.write(a.data(), 5000, 0);
    second.write(b.data(), b.size(), a.size());
    first.write(a.data(), 5000, 5000);
    first.flush();
    second.flush();
  }
  std::vector<char> expected = a;
  expected.insert(expected.end(), b.begin(), b.end());
  EXPECT_EQ(contents(file), expected);
}

TEST_F(Rows, NoSpace) {
  const std::filesystem::path file = folder_ / "rows";
  io::reserve_space(file, 1);
  const std::vector<char> data(100000, 'x');
  const test::FileSizeLimit limit(64 << 10);
  io::RowWriter out(file);
  try {
    out.write(data.data(), data.size(), 0);
    FAIL() << "was written";
  } catch (const core::Error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr(file.string()));
  }
}

TEST_F(Rows, NoFile) { EXPECT_THROW(io::RowWriter(folder_ / "missing"), core::Error); }

}  // namespace
}  // namespace brisance
