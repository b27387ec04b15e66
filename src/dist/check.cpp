#include "brisance/dist/check.hpp"

#include "brisance/core/byte_stream.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

namespace brisance::dist {

namespace {

class Findings {
public:
  void add(const std::string& text) {
    if (++count_ <= 5) list_.push_back(text);  // the first few suffice
  }
  [[nodiscard]] const std::vector<std::string>& list() const { return list_; }

private:
  std::vector<std::string> list_;
  int count_ = 0;
};

std::uint64_t mix(std::uint64_t hash, std::uint64_t bits) { return core::hash_bits(hash, bits, 0xC0DE); }
std::uint64_t mix(std::uint64_t hash, double value) { return mix(hash, std::bit_cast<std::uint64_t>(value)); }

std::uint64_t element_hash(const Mesh& mesh, LocalElement e) {
  const ElementRecord r = mesh.element_record(e);
  const ElementBlock& block = mesh.blocks[e.value / kBatch];
  const int lane = e.value % kBatch;
  std::uint64_t hash = 1;
  for (GlobalNode corner : r.corners) hash = mix(hash, static_cast<std::uint64_t>(corner.value));
  for (const auto& rows : block.gradient)
    for (const auto& row : rows) hash = mix(hash, row[lane]);
  hash = mix(hash, block.volume[lane]);
  hash = mix(hash, block.damping_scale[lane]);
  for (std::byte byte : mesh.field_row(e)) hash = mix(hash, static_cast<std::uint64_t>(byte));
  return mix(hash, static_cast<std::uint64_t>(r.material));
}

std::uint64_t node_hash(const Mesh& mesh, LocalNode n) {
  const NodeRecord r = mesh.node_record(n);
  std::uint64_t hash = mix(2, static_cast<std::uint64_t>(r.id.value));
  for (int k = 0; k < 3; ++k) hash = mix(mix(mix(hash, r.rest[k]), r.position[k]), r.velocity[k]);
  return mix(hash, static_cast<std::uint64_t>(r.owner));
}

std::string name(const char* kind, std::int64_t id) { return std::string(kind) + " " + std::to_string(id); }

/// Copies report to the element's home, which knows the ranks that should hold the element.
void check_element_copies(const Mesh& mesh, Findings& findings) {
  struct Copy {
    GlobalElement id;
    std::uint64_t hash;
  };
  std::map<int, std::vector<Copy>> reports;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    const bool is_home = mesh.is_held(e) && mesh.is_home(e);
    if ((mesh.homes()[e] != 0) != is_home)
      findings.add(name("element", mesh.element_id[e].value) + (is_home ? " is not" : " is") +
                   " listed among those that have their home on rank " + std::to_string(mesh.comm().rank()));
    if (mesh.is_held(e)) reports[mesh.home(e)].push_back({mesh.element_id[e], element_hash(mesh, e)});
  }
  std::map<int, std::vector<std::byte>> packed;
  for (const auto& [rank, copies] : reports) {
    core::ByteWriter out;
    out.put_all(copies);
    packed[rank] = std::move(out.bytes());
  }
  std::map<GlobalElement, std::set<int>> holders;
  for (const la::Message& message : la::sparse_exchange(mesh.comm(), std::move(packed)))
    for (const Copy& copy : core::ByteReader(message.bytes).get_all<Copy>()) {
      const LocalElement e = mesh.find(copy.id);
      if (!e.valid())
        findings.add(name("element", copy.id.value) + " is held by rank " + std::to_string(message.rank) +
                     " but not by its home");
      else if (element_hash(mesh, e) != copy.hash)
        findings.add(name("element", copy.id.value) + " differs between copies");
      holders[copy.id].insert(message.rank);
    }
  for (const std::int32_t i : home_elements(mesh)) {
    const LocalElement e(i);
    std::set<int> expected;
    for (LocalNode n : mesh.corners(e)) expected.insert(mesh.owner[n]);
    if (holders[mesh.element_id[e]] != expected)
      findings.add(name("element", mesh.element_id[e].value) + " is not held by exactly the owners of its corners");
  }
}

void check_ghosts(const Mesh& mesh, Findings& findings) {
  NodeField<std::uint64_t> mine(mesh.num_node_slots(), 0);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_used(n)) mine[n] = node_hash(mesh, n);
  NodeField<std::uint64_t> owners = mine;
  mesh.halo().update_ghosts(owners.span());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_used(n) && mine[n] != owners[n])
      findings.add(name("ghost node", mesh.node_id[n].value) + " differs from its owner's");
}

