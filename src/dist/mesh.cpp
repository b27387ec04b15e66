/// Building a rank's part from records, and queries of it. Cuts are in cut.cpp, relinking in relink.cpp.
#include "brisance/dist/mesh.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace brisance::dist {

Mesh::Mesh(const core::Comm& comm, std::vector<material::Material> materials_in, MeshFacts facts_in,
           bool cap_damping_ratio, const FieldList& fields, const Records& records)
    : materials(std::move(materials_in)),
      facts(std::move(facts_in)),
      comm_(comm),
      cap_damping_ratio_(cap_damping_ratio),
      field_list_(fields),
      node_fields_(fields),
      element_fields_(fields) {
  add_node({});  // slot 0: nobody
  const std::vector<NodeRecord>& nodes = records.nodes;
  const std::vector<ElementRecord>& elements = records.elements;
  core::agree(comm_, [&] {
    const std::vector<std::size_t> order = order_of_elements(records);
    slot_of_.reserve(nodes.size());
    for (std::size_t i : order_of_nodes(records, order))
      node_fields_.unpack(add_node(nodes[i]), records.node_fields.data() + i * node_fields_.row_bytes());

    blocks.reserve(elements.size() / kBatch + 1);
    for (std::size_t i : order) {
      std::array<LocalNode, 4> corners;
      for (int k = 0; k < 4; ++k) corners[k] = find(elements[i].corners[k]);
      const LocalElement e = add_element(elements[i].id, elements[i].material, corners);
      element_fields_.unpack(e, records.element_fields.data() + i * element_fields_.row_bytes());
      compute_rest_shape(e);
      for (LocalNode n : corners) stars_[n].push_back(e.value);
    }
    index_sorted();
    for (std::int32_t i = 1; i < num_node_slots(); ++i) {
      stars_[LocalNode(i)].shrink_to_fit();
      compute_mass(LocalNode(i));
    }
  });
  relink();
  surface_.rebuild(*this);
}

std::vector<std::size_t> Mesh::order_of_elements(const Records& records) const {
  const std::vector<ElementRecord>& elements = records.elements;
  const std::size_t row_bytes = element_fields_.row_bytes(), offset = element_fields_.offset_in_row(kPlace);
  std::vector<std::int64_t> place(elements.size(), std::numeric_limits<std::int64_t>::max());
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (elements[i].id.value < facts.sorted_below)
      std::memcpy(&place[i], records.element_fields.data() + i * row_bytes + offset, sizeof place[i]);
  std::vector<std::size_t> order(elements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto i, auto j) { return std::pair(place[i], elements[i].id) < std::pair(place[j], elements[j].id); });
  return order;
}

/// Order of nodes: as the elements name them where these are not sorted by id, so that memory is read in order. No bit
/// depends on it.
std::vector<std::size_t> Mesh::order_of_nodes(const Records& records,
                                              std::span<const std::size_t> element_order) const {
  const std::vector<NodeRecord>& nodes = records.nodes;
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return nodes[i].id < nodes[j].id; });
  if (std::ranges::is_sorted(element_order, {}, [&](auto e) { return records.elements[e].id; })) return order;
  std::unordered_map<GlobalNode, std::size_t> left;
  left.reserve(nodes.size());
  for (const std::size_t i : order) left.emplace(nodes[i].id, i);
  std::vector<std::size_t> as_named;
  as_named.reserve(nodes.size());
  for (const std::size_t e : element_order)
    for (const GlobalNode n : records.elements[e].corners)
      if (const auto found = left.find(n); found != left.end()) {
        as_named.push_back(found->second);
        left.erase(found);
      }
  for (const std::size_t i : order)
    if (left.contains(nodes[i].id)) as_named.push_back(i);
  return as_named;
}

