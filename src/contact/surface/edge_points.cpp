// Points of contact that are sums of nodes: where cracks cut edges of elements that stay whole, and corners of facets.
#include "brisance/contact/edge_points.hpp"

#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/random.hpp"

#include "contact/array_vec.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

namespace brisance::contact {

namespace {

/// Steps between two searches of a node's edge points that touch nothing, on average.
constexpr std::uint64_t kIdleInterval = 10;

bool idle_points_search(const dist::Mesh& mesh, LocalNode n, double time_s) {
  const auto id = static_cast<std::uint64_t>(mesh.node_id[n].value);
  return core::hash_bits(std::bit_cast<std::uint64_t>(time_s), id, 0) % kIdleInterval == 0;
}

}  // namespace

// By the same sums, in the order of ids, on every rank that knows the point.
void SurfaceContact::update_embedded_points() {
  for (const EmbeddedPoint& point : surface_.numbering().embedded_points()) {
    Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
    ContactNode& sum = nodes_[static_cast<std::size_t>(point.number)];
    for (std::size_t i = 0; i < static_cast<std::size_t>(point.count); ++i) {
      const ContactNode& part = node(point.node[i]);
      position += point.weight[i] * vec(part.position);
      velocity += point.weight[i] * vec(part.velocity);
      sum.mass_per_area = i == 0 ? part.mass_per_area : std::min(sum.mass_per_area, part.mass_per_area);
      sum.crowding = i == 0 ? part.crowding : std::max(sum.crowding, part.crowding);
    }
    sum.position = numbers(position);
    sum.velocity = numbers(velocity);
    position_[static_cast<std::size_t>(point.number)] = position;
  }
}

const ContactSpring& SurfaceContact::spring_of(const dist::Mesh& mesh, const ContactPoint& point) {
  if (!point.is_on_edge()) return mesh.field(kContactSpring)[LocalNode(point.slot)];
  const EdgePointState* state = mesh.field(kEdgePoints)[LocalNode(point.slot)].find(point.other);
  return state != nullptr ? state->spring : kContactSpring.initial;
}

// Points that touch nothing have no state.
void SurfaceContact::find_edge_contacts(const dist::Mesh& mesh, std::int32_t slot, double time_s) {
  const EdgePointStates& states = mesh.field(kEdgePoints)[LocalNode(slot)];
  const bool all_search = idle_points_search(mesh, LocalNode(slot), time_s);
  if (states.is_empty() && !all_search) return;
  for (const std::int32_t number : surface_.points_of(slot)) {
    const auto p = static_cast<std::size_t>(number);
    const ContactPoint& point = surface_.points()[p];
    if (!point.is_on_edge() || point.around.empty()) continue;
    const EdgePointState* state = states.find(point.other);
    const bool has_spring = state != nullptr && state->spring.exists();
    if (!has_spring && !all_search) continue;
    std::optional<OpposingFacet> facet;
    if (has_spring && time_s < state->next_search_s) facet = kept_facet(p, state->spring.facet, true);
    if (!facet) {
      facet = search_.nearest(p);
      searched_.push_back({number, facet});
    }
    take(number, facet, has_spring);
  }
}

void SurfaceContact::release_edge_point(dist::Mesh& mesh, const ContactPoint& point) {
  EdgePointStates& states = mesh.field(kEdgePoints)[LocalNode(point.slot)];
  if (EdgePointState* state = states.take(point.other); state != nullptr) state->spring = {};
  states.drop_idle();
}

// All ranks know of all cuts, so that states are forgotten in the same step whichever rank has them.
void SurfaceContact::forget_old_edge_points(dist::Mesh& mesh) {
  if (!has_old_edge_points_ || !surface_.is_divided()) return;
  has_old_edge_points_ = false;
  auto& field = mesh.field(kEdgePoints);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n) || field[n].is_empty()) continue;
    const auto points = surface_.points_of(i);
    for (EdgePointState& state : field[n].state) {
      const bool exists = std::ranges::any_of(
          points, [&](std::int32_t p) { return surface_.points()[static_cast<std::size_t>(p)].other == state.other; });
      if (!exists) state.spring = {};
    }
    field[n].drop_idle();
  }
}

void SurfaceContact::add_to_nodes(const PointContact& contact, std::int32_t number, const Vec3& force, double mass) {
  const ContactPoint& point = point_of(contact);
  const auto add = [&](std::int32_t slot, double weight) {
    const auto before = std::ranges::find(of_contact_, slot, &ContactSums::Contribution::slot);
    if (before == of_contact_.end()) {
      of_contact_.push_back({slot, point.id.value, numbers(weight * force), weight * mass, point.other.value});
      return;
    }
    for (std::size_t k = 0; k < 3; ++k) before->force[k] += weight * force[static_cast<Eigen::Index>(k)];
    before->mass += weight * mass;
  };
  const EmbeddedPoint* embedded = surface_.numbering().embedded(number);
  if (embedded == nullptr) {
    add(number, 1);
    return;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(embedded->count); ++i)
    add(embedded->node[i], embedded->weight[i]);
}

}  // namespace brisance::contact
