/// The grid finds every facet near a place after common and separate motion, and few others.
#include "brisance/contact/surface/facet_grid.hpp"
#include "brisance/contact/surface/point_facet.hpp"
#include "brisance/core/random.hpp"

#include "boundary_box.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using Place = std::array<double, 3>;

/// Positions by number of contact. Collective.
std::vector<Vec3> positions(const dist::Mesh& mesh, const ContactSurface& surface) {
  std::vector<Place> place(surface.numbering().size());
  for (const ContactSurface::BoundaryNode& here : surface.boundary_nodes()) {
    const dist::NodeMotion& motion = mesh.motion[LocalNode(here.node)];
    place[static_cast<std::size_t>(here.node)] = {motion.position[0], motion.position[1], motion.position[2]};
  }
  surface.numbering().halo().update_ghosts(std::span(place));
  std::vector<Vec3> position;
  for (const Place& x : place) position.emplace_back(x[0], x[1], x[2]);
  return position;
}

/// Moves all nodes by `common` and each by up to `own`, by its id.
void move(dist::Mesh& mesh, const Vec3& common, double own, std::uint64_t round) {
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_used(n)) continue;
    for (std::size_t k = 0; k < 3; ++k)
      mesh.motion[n].position[k] +=
          common[static_cast<Eigen::Index>(k)] +
          own * (core::hash_uniform(round, static_cast<std::uint64_t>(mesh.node_id[n].value), k) - 0.5);
  }
}

TEST(FacetGrid, FindsAllFacetsNearAPlace) {
  constexpr double kReach_m = 0.05;
  dist::Mesh mesh = testing::boundary_box(6, true);
  const ContactSurface surface(mesh, 1.0 / 6, 0.2);
  FacetBounds bounds;
  FacetGrid grid(0.02);
  double found_of_all = 0;
  std::uint64_t round = 0;
  // Little motion in the frame, so that the grid is kept, and much.
  for (const double own : {0.0, 0.005, 0.005, 0.005, 0.05, 0.005, 0.0}) {
    move(mesh, Vec3(0.3, -2, 0.1), own, ++round);
    const std::vector<Vec3> position = positions(mesh, surface);
    bounds.update(surface, position);
    grid.update(surface, bounds, position);
    for (const ContactPoint& point : surface.points()) {
      const Vec3 at = position[static_cast<std::size_t>(point.node)] + Vec3(0.01, 0, -0.02);
      std::vector<std::int32_t> found;
      grid.find_within(at, kReach_m, found);
      for (std::size_t f = 0; f < surface.facets().size(); ++f) {
        const auto corner = [&](std::size_t k) {
          return position[static_cast<std::size_t>(surface.facets()[f].node[k])];
        };
        const bool is_near = view_facet({corner(0), corner(1), corner(2)}, at).distance <= kReach_m;
        EXPECT_TRUE(!is_near || std::ranges::find(found, static_cast<std::int32_t>(f)) != found.end());
      }
      found_of_all += static_cast<double>(found.size()) / static_cast<double>(surface.facets().size()) /
                      static_cast<double>(surface.points().size());
    }
  }
  EXPECT_TRUE(surface.points().empty() || found_of_all / 7 < 0.15) << found_of_all;
}

}  // namespace
}  // namespace brisance::contact