void Mesh::index_sorted() {
  sorted_by_id_.clear();
  if (std::ranges::is_sorted(element_id.span())) return;
  for (std::int32_t i = 0; i < num_element_slots() && element_id[LocalElement(i)].value < facts.sorted_below; ++i)
    sorted_by_id_.emplace_back(i);
  std::ranges::sort(sorted_by_id_, {}, [&](LocalElement e) { return element_id[e]; });
}

LocalNode Mesh::find(GlobalNode id) const {
  const auto found = slot_of_.find(id);
  return found == slot_of_.end() ? LocalNode() : found->second;
}

LocalElement Mesh::find(GlobalElement id) const {
  LocalElement e;
  if (!sorted_by_id_.empty() && id.value < facts.sorted_below) {
    const auto found = std::ranges::lower_bound(sorted_by_id_, id, {}, [&](LocalElement s) { return element_id[s]; });
    if (found != sorted_by_id_.end()) e = *found;
  } else {
    const auto ids = element_id.span();
    const auto first = ids.begin() + static_cast<std::ptrdiff_t>(sorted_by_id_.size());
    if (const auto found = std::lower_bound(first, ids.end(), id); found != ids.end())
      e = LocalElement(static_cast<std::int32_t>(found - ids.begin()));
  }
  return e.valid() && element_id[e] == id && is_held(e) ? e : LocalElement();
}

std::vector<int> Mesh::holders(LocalNode n) const {
  std::vector<int> ranks;  // one or a few
  for (std::int32_t e : stars_[n])
    for (LocalNode c : corners(LocalElement(e)))
      if (std::find(ranks.begin(), ranks.end(), owner[c]) == ranks.end()) ranks.push_back(owner[c]);
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

int Mesh::home(LocalElement e) const {
  LocalNode lowest = corner(e, 0);
  for (int i = 1; i < 4; ++i)
    if (node_id[corner(e, i)] < node_id[lowest]) lowest = corner(e, i);
  return owner[lowest];
}

NodeRecord Mesh::node_record(LocalNode n) const {
  const auto& m = motion[n];
  NodeRecord record{node_id[n], owner[n], {}, {}, {}};
  std::copy_n(rest[n].data(), 3, record.rest.begin());
  std::copy_n(m.position, 3, record.position.begin());
  std::copy_n(m.velocity, 3, record.velocity.begin());
  return record;
}

ElementRecord Mesh::element_record(LocalElement e) const {
  ElementRecord record;
  record.id = element_id[e];
  for (int i = 0; i < 4; ++i) record.corners[i] = node_id[corner(e, i)];
  record.material = material_of[e];
  return record;
}

std::vector<std::byte> Mesh::field_row(LocalNode n) const {
  std::vector<std::byte> row(node_fields_.row_bytes());
  node_fields_.pack(n, row.data());
  return row;
}

std::vector<std::byte> Mesh::field_row(LocalElement e) const {
  std::vector<std::byte> row(element_fields_.row_bytes());
  element_fields_.pack(e, row.data());
  return row;
}

void Mesh::update_ghost_fields() {
  std::vector<Halo::Array> arrays;
  for (const auto& column : node_fields_.columns())
    if (column->ghosts == Ghosts::refreshed) arrays.push_back({column->data(), column->bytes_each});
  halo_.update_ghosts(arrays);
}

LocalNode Mesh::add_node(const NodeRecord& node) {
  LocalNode n;
  if (!free_slots_.empty()) {
    n = free_slots_.back();
    free_slots_.pop_back();
  } else {
    n = LocalNode(num_node_slots());
    const std::size_t size = node_id.size() + 1;
    node_id.resize(size);
    owner.resize(size);
    rest.resize(size, Vec3::Zero());
    motion.resize(size);
    mass.resize(size);
    inverse_mass.resize(size);
    remote_slot_.resize(size);
    stars_.resize(size);
    sharing_.resize(size);
    for (const auto& column : node_fields_.columns()) column->add_slot();
  }
  for (const auto& column : node_fields_.columns()) column->reset(n);
  node_id[n] = node.id;
  owner[n] = node.owner;
  rest[n] = Vec3(node.rest.data());
  motion[n] = {};
  std::copy_n(node.position.begin(), 3, motion[n].position);
  std::copy_n(node.velocity.begin(), 3, motion[n].velocity);
  mass[n] = 0;
  inverse_mass[n] = 0;
  remote_slot_[n] = LocalNode();
  stars_[n].clear();
  sharing_[n] = Sharing::unknown;
  if (node.id.valid()) slot_of_[node.id] = n;
  if (n.value != kNobody && node.owner != comm_.rank()) new_ghosts_.push_back(n);
  return n;
}

LocalElement Mesh::add_element(GlobalElement id, std::int32_t material, const std::array<LocalNode, 4>& corners) {
  const LocalElement e(num_element_slots());
  const int lane = e.value % kBatch;
  if (lane == 0) {
    blocks.emplace_back();  // zeroes: volume 0, corners nobody
    material_of.resize(material_of.size() + kBatch, 0);
  }
  element_id.push_back(id);
  material_of[e] = static_cast<material::Index>(material);
  for (const auto& column : element_fields_.columns()) column->add_slot(e);
  for (int i = 0; i < 4; ++i) blocks.back().corner[i][lane] = corners[i].value;
  homes_.push_back(is_home(e) ? 1 : 0);
  return e;
}

void Mesh::compute_rest_shape(LocalElement e) {
  const auto c = corners(e);
  const elements::RestShape shape = elements::rest_shape(rest[c[0]], rest[c[1]], rest[c[2]], rest[c[3]]);
  if (!(shape.volume > 0))
    throw core::Error("Element " + std::to_string(element_id[e].value) + " has a rest volume of " +
                      std::to_string(shape.volume) +
                      " m³. The mesh is inverted or flat there; mesh it again, or lower the target size.");
  ElementBlock& block = blocks[e.value / kBatch];
  const int lane = e.value % kBatch;
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) block.gradient[j][k][lane] = shape.gradient[j][k];
  block.volume[lane] = shape.volume * field(kMaterialShare)[e];
  block.damping_scale[lane] = 1;
  if (cap_damping_ratio_) {
    // The damping ratio of the stiffest mode grows with √Σ1/h²; keep it at the uncut mesh's largest.
    const double allowed = facts.max_inverse_altitudes_squared[material_of[e]];
    if (shape.inverse_altitudes_squared > allowed)
      block.damping_scale[lane] = std::sqrt(allowed / shape.inverse_altitudes_squared);
  }
}

