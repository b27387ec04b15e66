#include "brisance/dist/distribute.hpp"

#include "brisance/core/error.hpp"
#include "brisance/elements/rest_shape.hpp"

#include "initial_rows.hpp"
#include "records.hpp"
#include "refine.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace brisance::dist {

namespace {

MeshFacts initial_facts(const mesh::TetMesh& mesh, std::size_t num_materials) {
  MeshFacts facts;
  facts.next_node_id = static_cast<std::int64_t>(mesh.nodes.size());
  facts.next_element_id = static_cast<std::int64_t>(mesh.tets.size());
  facts.max_inverse_altitudes_squared.assign(num_materials, 0);
  facts.groups = mesh.groups;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& t = mesh.tets[e];
    const auto shape = elements::rest_shape(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]);
    const int region = mesh.region.empty() ? 0 : mesh.region[e];
    if (region < 0 || region >= static_cast<int>(num_materials))
      throw core::Error("tet " + std::to_string(e) + " is in region " + std::to_string(region) +
                        ", but the scene has " + std::to_string(num_materials) + " material(s).");
    if (!(shape.volume > 0))
      throw core::Error("tet " + std::to_string(e) + " is inverted or flat (volume " + std::to_string(shape.volume) +
                        " m³). Repair the mesh before running it.");
    double& largest = facts.max_inverse_altitudes_squared[region];
    largest = std::max(largest, shape.inverse_altitudes_squared);
  }
  return facts;
}

/// Rank 0's array on every rank. Collective.
template <class T>
void broadcast(const core::Comm& comm, std::vector<T>& values, MPI_Datatype type) {
  auto count = static_cast<std::int64_t>(values.size());
  MPI_Bcast(&count, 1, MPI_INT64_T, 0, comm.raw());
  values.resize(static_cast<std::size_t>(count));
  MPI_Bcast(values.data(), static_cast<int>(count), type, 0, comm.raw());
}

/// Rank 0's groups on every rank. Collective.
void broadcast(const core::Comm& comm, mesh::Groups& groups) {
  std::vector<char> text;
  std::vector<std::int32_t> ends;
  for (const auto& names : groups.names) {
    const std::string one = mesh::to_text(names);
    text.insert(text.end(), one.begin(), one.end());
    ends.push_back(static_cast<std::int32_t>(text.size()));
  }
  broadcast(comm, text, MPI_CHAR);
  broadcast(comm, ends, MPI_INT32_T);
  broadcast(comm, groups.of_source, MPI_INT32_T);
  groups.names.clear();
  std::int32_t begin = 0;
  for (const std::int32_t end : ends) {
    groups.names.push_back(
        mesh::names_of_text(std::string_view(text.data() + begin, static_cast<std::size_t>(end - begin))));
    begin = end;
  }
}

MeshFacts broadcast_facts(const core::Comm& comm, MeshFacts facts, std::size_t num_materials) {
  facts.max_inverse_altitudes_squared.resize(num_materials);
  MPI_Bcast(&facts.next_node_id, 1, MPI_INT64_T, 0, comm.raw());
  MPI_Bcast(&facts.next_element_id, 1, MPI_INT64_T, 0, comm.raw());
  facts.num_uncut = facts.next_element_id;
  MPI_Bcast(facts.max_inverse_altitudes_squared.data(), static_cast<int>(num_materials), MPI_DOUBLE, 0, comm.raw());
  broadcast(comm, facts.groups);
  return facts;
}

/// Every rank's nodes and elements of the whole mesh: those that touch one of its nodes.
std::map<int, Records> split_into_records(const mesh::TetMesh& mesh, std::span<const std::uint32_t> node_regions,
                                          const FieldList& fields, const std::vector<std::int32_t>& owners) {
  [[maybe_unused]] const auto fit = [](const auto& rows, const auto& all) {
    return rows.empty() || rows.size() == all.size();
  };
  assert(fit(mesh.face_source, mesh.tets) && fit(mesh.region, mesh.tets) && fit(mesh.group, mesh.tets));
  assert(fit(mesh.strength, mesh.tets));
  assert(fit(mesh.displacement, mesh.nodes) && fit(mesh.velocity, mesh.nodes) && fit(node_regions, mesh.nodes));
  InitialRows rows(fields);
  std::map<int, Records> parts;
  std::vector<std::vector<std::int32_t>> holders(mesh.nodes.size());
  auto add_once = [](auto& list, std::int32_t value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
  };
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& tet = mesh.tets[e];
    std::vector<std::int32_t> ranks;
    for (auto n : tet) add_once(ranks, owners[n]);
    ElementRecord record;
    record.id = GlobalElement(static_cast<std::int64_t>(e));
    for (int i = 0; i < 4; ++i) record.corners[i] = GlobalNode(tet[i]);
    record.material = mesh.region.empty() ? 0 : mesh.region[e];
    const auto row = rows.of_element(mesh.face_source.empty() ? kFaceSource.initial : mesh.face_source[e],
                                     mesh.group.empty() ? mesh::kNoGroup : mesh.group[e],
                                     mesh.strength.empty() ? kStrengthFactor.initial : mesh.strength[e]);
    for (std::int32_t rank : ranks) {
      parts[rank].elements.push_back(record);
      append(parts[rank].element_fields, row);
      for (auto n : tet) add_once(holders[n], rank);
    }
  }
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    NodeRecord record;
    record.id = GlobalNode(static_cast<std::int64_t>(i));
    record.owner = owners[i];
    const Vec3 position = mesh.displacement.empty() ? mesh.nodes[i] : Vec3(mesh.nodes[i] + mesh.displacement[i]);
    for (int k = 0; k < 3; ++k) {
      record.rest[k] = mesh.nodes[i][k];
      record.position[k] = position[k];
      record.velocity[k] = mesh.velocity.empty() ? 0 : mesh.velocity[i][k];
    }
    const auto row = rows.of_node(node_regions.empty() ? 0 : node_regions[i]);
    for (std::int32_t rank : holders[i]) {
      parts[rank].nodes.push_back(record);
      append(parts[rank].node_fields, row);
    }
  }
  return parts;
}

