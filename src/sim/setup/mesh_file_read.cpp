/// Reads our own mesh files on all ranks: each reads a block of rows and sends each row to the rank that its number
/// belongs to.
#include "brisance/core/error.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/mesh/formats/orient_tets.hpp"
#include "brisance/mesh/formats/other_kinds.hpp"
#include "brisance/mesh/limits.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>

#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

struct NodeRow {
  std::int64_t id, number;  ///< in the file; in the mesh
  std::array<double, 3> rest, position, velocity;
};

struct TetRow {
  std::int64_t id;
  std::array<std::int64_t, 4> corners;  ///< ids of nodes
  std::int32_t material, group;
};

struct FaceRow {
  std::int64_t element;
  std::array<std::int64_t, 3> corners;  ///< ids of nodes, ascending
  std::int32_t source;
};

std::array<double, 3> numbers_of(const Vec3& x) { return {x.x(), x.y(), x.z()}; }

/// Maps ids to ranks, by even blocks of all ids up to the highest.
class Blocks {
public:
  Blocks(const core::Comm& comm, std::span<const std::int64_t> ids) : size_(comm.size()) {
    std::int64_t highest = 0;
    for (const std::int64_t id : ids) highest = std::max(highest, id);
    count_ = comm.max(highest) + 1;
  }
  /// The rank of an id; the last rank for ids beyond the highest.
  [[nodiscard]] int rank_of(std::int64_t id) const {
    return core::rank_of_row(count_, std::min(id, count_ - 1), size_);
  }

private:
  int size_;
  std::int64_t count_;
};

