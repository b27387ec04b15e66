/// Distributes a mesh that was read or generated over all ranks, and changes the ownership of its nodes.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/dist/mesh_share.hpp"
#include "brisance/mesh/reference.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace brisance::dist {

enum class Partitioner : std::uint8_t {
  metis,   ///< METIS on the nodal graph, vertex weight: incident elements
  random,  ///< owners drawn by node id: the worst case for the bookkeeping, for tests
};

/// Displacement of the middle of a boundary edge onto the input surface [m]; empty: it stays. `tet` is an element of
/// the mesh that was distributed; a descendant of it has the edge. Called on one rank for each edge, so it must give
/// the same bits on all of them. Must not throw.
using WayOfMiddle = std::function<std::optional<Vec3>(GlobalElement tet, const mesh::SurfaceEdge& edge)>;

/// Counts of displaced middles of edges, summed over all refinements.
struct RefinementReport {
  std::int64_t boundary = 0;  ///< edges of the boundary
  std::int64_t moved = 0;     ///< middles moved off the straight edge
  std::int64_t half_way = 0;  ///< moved middles that went half of their displacement, to keep tets well shaped
  std::int64_t held = 0;      ///< middles left on the straight edge, to keep tets well shaped
  double farthest_m = 0;      ///< largest displacement [m]
};

struct DistributeOptions {
  Partitioner partitioner = Partitioner::metis;
  std::uint64_t seed = 1;
  int refinements = 0;                     ///< times that every tet is divided into eight, once the mesh is distributed
  WayOfMiddle way_of_middle = {};          ///< empty: all edges are straight
  RefinementReport* refinement = nullptr;  ///< filled where it is given
  bool cap_damping_ratio = true;
  FieldList fields = mesh_fields();  ///< what the modules of the run declare, mesh_fields() among it
};

/// Owner of a node by Partitioner::random. Local.
[[nodiscard]] std::int32_t random_owner(std::int64_t node, int parts, std::uint64_t seed);

/// Owner rank of each node for this many parts; deterministic. Serial (rank 0). Nodes 0 … n−1 keep their numbers.
[[nodiscard]] std::vector<std::int32_t> partition_nodes(const mesh::TetMesh& mesh, int parts,
                                                        const DistributeOptions& options);

/// Gives every rank its part. Node i gets global id i, tet j gets id j. Regions are bit masks that the share's nodes
/// start with (kRegions; empty: none; the same for all copies of a node; the middle of an edge is in the regions of
/// both ends). Tet regions are indices into `materials`. A mesh held whole by rank 0 is partitioned there and
/// scattered. For a mesh that the ranks share, no rank holds more than four times its part in between, and the work is
/// divided among them all. The share is freed as soon as it is not needed.
/// Collective; throws core::Error on all ranks for an inverted element or a region without material.
[[nodiscard]] Mesh distribute(const core::Comm& comm, MeshShare share, std::span<const std::uint32_t> node_regions,
                              std::vector<material::Material> materials, const DistributeOptions& options);
/// The same for a mesh on rank 0 (ignored elsewhere).
[[nodiscard]] Mesh distribute(const core::Comm& comm, const mesh::TetMesh& whole,
                              std::span<const std::uint32_t> node_regions, std::vector<material::Material> materials,
                              const DistributeOptions& options);

enum class Sorting : std::uint8_t {
  as_before,
  anew,  ///< all elements by their place (kPlace, MeshFacts::sorted_below)
};

/// Gives every owned node the owner named for its slot (entries of ghosts are ignored), and moves the dependent data.
/// The run continues with the same bits, on any number of ranks; if sorted anew, sums have another order from here on.
/// Collective.
void migrate(Mesh& mesh, const NodeField<std::int32_t>& new_owner, Sorting sorting = Sorting::as_before);

}  // namespace brisance::dist