/// The smallest altitude of an ordinary tet, as a share of its edges. Well shaped ones have more; what cuts may make of
/// them is not to depend on how well shaped they were.
constexpr double kUsualAltitude = 0.25;

/// Edge lengths and altitudes of owned nodes, whose stars are complete; ghosts are told.
void note_uncut_stars(Mesh& mesh) {
  auto &length = mesh.field(kUncutEdgeLength), &altitude = mesh.field(kUncutAltitude);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    double sum = 0, least = std::numeric_limits<double>::infinity();
    int count = 0;
    for (const std::int32_t e : mesh.star(n)) {
      const auto c = mesh.corners(LocalElement(e));
      least = std::min(least,
                       elements::smallest_altitude(mesh.rest[c[0]], mesh.rest[c[1]], mesh.rest[c[2]], mesh.rest[c[3]]));
      for (LocalNode other : c) {
        if (other == n) continue;
        sum += (mesh.rest[n] - mesh.rest[other]).norm();
        ++count;
      }
    }
    length[n] = count > 0 ? sum / count : 0;
    altitude[n] = std::min(least, kUsualAltitude * length[n]);
  }
  mesh.update_ghost_fields();
}

/// The lowest bits of a number, each third of the result's.
std::int64_t every_third_bit(std::int64_t number) {
  std::int64_t result = 0;
  for (int bit = 0; bit < 20; ++bit) result |= ((number >> bit) & 1) << (3 * bit);
  return result;
}

/// kPlace of all elements: cells of a cube around the body, 2²⁰ along each side.
void note_places(Mesh& mesh) {
  constexpr double kCells = 1 << 20;
  std::array<double, 6> box;  // what is lowest, and with its sign changed what is highest
  box.fill(std::numeric_limits<double>::infinity());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    for (std::size_t a = 0; a < 3 && mesh.is_used(LocalNode(i)); ++a) {
      const double x = mesh.rest[LocalNode(i)][static_cast<int>(a)];
      box[a] = std::min(box[a], x);
      box[3 + a] = std::min(box[3 + a], -x);
    }
  box = mesh.comm().min(box);
  const double side = std::max({-box[3] - box[0], -box[4] - box[1], -box[5] - box[2]});
  auto& place = mesh.field(kPlace);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e)) continue;
    place[e] = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      double middle = 0;
      for (const LocalNode n : mesh.corners(e)) middle += 0.25 * (mesh.rest[n][static_cast<int>(a)] - box[a]);
      place[e] |= every_third_bit(static_cast<std::int64_t>(std::min(middle / side * kCells, kCells - 1))) << a;
    }
  }
}

}  // namespace

Mesh distribute(const core::Comm& comm, const mesh::TetMesh& whole, std::span<const std::uint32_t> node_regions,
                std::vector<material::Material> materials, const DistributeOptions& options) {
  MeshFacts facts;
  std::map<int, Records> outgoing;
  core::agree(comm, [&] {
    if (!comm.is_root()) return;
    facts = initial_facts(whole, materials.size());
    outgoing = split_into_records(whole, node_regions, options.fields, partition_nodes(whole, comm.size(), options));
  });
  facts = broadcast_facts(comm, std::move(facts), materials.size());
  Mesh mesh(comm, std::move(materials), std::move(facts), options.cap_damping_ratio, options.fields,
            exchange_records(comm, std::move(outgoing)));
  for (int i = 0; i < options.refinements; ++i) refine(mesh);
  note_uncut_stars(mesh);
  note_places(mesh);
  return mesh;
}

}  // namespace brisance::dist
