/// Contact between deformable bodies, pieces and crack faces as points against facets: every boundary node is pushed
/// out of the facet that it has penetrated.
#pragma once

#include "brisance/contact/contact_spring.hpp"
#include "brisance/contact/fields.hpp"
#include "brisance/contact/parameters.hpp"
#include "brisance/contact/surface/contact_sums.hpp"
#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/contact/surface/facet_bounds.hpp"
#include "brisance/contact/surface/facet_grid.hpp"
#include "brisance/contact/surface/penetration_search.hpp"
#include "brisance/contact/surface/point_facet.hpp"
#include "brisance/contact/surface/velocity_regions.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace brisance::contact {

/// κ of a node's stiffness κ M/Δt². The springs at a node have up to three times its mass, and their other ends may
/// move towards it, so that ω² of contact alone is up to 6κ/Δt². Elements at 0.9 of the stable step have up to
/// 3.24/Δt²: the sum stays below 4/Δt². Closer to that limit, bars that meet node on node gain energy: 1.0 % with 0.13,
/// 1.6 % with 0.15.
inline constexpr double kStiffnessShare = 0.1;

/// Data of an owned boundary node, sent to ranks whose points may be in contact with its facets.
struct ContactNode {
  std::array<double, 3> position, velocity;  ///< [m], [m/s]
  double mass_per_area;                      ///< m_n/A_n, with the boundary area at rest [kg/m²]
  double crowding;                           ///< kContactCrowding
};                                           // of an embedded point: sums, and the least and the largest of its nodes

/// A point in contact.
struct PointContact {
  std::int32_t point, facet;     ///< indices in ContactSurface
  Vec3 gap;                      ///< from the point to its foot on the facet [m]
  Vec3 direction;                ///< unit vector along gap
  std::array<double, 3> weight;  ///< barycentric coordinates of the foot [–]
  double depth_m;                ///< |gap| [m]
  double full_mass;              ///< A_P min(m_P/A_P, least m_k/A_k of the facet's corners) [kg]
  double pair_mass;              ///< M: full_mass, reduced where many points share a corner or the point [kg]
};

/// Counts of this rank's points at the last step.
struct SurfaceReport {
  std::int64_t contacts = 0, across_ranks = 0;
  std::int64_t searches = 0;  ///< points that searched their nearest facet
  std::int64_t deep = 0;      ///< contacts deeper than a twentieth of the facet's edge length
  double deepest_share = 0;   ///< largest depth over the facet's edge length [–]
  Vec3 deepest_place = Vec3::Zero();
  double deepest_edge_m = 0;
};

/// Arguments of a step for the contact forces.
struct SurfaceStep {
  double time_s;            ///< time at the start of the step [s]
  double dt_s;              ///< length of the step [s]
  double last_dt_s;         ///< length of the step that led to the present positions; 0: there was none [s]
  double stiffness_step_s;  ///< step from which the stiffness follows [s]
};

/// Force on a point at depth `depth`, with the opposite on the facet's corners by the weights of the foot:
///   N = max(0, k (depth − offset) − c v_n),  k = κ M/Δt²,  c = ζ √(k M),  along the line through point and foot,
/// and across it Coulomb friction, k s + c v_t against the slip s, which is cut to what μ N holds: below that limit a
/// point sticks and does not creep. The slip turns with the facet. M bounds the sum over all points at a node by the
/// node's own mass, so that contact never sets the step. Both momenta are kept to rounding: a couple on the facet
/// balances the moment of friction times depth. Energy enters the springs by motion through facets alone
/// (ContactSpring).
///
/// A point that has found its nearest facet keeps it until the two may have moved relative to each other by the search
/// share of an edge, or the point changes its side (FacetSearch).
class SurfaceContact {
public:
  explicit SurfaceContact(const DeformableParameters& parameters);

  /// To be called when nodes have changed owners: the boundary is gathered anew before the next step.
  void forget() { is_stale_ = true; }
  /// To be called after cuts, on all ranks, with the nodes owned here that these touched or removed; may be empty.
  void note_cuts(std::span<const LocalNode> touched);

  /// Finds the contacts at the present node positions, and the forces of a step. Collective.
  void find_for_step(dist::Mesh& mesh, const SurfaceStep& step);

  /// Forces of the last step on owned nodes, by ascending slot.
  [[nodiscard]] std::span<const ContactForce> forces() const { return sums_.forces(); }
  [[nodiscard]] const SurfaceReport& report() const { return report_; }

  /// Energy of the springs ½ k ((depth − offset)² + s²) of points owned here, at the present node positions [J].
  /// Collective.
  [[nodiscard]] core::ExactSum stored(const dist::Mesh& mesh, const SurfaceStep& step);

