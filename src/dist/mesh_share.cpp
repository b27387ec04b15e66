#include "brisance/dist/mesh_share.hpp"

#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace brisance::dist {

namespace {

/// Rank 0's array on every rank. Collective.
template <class T>
void broadcast_values(const core::Comm& comm, std::vector<T>& values, MPI_Datatype type) {
  auto count = static_cast<std::int64_t>(values.size());
  MPI_Bcast(&count, 1, MPI_INT64_T, 0, comm.raw());
  values.resize(static_cast<std::size_t>(count));
  MPI_Bcast(values.data(), static_cast<int>(count), type, 0, comm.raw());
}

}  // namespace

void broadcast(const core::Comm& comm, mesh::Groups& groups) {
  std::vector<char> text;
  std::vector<std::int32_t> ends;
  for (const auto& names : groups.names) {
    const std::string one = mesh::to_text(names);
    text.insert(text.end(), one.begin(), one.end());
    ends.push_back(static_cast<std::int32_t>(text.size()));
  }
  broadcast_values(comm, text, MPI_CHAR);
  broadcast_values(comm, ends, MPI_INT32_T);
  broadcast_values(comm, groups.of_source, MPI_INT32_T);
  groups.names.clear();
  std::int32_t begin = 0;
  for (const std::int32_t end : ends) {
    groups.names.push_back(
        mesh::names_of_text(std::string_view(text.data() + begin, static_cast<std::size_t>(end - begin))));
    begin = end;
  }
}

MeshShare share_on_root(const core::Comm& comm, mesh::TetMesh whole) {
  MeshShare share;
  if (comm.is_root()) share.mesh = std::move(whole);
  broadcast(comm, share.mesh.groups);
  share.mesh.graded = comm.all_gather(std::span<const mesh::GradedRegion>(share.mesh.graded));
  share.node_id.resize(share.mesh.nodes.size());
  share.tet_id.resize(share.mesh.tets.size());
  std::iota(share.node_id.begin(), share.node_id.end(), std::int64_t{0});
  std::iota(share.tet_id.begin(), share.tet_id.end(), std::int64_t{0});
  share.num_nodes = comm.sum(std::ssize(share.node_id));
  share.num_tets = comm.sum(std::ssize(share.tet_id));
  return share;
}

bool is_on_root(const core::Comm& comm, const MeshShare& share) {
  return !comm.any(!comm.is_root() && !share.tet_id.empty());
}

}  // namespace brisance::dist
