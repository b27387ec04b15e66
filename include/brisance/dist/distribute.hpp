/// From a mesh as it was read or made to parts on all ranks, and from one ownership to another.
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
  random,  ///< owners drawn per node id: the worst case for the bookkeeping, for tests
};

/// How far the middle of an edge of the boundary is from where it belongs [m]; nothing: it stays. `tet` is one of the
/// mesh that was distributed; a part of it is at the edge. Asked on one rank an edge, so it must give the same bits on
/// all of them. Must not throw.
using WayOfMiddle = std::function<std::optional<Vec3>(GlobalElement tet, const mesh::SurfaceEdge& edge)>;

/// What became of middles of edges, all refinements together.
struct RefinementReport {
  std::int64_t boundary = 0;  ///< edges of the boundary
  std::int64_t moved = 0;     ///< their middles that left the straight edge
  std::int64_t half_way = 0;  ///< those of them that went half of the way, for the sake of tets
  std::int64_t held = 0;      ///< middles that stayed on the straight edge for the sake of tets
  double farthest_m = 0;      ///< that any of them went [m]
};

struct DistributeOptions {
  Partitioner partitioner = Partitioner::metis;
  std::uint64_t seed = 1;
  int refinements = 0;                     ///< times that every tet is divided into eight, once no rank holds the whole
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

/// Gives every rank its part: the node numbered i gets global id i, tet j gets id j; regions are bit masks that the
/// share's nodes start with (kRegions; empty: none; the same for all copies of a node; a node on an edge is where both
/// ends are); tet regions are indices into `materials`. What rank 0 holds whole is divided there and scattered; of what
/// the ranks share none holds more than four times its part on the way, and the work is divided among them all. The
/// share is freed as soon as it is not needed.
/// Collective; throws core::Error on all ranks for an inverted element or a region without material.
[[nodiscard]] Mesh distribute(const core::Comm& comm, MeshShare share, std::span<const std::uint32_t> node_regions,
                              std::vector<material::Material> materials, const DistributeOptions& options);
/// The same of a mesh on rank 0 (ignored elsewhere).
[[nodiscard]] Mesh distribute(const core::Comm& comm, const mesh::TetMesh& whole,
                              std::span<const std::uint32_t> node_regions, std::vector<material::Material> materials,
                              const DistributeOptions& options);

enum class Sorting : std::uint8_t {
  as_before,
  anew,  ///< all elements by their places (kPlace, MeshFacts::sorted_below)
};

/// Gives every owned node the owner named for its slot (entries of ghosts are ignored) and moves what must follow. The
/// run goes on with the same bits, on any number of ranks; sorted anew, sums have another order from here on.
/// Collective.
void migrate(Mesh& mesh, const NodeField<std::int32_t>& new_owner, Sorting sorting = Sorting::as_before);

}  // namespace brisance::dist