void Mesh::compute_mass(LocalNode n) {
  double sum = 0;
  if (is_owned(n))
    for (std::int32_t e : stars_[n]) sum += material(LocalElement(e)).density * volume(LocalElement(e)) / 4;
  mass[n] = sum;
  inverse_mass[n] = sum > 0 ? 1 / sum : 0;
}

std::size_t Mesh::memory_bytes() const {
  const std::size_t per_node = sizeof(GlobalNode) + sizeof(std::int32_t) + sizeof(Vec3) + sizeof(NodeMotion) +
                               2 * sizeof(double) + node_fields_.row_bytes() + sizeof(LocalNode) +
                               sizeof(std::vector<std::int32_t>) + sizeof(Sharing) +
                               48;  // 48: bytes of a hash table entry, with its link
  std::size_t bytes = node_id.size() * per_node;
  bytes += sorted_by_id_.capacity() * sizeof(LocalElement);
  for (const auto& s : stars_.span()) bytes += s.capacity() * sizeof(std::int32_t);
  bytes += blocks.capacity() * sizeof(ElementBlock) + element_id.size() * (sizeof(GlobalElement) + 1);
  for (const auto& column : element_fields_.columns()) bytes += column->memory_bytes();
  bytes += surface_.memory_bytes() + homes_.size();
  return bytes;
}

}  // namespace brisance::dist
