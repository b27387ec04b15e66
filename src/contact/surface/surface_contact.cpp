#include "brisance/contact/surface/surface_contact.hpp"

#include "brisance/contact/edge_points.hpp"
#include "brisance/contact/fields.hpp"
#include "brisance/contact/surface/point_facet.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/dist/mesh_fields.hpp"

#include "contact/array_vec.hpp"
#include "contact/restitution.hpp"
#include "contact/surface/facet_rotation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace brisance::contact {

namespace {

/// FacetGrid's skin over the mean edge; no result depends on it. A wider one finds more facets and sorts less often.
constexpr double kSkinShare = 0.1;

/// Relative motion of nodes before ranks exchange their cells again, over the mean edge.
constexpr double kAllowance = 0.8;

/// Largest mass of the points in contact at a node, over its own mass: its own point, about as much of other points for
/// which it is a corner, and half as much again. Where several pieces overlap each other there is more, which would set
/// the step.
constexpr double kMostCrowding = 3;

/// Motion of anything around relative to a point before that point searches again, over the edge, or in search
/// shares where these are small.
constexpr double kOthersShare = 0.5, kOthersShares = 25;

/// Cells of VelocityRegions over the longest uncut edge.
constexpr double kRegionEdges = 6;

/// Least number of steps without a search; if a point needs one earlier, it keeps its facet, which costs less than a
/// search.
constexpr double kLongRest = 8;

/// Distance over the edge below which a point keeps its facet, whatever its velocity.
constexpr double kFarShare = 0.05;

/// Steps after which every point searches again, since velocities have changed.
constexpr double kLongestRest = 30;

constexpr double kDeepShare = 0.05;  ///< of the facet's edge length: deeper contacts are counted in the report

Vec3 across(const Vec3& v, const Vec3& direction) { return v - v.dot(direction) * direction; }

/// The slip, cut to the length that friction holds.
Vec3 held_slip(const Vec3& slip, double most_m) {
  const double length = slip.norm();
  return length > most_m ? Vec3(most_m / length * slip) : slip;
}

/// Largest uncut edge at an owned node [m].
double longest_edge(const dist::Mesh& mesh) {
  double longest = 0;
  const auto& edge = mesh.field(dist::kUncutEdgeLength);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) longest = std::max(longest, edge[n]);
  return longest;
}

}  // namespace

SurfaceContact::SurfaceContact(const DeformableParameters& parameters)
    : parameters_(parameters),
      damping_ratio_(parameters.restitution < 1 ? contact::damping_ratio(parameters.restitution) : 0) {}

void SurfaceContact::note_cuts(std::span<const LocalNode> touched) {
  has_cuts_ = true;
  for (const LocalNode n : touched) touched_.push_back(n.value);
}

void SurfaceContact::gather(const dist::Mesh& mesh) {
  double sum = 0;
  std::int64_t count = 0;
  const auto& edge = mesh.field(dist::kUncutEdgeLength);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) {
      sum += edge[n];
      ++count;
    }
  // The largest mean of any rank: a length alone, on which no result depends.
  const double mean_m = mesh.comm().max(count > 0 ? sum / static_cast<double>(count) : 0.0);
  surface_ = ContactSurface(mesh, mean_m, kAllowance * mean_m);
  grid_ = FacetGrid(kSkinShare * mean_m);
  bounds_ = FacetBounds();
  search_ = PenetrationSearch();
  nodes_.clear();
}

