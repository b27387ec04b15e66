/// Mode files written by all ranks are those of one, and each rank reads its block of them.
#include "brisance/breaking/mode_file.hpp"
#include "brisance/core/blocks.hpp"
#include "brisance/modes/body/cell_graph.hpp"

#include "breaking/sample_mode_files.hpp"
#include "io/file_size_limit.hpp"
#include "io/hdf5_contents.hpp"
#include "io/shared_folder.hpp"
#include "support/kuhn.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace brisance::breaking {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A solid of one tet: no faces, and most ranks have nothing.
mesh::TetMesh single_tet() {
  mesh::TetMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  mesh.face_source = {{0, 1, 2, 3}};
  return mesh;
}

/// Without the optional tables.
ModeFile bare_mode_file() {
  ModeFile f = test::scalar_mode_file(test::kuhn_box(1, 1, 1, 1, 1, 1));
  f.mesh.region.clear();
  f.mesh.face_source.clear();
  f.no_break.clear();
  return f;
}

ModeFile larger_solid() { return test::general_mode_file(test::kuhn_box(3, 2, 2, 3, 2, 2)); }

std::vector<ModeFile> samples() {
  return {test::scalar_mode_file(test::kuhn_box(2, 1, 1, 2, 1, 1)), larger_solid(), test::flat_mode_file(),
          test::general_mode_file(single_tet()), bare_mode_file()};
}

modes::CellGraph graph_of(const ModeFile& file) { return body_of(file).graph; }

class ModeFilesOfAllRanks : public test::SharedFolder {
protected:
  /// Keeps this rank's rows of a table; a missing one stays missing.
  template <class T>
  void keep_block(std::vector<T>& values, std::size_t num_rows) const {
    if (values.empty()) return;
    const core::Block rows = core::block_of(static_cast<std::int64_t>(num_rows), comm_.rank(), comm_.size());
    const auto width = static_cast<std::int64_t>(values.size() / num_rows);
    values = std::vector<T>(values.begin() + rows.first * width, values.begin() + (rows.first + rows.count) * width);
  }
  template <class T>
  void keep_block(std::vector<T>& values) const {
    keep_block(values, values.size());
  }

  [[nodiscard]] ModeFile block_of(ModeFile f) const {
    const modes::CellGraph graph = graph_of(f);
    for (modes::Mode& mode : f.modes.modes) {
      keep_block(mode.value, graph.volume.size());
      keep_block(mode.corner_value, graph.volume.size());
      keep_block(mode.jump, graph.faces.size());
    }
    keep_block(f.mesh.nodes);
    keep_block(f.mesh.tets);
    keep_block(f.mesh.face_source);
    keep_block(f.mesh.region);
    keep_block(f.plane.surface.vertices);
    keep_block(f.plane.surface.triangles);
    keep_block(f.plane.surface.source_face);
    keep_block(f.plane.region);
    keep_block(f.no_break);
    keep_block(f.face_weight);
    return f;
  }

  [[nodiscard]] modes::CellGraph block_of(modes::CellGraph graph) const {
    keep_block(graph.volume);
    keep_block(graph.faces);
    return graph;
  }

  void write_by_all(const std::filesystem::path& file, const ModeFile& whole) const {
    write_mode_file(comm_, file, block_of(whole), block_of(graph_of(whole)));
  }
  void write_by_one(const std::filesystem::path& file, const ModeFile& whole) const {
    on_root([&] { write_mode_file(file, whole); });
  }

  std::string failure_of_reading() const {
    return failure_of([&] { (void)read_mode_file(comm_, folder_ / "a.h5"); });
  }
};

void expect_equal(const modes::Mode& a, const modes::Mode& b) {
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.jump, b.jump);
  EXPECT_EQ(a.corner_value, b.corner_value);
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.strain_energy, b.strain_energy);
  EXPECT_EQ(a.relative_gap, b.relative_gap);
  EXPECT_EQ(a.part, b.part);
  EXPECT_EQ(a.settled, b.settled);
  EXPECT_EQ(a.convex_energies, b.convex_energies);
  EXPECT_EQ(a.convex_gaps, b.convex_gaps);
}

void expect_equal(const ModeFile& a, const ModeFile& b) {
  EXPECT_EQ(a.mesh.nodes, b.mesh.nodes);
  EXPECT_EQ(a.mesh.tets, b.mesh.tets);
  EXPECT_EQ(a.mesh.face_source, b.mesh.face_source);
  EXPECT_EQ(a.plane.surface.vertices, b.plane.surface.vertices);
  EXPECT_EQ(a.plane.surface.triangles, b.plane.surface.triangles);
  EXPECT_EQ(a.plane.surface.source_face, b.plane.surface.source_face);
  EXPECT_EQ(region_of(a), region_of(b));
  EXPECT_EQ(a.no_break, b.no_break);
  EXPECT_EQ(a.face_weight, b.face_weight);
  EXPECT_EQ(a.cpu_s, b.cpu_s);
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.modes.components, b.modes.components);
  EXPECT_EQ(a.modes.axis_strength, b.modes.axis_strength);
  ASSERT_EQ(a.modes.modes.size(), b.modes.modes.size());
  for (std::size_t k = 0; k < a.modes.modes.size(); ++k) expect_equal(a.modes.modes[k], b.modes.modes[k]);
}

TEST_F(ModeFilesOfAllRanks, AreThoseOfOneRank) {
  for (const ModeFile& whole : samples()) {
    write_by_one(folder_ / "one.h5", whole);
    write_by_all(folder_ / "all.h5", whole);
    test::expect_same_contents(folder_ / "one.h5", folder_ / "all.h5");
    comm_.barrier();
  }
  EXPECT_THAT(names(folder_), ElementsAre("all.h5", "one.h5"));
}

