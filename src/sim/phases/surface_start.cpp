/// Check of the start for contact by points and facets: bodies that overlap deeper than detection reaches would stay
/// so, since no normal says which way is out.
#include "brisance/contact/fields.hpp"
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/la/sums.hpp"

#include "contact_phase.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr double kTouching = 1e-3;        ///< overlap over an edge up to which bodies count as touching [–]
constexpr std::size_t kMostDepths = 256;  ///< largest number of points whose depth is computed; others are as bad

constexpr double kRounding = 1e-9;  ///< margin of barycentric coordinates: points on faces are not inside [–]

using Box = Eigen::AlignedBox3d;

/// A point of a surface or tet that lies in another body's bounding box.
struct Suspect {
  std::int64_t id, body;
  std::int64_t touches;            ///< 1: it is in contact already
  std::array<double, 3> position;  ///< [m]
  double edge_m;                   ///< dist::kUncutEdgeLength
  [[nodiscard]] Vec3 at() const { return Vec3(position.data()); }
};

struct BodyBox {
  std::int64_t body;
  std::array<double, 3> low, high;  ///< [m]
};

Vec3 position_of(const dist::Mesh& mesh, LocalNode n) { return Vec3(mesh.motion[n].position); }

/// Bounding boxes of all bodies, on every rank. Collective.
std::map<std::int64_t, Box> boxes_of_bodies(const dist::Mesh& mesh) {
  std::map<std::int64_t, Box> mine, all;
  for (const std::int32_t i : dist::home_elements(mesh))
    for (const LocalNode n : mesh.corners(LocalElement(i)))
      mine[mesh.field(contact::kBody)[LocalElement(i)]].extend(position_of(mesh, n));
  std::vector<BodyBox> sent;
  for (const auto& [body, box] : mine)
    sent.push_back(
        {body, {box.min().x(), box.min().y(), box.min().z()}, {box.max().x(), box.max().y(), box.max().z()}});
  for (const BodyBox& one : mesh.comm().all_gather(std::span<const BodyBox>(sent)))
    all[one.body].extend(Box(Vec3(one.low.data()), Vec3(one.high.data())));
  return all;
}

/// Surface points in other bodies' boxes, of all ranks, by ascending id. Collective.
std::vector<Suspect> suspects(const dist::Mesh& mesh, const contact::SurfaceContact& surfaces,
                              const std::map<std::int64_t, Box>& boxes) {
  std::vector<Suspect> mine;
  auto contact = surfaces.contacts().begin();
  const auto points = surfaces.surface().points();
  for (std::size_t p = 0; p < points.size(); ++p) {
    const contact::ContactPoint& point = points[p];
    const bool touches = contact != surfaces.contacts().end() && contact->point == static_cast<std::int32_t>(p);
    if (touches) ++contact;
    if (point.is_on_edge()) continue;  // at the start there are no cracks, in a branch the nodes suffice
    const Vec3 at = position_of(mesh, LocalNode(point.slot));
    const auto holds = [&](const auto& body) { return body.first != point.body && body.second.contains(at); };
    if (!point.around.empty() && std::ranges::any_of(boxes, holds))
      mine.push_back({point.id.value, point.body, touches ? 1 : 0, {at.x(), at.y(), at.z()}, point.edge_m});
  }
  std::vector<Suspect> all = mesh.comm().all_gather(std::span<const Suspect>(mine));
  std::ranges::sort(all, {}, &Suspect::id);
  return all;
}

/// @param margin  of the barycentric coordinates; negative: a point on a face is inside
bool is_inside(const std::array<Vec3, 4>& x, const Vec3& point, double margin) {
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = x[static_cast<std::size_t>(k) + 1] - x[0];
  const Vec3 share = edges.partialPivLu().solve(point - x[0]);
  return share.minCoeff() > margin && share.sum() < 1 - margin;
}

