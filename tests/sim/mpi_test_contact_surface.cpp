/// After cuts the boundary of contact is the same as if it were gathered anew.
#include "brisance/contact/fields.hpp"
#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/fracture/rounds.hpp"

#include "support/fracture_mesh.hpp"
#include "support/kuhn.hpp"
#include "support/plane_sweep.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

/// A cube that is cut across by planes between its nodes, with its boundary.
struct CutCube {
  explicit CutCube(int cells)
      : mesh(dist::distribute(core::Comm(), test::kuhn_box(cells, cells, cells, 1, 1, 1), {}, {test::stone()},
                              fields())),
        surface(mesh, 0.1, 0.2) {
    fracture::Services services;
    services.cuts_finished = [this] {
      for (const LocalNode n : mesh.touched_nodes()) touched.push_back(n.value);
    };
    fracture::Rounds rounds(mesh, {}, {}, services);
    for (const double share : {0.4, 0.6})
      test::sweep(mesh, rounds, {Vec3::Constant(share), Vec3(0.1, 0.2, 1).normalized()}, 0.8 / cells);
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  }
  static dist::DistributeOptions fields() {
    dist::DistributeOptions options = test::with_fracture_fields();
    options.fields.add(contact::fields()).add(surface_fields());
    return options;
  }
  dist::Mesh mesh;
  ContactSurface surface;
  std::vector<std::int32_t> touched;
};

/// Keys of the present facets, ascending.
std::vector<std::int64_t> keys(const ContactSurface& surface) {
  std::vector<std::int64_t> keys;
  for (const ContactFacet& facet : surface.facets())
    if (!facet.is_gone()) keys.push_back(facet.key);
  std::ranges::sort(keys);
  return keys;
}

TEST(ContactSurface, CutsGiveWhatIsGatheredAnew) {
  CutCube cube(4);
  const std::size_t before = keys(cube.surface).size();
  cube.surface.take_in_cuts(cube.mesh, cube.touched);
  const ContactSurface anew(cube.mesh, 0.1, 0.2);
  // Cells exchanged before the cuts are as valid as those exchanged after them, since nothing has moved.
  EXPECT_EQ(keys(cube.surface), keys(anew));
  EXPECT_GT(cube.mesh.comm().sum(static_cast<std::int64_t>(keys(anew).size())),
            cube.mesh.comm().sum(static_cast<std::int64_t>(before)));
}

// A small piece may have no other nodes.
TEST(ContactSurface, NodesThatCutsMakeCountAsMoving) {
  CutCube cube(4);
  if (cube.mesh.comm().size() == 1) GTEST_SKIP() << "one rank tells nobody where its elements are";
  cube.surface.take_in_cuts(cube.mesh, cube.touched);
  const auto are_outdated = [&] {
    ContactSurface::Wear wear = cube.surface.wear(cube.mesh);
    wear.moved = cube.mesh.comm().max(wear.moved);
    return !cube.surface.follow_ranks(wear);
  };
  EXPECT_FALSE(are_outdated());
  for (std::int32_t i = 1; i < cube.mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); cube.mesh.is_owned(n)) cube.mesh.motion[n].position[0] += 7;
  EXPECT_FALSE(are_outdated());  // all alike
  constexpr std::int64_t kUncut = 125;
  for (std::int32_t i = 1; i < cube.mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); cube.mesh.is_owned(n) && cube.mesh.node_id[n].value >= kUncut)
      cube.mesh.motion[n].position[0] += 0.21;
  EXPECT_TRUE(are_outdated());
}

}  // namespace
}  // namespace brisance::contact
