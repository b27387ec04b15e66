/// Pieces written and read back; files that are not whole are refused.
#include "brisance/core/error.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace brisance::io {
namespace {

namespace fs = std::filesystem;

class PiecesFileTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "brisance-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] fs::path file() const { return folder_ / "pieces.h5"; }

  fs::path folder_;
};

mesh::PieceSurface tetrahedron(double at, std::int32_t label) {
  mesh::PieceSurface piece;
  piece.surface.vertices = {{at, 0, 0}, {at + 1, 0, 0}, {at, 1, 0}, {at, 0, 1}};
  piece.surface.triangles = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  piece.surface.source_face = {mesh::kNoSourceTriangle, 5, 6, 7};
  piece.neighbour = {1 - label, mesh::kNoNeighbour, mesh::kNoNeighbour, mesh::kNoNeighbour};
  piece.label = label;
  return piece;
}

PiecesFile two_pieces() {
  PiecesFile file{.volume_m3 = 1.0 / 3,
                  .gluing = 2e-3,
                  .smallest_share = 0.01,
                  .smoothing_m2 = -1,
                  .is_exact_outside = true,
                  .pieces = {tetrahedron(0, 0), tetrahedron(5, 1)},
                  .names = {}};
  file.pieces[1].texture = {{}, {0, 0.25, 0.5, 0.75, 1, 2}, {}, {}};
  return file;
}

TEST_F(PiecesFileTest, FlatPiecesHaveAnArea) {
  PiecesFile written;
  written.area_m2 = 0.5;
  written.pieces.resize(1);
  written.pieces[0].surface = {{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}, {{0, 1, 2}}, {4}};
  written.pieces[0].neighbour = {mesh::kNoNeighbour};
  write_pieces(file(), written);
  const PiecesFile read = read_pieces(file());
  EXPECT_TRUE(read.is_flat());
  EXPECT_EQ(read.area_m2, 0.5);
  EXPECT_EQ(read.volume_m3, 0);
  EXPECT_EQ(read.size(read.pieces.at(0)), 0.5);
  EXPECT_EQ(read.pieces[0].surface.vertices, written.pieces[0].surface.vertices);
  EXPECT_FALSE(two_pieces().is_flat());
}

TEST_F(PiecesFileTest, ComesBackAsWritten) {
  const PiecesFile written = two_pieces();
  write_pieces(file(), written);
  const PiecesFile read = read_pieces(file());
  EXPECT_TRUE(is_pieces_file(file()));
  EXPECT_EQ(read.volume_m3, written.volume_m3);
  EXPECT_EQ(read.gluing, written.gluing);
  EXPECT_EQ(read.smallest_share, written.smallest_share);
  EXPECT_EQ(read.smoothing_m2, written.smoothing_m2);
  EXPECT_EQ(read.is_exact_outside, written.is_exact_outside);
  ASSERT_EQ(read.pieces.size(), 2u);
  for (int p = 0; p < 2; ++p) {
    EXPECT_EQ(read.pieces[p].surface.vertices, written.pieces[p].surface.vertices);
    EXPECT_EQ(read.pieces[p].surface.triangles, written.pieces[p].surface.triangles);
    EXPECT_EQ(read.pieces[p].surface.source_face, written.pieces[p].surface.source_face);
    EXPECT_EQ(read.pieces[p].neighbour, written.pieces[p].neighbour);
    EXPECT_EQ(read.pieces[p].label, p);
  }
  EXPECT_EQ(read.pieces[1].texture, written.pieces[1].texture);
  EXPECT_FALSE(fs::exists(folder_ / "pieces.h5.writing"));
}

TEST_F(PiecesFileTest, DamagedFilesAreRefused) {
  EXPECT_THROW((void)read_pieces(file()), core::Error);
  EXPECT_FALSE(is_pieces_file(file()));
  write_pieces(file(), two_pieces());
  for (const auto size : {fs::file_size(file()) / 2, std::uintmax_t{100}}) {
    fs::resize_file(file(), size);
    EXPECT_THROW((void)read_pieces(file()), core::Error) << size;
  }
}

TEST_F(PiecesFileTest, AFolderThatIsMissingIsAnError) {
  EXPECT_THROW(write_pieces(folder_ / "none" / "pieces.h5", two_pieces()), core::Error);
}

}  // namespace
}  // namespace brisance::io
