/// The boundary of the distributed mesh as contact sees it: the points that this rank owns, and the facets that may
/// come near them, wherever these are owned.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dist/halo.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// A boundary node that is owned here.
struct ContactPoint {
  GlobalNode id;
  std::int32_t slot;
  std::int64_t body;                              ///< contact::kBody of an element around it
  Vec3 rest;                                      ///< [m]
  double rest_area = 0;                           ///< a third of the boundary facets around it, at rest [m²]
  double edge_m = 0;                              ///< dist::kUncutEdgeLength
  std::int32_t first_around = 0, num_around = 0;  ///< of ContactSurface::around
};

/// A boundary facet. Slots from the mesh's number of slots on are of nodes that this rank does not hold.
struct ContactFacet {
  std::int64_t key;                ///< 4 · element id + the corner it lies opposite of
  std::int64_t body;               ///< contact::kBody
  std::array<GlobalNode, 3> node;  ///< counter-clockwise seen from outside
  std::array<std::int32_t, 3> slot;
  std::array<Vec3, 3> rest;  ///< [m]
  double edge_m;             ///< least dist::kUncutEdgeLength of its nodes
};

struct ContactSurface {
  std::vector<ContactPoint> points;                 ///< ascending id
  std::vector<std::array<std::int32_t, 2>> around;  ///< the other two corners of facets around points, in turn
  std::vector<ContactFacet> facets;                 ///< this rank's, then imported ones
  std::vector<dist::GhostLink> ghosts;              ///< of all nodes of facets that are owned elsewhere
  std::size_t num_slots = 0;                        ///< arrays by slot have so many entries

  [[nodiscard]] std::size_t memory_bytes() const;
};

/// Gathers the boundary: facets of other ranks come here where their box, enlarged on each side, meets a box around
/// some of this rank's points. Collective.
/// @param enlargement_m  beyond half the facet's edge length ContactFacet::edge_m [m]
[[nodiscard]] ContactSurface gather_contact_surface(const dist::Mesh& mesh, double enlargement_m);

/// Outward area vector of the facets around a point, times two; `position` by slot [m²]. Local.
[[nodiscard]] Vec3 normal_at(const ContactSurface& surface, const ContactPoint& point, std::span<const Vec3> position);

}  // namespace brisance::contact