void SurfaceContact::update_nodes(const dist::Mesh& mesh) {
  nodes_.resize(surface_.numbering().size());
  position_.resize(surface_.numbering().size());
  const auto& crowding = mesh.field(kContactCrowding);
  for (const ContactSurface::BoundaryNode& here : surface_.boundary_nodes()) {
    const LocalNode n(here.node);
    const dist::NodeMotion& motion = mesh.motion[n];
    ContactNode& node = nodes_[static_cast<std::size_t>(here.node)];
    node.position = {motion.position[0], motion.position[1], motion.position[2]};
    node.velocity = {motion.velocity[0], motion.velocity[1], motion.velocity[2]};
    node.mass_per_area = mesh.mass[n] / here.rest_area_m2;
    node.crowding = crowding[n];
    position_[static_cast<std::size_t>(here.node)] = vec(node.position);
  }
  surface_.numbering().halo().update_ghosts(std::span(nodes_));
  for (std::size_t i = surface_.numbering().first_foreign(); i < nodes_.size(); ++i)
    position_[i] = vec(nodes_[i].position);
  update_embedded_points();
}

SurfaceContact::Needs SurfaceContact::needs_of_all_ranks(const dist::Mesh& mesh) {
  const ContactSurface::Wear own = is_stale_ ? ContactSurface::Wear() : surface_.wear(mesh);
  std::array<double, 8> values{own.is_outdated, longest_edge(mesh)};
  std::ranges::copy(own.moved, values.begin() + 2);
  values = mesh.comm().max(values);
  velocities_.update(mesh, kRegionEdges * values[1]);
  ContactSurface::Wear of_all{.is_outdated = values[0], .moved = {}};
  std::copy(values.begin() + 2, values.end(), of_all.moved.begin());
  return {.boundary = of_all.is_outdated > 0, .cells = mesh.comm().size() > 1 && !surface_.follow_ranks(of_all)};
}

void SurfaceContact::bring_up_to_date(const dist::Mesh& mesh) {
  const Needs needs = needs_of_all_ranks(mesh);
  is_stale_ = is_stale_ || needs.boundary;
  if (is_stale_)
    gather(mesh);
  else if (has_cuts_)
    take_in_cuts(mesh);
  has_old_edge_points_ = has_old_edge_points_ || has_cuts_;
  if (!is_stale_ && needs.cells) surface_.exchange_cells(mesh);
  update_nodes(mesh);
  bounds_.update(surface_, position_);
  grid_.update(surface_, bounds_, position_);
  is_stale_ = has_cuts_ = false;
  touched_.clear();
}

void SurfaceContact::take_in_cuts(const dist::Mesh& mesh) {
  std::ranges::sort(touched_);
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());  // cracks and dust may list the same
  surface_.take_in_cuts(mesh, touched_);
}

void SurfaceContact::find_contacts(const dist::Mesh& mesh, double time_s) {
  contacts_.clear();
  searched_.clear();
  released_.clear();
  search_.update(surface_, grid_, bounds_, position_);
  const auto& searches = mesh.field(kFacetSearch);
  const auto& springs = mesh.field(kContactSpring);
  const std::int32_t slots = mesh.num_node_slots();
  for (std::int32_t slot = 1; slot < slots; ++slot) {
    if (surface_.is_divided() && mesh.is_owned(LocalNode(slot))) find_edge_contacts(mesh, slot, time_s);
    const std::int32_t number = surface_.point_of(slot);
    if (number < 0) continue;
    const auto p = static_cast<std::size_t>(number);
    if (surface_.points()[p].around.empty()) continue;
    const LocalNode n(slot);
    std::optional<OpposingFacet> facet;
    if (time_s < searches[n].next_s) {
      if (searches[n].facet < 0) continue;
      facet = kept_facet(p, searches[n].facet, springs[n].exists());
    }
    if (!facet) {
      facet = search_.nearest(p);
      searched_.push_back({number, facet});
    }
    take(number, facet, springs[n].exists());
  }
  std::ranges::sort(contacts_, {}, &PointContact::point);
}

void SurfaceContact::take(std::int32_t point, const std::optional<OpposingFacet>& facet, bool has_spring) {
  if (facet && facet->has_come_through)
    contacts_.push_back(contact_of(static_cast<std::size_t>(point), *facet));
  else if (has_spring)
    released_.push_back(point);
}