/// All rows sent to this rank, in the order of ranks. Collective.
template <class Row>
std::vector<Row> exchanged(const core::Comm& comm, const std::map<int, std::vector<Row>>& outgoing) {
  std::vector<Row> all;
  for (const auto& [rank, rows] : la::exchange_arrays(comm, outgoing)) all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

/// Answers of the ranks that have them, in the order of `wanted`, which is ascending and unique. Collective.
template <class Answer>
std::vector<Answer> asked_for(const core::Comm& comm, const std::vector<std::int64_t>& wanted,
                              const std::function<int(std::int64_t)>& rank_of,
                              const std::function<Answer(std::int64_t)>& answer) {
  std::map<int, std::vector<std::int64_t>> questions;
  for (const std::int64_t one : wanted) questions[rank_of(one)].push_back(one);
  const auto asked = la::exchange_arrays(comm, questions);
  std::map<int, std::vector<Answer>> answers;
  core::agree_on_input(comm, [&] {
    for (const auto& [rank, list] : asked)
      for (const std::int64_t one : list) answers[rank].push_back(answer(one));
  });
  return exchanged(comm, answers);  // ascending ranks were asked for ascending values
}

void sort_once(std::vector<std::int64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Throws core::Error for positions or velocities that are not finite or too large.
void check_places(const io::MeshRows& rows, const std::filesystem::path& file) {
  const auto refuse = [&](const char* what, std::int64_t id, const Vec3& x) {
    throw core::Error(
        fmt::format("{}: the {} of node {} is ({:.3g}); none beyond {:g} is taken. The file is damaged, not in metres, "
                    "or of a run that came to nothing: take an earlier snapshot or write it again.",
                    file.string(), what, id, fmt::join(x, ", "), mesh::kLargestLength_m));
  };
  for (std::size_t i = 0; i < rows.node_id.size(); ++i) {
    if (!mesh::is_place(rows.rest_position[i])) refuse("rest position", rows.node_id[i], rows.rest_position[i]);
    if (!mesh::is_place(rows.position[i])) refuse("position", rows.node_id[i], rows.position[i]);
    if (!rows.velocity.empty() && !mesh::is_place(rows.velocity[i]))
      refuse("velocity", rows.node_id[i], rows.velocity[i]);
  }
}

/// This rank's block of nodes, ascending and numbered. Collective.
std::vector<NodeRow> own_nodes(const core::Comm& comm, const io::MeshRows& rows, const Blocks& blocks) {
  std::map<int, std::vector<NodeRow>> outgoing;
  for (std::size_t i = 0; i < rows.node_id.size(); ++i)
    if (rows.node_owned[i] != 0)
      outgoing[blocks.rank_of(rows.node_id[i])].push_back(
          {rows.node_id[i], 0, numbers_of(rows.rest_position[i]), numbers_of(rows.position[i]),
           numbers_of(rows.velocity.empty() ? Vec3(Vec3::Zero()) : rows.velocity[i])});
  std::vector<NodeRow> nodes = exchanged(comm, outgoing);
  std::ranges::stable_sort(nodes, {}, &NodeRow::id);
  const auto copies = std::ranges::unique(nodes, {}, &NodeRow::id);
  nodes.erase(copies.begin(), copies.end());
  std::int64_t number = core::rows_before(comm, std::ssize(nodes));
  for (NodeRow& node : nodes) node.number = number++;
  return nodes;
}

/// Ids of the corners of tets and faces, which the file gives as rows of nodes.
class CornerIds {
public:
  /// Collective.
  CornerIds(const core::Comm& comm, const io::MeshRows& rows) {
    for (const auto& tet : rows.tets) rows_.insert(rows_.end(), tet.begin(), tet.end());
    for (const auto& face : rows.boundary) rows_.insert(rows_.end(), face.begin(), face.end());
    sort_once(rows_);
    const std::int64_t first = core::block_of(rows.num_nodes, comm.rank(), comm.size()).first;
    ids_ = asked_for<std::int64_t>(
        comm, rows_, [&](std::int64_t row) { return core::rank_of_row(rows.num_nodes, row, comm.size()); },
        [&](std::int64_t row) { return rows.node_id[static_cast<std::size_t>(row - first)]; });
  }
  template <std::size_t N>
  [[nodiscard]] std::array<std::int64_t, N> of(std::array<std::int64_t, N> corners) const {
    for (std::int64_t& corner : corners)
      corner = ids_[static_cast<std::size_t>(std::ranges::lower_bound(rows_, corner) - rows_.begin())];
    return corners;
  }

private:
  std::vector<std::int64_t> rows_, ids_;
};

/// This rank's block of tets and their boundary faces, both by ascending id of the tet.
struct Elements {
  std::vector<TetRow> tets;
  std::vector<FaceRow> faces;
};

/// Collective.
Elements own_elements(const core::Comm& comm, const io::MeshRows& rows) {
  const Blocks blocks(comm, rows.element_id);
  const CornerIds ids(comm, rows);
  std::map<int, std::vector<TetRow>> tets;
  for (std::size_t e = 0; e < rows.tets.size(); ++e)
    tets[blocks.rank_of(rows.element_id[e])].push_back({rows.element_id[e], ids.of(rows.tets[e]), rows.material[e],
                                                        rows.group.empty() ? mesh::kNoGroup : rows.group[e]});
  std::map<int, std::vector<FaceRow>> faces;
  for (std::size_t f = 0; f < rows.boundary.size(); ++f) {
    FaceRow face{rows.boundary_element[f], ids.of(rows.boundary[f]),
                 static_cast<std::int32_t>(rows.source_triangle[f])};
    std::sort(face.corners.begin(), face.corners.end());
    faces[blocks.rank_of(face.element)].push_back(face);
  }
  Elements elements{exchanged(comm, tets), exchanged(comm, faces)};
  std::ranges::stable_sort(elements.tets, {}, &TetRow::id);
  std::ranges::stable_sort(elements.faces, {}, &FaceRow::element);
  return elements;
}

/// The nodes of a share, ascending: this rank's block and all other corners. Collective; throws core::BadInput on all
/// ranks.
std::vector<NodeRow> nodes_of_share(const core::Comm& comm, const std::vector<NodeRow>& own,
                                    const std::vector<TetRow>& tets, const Blocks& blocks,
                                    const std::filesystem::path& file) {
  std::vector<std::int64_t> wanted;
  for (const NodeRow& node : own) wanted.push_back(node.id);
  for (const TetRow& tet : tets) wanted.insert(wanted.end(), tet.corners.begin(), tet.corners.end());
  sort_once(wanted);
  return asked_for<NodeRow>(
      comm, wanted, [&](std::int64_t id) { return blocks.rank_of(id); },
      [&](std::int64_t id) {
        const auto found = std::ranges::lower_bound(own, id, {}, &NodeRow::id);
        if (found == own.end() || found->id != id)
          throw core::Error(
              fmt::format("{}: no part owns node {}, which elements have. The file is damaged or "
                          "was edited; write or copy it again.",
                          file.string(), id));
        return *found;
      });
}

void add_nodes(const std::vector<NodeRow>& nodes, dist::MeshShare& share) {
  for (const NodeRow& node : nodes) {
    const Vec3 rest(node.rest.data()), position(node.position.data());
    share.node_id.push_back(node.number);
    share.mesh.nodes.push_back(rest);
    share.mesh.displacement.emplace_back(position - rest);
    share.mesh.velocity.emplace_back(node.velocity.data());
  }
}

void add_tets(const std::vector<TetRow>& tets, const std::vector<NodeRow>& nodes, bool any_groups,
              mesh::TetMesh& mesh) {
  for (const TetRow& row : tets) {
    std::array<std::int32_t, 4> tet;
    for (std::size_t k = 0; k < 4; ++k)
      tet[k] =
          static_cast<std::int32_t>(std::ranges::lower_bound(nodes, row.corners[k], {}, &NodeRow::id) - nodes.begin());
    mesh.tets.push_back(tet);
    mesh.region.push_back(row.material);
    if (any_groups) mesh.group.push_back(row.group);
  }
}

/// Throws core::Error if a tet has no volume.
void check_volumes(const mesh::TetMesh& mesh, const std::vector<TetRow>& tets, const std::filesystem::path& file) {
  for (std::size_t e = 0; e < tets.size(); ++e) {
    const auto& [a, b, c, d] = mesh.tets[e];
    const auto& x = mesh.nodes;
    if (mesh::tet_volume(x[a], x[b], x[c], x[d]) == 0)
      throw core::Error(
          fmt::format("{}: tet {} has no volume at rest. Mesh the body again.", file.string(), tets[e].id));
  }
}

/// Swaps corners if all tets are inverted (mesh::orient_tets). Collective; throws core::BadInput on all ranks if some
/// are.
void orient(const core::Comm& comm, const std::vector<TetRow>& tets, const std::filesystem::path& file,
            dist::MeshShare& share) {
  std::vector<std::int64_t> inverted;
  for (const std::size_t e : mesh::inverted_tets(share.mesh)) inverted.push_back(tets[e].id);
  const std::int64_t count = comm.sum(std::ssize(inverted));
  if (count == 0) return;
  if (count == share.num_tets) {
    mesh::swap_corners(share.mesh);
    if (comm.is_root()) spdlog::info(mesh::text_of_swap(file, count));
    return;
  }
  inverted = comm.all_gather(std::span<const std::int64_t>(inverted));
  throw core::BadInput(file.string() + ": " + mesh::text_of_inverted(inverted, share.num_tets));
}

/// Sets the source triangle of each face on the boundary.
void number_faces(const Elements& elements, mesh::TetMesh& mesh, const std::vector<NodeRow>& nodes) {
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto faces = std::ranges::equal_range(elements.faces, elements.tets[e].id, {}, &FaceRow::element);
    std::array<std::int32_t, 4>& sources = mesh.face_source.emplace_back();
    for (std::size_t k = 0; k < 4; ++k) {
      std::array<std::int64_t, 3> key;
      for (std::size_t i = 0; i < 3; ++i)
        key[i] = nodes[static_cast<std::size_t>(mesh.tets[e][mesh::kFaceCorners[k][i]])].id;
      std::sort(key.begin(), key.end());
      const auto found = std::ranges::find(faces, key, &FaceRow::corners);
      sources[k] = found == faces.end() ? mesh::kNoSourceTriangle : found->source;
    }
  }
}

}  // namespace