/// Number of parts of an owned node's star, joined through faces that contain the node.
int star_parts(const Mesh& mesh, LocalNode n) {
  const auto star = mesh.star(n);
  std::vector<int> parent(star.size());
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&](int i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  std::map<std::pair<LocalNode, LocalNode>, int> first;
  int parts = static_cast<int>(star.size());
  for (int e = 0; e < static_cast<int>(star.size()); ++e) {
    std::vector<LocalNode> others;
    for (LocalNode c : mesh.corners(LocalElement(star[e])))
      if (c != n) others.push_back(c);
    std::sort(others.begin(), others.end());
    for (auto [a, b] :
         {std::pair(others[0], others[1]), std::pair(others[0], others[2]), std::pair(others[1], others[2])}) {
      const auto [entry, made] = first.try_emplace({a, b}, e);
      if (made) continue;
      const int x = root(entry->second), y = root(e);
      if (x != y) {
        parent[x] = y;
        --parts;
      }
    }
  }
  return parts;
}

void check_stars(const Mesh& mesh, Findings& findings) {
  std::vector<std::vector<std::int32_t>> expected(mesh.num_node_slots());
  std::map<std::array<LocalNode, 3>, int> faces;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e)) continue;
    if (!(mesh.own_volume(e) > 0))
      findings.add(name("element", mesh.element_id[e].value) + " has no positive rest volume");
    auto corners = mesh.corners(e);
    for (LocalNode n : corners) expected[n.value].push_back(i);
    std::sort(corners.begin(), corners.end());
    for (int k = 0; k < 4; ++k) {
      std::array<LocalNode, 3> face;
      for (int j = 0, m = 0; j < 4; ++j)
        if (j != k) face[m++] = corners[j];
      const bool is_whole = mesh.field(kMaterialShare)[e] == 1;  // copies of an element may lie side by side
      if (is_whole && ++faces[face] == 3)
        findings.add(name("element", mesh.element_id[e].value) + " has a face in three elements");
    }
  }
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_used(n)) continue;
    const std::string node = name("node", mesh.node_id[n].value);
    if (!std::equal(expected[i].begin(), expected[i].end(), mesh.star(n).begin(), mesh.star(n).end()))
      findings.add(node + " has a star that does not match the elements");
    if (expected[i].empty()) findings.add(node + " has no element");
    if (!mesh.is_owned(n)) continue;
    double mass = 0;
    for (std::int32_t e : mesh.star(n))
      mass += mesh.material(LocalElement(e)).density * mesh.volume(LocalElement(e)) / 4;
    if (mass != mesh.mass[n]) findings.add(node + " has a mass that is not its star's");
    if (star_parts(mesh, n) != 1) findings.add(node + " has a star that is not connected through faces");
  }
}

}  // namespace

std::vector<std::string> check_mesh(const Mesh& mesh) {
  Findings findings;
  check_element_copies(mesh, findings);
  check_ghosts(mesh, findings);
  check_stars(mesh, findings);

  core::ByteWriter out;
  for (const std::string& text : findings.list()) out.put_all(std::span<const char>(text.data(), text.size()));
  std::vector<std::byte> all = mesh.comm().all_gather(std::span<const std::byte>(out.bytes()));
  std::vector<std::string> result;
  for (core::ByteReader in(all); !in.done();) {
    const auto text = in.get_all<char>();
    result.emplace_back(text.begin(), text.end());
  }
  return result;
}

void require_consistent(const Mesh& mesh, const std::string& when) {
  const auto findings = check_mesh(mesh);
  if (!findings.empty())
    throw core::Error(when + ": the distributed mesh is inconsistent: " + findings.front() +
                      ". This is a fault of the program; please report it with the scene.");
}

}  // namespace brisance::dist
