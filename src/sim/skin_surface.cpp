/// Which tets take part in contact: those at the surface, through cuts and migrations, and those that contact reaches.
#include "brisance/contact/fields.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/sim/skin_contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace brisance::sim {

namespace {

/// Where volumes count: a tet with so many corners on the boundary always takes part. All faces of the boundary are
/// such tets'; others are met behind these.
constexpr int kCornersAtSurface = 3;

/// A rank's tets at the surface are in so many clusters, about, of at least so many tets: few enough to ask each about
/// every other, enough for neighbours to move alike.
constexpr std::size_t kMostClusters = 256, kLeastTets = 64;

/// The cell of a grid at rest that a tet's middle is in, of its body. Cells are numbered in blocks of 64 each way;
/// where a body is larger, far cells share a number, which costs looks.
std::int64_t cluster_of(const dist::Mesh& mesh, LocalElement e, double cell_m) {
  Vec3 middle = Vec3::Zero();
  for (const LocalNode n : mesh.corners(e)) middle += 0.25 * mesh.rest[n];
  std::int64_t number = mesh.field(contact::kBody)[e];
  for (const double x : middle) number = number * 64 + (static_cast<std::int64_t>(std::floor(x / cell_m)) & 63);
  return number;
}

/// Edge of cells by which tets are clustered [m]. Collective.
double size_of_cells(const dist::Mesh& mesh) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  std::vector<LocalElement> held;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    if (!mesh.is_held(LocalElement(i))) continue;
    held.emplace_back(i);
    for (const LocalNode n : mesh.corners(LocalElement(i))) {
      low = low.cwiseMin(mesh.rest[n]);
      high = high.cwiseMax(mesh.rest[n]);
    }
  }
  const core::Comm& comm = mesh.comm();
  double extent = 0;
  for (int k = 0; k < 3; ++k) extent = std::max(extent, comm.max(high[k]) + comm.max(-low[k]));
  const std::size_t most = std::min(kMostClusters, held.size() / kLeastTets);
  const auto are_few = [&](double cell_m) {
    std::set<std::int64_t> clusters;
    for (const LocalElement e : held) {
      clusters.insert(cluster_of(mesh, e, cell_m));
      if (clusters.size() > most) break;
    }
    return comm.max(clusters.size() > most ? 1 : 0) == 0;
  };
  double cell_m = extent;
  for (int times = 0; times < 20 && are_few(0.8 * cell_m); ++times) cell_m *= 0.8;
  return cell_m;
}

/// Of an owned node: a face with it that only one tet of its star has. A face is named by its two other corners.
bool is_on_boundary(const dist::Mesh& mesh, LocalNode n) {
  std::vector<std::pair<std::int32_t, std::int32_t>> faces;
  for (const std::int32_t e : mesh.star(n)) {
    std::array<std::int32_t, 3> others{};
    std::size_t k = 0;
    for (const LocalNode c : mesh.corners(LocalElement(e)))
      if (c != n && k < 3) others[k++] = c.value;
    std::sort(others.begin(), others.end());
    faces.insert(faces.end(), {{others[0], others[1]}, {others[0], others[2]}, {others[1], others[2]}});
  }
  std::sort(faces.begin(), faces.end());
  for (std::size_t i = 0; i < faces.size(); i += 2)
    if (i + 1 == faces.size() || faces[i] != faces[i + 1]) return true;
  return false;
}

/// Of an owned node: a tet of its star shares much with another.
bool is_reached(const dist::Mesh& mesh, LocalNode n) {
  const auto& reach = mesh.field(contact::kReach);
  const auto star = mesh.star(n);
  return std::any_of(star.begin(), star.end(),
                     [&](std::int32_t e) { return reach[LocalElement(e)] == contact::kSharesMuch; });
}

}  // namespace

void note_bodies(dist::Mesh& mesh) {
  const dist::Pieces pieces = dist::find_pieces(mesh);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh.is_held(e)) {
      const auto piece = static_cast<std::size_t>(pieces.of_node[mesh.corner(e, 0)]);
      mesh.field(contact::kBody)[e] = pieces.list[piece].lowest_node.value;
    }
}

SkinContacts::SkinContacts(const dist::Mesh& mesh, const contact::DeformableParameters& parameters)
    : parameters_(parameters), contact_(mesh.comm(), parameters), cell_m_(size_of_cells(mesh)) {
  rebuild(mesh);
}