dist::MeshShare read_mesh_share(const core::Comm& comm, const std::filesystem::path& file) {
  dist::MeshShare share;
  io::MeshRows rows;
  core::agree_on_input(comm, [&] {
    mesh::refuse_other_kinds(file);
    rows = io::read_mesh_rows(file, comm.rank(), comm.size());
    check_places(rows, file);
  });
  share.mesh.groups = rows.header.groups;
  const Blocks node_blocks(comm, rows.node_id);
  const std::vector<NodeRow> own = own_nodes(comm, rows, node_blocks);
  const bool any_groups = comm.any(!rows.group.empty());
  const Elements elements = own_elements(comm, rows);
  rows = {};
  const std::vector<NodeRow> nodes = nodes_of_share(comm, own, elements.tets, node_blocks, file);
  share.num_nodes = comm.sum(std::ssize(own));
  share.num_tets = comm.sum(std::ssize(elements.tets));
  if (share.num_tets == 0)
    throw core::BadInput(file.string() + ": it holds no tets. Give a snapshot or mesh that has some.");
  const std::int64_t first = core::rows_before(comm, std::ssize(elements.tets));
  for (std::int64_t e = 0; e < std::ssize(elements.tets); ++e) share.tet_id.push_back(first + e);
  add_nodes(nodes, share);
  add_tets(elements.tets, nodes, any_groups, share.mesh);
  core::agree_on_input(comm, [&] { check_volumes(share.mesh, elements.tets, file); });
  orient(comm, elements.tets, file, share);
  number_faces(elements, share.mesh, nodes);
  return share;
}

mesh::TetMesh read_mesh_file(const std::filesystem::path& file) {
  return read_mesh_share(core::Comm(MPI_COMM_SELF), file).mesh;
}

}  // namespace brisance::sim
