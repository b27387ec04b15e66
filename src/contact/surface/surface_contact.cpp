#include "brisance/contact/surface/surface_contact.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/contact/surface/point_facet.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "contact/restitution.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/LU>

namespace brisance::contact {

namespace {

/// κ of a node's stiffness κ M/Δt². A node carries its own point's spring and, as a corner, at most as much of others',
/// so that its frequency in contact alone is √(2κ)/Δt: with elements at 0.9 of the stable step it stays below 2/Δt.
constexpr double kStiffnessShare = 0.1;

/// Share of what stops the slip within the step that friction may use: of the four shares that stop two bodies, each
/// side's points and the facets under the other's have one.
constexpr double kSlipShare = 0.25;

/// Verlet skin, of the mean facet edge; no result depends on it. Wider skins are detected less often and list more.
constexpr double kSkinShare = 0.3;

/// Ways through the facet in a step that a point may be deep when it comes to be in contact, beyond which it has an
/// offset.
constexpr double kApproaches = 1.5;

constexpr double kDeepShare = 0.05;  ///< of the facet's edge length: counted in the report

/// Forces on three corners whose sum is zero and whose moment about any point is τ: fₖ = (J⁻¹ τ) × (xₖ − x̄).
std::array<Vec3, 3> couple(const FacetCorners& x, const Vec3& moment) {
  const Vec3 centre = (x[0] + x[1] + x[2]) / 3;
  Mat3 inertia = Mat3::Zero();
  for (const Vec3& corner : x) {
    const Vec3 r = corner - centre;
    inertia += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
  }
  const Vec3 turn = inertia.fullPivLu().solve(moment);
  return {turn.cross(x[0] - centre), turn.cross(x[1] - centre), turn.cross(x[2] - centre)};
}

Vec3 vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }
std::array<double, 3> numbers(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

void sort_unique(std::vector<std::int32_t>& slots) {
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
}

}  // namespace

SurfaceContact::SurfaceContact(const DeformableParameters& parameters)
    : parameters_(parameters),
      damping_ratio_(parameters.restitution < 1 ? contact::damping_ratio(parameters.restitution) : 0) {}

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
  skin_m_ = kSkinShare * mesh.comm().max(count > 0 ? sum / static_cast<double>(count) : 0.0);
  surface_ = gather_contact_surface(mesh, skin_m_);
  halo_ = dist::Halo(mesh.comm(), surface_.num_slots, surface_.ghosts);
  nodes_.assign(surface_.num_slots, {});
  position_.assign(surface_.num_slots, Vec3::Zero());
  slots_.clear();
  const auto enter = [&](std::int32_t slot) {
    if (slot < mesh.num_node_slots()) slots_.push_back(slot);
  };
  for (const ContactPoint& point : surface_.points) enter(point.slot);
  for (const auto& others : surface_.around) std::ranges::for_each(others, enter);
  for (const ContactFacet& facet : surface_.facets) std::ranges::for_each(facet.slot, enter);
  sort_unique(slots_);
}

void SurfaceContact::update_nodes(const dist::Mesh& mesh, std::span<const dist::NodeForce> forces,
                                  const SurfaceStep& step) {
  for (const std::int32_t slot : slots_) {
    const dist::NodeMotion& motion = mesh.motion[LocalNode(slot)];
    ContactNode& node = nodes_[static_cast<std::size_t>(slot)];
    node.position = {motion.position[0], motion.position[1], motion.position[2]};
    node.velocity = node.expected_velocity = {motion.velocity[0], motion.velocity[1], motion.velocity[2]};
  }
  for (const ContactPoint& point : surface_.points) {
    const LocalNode n(point.slot);
    ContactNode& node = nodes_[static_cast<std::size_t>(point.slot)];
    node.mass_per_area = mesh.mass[n] / point.rest_area;
    if (forces.empty()) continue;
    const Vec3 force(forces[static_cast<std::size_t>(point.slot)].force);
    node.expected_velocity = numbers(vec(node.velocity) + step.dt_s * (mesh.inverse_mass[n] * force + step.gravity));
  }
  halo_.update_ghosts(std::span(nodes_));
  for (const std::int32_t slot : slots_) position_[static_cast<std::size_t>(slot)] = vec(node(slot).position);
  for (std::size_t slot = static_cast<std::size_t>(mesh.num_node_slots()); slot < nodes_.size(); ++slot)
    position_[slot] = vec(nodes_[slot].position);
}

void SurfaceContact::detect_if_due(const dist::Mesh& mesh, std::span<const dist::NodeForce> forces,
                                   const SurfaceStep& step) {
  if (!is_stale_) {
    update_nodes(mesh, forces, step);
    travel_m_ = candidates_.travel(mesh.comm(), surface_, position_);
    if (travel_m_ <= skin_m_) return;
  }
  // Facets of other ranks are known here as far as the skin goes.
  gather(mesh);
  update_nodes(mesh, forces, step);
  candidates_.detect(surface_, position_, skin_m_);
  travel_m_ = 0;
  is_stale_ = false;
  ++num_detections_;
}

