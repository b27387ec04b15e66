/// A search with and without another rank that computes cuts for it: the same bits.
#include "brisance/core/error.hpp"
#include "brisance/modes/search/cut_helpers.hpp"
#include "brisance/modes/search/find_modes.hpp"
#include "brisance/modes/search/scalar_modes.hpp"
#include "brisance/modes/spectral/start_vectors.hpp"

#include "support/kuhn.hpp"

#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

std::vector<Mode> search_modes(const mesh::TetMesh& mesh, int count, CutHelpers* helpers) {
  const CellGraph graph = cell_graph(mesh);
  ScalarModeSearch search(graph, face_weights(graph, Weighting::area), {.helpers = helpers});
  const auto start = start_vectors(mesh, count);
  std::vector<Mode> modes;
  for (int k = 1; k < count; ++k) modes.push_back(search.next(start[k]));
  return modes;
}

TEST(CutHelpers, GiveTheSameBits) {
  const core::Comm comm;
  if (!comm.is_root()) return help_with_cuts(comm);
  CutHelpers helpers(comm);
  for (const int n : {5, 7}) {  // one body after the other
    const mesh::TetMesh mesh = test::kuhn_box(n, n + 1, n + 2, 1, 1.2, 1.4);
    const auto alone = search_modes(mesh, 6, nullptr), helped = search_modes(mesh, 6, &helpers);
    for (std::size_t k = 0; k < alone.size(); ++k) {
      EXPECT_EQ(alone[k].value, helped[k].value) << k;
      EXPECT_EQ(alone[k].energy, helped[k].energy);
      EXPECT_EQ(alone[k].relative_gap, helped[k].relative_gap);
      EXPECT_EQ(alone[k].convex_energies, helped[k].convex_energies);
    }
  }
}

/// With a smallest piece each search has its own graph, with some cells merged, and searches alternate.
TEST(CutHelpers, GiveTheSameBitsWithoutSlivers) {
  const core::Comm comm;
  if (!comm.is_root()) return help_with_cuts(comm);
  CutHelpers helpers(comm);
  Body body;
  body.mesh = simplices(test::kuhn_box(8, 5, 4, 1.6, 1.1, 0.8));
  body.graph = cell_graph(body.mesh);
  body.face_weight = face_weights(body.graph, Weighting::sqrt_area);
  FindModesSettings settings;
  settings.count = 8;
  settings.starts = 2;
  settings.smallest_share = 0.03;
  ModeSet alone, helped;
  const auto go_on = [](const ModeSet&, double) { return true; };
  EXPECT_TRUE(find_modes(body, settings, alone, go_on));
  settings.search.helpers = &helpers;
  EXPECT_TRUE(find_modes(body, settings, helped, go_on));
  ASSERT_EQ(alone.modes.size(), 8u);
  for (std::size_t k = 0; k < alone.modes.size(); ++k) {
    EXPECT_EQ(alone.modes[k].value, helped.modes[k].value) << k;
    EXPECT_EQ(alone.modes[k].convex_energies, helped.modes[k].convex_energies);
  }
  EXPECT_EQ(helpers.num_graphs() > 7, comm.size() > 1) << "the merged graphs were not handed out";
}

TEST(CutHelpers, AreReleasedWhenTheSearchFails) {
  const core::Comm comm;
  if (!comm.is_root()) return help_with_cuts(comm);
  CutHelpers helpers(comm);
  EXPECT_THROW((void)search_modes(test::kuhn_box(1, 1, 1, 1, 1, 1), 7, &helpers), core::Error);  // it has 6 tets
}

}  // namespace
}  // namespace brisance::modes
