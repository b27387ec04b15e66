/// A search with and without another rank that finds cuts for it: the same bits.
#include "brisance/core/error.hpp"
#include "brisance/modes/cut_helpers.hpp"
#include "brisance/modes/scalar_modes.hpp"
#include "brisance/modes/start_vectors.hpp"

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

TEST(CutHelpers, AreReleasedWhenTheSearchFails) {
  const core::Comm comm;
  if (!comm.is_root()) return help_with_cuts(comm);
  CutHelpers helpers(comm);
  EXPECT_THROW((void)search_modes(test::kuhn_box(1, 1, 1, 1, 1, 1), 7, &helpers), core::Error);  // it has 6 tets
}

}  // namespace
}  // namespace brisance::modes