TEST_F(ModeFilesOfAllRanks, AreReadInBlocks) {
  for (const ModeFile& whole : samples()) {
    write_by_one(folder_ / "a.h5", whole);
    expect_equal(read_mode_file(comm_, folder_ / "a.h5"), block_of(whole));
    comm_.barrier();
  }
}

TEST_F(ModeFilesOfAllRanks, NumbersOfOtherRanksThanTheFirstDoNotCount) {
  const ModeFile whole = larger_solid();
  ModeFile block = block_of(whole);
  if (!comm_.is_root()) {
    block.program = "another";
    block.relative_gap = 0.5;
    block.cpu_s.assign(7, 1.0);
    for (modes::Mode& mode : block.modes.modes) {
      mode.energy = 1e9;
      mode.convex_energies = mode.convex_gaps = {8, 7, 6, 5};
    }
  }
  write_mode_file(comm_, folder_ / "all.h5", block, block_of(graph_of(whole)));
  write_by_one(folder_ / "one.h5", whole);
  test::expect_same_contents(folder_ / "one.h5", folder_ / "all.h5");
  comm_.barrier();
}

TEST_F(ModeFilesOfAllRanks, DamageInTheLastBlockIsToldOnAllRanks) {
  const double nan = std::nan("");
  const auto refused = [&](const std::string& what, const std::function<void(ModeFile&)>& damage) {
    ModeFile f = larger_solid();
    const modes::CellGraph graph = block_of(graph_of(f));
    damage(f);
    const ModeFile block = block_of(f);  // damage that changes no number of rows
    write_mode_file(comm_, folder_ / "a.h5", block, graph);
    EXPECT_THAT(failure_of_reading(), HasSubstr(what + " is missing, unreadable or does not fit"));
  };
  refused("mode_001", [&](ModeFile& f) { f.modes.modes[1].value.back() = nan; });
  refused("jump_002", [&](ModeFile& f) { f.modes.modes[2].jump.back() = nan; });
  refused("corner_000", [&](ModeFile& f) { f.modes.modes[0].corner_value.back() = nan; });
  refused("face_weight", [&](ModeFile& f) { f.face_weight.back() = 0; });
  refused("Points", [&](ModeFile& f) { f.mesh.nodes.back().x() = nan; });
}

TEST_F(ModeFilesOfAllRanks, CornersOutsideAndTablesThatDoNotFitAreTold) {
  const ModeFile whole = larger_solid();
  const modes::CellGraph graph = block_of(graph_of(whole));
  const bool last = comm_.rank() == comm_.size() - 1;
  const auto refused = [&](const std::string& what, const std::function<void(ModeFile&)>& damage) {
    ModeFile block = block_of(whole);
    if (last) damage(block);
    write_mode_file(comm_, folder_ / "a.h5", block, graph);
    EXPECT_THAT(failure_of_reading(), HasSubstr(what + " is missing, unreadable or does not fit"));
  };
  const auto num_nodes = static_cast<std::int32_t>(whole.mesh.nodes.size());
  refused("Connectivity", [&](ModeFile& f) { f.mesh.tets.back()[3] = num_nodes; });
  refused("Connectivity", [&](ModeFile& f) { f.mesh.tets.back()[3] = -1; });
  refused("face_weight", [](ModeFile& f) { f.face_weight.pop_back(); });
  refused("mode_002", [](ModeFile& f) { f.modes.modes[2].value.resize(f.modes.modes[2].value.size() - 3); });
  refused("region", [](ModeFile& f) { f.mesh.region.pop_back(); });
  refused("no_break", [](ModeFile& f) { f.no_break.pop_back(); });
  refused("face_source", [](ModeFile& f) { f.mesh.face_source.pop_back(); });
}

TEST_F(ModeFilesOfAllRanks, CutShortOrMissingIsToldOnAllRanks) {
  EXPECT_THAT(failure_of_reading(), HasSubstr("no such file"));
  comm_.barrier();
  for (const int of_seven : {0, 3, 6}) {
    on_root([&] {
      write_mode_file(folder_ / "a.h5", larger_solid());
      std::filesystem::resize_file(folder_ / "a.h5", std::filesystem::file_size(folder_ / "a.h5") * of_seven / 7);
    });
    EXPECT_THAT(failure_of_reading(), HasSubstr("again"));
    comm_.barrier();
  }
}

TEST_F(ModeFilesOfAllRanks, ModesOnSomeRanksOnlyAreRefused) {
  if (comm_.size() == 1) GTEST_SKIP() << "takes two ranks";
  const ModeFile whole = larger_solid();
  ModeFile block = block_of(whole);
  if (comm_.is_root()) block.modes.modes.pop_back();
  EXPECT_THAT(failure_of([&] { write_mode_file(comm_, folder_ / "a.h5", block, block_of(graph_of(whole))); }),
              HasSubstr("do not have the same modes"));
  EXPECT_TRUE(names(folder_).empty());
}

TEST_F(ModeFilesOfAllRanks, FullDiskLeavesTheFileOfBefore) {
  write_by_all(folder_ / "a.h5", test::flat_mode_file());
  {
    const test::FileSizeLimit limit(64 << 10);
    EXPECT_THAT(failure_of([&] { write_by_all(folder_ / "a.h5", larger_solid()); }), HasSubstr("File too large"));
    EXPECT_THAT(failure_of([&] { write_by_all(folder_ / "b.h5", larger_solid()); }), HasSubstr("free space"));
  }
  EXPECT_THAT(names(folder_), ElementsAre("a.h5"));
  expect_equal(read_mode_file(comm_, folder_ / "a.h5"), block_of(test::flat_mode_file()));
}

}  // namespace
}  // namespace brisance::breaking