/// The suspects inside a tet of another body, by this margin. Collective.
std::vector<Suspect> inside_others(const dist::Mesh& mesh, std::span<const Suspect> all, double margin) {
  std::vector<double> inside(all.size());
  double cell_m = std::numeric_limits<double>::infinity();
  for (const Suspect& suspect : all) cell_m = std::min(cell_m, suspect.edge_m);
  std::vector<contact::Sphere> places;
  for (const Suspect& suspect : all) places.push_back({suspect.at(), 0});
  contact::SphereGrid grid;
  grid.build(places, cell_m);
  std::vector<std::int32_t> met;
  for (const std::int32_t i : dist::home_elements(mesh)) {
    const LocalElement e(i);
    std::array<Vec3, 4> x;
    Box box;
    for (std::size_t k = 0; k < 4; ++k) box.extend(x[k] = position_of(mesh, mesh.corners(e)[k]));
    const contact::Sphere around{box.center(), 0.5 * box.diagonal().norm()};
    grid.find_meeting(around, met);
    for (const std::int32_t number : met) {
      const auto k = static_cast<std::size_t>(number);
      if (all[k].body != mesh.field(contact::kBody)[e] && is_inside(x, all[k].at(), margin)) inside[k] = 1;
    }
  }
  la::sum_over_ranks(mesh.comm(), inside);
  std::vector<Suspect> result;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (inside[i] > 0) result.push_back(all[i]);
  return result;
}

Suspect probe(std::int64_t id, std::int64_t body, const Vec3& at, double edge_m) {
  return {id, body, 0, {at.x(), at.y(), at.z()}, edge_m};
}

/// The centres of tets with a face on the boundary of which all corners are in another body's box; of all ranks, by
/// ascending element id. Collective.
std::vector<Suspect> suspect_tets(const dist::Mesh& mesh, const std::map<std::int64_t, Box>& boxes) {
  std::vector<Suspect> mine;
  for (const std::int32_t i : dist::home_elements(mesh)) {
    const LocalElement e(i);
    if (!mesh.surface().touches_boundary(e)) continue;
    Box box;
    Vec3 centre = Vec3::Zero();
    for (const LocalNode n : mesh.corners(e)) {
      box.extend(position_of(mesh, n));
      centre += 0.25 * position_of(mesh, n);
    }
    const std::int64_t own = mesh.field(contact::kBody)[e];
    const auto holds = [&](const auto& body) { return body.first != own && body.second.contains(box); };
    if (std::ranges::any_of(boxes, holds))
      mine.push_back(probe(mesh.element_id[e].value, own, centre, box.diagonal().norm()));
  }
  std::vector<Suspect> all = mesh.comm().all_gather(std::span<const Suspect>(mine));
  std::ranges::sort(all, {}, &Suspect::id);
  return all;
}

/// The lowest element with a face on the boundary that lies wholly in another body; their faces may coincide, as those
/// of two bodies in one place, which have no point strictly inside each other. −1: there is none. Collective.
std::int64_t wholly_inside(const dist::Mesh& mesh, const std::map<std::int64_t, Box>& boxes) {
  const std::vector<Suspect> centres = inside_others(mesh, suspect_tets(mesh, boxes), kRounding);
  std::vector<Suspect> mine;
  for (const Suspect& tet : centres)
    if (const LocalElement e = mesh.find(GlobalElement(tet.id)); e.valid() && mesh.is_home(e))
      for (const LocalNode n : mesh.corners(e))
        mine.push_back(probe(tet.id, tet.body, position_of(mesh, n), tet.edge_m));
  std::vector<Suspect> corners = mesh.comm().all_gather(std::span<const Suspect>(mine));
  std::ranges::sort(corners, {}, &Suspect::id);
  std::map<std::int64_t, int> num_inside;
  for (const Suspect& corner : inside_others(mesh, corners, -kRounding)) ++num_inside[corner.id];
  for (const auto& [element, count] : num_inside)
    if (count == 4) return element;
  return -1;
}

