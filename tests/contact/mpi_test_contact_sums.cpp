/// Forces of points in contact summed by node: equilibrium is kept, and no bit depends on ranks or on the order in
/// which points are added.
#include "brisance/contact/surface/contact_sums.hpp"
#include "brisance/core/random.hpp"

#include "boundary_box.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

/// A force of each point on itself, and on the nodes around it the opposite in parts.
std::vector<ContactSums::Contribution> contributions(const ContactSurface& surface) {
  std::vector<ContactSums::Contribution> all;
  for (const ContactPoint& point : surface.points()) {
    std::array<double, 3> force;
    for (std::size_t k = 0; k < 3; ++k)
      force[k] = core::hash_uniform(3, static_cast<std::uint64_t>(point.id.value), k) - 0.5;
    all.push_back({point.node, point.id.value, force, 0.5});
    const double share = -1 / static_cast<double>(point.around.size());
    for (const FacetAround& facet : point.around)
      all.push_back({facet.corners[0], point.id.value, {share * force[0], share * force[1], share * force[2]}, 0.1});
  }
  return all;
}

struct NodeSum {
  std::int64_t id;
  std::array<double, 3> force;
  double crowding;
  friend auto operator<=>(const NodeSum&, const NodeSum&) = default;
};

/// Of all nodes of all ranks, by id.
std::vector<NodeSum> sums(dist::Mesh& mesh, bool is_reversed) {
  const ContactSurface surface(mesh, 0.5, 0.1);
  std::vector<ContactSums::Contribution> all = contributions(surface);
  if (is_reversed) std::ranges::reverse(all);
  ContactSums sums;
  for (const ContactSums::Contribution& c : all) sums.add(c);
  sums.add_up(surface, mesh);
  std::vector<NodeSum> own;
  for (const ContactForce& at : sums.forces()) {
    const LocalNode n(at.slot);
    own.push_back({mesh.node_id[n].value, {at.force.x(), at.force.y(), at.force.z()}, mesh.field(kContactCrowding)[n]});
  }
  std::vector<NodeSum> gathered = mesh.comm().all_gather(std::span<const NodeSum>(own));
  std::ranges::sort(gathered);
  return gathered;
}

TEST(ContactSums, OwnersGetTheForcesOfPointsElsewhere) {
  dist::Mesh mesh = testing::boundary_box(3, true);
  const std::vector<NodeSum> all = sums(mesh, false);
  EXPECT_EQ(all.size(), 56U) << "all but the inner 8 of 64 nodes";
  std::array<double, 3> total{};
  for (const NodeSum& node : all)
    for (std::size_t k = 0; k < 3; ++k) total[k] += node.force[k];
  for (const double f : total) EXPECT_NEAR(f, 0, 1e-13) << "rounding of some 300 terms below 1";
}

TEST(ContactSums, NeitherOrderNorRanksChangeABit) {
  dist::Mesh mesh = testing::boundary_box(3, true);
  const std::vector<NodeSum> once = sums(mesh, false), reversed = sums(mesh, true);
  // The contributions of one point to one node keep their order: these have at most one each.
  dist::Mesh other = testing::boundary_box(3, false);
  const std::vector<NodeSum> divided = sums(other, false);
  ASSERT_EQ(once.size(), reversed.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i], reversed[i]);
    EXPECT_EQ(once[i], divided[i]);
  }
}

}  // namespace
}  // namespace brisance::contact
