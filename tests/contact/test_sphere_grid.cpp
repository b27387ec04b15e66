/// The grid finds every sphere that intersects another, whatever was put later, and none twice.
#include "brisance/contact/surface/sphere_grid.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using Numbers = std::vector<std::int32_t>;

bool meet(const Sphere& a, const Sphere& b, double margin = 0) {
  return b.radius >= 0 && (a.centre - b.centre).norm() <= a.radius + b.radius + margin;
}

/// Those found, without the few that intersect only within `margin`.
Numbers found(const SphereGrid& grid, const std::vector<Sphere>& spheres, const Sphere& query, double margin) {
  Numbers numbers;
  grid.find_meeting(query, numbers);
  const auto sphere = [&](std::int32_t number) { return spheres[static_cast<std::size_t>(number)]; };
  for (const std::int32_t number : numbers) EXPECT_TRUE(meet(query, sphere(number), margin));
  std::erase_if(numbers, [&](std::int32_t number) { return !meet(query, sphere(number)); });
  std::ranges::sort(numbers);
  return numbers;
}

Numbers all(const std::vector<Sphere>& spheres, const Sphere& query) {
  Numbers numbers;
  for (std::size_t i = 0; i < spheres.size(); ++i)
    if (meet(query, spheres[i])) numbers.push_back(static_cast<std::int32_t>(i));
  return numbers;
}

TEST(SphereGrid, GivesAllSpheresThatMeetOnceWhateverWasPutLater) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-2, 2), share(0, 1);
  for (const double away : {0.0, 1e4}) {  // far from the origin of coordinates
    const auto random_sphere = [&] {
      const double radius = share(random) < 0.1 ? -1 : 0.02 * std::pow(100, share(random));
      const double stray = share(random) < 0.02 ? 1e3 : 1;
      return Sphere{Vec3(away + stray * place(random), place(random), place(random)), radius};
    };
    std::vector<Sphere> spheres(500);
    std::ranges::generate(spheres, random_sphere);
    SphereGrid grid;
    grid.build(spheres, 0.3);
    const double margin = 1e-5 + 1e-6 * away;
    for (int round = 0; round < 40; ++round) {
      Sphere query = random_sphere();
      query.radius = std::abs(query.radius);
      EXPECT_EQ(found(grid, spheres, query, 1e-3 + margin), all(spheres, query));
      for (int k = 0; k < 20; ++k) {
        const auto number = static_cast<std::size_t>(random() % (spheres.size() + 1));
        if (number == spheres.size()) spheres.emplace_back();
        spheres[number] = random_sphere();
        grid.put(static_cast<std::int32_t>(number), spheres[number]);
      }
    }
    EXPECT_GT(grid.num_put(), 0U);
  }
}

TEST(SphereGrid, AnEmptyOneGivesNothingAndPlacesThatAreNoNumbersDoNoHarm) {
  SphereGrid grid;
  EXPECT_EQ(found(grid, {}, {Vec3::Zero(), 1}, 0), Numbers{});
  grid.build({}, 1);
  EXPECT_EQ(found(grid, {}, {Vec3::Zero(), 1}, 0), Numbers{});
  const Vec3 no_place = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  const std::vector<Sphere> spheres{{no_place, 0.1}, {Vec3(1e30, 0, 0), 0.1}, {Vec3(1, 0, 0), 0.1}};
  grid.build(spheres, 1);
  Numbers none{1};
  grid.find_meeting({no_place, 1}, none);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(found(grid, spheres, {Vec3(1, 0, 0.1), 0}, 1), Numbers{2});
}

}  // namespace
}  // namespace brisance::contact