/// Distance from the nearest facet of another body [m]. Collective.
double depth_of(const dist::Mesh& mesh, const contact::ContactSurface& surface, const Suspect& suspect) {
  double depth_m = std::numeric_limits<double>::infinity();
  for (const std::int32_t f : surface.own_facets()) {
    const contact::ContactFacet& facet = surface.facets()[static_cast<std::size_t>(f)];
    if (facet.is_gone() || facet.body == suspect.body) continue;
    contact::FacetCorners x;
    for (std::size_t k = 0; k < 3; ++k) x[k] = position_of(mesh, mesh.find(facet.id[k]));
    depth_m = std::min(depth_m, contact::view_facet(x, suspect.at()).distance);
  }
  return mesh.comm().min(depth_m);
}

std::string place(const Vec3& at) { return fmt::format("({:.4g}, {:.4g}, {:.4g}) m", at.x(), at.y(), at.z()); }

/// The present centre of an element [m]. Collective.
Vec3 centre_of(const dist::Mesh& mesh, std::int64_t id) {
  Vec3 centre = Vec3::Zero();
  if (const LocalElement e = mesh.find(GlobalElement(id)); e.valid() && mesh.is_home(e))
    for (const LocalNode n : mesh.corners(e)) centre += 0.25 * position_of(mesh, n);
  la::sum_over_ranks(mesh.comm(), std::span<double>(centre.data(), 3));
  return centre;
}

/// @param nodes  surface nodes inside another body; there are none where two bodies are in one place
[[noreturn]] void refuse_start(std::span<const Suspect> nodes, const std::string& worst) {
  const std::string lie =
      nodes.empty() ? "Bodies lie"
                    : core::counted(std::ssize(nodes), "node of the surface lies", "nodes of the surface lie");
  throw core::BadInput(
      fmt::format("{} in another body at the start, {}. Nothing says which way is out: move the objects apart "
                  "(object.translation_m), or let them pass through each other with contact.enabled = \"off\".",
                  lie, worst));
}

/// Warns of overlaps at the start that become contact offsets. Collective.
void report_shallow(const dist::Mesh& mesh, const contact::SurfaceContact& surfaces) {
  std::int64_t count = 0;
  double deepest_m = 0;
  for (const contact::PointContact& contact : surfaces.contacts()) {
    const double edge_m = surfaces.surface().points()[static_cast<std::size_t>(contact.point)].edge_m;
    count += contact.depth_m > kTouching * edge_m ? 1 : 0;
    deepest_m = std::max(deepest_m, contact.depth_m);
  }
  count = mesh.comm().sum(count);
  deepest_m = mesh.comm().max(deepest_m);
  if (count > 0 && mesh.comm().is_root())
    spdlog::warn(
        "{} behind another surface at the start, by up to {:.3g} m; contact takes this as its offset and opposes only "
        "deeper penetration.",
        core::counted(count, "node of the surface lies", "nodes of the surface lie"), deepest_m);
}

}  // namespace

void ContactPhase::require_surfaces_apart() {
  if (!surface_) return;
  static_cast<void>(surface_->stored(mesh_, surface_step(0)));  // finds contacts at the present positions
  const std::map<std::int64_t, Box> boxes = boxes_of_bodies(mesh_);
  if (boxes.size() > 1) {
    std::vector<Suspect> inside = inside_others(mesh_, suspects(mesh_, *surface_, boxes), kRounding);
    const std::int64_t engulfed = wholly_inside(mesh_, boxes);
    if (engulfed >= 0)
      refuse_start(inside, fmt::format("tet {} wholly, at ", engulfed) + place(centre_of(mesh_, engulfed)));
    std::erase_if(inside, [](const Suspect& suspect) { return suspect.touches != 0; });
    for (const Suspect& suspect : std::span(inside).first(std::min(inside.size(), kMostDepths)))
      if (const double depth_m = depth_of(mesh_, surface_->surface(), suspect);
          depth_m > contact::kDeepestShare * suspect.edge_m)
        refuse_start(inside,
                     fmt::format("one by {:.3g} m, more than half an edge, at ", depth_m) + place(suspect.at()));
  }
  report_shallow(mesh_, *surface_);
}

}  // namespace brisance::sim
