/// Which pieces their Dirichlet conditions leave free, on any number of ranks.
#include "brisance/dist/distribute.hpp"

#include "sim/implicit/loose_parts.hpp"
#include "support/joined.hpp"
#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::joined, test::kuhn_box, test::moved;

constexpr dynamics::ConstrainedAxes kAll = 7;

/// A box that is held by a face, a box on a hinge and a small one that nothing holds.
dist::Mesh three_boxes() {
  const auto at = [](const mesh::TetMesh& box, double x) { return moved(box, Mat3::Identity(), Vec3(x, 0, 0)); };
  const mesh::TetMesh two =
      joined(kuhn_box(2, 2, 2, 1, 1, 1), Vec3::Zero(), at(kuhn_box(2, 2, 2, 1, 1, 0.5), 2), Vec3::Zero());
  const mesh::TetMesh three = joined(two, Vec3::Zero(), at(kuhn_box(1, 1, 1, 0.1, 0.1, 0.1), 4), Vec3::Zero());
  return dist::distribute(core::Comm(), three, {}, {test::solid(1, 0.3, 1)}, {});
}

std::vector<dynamics::ConstrainedAxes> held(const dist::Mesh& mesh, bool with_hinge) {
  std::vector<dynamics::ConstrainedAxes> axes(mesh.node_id.size(), 0);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_used(n)) continue;
    const Vec3& x = mesh.rest[n];
    if (x[0] == 0 || (with_hinge && x[0] == 2 && x[1] == 0)) axes[static_cast<std::size_t>(i)] = kAll;
  }
  return axes;
}

TEST(LooseParts, ABoxHeldByAFaceIsNotLooseAndOneOnAHingeIs) {
  const dist::Mesh mesh = three_boxes();
  const LooseParts parts = find_loose_parts(mesh, held(mesh, true));
  EXPECT_TRUE(parts.is_of(mesh.node_id.size()));
  EXPECT_FALSE(LooseParts().is_of(mesh.node_id.size()));
  EXPECT_EQ(parts.num_large, 2) << "the third has a fifteen-hundredth of the mass";
  EXPECT_EQ(parts.num_loose, 2);
  EXPECT_NEAR(parts.loose_share, 0.501 / 1.501, 1e-12);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_used(n)) {
      EXPECT_EQ(parts.is_loose[static_cast<std::size_t>(i)] != 0, mesh.rest[n].x() > 1.5) << "ghosts as well";
    }
}

// The same hinge across two boxes that touch nothing: each piece counts alone.
TEST(LooseParts, ConstraintsOfOtherPiecesDoNotCount) {
  const dist::Mesh mesh = three_boxes();
  EXPECT_EQ(find_loose_parts(mesh, held(mesh, false)).num_loose, 2);
  const std::vector<dynamics::ConstrainedAxes> all(mesh.node_id.size(), kAll);
  EXPECT_EQ(find_loose_parts(mesh, all).num_loose, 0);
}

}  // namespace
}  // namespace brisance::sim
