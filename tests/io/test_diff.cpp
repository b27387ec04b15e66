#include "brisance/core/error.hpp"
#include "brisance/io/diff.hpp"

#include "io/sample_frame.hpp"
#include "io/shared_folder.hpp"

#include <bit>
#include <functional>
#include <limits>

#include <gmock/gmock.h>

namespace brisance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The sample as `ranks` parts, joined as a reader joins them.
io::Snapshot sample(int ranks, bool plastic = true) {
  io::Snapshot joined{test::sample_header(), {}};
  for (int rank = 0; rank < ranks; ++rank) {
    const auto base = std::ssize(joined.part.node_id);
    auto part = test::sample_part(8, rank, ranks, plastic);
    for (auto& tet : part.tets)
      for (auto& corner : tet) corner += base;
    for (auto& triangle : part.boundary)
      for (auto& corner : triangle) corner += base;
    auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    auto& to = joined.part;
    append(to.node_id, part.node_id);
    append(to.node_owned, part.node_owned);
    append(to.rest_position, part.rest_position);
    append(to.position, part.position);
    append(to.velocity, part.velocity);
    append(to.element_id, part.element_id);
    append(to.tets, part.tets);
    append(to.material, part.material);
    append(to.piece, part.piece);
    append(to.stress, part.stress);
    append(to.plastic_strain, part.plastic_strain);
    append(to.boundary, part.boundary);
    append(to.boundary_element, part.boundary_element);
    append(to.source_triangle, part.source_triangle);
    auto append_state = [&](auto& state, const auto& from) {
      if (state.empty())
        state = {from.begin(), from.end()};
      else
        for (std::size_t i = 0; i < from.size(); ++i) append(state[i].values, from[i].values);
    };
    append_state(to.node_state, part.node_state);
    append_state(to.element_state, part.element_state);
  }
  return joined;
}

/// Names of the fields in which the sample and a changed sample differ.
std::vector<std::string> fields_after(const std::function<void(io::Snapshot&)>& change, double tolerance = 0) {
  io::Snapshot changed = sample(1);
  change(changed);
  std::vector<std::string> names;
  for (const auto& field : io::diff(sample(1), changed, tolerance).fields) names.push_back(field.field);
  return names;
}

double one_bit_more(double x) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) + 1); }

TEST(Diff, PartsDoNotMatter) {
  for (const int ranks : {2, 3, 5}) {
    const auto result = io::diff(sample(1), sample(ranks), 0);
    EXPECT_TRUE(result.equal()) << result.text();
    EXPECT_EQ(result.num_nodes, 36);
    EXPECT_EQ(result.num_tets, 48);
    EXPECT_EQ(result.num_triangles, 4 * 8 * 2 + 4);
  }
}

TEST(Diff, EveryFieldCounts) {
  using S = io::Snapshot;
  EXPECT_THAT(fields_after([](S& s) { s.header.time_s = one_bit_more(s.header.time_s); }), ElementsAre("time_s"));
  EXPECT_THAT(fields_after([](S& s) { ++s.header.num_cracks; }), ElementsAre("num_cracks"));
  EXPECT_THAT(fields_after([](S& s) { s.header.material_names[1] = "clay"; }), ElementsAre("material names"));
  EXPECT_THAT(fields_after([](S& s) { s.header.colliders[1].centre[2] += 1e-9; }), ElementsAre("collider 1 centre"));
  EXPECT_THAT(fields_after([](S& s) { s.header.colliders[2].vertices[3][2] += 1e-9; }), ElementsAre("collider 2 mesh"));
  EXPECT_THAT(fields_after([](S& s) { s.part.rest_position[5][0] += 1e-9; }), ElementsAre("node rest_position"));
  EXPECT_THAT(fields_after([](S& s) { s.part.position[5][2] = one_bit_more(s.part.position[5][2]); }),
              ElementsAre("node position"));
  EXPECT_THAT(fields_after([](S& s) { s.part.velocity[5][1] *= 2; }), ElementsAre("node velocity"));
  EXPECT_THAT(fields_after([](S& s) { s.part.node_state[0].values[5] += 1; }), ElementsAre("node mark"));
  EXPECT_THAT(fields_after([](S& s) { s.part.node_state[1].values[5] += 1; }), ElementsAre("node direction[2]"));
  EXPECT_THAT(fields_after([](S& s) { s.part.node_state.pop_back(); }), ElementsAre("node state fields"));
  EXPECT_THAT(fields_after([](S& s) { s.part.element_state[0].values[5] += 1; }), ElementsAre("tet share[1]"));
  EXPECT_THAT(fields_after([](S& s) { std::swap(s.part.tets[3][0], s.part.tets[3][1]); }), ElementsAre("tet corners"));
  EXPECT_THAT(fields_after([](S& s) { ++s.part.material[3]; }), ElementsAre("tet material"));
  EXPECT_THAT(fields_after([](S& s) { ++s.part.piece[3]; }), ElementsAre("tet piece"));
  EXPECT_THAT(fields_after([](S& s) { s.part.stress[3][5] += 1; }), ElementsAre("tet stress"));
  EXPECT_THAT(fields_after([](S& s) { s.part.plastic_strain[3][5] += 1; }), ElementsAre("tet plastic_strain"));
  EXPECT_THAT(fields_after([](S& s) { s.part.plastic_strain.clear(); }), ElementsAre("tet plastic_strain"));
  EXPECT_THAT(fields_after([](S& s) { s.part.source_triangle[2] = -1; }), ElementsAre("boundary source_triangle"));
  EXPECT_THAT(fields_after([](S& s) { std::swap(s.part.boundary[2][0], s.part.boundary[2][1]); }),
              ElementsAre("boundary triangles present in one only"));
  EXPECT_THAT(fields_after([](S& s) { s.part.node_id[5] = 1000; }), ::testing::Contains("nodes present in one only"));
  EXPECT_THAT(fields_after([](S& s) { s.part.element_id[5] = s.part.element_id[4]; }),
              ElementsAre("repeated tets", "tets present in one only"));
  EXPECT_THAT(fields_after([](S& s) { s.header.scene = "other"; }), ElementsAre());
  EXPECT_THAT(fields_after([](S& s) {
                std::rotate(s.part.boundary[2].begin(), s.part.boundary[2].begin() + 1, s.part.boundary[2].end());
              }),
              ElementsAre());
}