std::optional<OpposingFacet> SurfaceContact::kept_facet(std::size_t p, std::int64_t facet, bool is_in_contact) {
  const auto is_on_its_side = [&](const std::optional<OpposingFacet>& found) {
    return found && found->has_come_through == is_in_contact;
  };
  std::optional<OpposingFacet> kept = search_.kept(p, facet);
  if (!is_on_its_side(kept)) kept = search_.nearest_around(p, facet);
  return is_on_its_side(kept) ? kept : std::nullopt;
}

Vec3 SurfaceContact::relative_velocity(const ContactPoint& point, const ContactFacet& facet,
                                       const FacetView& view) const {
  Vec3 relative = vec(node(point.node).velocity);
  for (std::size_t k = 0; k < 3; ++k) relative -= view.weight[k] * vec(node(facet.node[k]).velocity);
  return relative;
}

// A point cannot reach a facet before it has travelled half of the distance. It keeps the nearest facet if it is behind
// it, or may soon be. Others may come at the largest velocity around, or from farther away at that of the scene; until
// the next search only their own points detect contact.
FacetSearch SurfaceContact::next_search(const Searched& searched, const SurfaceStep& step) const {
  const double share = parameters_.search_share, others_share = std::min(kOthersShare, kOthersShares * share);
  const ContactPoint& point = surface_.points()[static_cast<std::size_t>(searched.point)];
  FacetSearch search;
  const Vec3 velocity = vec(node(point.node).velocity);
  double rest_s = std::min(
      {kLongestRest * step.dt_s,
       others_share * point.edge_m / velocities_.most_near(position_[static_cast<std::size_t>(point.node)], velocity),
       velocities_.cell_m() / velocities_.most(velocity)});
  if (const auto& nearest = searched.nearest) {
    const ContactFacet& facet = surface_.facets()[static_cast<std::size_t>(nearest->facet)];
    const double approach = relative_velocity(point, facet, nearest->view).norm(),
                 half_way_s = 0.5 * nearest->view.distance / approach;
    const bool is_far = nearest->view.distance >= kFarShare * point.edge_m && half_way_s >= kLongRest * step.dt_s;
    if (!nearest->has_come_through && is_far) {
      rest_s = std::min(rest_s, half_way_s);
    } else {
      search.facet = facet.key;
      rest_s = std::min(rest_s, share * std::min(point.edge_m, facet.edge_m) / approach);
    }
  }
  search.next_s = step.time_s + rest_s;
  return search;
}

void SurfaceContact::plan_searches(dist::Mesh& mesh, const SurfaceStep& step) const {
  auto& searches = mesh.field(kFacetSearch);
  for (const Searched& searched : searched_)
    if (const ContactPoint& point = surface_.points()[static_cast<std::size_t>(searched.point)]; !point.is_on_edge())
      searches[LocalNode(point.slot)] = next_search(searched, step);
    else if (EdgePointState* state = mesh.field(kEdgePoints)[LocalNode(point.slot)].find(point.other))
      state->next_search_s = next_search(searched, step).next_s;
}

PointContact SurfaceContact::contact_of(std::size_t p, const OpposingFacet& found) const {
  const ContactPoint& point = surface_.points()[p];
  const FacetView& view = found.view;
  double mass_per_area = node(point.node).mass_per_area;
  double crowding = std::max(kMostCrowding, node(point.node).crowding);
  for (const std::int32_t corner : surface_.facets()[static_cast<std::size_t>(found.facet)].node) {
    mass_per_area = std::min(mass_per_area, node(corner).mass_per_area);
    crowding = std::max(crowding, node(corner).crowding);
  }
  const double full_mass = point.rest_area * mass_per_area;
  return {.point = static_cast<std::int32_t>(p),
          .facet = found.facet,
          .gap = view.gap,
          .direction = view.distance > 0 ? Vec3(view.gap / view.distance) : view.normal,
          .weight = view.weight,
          .depth_m = view.distance,
          .full_mass = full_mass,
          .pair_mass = kMostCrowding / crowding * full_mass};
}