void SkinContacts::rebuild(const dist::Mesh& mesh) {
  contact_.clear();
  is_of_look_ = is_remembered_ = false;
  look_.clear();
  asked_ = {};
  put_.clear();
  note_all(mesh, on_boundary_, [&](LocalNode n) { return is_on_boundary(mesh, n) ? 1 : 0; });
  if (nodes_count())
    note_all(mesh, corner_, [&](LocalNode n) { return corner_depth(mesh, on_boundary_, n); });
  else
    note_all(mesh, reached_, [&](LocalNode n) { return is_reached(mesh, n) ? 1 : 0; });
  std::vector<LocalElement> held;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh.is_held(e)) held.push_back(e);
  put(mesh, held, mesh.motion.span());
  pressing_ = std::exchange(put_, {});
  std::sort(pressing_.begin(), pressing_.end());
}

void SkinContacts::remove(std::span<const GlobalElement> elements) {
  for (const GlobalElement id : elements) contact_.remove(id);
  is_of_look_ = is_remembered_ = false;
  asked_ = {};
  const auto is_gone = [&](GlobalElement id) { return std::ranges::binary_search(elements, id); };
  std::erase_if(pressing_, is_gone);
  std::erase_if(put_, is_gone);
}

void SkinContacts::take_in_cuts(dist::Mesh& mesh, std::span<const LocalNode> touched,
                                std::span<const GlobalElement> dropped, bool looked) {
  begin_to_change();
  for (const GlobalElement id : dropped) contact_.remove(id);
  on_boundary_.resize(mesh.node_id.size(), 0);
  for (const LocalNode n : touched) on_boundary_[n] = is_on_boundary(mesh, n) ? 1 : 0;
  std::vector<LocalNode> changed = mesh.update_ghosts_of<std::int32_t>(touched, on_boundary_.span());
  changed.insert(changed.end(), touched.begin(), touched.end());
  if (nodes_count())
    note_depths_around(mesh, touched, changed);
  else
    note_reached(mesh, touched, changed);
  std::vector<LocalElement> around;
  for (const std::int32_t i : dist::elements_around(mesh, changed)) around.emplace_back(i);
  if (looked) {
    put(mesh, around, mesh.motion.span());
    return;
  }
  auto& look = mesh.field(contact::kLookPosition);
  mesh.halo().update_ghosts(look.span());
  look_.resize(mesh.node_id.size());
  for (const LocalElement e : around)
    for (const LocalNode n : mesh.corners(e))
      std::ranges::copy(look[n], look_[static_cast<std::size_t>(n.value)].position);
  put(mesh, around, look_);
}

template <class Field, class Now>
void SkinContacts::note_all(const dist::Mesh& mesh, Field& field, const Now& now) {
  field.assign(mesh.node_id.size(), {});
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) field[n] = now(n);
  mesh.halo().update_ghosts(field.span());
}

void SkinContacts::begin_to_change() {
  if (!has_cuts_) stored_before_cuts_ = contact_.stored();
  has_cuts_ = true;
}

// They change with what the tets of a node have on the surface, whether they were cut or not.
void SkinContacts::note_depths_around(const dist::Mesh& mesh, std::span<const LocalNode> touched,
                                      std::vector<LocalNode>& changed) {
  corner_.resize(mesh.node_id.size(), {});
  std::vector<LocalNode> around;
  for (const std::int32_t e : dist::elements_around(mesh, changed))
    for (const LocalNode n : mesh.corners(LocalElement(e)))
      if (mesh.is_owned(n)) around.push_back(n);
  std::sort(around.begin(), around.end());
  around.erase(std::unique(around.begin(), around.end()), around.end());
  std::erase_if(around, [&](LocalNode n) {
    const CornerDepth depth = corner_depth(mesh, on_boundary_, n);
    const bool is_known = std::exchange(corner_[n], depth) == depth;
    return is_known && !std::binary_search(touched.begin(), touched.end(), n);  // those may be new to others
  });
  const std::vector<LocalNode> ghosts = mesh.update_ghosts_of<CornerDepth>(around, corner_.span());
  changed.insert(changed.end(), around.begin(), around.end());
  changed.insert(changed.end(), ghosts.begin(), ghosts.end());
}

