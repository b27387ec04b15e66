#include "brisance/dist/distribute.hpp"

#include "brisance/core/blocks.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/dist/slabs.hpp"
#include "brisance/elements/rest_shape.hpp"

#include "initial_rows.hpp"
#include "records.hpp"
#include "refine.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace brisance::dist {

namespace {

/// The facts of this rank's tets. Throws core::Error for an invalid one.
MeshFacts local_facts(const MeshShare& share, std::size_t num_materials) {
  const mesh::TetMesh& mesh = share.mesh;
  MeshFacts facts;
  facts.max_inverse_altitudes_squared.assign(num_materials, 0);
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& t = mesh.tets[e];
    const auto shape = elements::rest_shape(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]);
    const int region = mesh.region.empty() ? 0 : mesh.region[e];
    if (region < 0 || region >= static_cast<int>(num_materials))
      throw core::Error("tet " + std::to_string(share.tet_id[e]) + " is in region " + std::to_string(region) +
                        ", but the scene has " + core::counted(num_materials, "material") + ".");
    if (!(shape.volume > 0))
      throw core::Error("tet " + std::to_string(share.tet_id[e]) + " is inverted or flat (volume " +
                        std::to_string(shape.volume) + " m³). Repair the mesh before running it.");
    double& largest = facts.max_inverse_altitudes_squared[region];
    largest = std::max(largest, shape.inverse_altitudes_squared);
  }
  return facts;
}

/// Collective; throws core::Error on all ranks.
MeshFacts initial_facts(const core::Comm& comm, const MeshShare& share, std::size_t num_materials) {
  MeshFacts facts;
  core::agree(comm, [&] { facts = local_facts(share, num_materials); });
  facts.next_node_id = share.num_nodes;
  facts.next_element_id = facts.num_uncut = share.num_tets;
  facts.groups = share.mesh.groups;
  for (double& largest : facts.max_inverse_altitudes_squared) largest = comm.max(largest);
  return facts;
}

/// Nodes and elements of a share in the form of records.
class ShareRecords {
public:
  ShareRecords(const MeshShare& share, std::span<const std::uint32_t> node_regions, const FieldList& fields)
      : share_(share), regions_(node_regions), rows_(fields) {
    [[maybe_unused]] const auto fit = [](const auto& rows, const auto& all) {
      return rows.empty() || rows.size() == all.size();
    };
    [[maybe_unused]] const mesh::TetMesh& mesh = share.mesh;
    assert(fit(mesh.face_source, mesh.tets) && fit(mesh.region, mesh.tets) && fit(mesh.group, mesh.tets));
    assert(fit(mesh.strength, mesh.tets));
    assert(fit(mesh.displacement, mesh.nodes) && fit(mesh.velocity, mesh.nodes) && fit(node_regions, mesh.nodes));
  }

  [[nodiscard]] ElementRecord element(std::size_t e) const {
    const mesh::TetMesh& mesh = share_.mesh;
    ElementRecord record;
    record.id = GlobalElement(share_.tet_id[e]);
    for (int i = 0; i < 4; ++i)
      record.corners[i] = GlobalNode(share_.node_id[static_cast<std::size_t>(mesh.tets[e][i])]);
    record.material = mesh.region.empty() ? 0 : mesh.region[e];
    return record;
  }
  [[nodiscard]] std::vector<std::byte> element_row(std::size_t e) {
    const mesh::TetMesh& mesh = share_.mesh;
    return rows_.of_element(mesh.face_source.empty() ? kFaceSource.initial : mesh.face_source[e],
                            mesh.group.empty() ? mesh::kNoGroup : mesh.group[e],
                            mesh.strength.empty() ? kStrengthFactor.initial : mesh.strength[e]);
  }
  [[nodiscard]] NodeRecord node(std::size_t i, std::int32_t owner) const {
    const mesh::TetMesh& mesh = share_.mesh;
    NodeRecord record;
    record.id = GlobalNode(share_.node_id[i]);
    record.owner = owner;
    const Vec3 position = mesh.displacement.empty() ? mesh.nodes[i] : Vec3(mesh.nodes[i] + mesh.displacement[i]);
    for (int k = 0; k < 3; ++k) {
      record.rest[k] = mesh.nodes[i][k];
      record.position[k] = position[k];
      record.velocity[k] = mesh.velocity.empty() ? 0 : mesh.velocity[i][k];
    }
    return record;
  }
  [[nodiscard]] std::vector<std::byte> node_row(std::size_t i) {
    return rows_.of_node(regions_.empty() ? 0 : regions_[i]);
  }

private:
  const MeshShare& share_;
  std::span<const std::uint32_t> regions_;
  InitialRows rows_;
};