double SurfaceContact::stiffness(const PointContact& contact, double step_s) const {
  return kStiffnessShare * parameters_.stiffness_scale * contact.pair_mass / (step_s * step_s);
}

FacetCorners SurfaceContact::corners(const PointContact& contact) const {
  const ContactFacet& facet = facet_of(contact);
  return {position_[static_cast<std::size_t>(facet.node[0])], position_[static_cast<std::size_t>(facet.node[1])],
          position_[static_cast<std::size_t>(facet.node[2])]};
}

SurfaceContact::Sliding SurfaceContact::sliding(const PointContact& contact) const {
  const ContactFacet& facet = facet_of(contact);
  std::array<Vec3, 3> corner;
  Vec3 relative = vec(node(point_of(contact).node).velocity);
  for (std::size_t k = 0; k < 3; ++k) {
    corner[k] = vec(node(facet.node[k]).velocity);
    relative -= contact.weight[k] * corner[k];
  }
  const Vec3 spin = parameters_.friction > 0 ? spin_of(corners(contact), corner) : Vec3(Vec3::Zero());
  return {relative.dot(contact.direction), across(relative + spin.cross(contact.gap), contact.direction), spin};
}

ContactSpring SurfaceContact::next_spring(const ContactSpring& spring, const PointContact& contact,
                                          const Sliding& sliding, const SurfaceStep& step) const {
  ContactSpring next = spring;
  if (spring.exists()) next.slip_m = numbers(carried_slip(contact, sliding, vec(spring.slip_m), step.last_dt_s));
  return followed(next, {.facet = facet_of(contact).key,
                         .depth_m = contact.depth_m,
                         .last_approach_m = -sliding.separation * step.last_dt_s,
                         .next_approach_m = -sliding.separation * step.dt_s,
                         .stiffness_n_per_m = stiffness(contact, step.stiffness_step_s)});
}

// The spring turns with the facet: its length stays, and its remaining part lies along the facet.
Vec3 SurfaceContact::carried_slip(const PointContact& contact, const Sliding& sliding, const Vec3& slip, double dt_s) {
  const Vec3 turned = across(slip + dt_s * sliding.spin.cross(slip), contact.direction);
  const double length = turned.norm();
  const Vec3 kept = length > 0 ? Vec3(slip.norm() / length * turned) : turned;
  return kept + dt_s * sliding.velocity;
}

void SurfaceContact::update_springs(dist::Mesh& mesh, const SurfaceStep& step) {
  auto& springs = mesh.field(kContactSpring);
  auto& searches = mesh.field(kFacetSearch);
  forget_old_edge_points(mesh);
  for (const std::int32_t released : released_)
    if (const ContactPoint& point = surface_.points()[static_cast<std::size_t>(released)]; !point.is_on_edge())
      springs[LocalNode(point.slot)] = kContactSpring.initial;
    else
      release_edge_point(mesh, point);
  // Room at a node is given to its edge points in the order of ids, the same on any number of ranks.
  std::vector<const PointContact*> in_order;
  for (const PointContact& contact : contacts_) in_order.push_back(&contact);
  std::ranges::stable_sort(in_order, {}, [&](const PointContact* contact) { return point_of(*contact).other; });
  for (const PointContact* next : in_order) {
    const PointContact& contact = *next;
    const ContactPoint& point = point_of(contact);
    EdgePointState* on_edge =
        point.is_on_edge() ? mesh.field(kEdgePoints)[LocalNode(point.slot)].take(point.other) : nullptr;
    if (point.is_on_edge() && on_edge == nullptr) continue;  // no room
    ContactSpring& spring = on_edge != nullptr ? on_edge->spring : springs[LocalNode(point.slot)];
    const Sliding of_point = sliding(contact);
    spring = next_spring(spring, contact, of_point, step);
    if (on_edge == nullptr) searches[LocalNode(point.slot)].facet = spring.facet;
    add_forces_of(contact, of_point, spring);
  }
}