void SurfaceContact::find_contacts() {
  contacts_.clear();
  for (std::size_t p = 0; p < surface_.points.size(); ++p)
    if (const std::optional<PointContact> contact = contact_of(p, travel_m_)) contacts_.push_back(*contact);
}

std::optional<PointContact> SurfaceContact::contact_of(std::size_t p, double travel_m) const {
  const std::span<const FacetCandidates::Candidate> candidates = candidates_.of(p);
  if (candidates.empty()) return std::nullopt;
  const ContactPoint& point = surface_.points[p];
  const Vec3& here = position_[static_cast<std::size_t>(point.slot)];
  const Vec3 normal = normal_at(surface_, point, position_);
  static thread_local std::vector<NearFacet> near;
  static thread_local std::vector<std::int32_t> facet_of;
  near.clear();
  facet_of.clear();
  double nearest = std::numeric_limits<double>::infinity();
  for (const FacetCandidates::Candidate& candidate : candidates) {
    if (candidate.distance_m - travel_m > nearest * (1 + 1e-6)) break;  // nor any of those that follow
    const ContactFacet& facet = surface_.facets[static_cast<std::size_t>(candidate.facet)];
    const FacetCorners x{position_[static_cast<std::size_t>(facet.slot[0])],
                         position_[static_cast<std::size_t>(facet.slot[1])],
                         position_[static_cast<std::size_t>(facet.slot[2])]};
    NearFacet seen{.view = view_facet(x, here),
                   .key = facet.key,
                   .opposes = false,
                   .deepest_m = kDeepestShare * std::min(facet.edge_m, point.edge_m)};
    seen.opposes = seen.view.normal.dot(normal) < 0;
    if (seen.opposes) nearest = std::min(nearest, seen.view.distance);
    near.push_back(seen);
    facet_of.push_back(candidate.facet);
  }
  const std::optional<std::size_t> found = penetrated_facet(near);
  if (!found) return std::nullopt;
  const FacetView& view = near[*found].view;
  const ContactFacet& facet = surface_.facets[static_cast<std::size_t>(facet_of[*found])];
  double mass_per_area = node(point.slot).mass_per_area;
  for (const std::int32_t slot : facet.slot) mass_per_area = std::min(mass_per_area, node(slot).mass_per_area);
  return PointContact{.point = static_cast<std::int32_t>(p),
                      .facet = facet_of[*found],
                      .gap = view.gap,
                      .direction = view.distance > 0 ? Vec3(view.gap / view.distance) : view.normal,
                      .weight = view.weight,
                      .depth_m = view.distance,
                      .pair_mass = point.rest_area * mass_per_area};
}

double SurfaceContact::stiffness(const PointContact& contact, double step_s) const {
  return kStiffnessShare * parameters_.stiffness_scale * contact.pair_mass / (step_s * step_s);
}

Vec3 SurfaceContact::relative(const PointContact& contact, std::array<double, 3> ContactNode::*velocity) const {
  const ContactFacet& facet = surface_.facets[static_cast<std::size_t>(contact.facet)];
  Vec3 result = vec(node(surface_.points[static_cast<std::size_t>(contact.point)].slot).*velocity);
  for (std::size_t k = 0; k < 3; ++k) result -= contact.weight[k] * vec(node(facet.slot[k]).*velocity);
  return result;
}

void SurfaceContact::update_offsets(dist::Mesh& mesh, const SurfaceStep& step) {
  auto& offset = mesh.field(kContactOffset);
  auto contact = contacts_.begin();
  for (std::size_t p = 0; p < surface_.points.size(); ++p) {
    double& of_point = offset[LocalNode(surface_.points[p].slot)];
    if (contact == contacts_.end() || contact->point != static_cast<std::int32_t>(p)) {
      of_point = kContactOffset.initial;
      continue;
    }
    if (of_point < 0) {
      const double approach = std::max(0.0, -relative(*contact, &ContactNode::velocity).dot(contact->direction));
      of_point = std::max(0.0, contact->depth_m - kApproaches * approach * step.dt_s);
    }
    of_point = std::min(of_point, contact->depth_m);
    ++contact;
  }
}