/// Every rank's nodes and elements of a mesh that this rank holds: an element goes to each rank that owns one of its
/// nodes.
std::map<int, Records> split_into_records(const MeshShare& share, std::span<const std::uint32_t> node_regions,
                                          const FieldList& fields, const std::vector<std::int32_t>& owners) {
  const mesh::TetMesh& mesh = share.mesh;
  ShareRecords records(share, node_regions, fields);
  std::map<int, Records> parts;
  std::vector<std::vector<std::int32_t>> holders(mesh.nodes.size());
  auto add_once = [](auto& list, std::int32_t value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
  };
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& tet = mesh.tets[e];
    std::vector<std::int32_t> ranks;
    for (auto n : tet) add_once(ranks, owners[n]);
    const ElementRecord record = records.element(e);
    const auto row = records.element_row(e);
    for (std::int32_t rank : ranks) {
      parts[rank].elements.push_back(record);
      append(parts[rank].element_fields, row);
      for (auto n : tet) add_once(holders[n], rank);
    }
  }
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    const NodeRecord record = records.node(i, owners[i]);
    const auto row = records.node_row(i);
    for (std::int32_t rank : holders[i]) {
      parts[rank].nodes.push_back(record);
      append(parts[rank].node_fields, row);
    }
  }
  return parts;
}

/// This rank's slab, from the shares of all ranks. Collective.
Records slab_of_shares(const core::Comm& comm, const MeshShare& share, std::span<const std::uint32_t> node_regions,
                       const DistributeOptions& options) {
  ShareRecords records(share, node_regions, options.fields);
  std::map<int, Records> outgoing;
  for (std::size_t e = 0; e < share.tet_id.size(); ++e) {
    Records& to = outgoing[core::rank_of_row(share.num_tets, share.tet_id[e], comm.size())];
    to.elements.push_back(records.element(e));
    append(to.element_fields, records.element_row(e));
  }
  for (std::size_t i = 0; i < share.node_id.size(); ++i) {
    const std::int64_t id = share.node_id[i];
    Records& to = outgoing[core::rank_of_row(share.num_nodes, id, comm.size())];
    to.nodes.push_back(records.node(i, random_owner(id, comm.size(), options.seed)));
    append(to.node_fields, records.node_row(i));
  }
  Records slab = exchange_records(comm, std::move(outgoing));
  sort_by_id(slab);
  return slab;
}

/// The parts of a mesh that rank 0 holds. Collective; throws core::Error on all ranks.
Records parts_of_root(const core::Comm& comm, const MeshShare& share, std::span<const std::uint32_t> node_regions,
                      const DistributeOptions& options) {
  std::map<int, Records> outgoing;
  core::agree(comm, [&] {
    if (comm.is_root())
      outgoing =
          split_into_records(share, node_regions, options.fields, partition_nodes(share.mesh, comm.size(), options));
  });
  return exchange_records(comm, std::move(outgoing));
}

/// The smallest altitude of an ordinary tet, as a share of its edge length. Well-shaped tets have more; the lower bound
/// on altitudes made by cuts should not depend on that.
constexpr double kUsualAltitude = 0.25;

/// Sets edge lengths and altitudes of owned nodes, whose stars are complete, and updates the ghosts.
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

/// Spreads the lowest bits of a number to every third bit of the result.
std::int64_t every_third_bit(std::int64_t number) {
  std::int64_t result = 0;
  for (int bit = 0; bit < 20; ++bit) result |= ((number >> bit) & 1) << (3 * bit);
  return result;
}

/// kPlace of all elements: cells of a cube around the body, 2²⁰ along each side.
void note_places(Mesh& mesh) {
  constexpr double kCells = 1 << 20;
  std::array<double, 6> box;  // minima, and negated maxima
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

Mesh distribute(const core::Comm& comm, MeshShare share, std::span<const std::uint32_t> node_regions,
                std::vector<material::Material> materials, const DistributeOptions& options) {
  MeshFacts facts = initial_facts(comm, share, materials.size());
  const bool is_whole = is_on_root(comm, share);
  Records records =
      is_whole ? parts_of_root(comm, share, node_regions, options) : slab_of_shares(comm, share, node_regions, options);
  share = {};
  Mesh mesh =
      is_whole
          ? Mesh(comm, std::move(materials), std::move(facts), options.cap_damping_ratio, options.fields, records)
          : mesh_of_slabs(comm, {std::move(materials), std::move(facts), options.cap_damping_ratio, options.fields},
                          std::move(records), options.partitioner == Partitioner::random);
  records = {};
  const RefinementReport report = refine(mesh, options);
  if (options.refinement != nullptr) *options.refinement = report;
  note_uncut_stars(mesh);
  note_places(mesh);
  return mesh;
}

Mesh distribute(const core::Comm& comm, const mesh::TetMesh& whole, std::span<const std::uint32_t> node_regions,
                std::vector<material::Material> materials, const DistributeOptions& options) {
  return distribute(comm, share_on_root(comm, comm.is_root() ? whole : mesh::TetMesh()), node_regions,
                    std::move(materials), options);
}

}  // namespace brisance::dist
