/// The cutting primitives, and the updates after a round of them.
#include "brisance/core/error.hpp"
#include "brisance/dist/mesh.hpp"

#include <algorithm>

namespace brisance::dist {

namespace {

int corner_index(const std::array<LocalNode, 4>& corners, LocalNode n) {
  return static_cast<int>(std::find(corners.begin(), corners.end(), n) - corners.begin());
}

}  // namespace

LocalNode Mesh::split_edge(GlobalNode a, GlobalNode b, double t, GlobalNode created, std::int32_t owner_of_created,
                           std::span<const std::pair<GlobalElement, GlobalElement>> children) {
  std::vector<std::pair<LocalElement, GlobalElement>> held;
  for (const auto& [parent, child] : children)
    if (const LocalElement e = find(parent); e.valid()) held.emplace_back(e, child);
  if (held.empty()) return {};

  const LocalNode na = find(a), nb = find(b);
  const NodeRecord end_a = node_record(na), end_b = node_record(nb);
  NodeRecord record{created, owner_of_created, {}, {}, {}};
  for (int k = 0; k < 3; ++k) {  // linear along the edge in rest, world and velocity space alike
    record.rest[k] = (1 - t) * end_a.rest[k] + t * end_b.rest[k];
    record.position[k] = (1 - t) * end_a.position[k] + t * end_b.position[k];
    record.velocity[k] = (1 - t) * end_a.velocity[k] + t * end_b.velocity[k];
  }
  const LocalNode nc = add_node(record);
  for (const auto& column : node_fields_.columns()) column->be_born(nc, na, nb, t);
  for (const auto& [parent, child_id] : held) {
    const auto old = corners(parent);
    const int ia = corner_index(old, na), ib = corner_index(old, nb);
    auto child_corners = old;
    child_corners[ia] = nc;
    blocks[parent.value / kBatch].corner[ib][parent.value % kBatch] = nc.value;
    compute_rest_shape(parent);
    const LocalElement child = add_element(child_id, material_of[parent], child_corners);
    for (const auto& column : element_fields_.columns()) column->bisect(parent, child, ia, ib);
    compute_rest_shape(child);

    remove_from_star(nb, parent);
    insert_into_star(nc, parent);
    for (LocalNode n : child_corners) insert_into_star(n, child);
    touch(parent);
    touch(child);
  }
  return nc;
}

LocalElement Mesh::copy_element(GlobalElement original, GlobalElement copy, double share) {
  const LocalElement from = find(original);
  if (!from.valid()) return {};
  const LocalElement to = add_element(copy, material_of[from], corners(from));
  for (const auto& column : element_fields_.columns()) column->copy(from, to, share);
  compute_rest_shape(from);
  compute_rest_shape(to);
  for (const LocalNode n : corners(to)) insert_into_star(n, to);
  touch(from);
  touch(to);
  return to;
}

void Mesh::set_material_share(LocalElement e, double share) {
  field(kMaterialShare)[e] = share;
  compute_rest_shape(e);
  touch(e);
}

void Mesh::split_node(GlobalNode n, std::span<const std::pair<GlobalElement, GlobalNode>> assignments) {
  const LocalNode original = find(n);
  for (const auto& [element, copy_id] : assignments) {
    const LocalElement e = find(element);
    if (!e.valid()) continue;
    LocalNode copy = find(copy_id);
    if (!copy.valid()) {
      NodeRecord record = node_record(original);
      record.id = copy_id;
      copy = add_node(record);
      for (const auto& column : node_fields_.columns()) column->be_copied(copy, original);
    }
    const int i = corner_index(corners(e), original);
    blocks[e.value / kBatch].corner[i][e.value % kBatch] = copy.value;
    remove_from_star(original, e);
    insert_into_star(copy, e);
    touch(e);
  }
  if (original.valid())
    for (std::int32_t e : stars_[original]) touch(LocalElement(e));
}

void Mesh::touch(LocalElement e) {
  if (cuts_finished_) touched_elements_.clear();  // the first touch of a new round
  cuts_finished_ = false;
  touched_elements_.push_back(e);
}

void Mesh::finish_cuts() {
  if (cuts_finished_) touched_elements_.clear();
  cuts_finished_ = true;
  std::sort(touched_elements_.begin(), touched_elements_.end());
  touched_elements_.erase(std::unique(touched_elements_.begin(), touched_elements_.end()), touched_elements_.end());

  touched_nodes_.clear();
  std::vector<LocalNode> ghosts;
  for (LocalElement e : touched_elements_)
    for (LocalNode n : corners(e)) (is_owned(n) ? touched_nodes_ : ghosts).push_back(n);
  for (auto* list : {&touched_nodes_, &ghosts}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  masses_before_.clear();
  for (LocalNode n : touched_nodes_) {
    masses_before_.push_back(mass[n]);
    compute_mass(n);
    sharing_[n] = Sharing::unknown;
    for (const auto& column : node_fields_.columns()) column->be_touched(n);
  }
  dropped_elements_.clear();
  for (LocalElement e : touched_elements_) {
    const auto c = corners(e);
    if (std::any_of(c.begin(), c.end(), [&](LocalNode n) { return is_owned(n); })) continue;
    dropped_elements_.push_back(element_id[e]);
    drop_element(e);
  }
  surface_.refresh(*this, touched_elements_);
  for (LocalElement e : touched_elements_) homes_[e] = is_held(e) && is_home(e) ? 1 : 0;
  std::erase_if(touched_elements_, [&](LocalElement e) { return !is_held(e); });
  // A ghost whose last element was re-assigned to a copy is not among any touched element's corners any more.
  free_emptied_nodes();
  if (num_holes_ > num_element_slots() / 8) compact();
}

void Mesh::free_emptied_nodes() {
  std::sort(emptied_.begin(), emptied_.end());
  emptied_.erase(std::unique(emptied_.begin(), emptied_.end()), emptied_.end());
  for (LocalNode n : emptied_)
    if (is_used(n) && stars_[n].empty()) free_node(n);
  emptied_.clear();
}

void Mesh::remove_elements(std::span<const LocalElement> elements) {
  touched_elements_.clear();  // elements touched by the last cuts may be gone
  touched_nodes_.clear();
  masses_before_.clear();
  dropped_elements_.clear();
  for (const LocalElement e : elements) {
    drop_element(e);
    homes_[e] = 0;
  }
  surface_.refresh(*this, elements);
  free_emptied_nodes();
  if (num_holes_ > num_element_slots() / 8) compact();
}

void Mesh::compact() {
  // Moving elements down keeps their order, and with it every sum; only the slots change.
  ElementField<LocalElement> moved(num_element_slots());
  std::int32_t next = 0;
  for (std::int32_t i = 0; i < num_element_slots(); ++i) {
    const LocalElement from(i), to(next);
    if (!is_held(from)) continue;
    moved[from] = to;
    ++next;
    if (from == to) continue;
    copy_lane(blocks[i / kBatch], i % kBatch, blocks[to.value / kBatch], to.value % kBatch);
    for (const auto& column : element_fields_.columns()) column->move(from, to);
    surface_.move(from, to);
    homes_[to] = homes_[from];
    element_id[to] = element_id[from];
    material_of[to] = material_of[from];
  }
  for (std::int32_t i = next; i < num_element_slots(); ++i) clear_lane(LocalElement(i));
  const std::size_t num_blocks = (static_cast<std::size_t>(next) + kBatch - 1) / kBatch;
  blocks.resize(num_blocks);
  material_of.resize(num_blocks * kBatch);
  element_id.resize(static_cast<std::size_t>(next));
  for (const auto& column : element_fields_.columns()) column->truncate(static_cast<std::size_t>(next));
  surface_.truncate(static_cast<std::size_t>(next));
  homes_.resize(static_cast<std::size_t>(next));
  for (auto& star : stars_.span())
    for (std::int32_t& e : star) e = moved[LocalElement(e)].value;
  for (LocalElement& e : touched_elements_) e = moved[e];
  for (LocalElement& e : sorted_by_id_) e = moved[e];
  std::erase_if(sorted_by_id_, [](LocalElement e) { return !e.valid(); });
  num_holes_ = 0;
}

void Mesh::clear_lane(LocalElement e) {
  ElementBlock& block = blocks[e.value / kBatch];
  const int lane = e.value % kBatch;
  for (auto& row : block.corner) row[lane] = kNobody;
  for (auto& rows : block.gradient)
    for (auto& row : rows) row[lane] = 0;
  block.volume[lane] = 0;
  material_of[e] = 0;
}

void Mesh::remove_from_star(LocalNode n, LocalElement e) {
  auto& star = stars_[n];
  star.erase(std::lower_bound(star.begin(), star.end(), e.value));
  if (star.empty()) emptied_.push_back(n);
}

void Mesh::insert_into_star(LocalNode n, LocalElement e) {
  auto& star = stars_[n];
  if (star.empty() || star.back() < e.value)
    star.push_back(e.value);  // children have the largest ids
  else
    star.insert(std::lower_bound(star.begin(), star.end(), e.value), e.value);
}

void Mesh::drop_element(LocalElement e) {
  for (LocalNode n : corners(e)) remove_from_star(n, e);
  clear_lane(e);
  ++num_holes_;
}

void Mesh::free_node(LocalNode n) {
  (remote_slot_[n].valid() ? gone_ghosts_ : free_slots_).push_back(n);
  slot_of_.erase(node_id[n]);
  node_id[n] = GlobalNode();
  owner[n] = -1;
  remote_slot_[n] = LocalNode();
  motion[n] = {};
  mass[n] = 0;
  inverse_mass[n] = 0;
}

}  // namespace brisance::dist