void SurfaceContact::add_forces_of(const PointContact& contact, double offset_m, const SurfaceStep& step) {
  const double k = stiffness(contact, step.stiffness_step_s), elastic = k * (contact.depth_m - offset_m);
  if (!(elastic > 0)) return;
  const double damping = damping_ratio_ * std::sqrt(k * contact.pair_mass);
  const double separation = relative(contact, &ContactNode::velocity).dot(contact.direction);
  const double pressing = std::max(0.0, elastic - damping * separation);  // no adhesion (VALIDATION E1)

  const Vec3 expected = relative(contact, &ContactNode::expected_velocity);
  const Vec3 slip = expected - expected.dot(contact.direction) * contact.direction;
  const double speed = slip.norm();
  Vec3 friction = Vec3::Zero();
  if (speed > 0 && parameters_.friction > 0) {
    const double stops = kSlipShare * contact.pair_mass / step.dt_s * speed;
    friction = -std::min(parameters_.friction * pressing, stops) / speed * slip;
  }
  const ContactPoint& point = surface_.points[static_cast<std::size_t>(contact.point)];
  const ContactFacet& facet = surface_.facets[static_cast<std::size_t>(contact.facet)];
  const Vec3 spring = elastic * contact.direction;
  const Vec3 dissipative = (pressing - elastic) * contact.direction + friction;
  contributions_.push_back({point.slot, point.id.value, numbers(spring), numbers(dissipative)});
  std::array<Vec3, 3> turning{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  if (speed > 0 && contact.depth_m > 0)
    turning =
        couple({position_[static_cast<std::size_t>(facet.slot[0])], position_[static_cast<std::size_t>(facet.slot[1])],
                position_[static_cast<std::size_t>(facet.slot[2])]},
               contact.gap.cross(friction));
  for (std::size_t i = 0; i < 3; ++i)
    contributions_.push_back({facet.slot[i], point.id.value, numbers(-contact.weight[i] * spring),
                              numbers(turning[i] - contact.weight[i] * dissipative)});
}

void SurfaceContact::add_up(const dist::Mesh& mesh) {
  const core::Comm& comm = mesh.comm();
  if (comm.size() > 1) {
    std::map<std::int32_t, dist::GhostLink> owner_of;
    for (const dist::GhostLink& link : surface_.ghosts) owner_of[link.ghost.value] = link;
    std::map<int, std::vector<Contribution>> outgoing;
    std::erase_if(contributions_, [&](Contribution c) {
      const auto link = owner_of.find(c.slot);
      if (link == owner_of.end()) return false;
      c.slot = link->second.remote_slot.value;
      outgoing[link->second.owner].push_back(c);
      return true;
    });
    for (const auto& [rank, received] : la::exchange_arrays(comm, outgoing))
      contributions_.insert(contributions_.end(), received.begin(), received.end());
  }
  std::sort(contributions_.begin(), contributions_.end(), [](const Contribution& a, const Contribution& b) {
    return a.slot != b.slot ? a.slot < b.slot : a.point < b.point;
  });
  node_forces_.clear();
  for (const Contribution& c : contributions_) {
    if (node_forces_.empty() || node_forces_.back().slot != c.slot)
      node_forces_.push_back({c.slot, Vec3::Zero(), Vec3::Zero()});
    node_forces_.back().spring += vec(c.spring);
    node_forces_.back().dissipative += vec(c.dissipative);
  }
}

void SurfaceContact::make_report(const dist::Mesh& mesh) {
  report_ = {};
  for (const PointContact& contact : contacts_) {
    const ContactFacet& facet = surface_.facets[static_cast<std::size_t>(contact.facet)];
    const double share = contact.depth_m / facet.edge_m;
    ++report_.contacts;
    const bool is_across = std::ranges::any_of(facet.slot, [&](std::int32_t slot) {
      return slot >= mesh.num_node_slots() || !mesh.is_owned(LocalNode(slot));
    });
    if (is_across) ++report_.across_ranks;
    if (share > kDeepShare) ++report_.deep;
    if (!(share > report_.deepest_share)) continue;
    report_.deepest_share = share;
    report_.deepest_place =
        position_[static_cast<std::size_t>(surface_.points[static_cast<std::size_t>(contact.point)].slot)];
    report_.deepest_edge_m = facet.edge_m;
  }
}

void SurfaceContact::find_for_step(dist::Mesh& mesh, std::span<const dist::NodeForce> forces, const SurfaceStep& step) {
  detect_if_due(mesh, forces, step);
  find_contacts();
  update_offsets(mesh, step);
  contributions_.clear();
  const auto& offset = mesh.field(kContactOffset);
  for (const PointContact& contact : contacts_)
    add_forces_of(contact, offset[LocalNode(surface_.points[static_cast<std::size_t>(contact.point)].slot)], step);
  add_up(mesh);
  make_report(mesh);
}

core::ExactSum SurfaceContact::stored(const dist::Mesh& mesh, double stiffness_step_s) {
  detect_if_due(mesh, {}, {.dt_s = 0, .stiffness_step_s = stiffness_step_s, .gravity = Vec3::Zero()});
  find_contacts();
  core::ExactSum sum;
  const auto& offset = mesh.field(kContactOffset);
  for (const PointContact& contact : contacts_) {
    const double of_point = offset[LocalNode(surface_.points[static_cast<std::size_t>(contact.point)].slot)];
    if (of_point < 0) continue;  // comes into contact in the next step
    const double depth = std::max(0.0, contact.depth_m - of_point);
    sum.add(0.5 * stiffness(contact, stiffness_step_s) * depth * depth);
  }
  return sum;
}

std::size_t SurfaceContact::memory_bytes() const {
  return surface_.memory_bytes() + candidates_.memory_bytes() +
         core::bytes_of(slots_, nodes_, position_, contacts_, contributions_, node_forces_);
}

}  // namespace brisance::contact
