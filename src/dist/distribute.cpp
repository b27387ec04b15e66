#include "brisance/dist/distribute.hpp"

#include "brisance/core/error.hpp"

#include "records.hpp"

#include <algorithm>
#include <limits>

namespace brisance::dist {

namespace {

/// The smallest altitude of an ordinary tet, as a share of its edges. Well shaped ones have more; what cuts may make of
/// them is not to depend on how well shaped they were.
constexpr double kUsualAltitude = 0.25;

/// Initial state of every node: mean projected area, mean edge length and smallest altitude of its uncut star.
std::vector<NodeState> initial_states(const mesh::TetMesh& mesh, std::span<const std::uint32_t> node_regions) {
  std::vector<NodeState> states(mesh.nodes.size());
  std::vector<double> length_sum(mesh.nodes.size(), 0);
  std::vector<int> length_count(mesh.nodes.size(), 0);
  for (NodeState& s : states) s.uncut_altitude = std::numeric_limits<double>::infinity();
  for (const auto& tet : mesh.tets) {
    const double altitude =
        elements::smallest_altitude(mesh.nodes[tet[0]], mesh.nodes[tet[1]], mesh.nodes[tet[2]], mesh.nodes[tet[3]]);
    for (int i = 0; i < 4; ++i) {
      states[tet[i]].uncut_altitude = std::min(states[tet[i]].uncut_altitude, altitude);
      const auto& f = mesh::kFaceCorners[i];
      const Vec3 &a = mesh.nodes[tet[f[0]]], &b = mesh.nodes[tet[f[1]]], &c = mesh.nodes[tet[f[2]]];
      // A_n(n) = (1/6) Σ |a_f·n| over the faces opposite the node; the mean of |a·n| over directions is |a|/2.
      states[tet[i]].uncut_area += 0.5 * (b - a).cross(c - a).norm() / 12;
      for (int j = 0; j < 4; ++j)
        if (j != i) {
          length_sum[tet[i]] += (mesh.nodes[tet[i]] - mesh.nodes[tet[j]]).norm();
          ++length_count[tet[i]];
        }
    }
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i].edge_length = length_count[i] > 0 ? length_sum[i] / length_count[i] : 0;
    states[i].uncut_altitude = std::min(states[i].uncut_altitude, kUsualAltitude * states[i].edge_length);
    if (!node_regions.empty()) states[i].regions = node_regions[i];
  }
  return states;
}

MeshFacts initial_facts(const mesh::TetMesh& mesh, std::size_t num_materials) {
  MeshFacts facts;
  facts.next_node_id = static_cast<std::int64_t>(mesh.nodes.size());
  facts.next_element_id = static_cast<std::int64_t>(mesh.tets.size());
  facts.max_inverse_altitudes_squared.assign(num_materials, 0);
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

MeshFacts broadcast_facts(const core::Comm& comm, MeshFacts facts, std::size_t num_materials) {
  facts.max_inverse_altitudes_squared.resize(num_materials);
  MPI_Bcast(&facts.next_node_id, 1, MPI_INT64_T, 0, comm.raw());
  MPI_Bcast(&facts.next_element_id, 1, MPI_INT64_T, 0, comm.raw());
  MPI_Bcast(facts.max_inverse_altitudes_squared.data(), static_cast<int>(num_materials), MPI_DOUBLE, 0, comm.raw());
  return facts;
}

/// Every rank's nodes and elements of the whole mesh: those that touch one of its nodes.
std::map<int, Records> split_into_records(const mesh::TetMesh& mesh, const std::vector<NodeState>& states,
                                          const std::vector<std::int32_t>& owners) {
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
    record.face_source = mesh.face_source.empty() ? std::array<std::int32_t, 4>{-1, -1, -1, -1} : mesh.face_source[e];
    record.material = mesh.region.empty() ? 0 : mesh.region[e];
    for (std::int32_t rank : ranks) {
      parts[rank].elements.push_back(record);
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
    record.state = states[i];
    for (std::int32_t rank : holders[i]) parts[rank].nodes.push_back(record);
  }
  return parts;
}

}  // namespace

Mesh distribute(const core::Comm& comm, const mesh::TetMesh& whole, std::span<const std::uint32_t> node_regions,
                std::vector<material::Material> materials, const DistributeOptions& options) {
  MeshFacts facts;
  std::map<int, Records> outgoing;
  core::agree(comm, [&] {
    if (!comm.is_root()) return;
    facts = initial_facts(whole, materials.size());
    outgoing =
        split_into_records(whole, initial_states(whole, node_regions), partition_nodes(whole, comm.size(), options));
  });
  facts = broadcast_facts(comm, std::move(facts), materials.size());
  const Records mine = exchange_records(comm, std::move(outgoing));
  return Mesh(comm, std::move(materials), std::move(facts), options.cap_damping_ratio, mine.nodes, mine.elements);
}

}  // namespace brisance::dist
