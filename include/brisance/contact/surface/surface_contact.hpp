/// Contact between deformable bodies, pieces and crack faces as points against facets: every boundary node is pushed
/// back out of the facet that it has penetrated.
#pragma once

#include "brisance/contact/contact_spring.hpp"
#include "brisance/contact/parameters.hpp"
#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/contact/surface/facet_candidates.hpp"
#include "brisance/contact/surface/penetration_search.hpp"
#include "brisance/contact/surface/point_facet.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace brisance::contact {

/// κ of a node's stiffness κ M/Δt². A node carries springs of up to three times its own mass; what is on their other
/// ends may come towards it, so that ω² of contact alone is up to 6κ/Δt². Elements at 0.9 of the stable step have up to
/// 3.24/Δt²: with both it stays below 4/Δt². Nearer to that bars that meet node on node gain energy: 1.0 % with 0.13,
/// 1.6 % with 0.15.
inline constexpr double kStiffnessShare = 0.1;

/// What is known of an owned node of the boundary, sent to ranks whose points may press on its facets.
struct ContactNode {
  std::array<double, 3> position, velocity;  ///< [m], [m/s]
  double mass_per_area;                      ///< m_n/A_n, by the boundary's area at rest [kg/m²]
  double crowding;                           ///< kContactCrowding
};

/// A point in contact.
struct PointContact {
  std::int32_t point, facet;     ///< of ContactSurface
  Vec3 gap;                      ///< from the point to its foot on the facet, the way out [m]
  Vec3 direction;                ///< of the same, a unit vector
  std::array<double, 3> weight;  ///< of the foot
  double depth_m;                ///< |gap|
  double full_mass;              ///< A_P min(m_P/A_P, least m_k/A_k of the facet's corners) [kg]
  double pair_mass;              ///< M: the same, less where many points press on a corner or on the point [kg]
};

/// What contact does to an owned node in a step.
struct ContactForce {
  std::int32_t slot;
  Vec3 force;  ///< [N]
};

/// Counts of this rank's points at the last step.
struct SurfaceReport {
  std::int64_t contacts = 0, across_ranks = 0;
  std::int64_t searches = 0;  ///< points that looked for their nearest facet
  std::int64_t deep = 0;      ///< deeper than a twentieth of the facet's edge length
  double deepest_share = 0;   ///< of the facet's edge length [–]
  Vec3 deepest_place = Vec3::Zero();
  double deepest_edge_m = 0;
};

/// How a step asks for forces.
struct SurfaceStep {
  double time_s;            ///< at its start
  double dt_s;              ///< of this step
  double last_dt_s;         ///< of the step that brought nodes where they are; 0: there was none
  double stiffness_step_s;  ///< the step that stiffness is chosen by
};

/// Force on a point that is `depth` deep, the opposite on the facet's corners by the weights of the foot:
///   N = max(0, k (depth − offset) − c v_n),  k = κ M/Δt²,  c = ζ √(k M),  along the line through point and foot,
/// and across it Coulomb's friction, k s + c v_t against the slip s, of which only so much is kept as μ N holds: below
/// that a point sticks where it is, and creeps nowhere. The facet takes the slip along as it turns. M makes the sum
/// over all points on a node bounded by the node's own mass, so that contact never sets the step. Both momenta are
/// kept to rounding; the moment that friction makes with the depth is taken up by the facet. What the springs take in
/// is the work of motion through facets alone (ContactSpring).
///
/// A point that has found its nearest facet keeps to that until they may have moved against each other by the search
/// share of an edge, or the point changes its side (FacetSearch).
class SurfaceContact {
public:
  explicit SurfaceContact(const DeformableParameters& parameters);

  /// Nodes have other owners: the boundary is gathered anew before the next step.
  void forget() { is_stale_ = true; }
  /// The mesh was cut, which touched or removed these nodes, owned here; on all ranks, with or without such nodes.
  void note_cuts(std::span<const LocalNode> touched);

  /// Finds contacts where the mesh's nodes are and the forces of a step. Collective.
  void find_for_step(dist::Mesh& mesh, const SurfaceStep& step);

  /// Of the last step, owned nodes by ascending slot.
  [[nodiscard]] std::span<const ContactForce> forces() const { return node_forces_; }
  [[nodiscard]] const SurfaceReport& report() const { return report_; }

