/// Broad phase of surface contact: which facets are near a point.
#pragma once

#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/contact/surface/facet_bounds.hpp"
#include "brisance/contact/surface/sphere_grid.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// A sphere around each facet at the last sort, in a frame that moves with the mean of the nodes. Queries are enlarged
/// by the motion of nodes in the frame since then; above the skin distance facets are sorted again.
class FacetGrid {
public:
  FacetGrid() = default;
  /// @param skin_m  no result depends on it: a wider one sorts less often and finds more facets
  explicit FacetGrid(double skin_m) : skin_m_(skin_m) {}

  /// Updates for the present positions and for new facets. `position` by node of contact [m]. Local.
  void update(const ContactSurface& surface, FacetBounds& bounds, std::span<const Vec3> position);

  /// Finds all facets within `reach_m` of a point at present, and some others, some of which may be gone. Replaces
  /// `facets`. Local.
  void find_within(const Vec3& point, double reach_m, std::vector<std::int32_t>& facets) const {
    facets_.find_meeting({point - frame_, reach_m + moved_m_}, facets);
  }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  [[nodiscard]] bool has_place(std::size_t node) const { return place_[node].x() == place_[node].x(); }
  void follow(const ContactSurface& surface, std::span<const Vec3> position);
  void put_new(const ContactSurface& surface, FacetBounds& bounds);
  void sort(const ContactSurface& surface, FacetBounds& bounds, std::span<const Vec3> position);

  double skin_m_ = 0;
  std::vector<Vec3> place_;    ///< by node, in the frame: where it was at the last sort; NaN: unknown [m]
  Vec3 frame_ = Vec3::Zero();  ///< displacement of the frame since then [m]
  double moved_m_ = 0;         ///< largest displacement of a node in the frame
  SphereGrid facets_;
  std::size_t num_known_ = 0;  ///< number of facets in the grid; those after it are new
};

}  // namespace brisance::contact