void SkinContacts::note_reached(const dist::Mesh& mesh, std::span<const LocalNode> nodes,
                                std::vector<LocalNode>& changed) {
  reached_.resize(mesh.node_id.size(), 0);
  for (const LocalNode n : nodes) reached_[n] = is_reached(mesh, n) ? 1 : 0;
  const std::vector<LocalNode> ghosts = mesh.update_ghosts_of<std::int32_t>(nodes, reached_.span());
  changed.insert(changed.end(), ghosts.begin(), ghosts.end());
}

bool SkinContacts::is_at_surface(const dist::Mesh& mesh, LocalElement e) const {
  const auto corners = mesh.corners(e);
  const auto count = std::count_if(corners.begin(), corners.end(), [&](LocalNode n) { return on_boundary_[n] != 0; });
  return count >= (nodes_count() ? 1 : kCornersAtSurface);
}

bool SkinContacts::takes_part(const dist::Mesh& mesh, LocalElement e) const {
  if (is_at_surface(mesh, e)) return true;
  if (nodes_count()) return false;
  const auto corners = mesh.corners(e);
  return mesh.field(contact::kReach)[e] != 0 ||
         std::any_of(corners.begin(), corners.end(), [&](LocalNode n) { return reached_[n] != 0; });
}

void SkinContacts::reach(dist::Mesh& mesh, std::vector<std::pair<LocalElement, std::uint8_t>> now) {
  auto& reach = mesh.field(contact::kReach);
  std::sort(now.begin(), now.end());
  std::vector<std::pair<LocalElement, std::uint8_t>> before;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); reach[e] != 0 && mesh.is_held(e)) before.emplace_back(e, reach[e]);
  std::vector<std::pair<LocalElement, std::uint8_t>> differ;
  std::set_symmetric_difference(now.begin(), now.end(), before.begin(), before.end(), std::back_inserter(differ));
  if (mesh.comm().max(differ.empty() ? 0 : 1) == 0) return;
  for (const auto& [e, of_before] : before) reach[e] = 0;
  for (const auto& [e, value] : now) reach[e] = value;
  std::vector<LocalElement> changed;
  std::vector<LocalNode> nodes;
  for (const auto& [e, value] : differ) {
    changed.push_back(e);
    for (const LocalNode n : mesh.corners(e))
      if (mesh.is_owned(n) && (reached_[n] != 0) != is_reached(mesh, n)) nodes.push_back(n);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::vector<LocalNode> news(nodes);
  note_reached(mesh, nodes, news);
  for (const std::int32_t e : dist::elements_around(mesh, news)) changed.emplace_back(e);
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  std::erase_if(changed, [&](LocalElement e) { return takes_part(mesh, e) == contact_.holds(mesh.element_id[e]); });
  if (mesh.comm().max(changed.empty() ? 0 : 1) == 0) return;
  begin_to_change();
  put(mesh, changed, mesh.motion.span());
}

void SkinContacts::put(const dist::Mesh& mesh, std::span<const LocalElement> elements,
                       std::span<const dist::NodeMotion> motion) {
  std::vector<LocalElement> skin;
  for (const LocalElement e : elements) {
    if (mesh.field(contact::kContactClass)[e] != contact::kPressesNothing) put_.push_back(mesh.element_id[e]);
    if (takes_part(mesh, e))
      skin.push_back(e);
    else
      contact_.remove(mesh.element_id[e]);
  }
  std::vector<contact::TetDepths> depths;
  if (nodes_count()) depths = skin_depths(mesh, on_boundary_, corner_, skin);
  for (std::size_t i = 0; i < skin.size(); ++i)
    contact_.put(described(mesh, skin[i]), motion, depths.empty() ? contact::TetDepths() : depths[i]);
}

contact::SkinTet SkinContacts::described(const dist::Mesh& mesh, LocalElement e) const {
  contact::SkinTet tet;
  tet.id = mesh.element_id[e];
  const auto corners = mesh.corners(e);
  for (std::size_t k = 0; k < 4; ++k) {
    tet.node[k] = mesh.node_id[corners[k]];
    tet.slot[k] = corners[k].value;
  }
  tet.element = e;
  tet.body = mesh.field(contact::kBody)[e];
  tet.cluster = cluster_of(mesh, e, cell_m_);
  tet.is_home = mesh.is_home(e);
  tet.volume = mesh.own_volume(e);
  tet.mass = mesh.material(e).density * mesh.volume(e);
  return tet;
}

}  // namespace brisance::sim