TEST(Diff, BitsAreComparedNotValues) {
  EXPECT_THAT(fields_after([](auto& s) { s.part.rest_position[0][0] = -0.0; }), ElementsAre("node rest_position"));
  EXPECT_THAT(fields_after([](auto& s) { s.part.rest_position[0][0] = -0.0; }, 1e-12), ElementsAre());
  io::Snapshot a = sample(1), b = sample(1);
  a.part.stress[7][2] = b.part.stress[7][2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(io::diff(a, b, 0).equal());
  b.part.stress[7][2] = one_bit_more(b.part.stress[7][2]);  // another NaN
  EXPECT_FALSE(io::diff(a, b, 0).equal());
  EXPECT_TRUE(io::diff(a, b, 1e-12).equal());
  b.part.stress[7][2] = 0;
  EXPECT_FALSE(io::diff(a, b, 1e-12).equal());
  EXPECT_EQ(io::diff(a, b, 1e-12).fields.at(0).largest, std::numeric_limits<double>::infinity());
}

TEST(Diff, ToleranceIsRelativeToTheLargestOfTheField) {
  // largest velocity component: −2 × 353 (the last node's id)
  const double scale = 2 * 353;
  auto nudge = [&](double by) { return [=](io::Snapshot& s) { s.part.velocity[0][0] += by * scale; }; };
  EXPECT_THAT(fields_after(nudge(0.9e-6), 1e-6), ElementsAre());
  EXPECT_THAT(fields_after(nudge(1.1e-6), 1e-6), ElementsAre("node velocity"));
  EXPECT_THROW(static_cast<void>(io::diff(sample(1), sample(1), -1)), core::Error);
}

TEST(Diff, NamesTheLowestIdAndBothValues) {
  io::Snapshot b = sample(3);
  for (std::size_t n = 0; n < b.part.node_id.size(); ++n)
    if (b.part.node_id[n] == 123 || b.part.node_id[n] == 203) b.part.velocity[n][1] = 5;
  const auto result = io::diff(sample(1), b, 0);
  ASSERT_EQ(result.fields.size(), 1u);
  EXPECT_EQ(result.fields[0].count, 2);
  EXPECT_EQ(result.fields[0].first_id, 123);
  EXPECT_THAT(result.fields[0].first_a, HasSubstr("[1] -246 "));
  EXPECT_THAT(result.fields[0].first_b, HasSubstr("[1] 5 "));
  EXPECT_EQ(result.fields[0].largest, 2 * 203 + 5);
  EXPECT_THAT(result.text(), HasSubstr("node velocity: 2 differ, first at id 123"));
}

TEST(Diff, CopiesOfANodeMustAgree) {
  io::Snapshot b = sample(2);
  // the last of the first part's nodes also lies in the second part
  const auto shared = std::find(b.part.node_id.rbegin(), b.part.node_id.rend(), 163);
  const auto row = b.part.node_id.rend() - shared - 1;
  ASSERT_EQ(b.part.node_owned[row], 0);
  b.part.position[row][0] = one_bit_more(b.part.position[row][0]);
  const auto result = io::diff(sample(1), b, 0);
  ASSERT_EQ(result.fields.size(), 1u);
  EXPECT_EQ(result.fields[0].field, "node position between parts of b");
  EXPECT_EQ(result.fields[0].first_id, 163);
}

using DiffPaths = test::SharedFolder;

TEST_F(DiffPaths, FoldersAreComparedFrameByFrame) {
  for (const char* run : {"a", "b"}) {
    std::filesystem::create_directories(folder_ / run / "snapshots");
    for (int frame = 0; frame < 3; ++frame) {
      auto header = test::sample_header();
      header.frame = frame;
      if (std::string(run) == "b" && frame >= 1) header.time_s = 0.2;
      if (std::string(run) == "a" || frame < 2)
        io::write_snapshot(comm_, folder_ / run / "snapshots" / ("00000" + std::to_string(frame) + ".hdf"), header,
                           test::sample_part(2, 0, 1));
    }
  }
  EXPECT_TRUE(io::diff_paths(folder_ / "a", folder_ / "a", 0).equal());
  const auto result = io::diff_paths(folder_ / "a", folder_ / "b", 0);
  EXPECT_FALSE(result.equal());
  EXPECT_EQ(result.num_frames, 2);
  EXPECT_EQ(result.num_different, 1);
  EXPECT_EQ(result.first_frame, "000001.hdf");
  EXPECT_THAT(result.only_in_one, ElementsAre(HasSubstr("a/snapshots/000002.hdf")));
  EXPECT_THAT(result.text(), HasSubstr("time_s: a has 0.1"));
  const auto at = folder_ / "a" / "snapshots";
  EXPECT_FALSE(io::diff_paths(at / "000000.hdf", at / "000001.hdf", 0).equal());  // another frame number
  EXPECT_THROW(static_cast<void>(io::diff_paths(folder_ / "a", at / "000001.hdf", 0)), core::Error);
  EXPECT_THROW(static_cast<void>(io::diff_paths(folder_, folder_, 0)), core::Error);
}

}  // namespace
}  // namespace brisance
