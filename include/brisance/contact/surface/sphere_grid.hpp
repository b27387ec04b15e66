/// Broad phase of surface contact: spheres in the cells of a grid, queried by a sphere.
#pragma once

#include "brisance/core/types.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Lengths in [m]. A negative radius: there is no sphere.
struct Sphere {
  Vec3 centre = Vec3::Zero();
  double radius = -1;
};

/// Numbered spheres, sorted by the cell of their centre, in single precision rounded outward. Spheres of similar radius
/// have a grid of their own, so that a few large ones do not widen the search. The cells cover the region of most
/// spheres; spheres outside it are in the outermost cells. Spheres that are added later are searched linearly.
class SphereGrid {
public:
  /// Replaces all spheres by these, numbered by their place.
  /// @param size_m  length that sets classes of radii and cell sizes, larger than 0; no result depends on it [m]
  void build(std::span<const Sphere> spheres, double size_m);
  /// The same with spheres at(number), numbers below `count`. Memory is kept for the next time.
  /// @param origin  near their centres, finite
  template <class At>
  void build(std::size_t count, const At& at, const Vec3& origin, double size_m) {
    start(count, origin);
    for (std::size_t i = 0; i < count; ++i)
      if (const Sphere sphere = at(i); sphere.radius >= 0) choose(i, sphere, size_m);
    sort(size_m);
  }

  /// Replaces a sphere, or adds one with a new number. Local.
  void put(std::int32_t number, const Sphere& sphere);

  /// Number of spheres put since the grid was built.
  [[nodiscard]] std::size_t num_put() const { return put_.number.size(); }

  /// Finds the numbers of all spheres that intersect this one, and of some that do not, by rounding alone. Replaces
  /// `numbers`. Local.
  void find_meeting(const Sphere& sphere, std::vector<std::int32_t>& numbers) const;

  [[nodiscard]] std::size_t memory_bytes() const;

private:
  struct Query {
    std::array<float, 3> centre;
    float radius;
  };
  struct Spheres {
    /// Relative to the origin [m]; longer than `number` by a block.
    std::vector<float> x, y, z, radius;
    std::vector<std::int32_t> number;
    void resize(std::size_t size);
    void add(const Query& sphere, std::int32_t number);
    void set(std::size_t i, const Query& sphere, std::int32_t number);
  };
  struct Cells {
    std::array<int, 3> first, last;
  };
  struct Level {
    std::array<float, 3> low{}, inverse_size{};
    std::array<int, 3> count{1, 1, 1};
    float largest_radius = 0;
    std::vector<std::uint32_t> begin;  ///< first sphere of each cell, and the end
    Spheres spheres;
    [[nodiscard]] std::size_t cell(int x, int y, int z) const {
      return static_cast<std::size_t>(x) +
             static_cast<std::size_t>(count[0]) *
                 (static_cast<std::size_t>(y) + static_cast<std::size_t>(count[1]) * static_cast<std::size_t>(z));
    }
    /// Cell index along an axis; the outermost one for places outside and for NaN.
    [[nodiscard]] int along(std::size_t axis, float x) const {
      const float place = (x - low[axis]) * inverse_size[axis];
      return place > 0 ? static_cast<int>(std::min(place, static_cast<float>(count[axis] - 1))) : 0;
    }
    [[nodiscard]] Cells cells_within(const Query& query) const {
      const float reach = (query.radius + largest_radius) * kOutward;
      Cells cells{};
      for (std::size_t k = 0; k < 3; ++k) {
        cells.first[k] = along(k, query.centre[k] - reach);
        cells.last[k] = along(k, query.centre[k] + reach);
      }
      return cells;
    }
  };
  /// More than the relative error of the comparisons below.
  static constexpr float kOutward = 1 + 2e-6F;
  static constexpr std::size_t kBlock = 8;  ///< number of spheres that are compared at once

  static void scan(const Spheres& spheres, std::size_t begin, std::size_t end, const Query& query,
                   std::vector<std::int32_t>& numbers);
  [[nodiscard]] Query query_of(const Sphere& sphere) const;
  void start(std::size_t count, const Vec3& origin);
  void choose(std::size_t number, const Sphere& sphere, double size_m);
  void sort(double size_m);
  void sort_into(std::int32_t level_number, std::span<const std::int32_t> numbers, double size_m);
  void take_out(std::int32_t number);

  static constexpr std::size_t kMostClasses = 16;

  Vec3 origin_ = Vec3::Zero();
  std::vector<Level> levels_;
  std::int32_t num_levels_ = 0;  ///< that are in use
  Spheres put_;
  struct Place {
    std::int32_t level = -1;  ///< −1: in no level
    std::uint32_t index = 0;
    bool is_put = false;
  };
  std::vector<Place> place_;  ///< by number

  // scratch of build()
  std::vector<Query> rounded_;  ///< by number
  std::array<std::vector<std::int32_t>, kMostClasses> of_class_;
  std::vector<std::uint32_t> next_;
};

}  // namespace brisance::contact