  /// Contacts at the last evaluation, ascending point; for tests.
  [[nodiscard]] std::span<const PointContact> contacts() const { return contacts_; }
  [[nodiscard]] const ContactSurface& surface() const { return surface_; }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  /// Motion of a point relative to its facet.
  struct Sliding {
    double separation;  ///< velocity along the contact's direction [m/s]
    Vec3 velocity;      ///< velocity across it, without that of the facet's rigid rotation [m/s]
    Vec3 spin;          ///< angular velocity of the facet [rad/s]
  };
  /// Result of a point's search.
  struct Searched {
    std::int32_t point;
    std::optional<OpposingFacet> nearest;
  };
  void gather(const dist::Mesh& mesh);
  void update_nodes(const dist::Mesh& mesh);
  void update_embedded_points();
  /// Forgets springs of edge points that cuts have removed. Local.
  void forget_old_edge_points(dist::Mesh& mesh);
  /// The point's spring, one that does not exist if it has none.
  [[nodiscard]] static const ContactSpring& spring_of(const dist::Mesh& mesh, const ContactPoint& point);
  static void release_edge_point(dist::Mesh& mesh, const ContactPoint& point);
  void find_edge_contacts(const dist::Mesh& mesh, std::int32_t slot, double time_s);
  void take(std::int32_t point, const std::optional<OpposingFacet>& facet, bool has_spring);
  /// Collects the force on a point of the surface by the nodes that have weight in it, in of_contact_.
  void add_to_nodes(const PointContact& contact, std::int32_t number, const Vec3& force, double mass);
  /// Updates that at least one rank needs.
  struct Needs {
    bool boundary = false, cells = false;
  };
  /// Also updates velocities_ and the displacement of cells. Collective.
  [[nodiscard]] Needs needs_of_all_ranks(const dist::Mesh& mesh);
  void take_in_cuts(const dist::Mesh& mesh);
  /// Updates the boundary, its nodes and the grid. Collective.
  void bring_up_to_date(const dist::Mesh& mesh);
  void find_contacts(const dist::Mesh& mesh, double time_s);
  /// The facet that a point keeps between searches, or one around it that is nearer; nothing if the point has changed
  /// its side.
  [[nodiscard]] std::optional<OpposingFacet> kept_facet(std::size_t point, std::int64_t facet, bool is_in_contact);
  [[nodiscard]] PointContact contact_of(std::size_t point, const OpposingFacet& found) const;
  /// Velocity of a point relative to the foot [m/s].
  [[nodiscard]] Vec3 relative_velocity(const ContactPoint& point, const ContactFacet& facet,
                                       const FacetView& view) const;
  /// The next search of a point that has just searched. Local.
  [[nodiscard]] FacetSearch next_search(const Searched& searched, const SurfaceStep& step) const;
  void plan_searches(dist::Mesh& mesh, const SurfaceStep& step) const;
  /// Updates offsets and slips of this rank's points, and adds their forces. Local.
  void update_springs(dist::Mesh& mesh, const SurfaceStep& step);
  /// The point's spring in the next step.
  [[nodiscard]] ContactSpring next_spring(const ContactSpring& spring, const PointContact& contact,
                                          const Sliding& sliding, const SurfaceStep& step) const;
  /// The slip after this motion over dt_s, before friction limits it [m].
  [[nodiscard]] static Vec3 carried_slip(const PointContact& contact, const Sliding& sliding, const Vec3& slip,
                                         double dt_s);
  /// Reduces the spring's slip to what friction holds, and adds the forces of the contact.
  void add_forces_of(const PointContact& contact, const Sliding& sliding, ContactSpring& spring);
  void make_report();
  [[nodiscard]] double stiffness(const PointContact& contact, double step_s) const;
  [[nodiscard]] Sliding sliding(const PointContact& contact) const;
  [[nodiscard]] FacetCorners corners(const PointContact& contact) const;
  [[nodiscard]] const ContactNode& node(std::int32_t number) const { return nodes_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] const ContactPoint& point_of(const PointContact& contact) const {
    return surface_.points()[static_cast<std::size_t>(contact.point)];
  }
  [[nodiscard]] const ContactFacet& facet_of(const PointContact& contact) const {
    return surface_.facets()[static_cast<std::size_t>(contact.facet)];
  }

  DeformableParameters parameters_;
  double damping_ratio_;
  bool is_stale_ = true, has_cuts_ = false;
  std::vector<std::int32_t> touched_;  ///< owned nodes touched by cuts since the last step
  ContactSurface surface_;
  FacetGrid grid_;
  FacetBounds bounds_;
  PenetrationSearch search_;
  std::vector<ContactNode> nodes_;  ///< by node of contact
  std::vector<Vec3> position_;      ///< by node of contact [m]
  VelocityRegions velocities_;
  std::vector<PointContact> contacts_;
  std::vector<Searched> searched_;  ///< in the last evaluation
  /// Points that were in contact before the last evaluation, and no longer are.
  std::vector<std::int32_t> released_;
  bool has_old_edge_points_ = false;  ///< Do cuts since the last step perhaps leave springs without a point?
  std::vector<ContactSums::Contribution> of_contact_;  ///< scratch of add_to_nodes
  ContactSums sums_;
  SurfaceReport report_;
};

}  // namespace brisance::contact