  /// Energy of the springs ½ k ((depth − offset)² + s²) of points owned here, where nodes are now [J]. Collective.
  [[nodiscard]] core::ExactSum stored(const dist::Mesh& mesh, const SurfaceStep& step);

  /// Contacts at the last evaluation, ascending point; for tests.
  [[nodiscard]] std::span<const PointContact> contacts() const { return contacts_; }
  [[nodiscard]] const ContactSurface& surface() const { return surface_; }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  /// A force on a node by one point.
  struct Contribution {
    std::int32_t slot;
    std::int64_t point;  ///< global id: sums run in this order
    std::array<double, 3> force;
    double mass;  ///< PointContact::full_mass by the node's weight [kg]
  };
  /// How a point moves as seen from its facet.
  struct Sliding {
    double separation;  ///< along the contact's direction [m/s]
    Vec3 velocity;      ///< across it, less what a rigid turn of the facet explains [m/s]
    Vec3 spin;          ///< of the facet [rad/s]
  };
  /// What a point has found.
  struct Searched {
    std::int32_t point;
    std::optional<OpposingFacet> nearest;
  };
  void gather(const dist::Mesh& mesh);
  void update_nodes(const dist::Mesh& mesh);
  /// What one rank needs at least.
  struct Needs {
    bool boundary = false, boxes = false, all_pairs = false;
  };
  /// Finds most_velocity_m_per_s_, too. Collective.
  [[nodiscard]] Needs needs_of_all_ranks(const dist::Mesh& mesh);
  void take_in_cuts(const dist::Mesh& mesh);
  /// Brings the boundary, its nodes and the candidates up to date. Collective.
  void bring_up_to_date(const dist::Mesh& mesh);
  void find_contacts(const dist::Mesh& mesh, double time_s);
  /// The facet that a point keeps to between searches; nothing where that has changed its side.
  [[nodiscard]] std::optional<OpposingFacet> kept_facet(std::size_t point, std::int64_t facet, bool is_in_contact);
  [[nodiscard]] PointContact contact_of(std::size_t point, const OpposingFacet& found) const;
  /// Of a point against the foot [m/s].
  [[nodiscard]] Vec3 relative_velocity(const ContactPoint& point, const ContactFacet& facet,
                                       const FacetView& view) const;
  /// Decides when points that have just searched do so again. Local.
  void plan_searches(dist::Mesh& mesh, const SurfaceStep& step) const;
  /// Brings offsets and slips of this rank's points up to date, and adds their forces. Local.
  void update_springs(dist::Mesh& mesh, const SurfaceStep& step);
  /// The point's spring in the next step.
  [[nodiscard]] ContactSpring next_spring(const ContactSpring& spring, const PointContact& contact,
                                          const Sliding& sliding, const SurfaceStep& step) const;
  /// Where motion over this time has taken a slip [m].
  [[nodiscard]] static Vec3 carried_slip(const PointContact& contact, const Sliding& sliding, const Vec3& slip,
                                         double dt_s);
  /// Lets the spring's slip go as far as friction does not hold it.
  void add_forces_of(const PointContact& contact, const Sliding& sliding, ContactSpring& spring);
  void send_contributions(const core::Comm& comm);
  void add_up(dist::Mesh& mesh);
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
  std::vector<std::int32_t> touched_;  ///< owned nodes, by cuts since the last step
  ContactSurface surface_;
  FacetCandidates candidates_;
  PenetrationSearch search_;
  std::vector<ContactNode> nodes_;    ///< by node of contact
  std::vector<Vec3> position_;        ///< by node of contact [m]
  double most_velocity_m_per_s_ = 0;  ///< between any two nodes: the diagonal of the box around all velocities
  std::vector<PointContact> contacts_;
  std::vector<Searched> searched_;   ///< in the last evaluation
  std::vector<LocalNode> released_;  ///< points that were in contact before the last evaluation, and are not
  std::vector<Contribution> contributions_;
  std::vector<std::uint32_t> first_of_slot_;  ///< scratch of add_up
  std::vector<ContactForce> node_forces_;
  SurfaceReport report_;
};

}  // namespace brisance::contact