void SurfaceContact::add_forces_of(const PointContact& contact, const Sliding& sliding, ContactSpring& spring) {
  const double k = spring.stiffness_n_per_m, elastic = k * (contact.depth_m - spring.offset_m);
  const double damping = damping_ratio_ * std::sqrt(k * contact.pair_mass);
  const double pressing =
      elastic > 0 ? std::max(0.0, elastic - damping * sliding.separation) : 0;  // no adhesion (VALIDATION E1)
  const double most = parameters_.friction * pressing;
  const Vec3 slip = vec(spring.slip_m), asked = -k * slip - damping * sliding.velocity;
  const Vec3 friction = asked.norm() > most ? Vec3(most / asked.norm() * asked) : asked;
  const Vec3 force = pressing * contact.direction + friction;
  spring.slip_m = numbers(held_slip(slip, most / k));

  std::array<Vec3, 3> turning{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  if (most > 0 && contact.depth_m > 0) turning = couple(corners(contact), contact.gap.cross(friction));
  of_contact_.clear();
  add_to_nodes(contact, point_of(contact).node, force, contact.full_mass);
  for (std::size_t i = 0; i < 3; ++i)
    add_to_nodes(contact, facet_of(contact).node[i], turning[i] - contact.weight[i] * force,
                 contact.weight[i] * contact.full_mass);
  for (const ContactSums::Contribution& on_node : of_contact_) sums_.add(on_node);
}

void SurfaceContact::make_report() {
  report_ = {};
  report_.searches = static_cast<std::int64_t>(searched_.size());
  for (const PointContact& contact : contacts_) {
    const ContactFacet& facet = facet_of(contact);
    const double share = contact.depth_m / facet.edge_m;
    ++report_.contacts;
    const bool is_across = std::ranges::any_of(facet.node, [&](std::int32_t node) {
      return static_cast<std::size_t>(node) >= surface_.numbering().first_foreign();
    });
    if (is_across) ++report_.across_ranks;
    if (share > kDeepShare) ++report_.deep;
    if (!(share > report_.deepest_share)) continue;
    report_.deepest_share = share;
    report_.deepest_place = position_[static_cast<std::size_t>(point_of(contact).node)];
    report_.deepest_edge_m = facet.edge_m;
  }
}

void SurfaceContact::find_for_step(dist::Mesh& mesh, const SurfaceStep& step) {
  bring_up_to_date(mesh);
  find_contacts(mesh, step.time_s);
  sums_.clear();
  update_springs(mesh, step);
  plan_searches(mesh, step);
  sums_.add_up(surface_, mesh);
  make_report();
}

core::ExactSum SurfaceContact::stored(const dist::Mesh& mesh, const SurfaceStep& step) {
  bring_up_to_date(mesh);
  find_contacts(mesh, step.time_s);
  core::ExactSum sum;
  for (const PointContact& contact : contacts_) {
    const ContactSpring& spring = spring_of(mesh, point_of(contact));
    if (!spring.exists()) continue;  // in contact from the next step on
    const ContactSpring next = next_spring(spring, contact, sliding(contact), step);
    const double pressed = contact.depth_m - next.offset_m;
    const double held = held_slip(vec(next.slip_m), parameters_.friction * pressed).squaredNorm();
    sum.add(0.5 * next.stiffness_n_per_m * (pressed * pressed + held));
  }
  return sum;
}

std::size_t SurfaceContact::memory_bytes() const {
  return surface_.memory_bytes() + grid_.memory_bytes() + bounds_.memory_bytes() + search_.memory_bytes() +
         sums_.memory_bytes() + core::bytes_of(nodes_, position_, contacts_, searched_, released_);
}

}  // namespace brisance::contact
