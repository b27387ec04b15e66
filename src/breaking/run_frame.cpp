/// Joins parts by the ids of nodes and tets, so that the result does not depend on the number of ranks.
#include "brisance/breaking/run_frame.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/finite_frame.hpp"

#include "dust_bodies.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

/// Rows in ascending order of their ids.
std::vector<std::int32_t> order_of(const std::vector<std::int64_t>& ids) {
  std::vector<std::int32_t> order(ids.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return ids[a] < ids[b]; });
  return order;
}

template <class T>
void reorder(std::vector<T>& values, const std::vector<std::int32_t>& order) {
  std::vector<T> moved;
  moved.reserve(values.size());
  for (const std::int32_t row : order) moved.push_back(std::move(values[row]));
  values = std::move(moved);
}

void require_whole(const std::filesystem::path& file, const io::FrameForm& form) {
  const char* lacks = form.surface_only            ? "tets (it is of the surface alone)"
                      : !form.has("velocity")      ? "velocities"
                      : !form.has("rest_position") ? "positions at rest"
                                                   : nullptr;
  if (lacks != nullptr)
    throw core::Error(
        fmt::format("{} has no {}, and what the pieces are and do follows from these. Choose a whole frame, or run "
                    "again without output.surface_only and with all output.fields.",
                    file.string(), lacks));
}

/// The concatenated parts, before sorting.
struct Joined {
  RunFrame frame;
  std::vector<std::int64_t> element_id;
  std::vector<std::array<std::int64_t, 3>> triangle_corners;  ///< ids of nodes
  std::vector<std::array<std::int64_t, 4>> tet_corners;       ///< likewise
};

void add_part(const io::SnapshotPart& part, Joined& all) {
  RunFrame& f = all.frame;
  for (std::size_t n = 0; n < part.node_id.size(); ++n) {
    if (part.node_owned[n] == 0) continue;
    f.node_id.push_back(part.node_id[n]);
    f.rest_position.push_back(part.rest_position[n]);
    f.position.push_back(part.position[n]);
    f.velocity.push_back(part.velocity[n]);
  }
  const auto ids = [&](const auto& rows) {
    auto result = rows;
    for (auto& row : result) row = part.node_id[static_cast<std::size_t>(row)];
    return result;
  };
  for (const auto& tet : part.tets) all.tet_corners.push_back(ids(tet));
  for (const auto& triangle : part.boundary) all.triangle_corners.push_back(ids(triangle));
  all.element_id.insert(all.element_id.end(), part.element_id.begin(), part.element_id.end());
  f.material.insert(f.material.end(), part.material.begin(), part.material.end());
  f.group.insert(f.group.end(), part.group.begin(), part.group.end());
  for (const std::int64_t piece : part.piece) f.piece.push_back(static_cast<std::int32_t>(piece));
  f.triangle_element.insert(f.triangle_element.end(), part.boundary_element.begin(), part.boundary_element.end());
  f.source_triangle.insert(f.source_triangle.end(), part.source_triangle.begin(), part.source_triangle.end());
}

std::int64_t row_of(const std::vector<std::int64_t>& ascending, std::int64_t id) {
  const auto found = std::lower_bound(ascending.begin(), ascending.end(), id);
  return found != ascending.end() && *found == id ? found - ascending.begin() : -1;
}

void sort_nodes(RunFrame& f) {
  const std::vector<std::int32_t> order = order_of(f.node_id);
  reorder(f.node_id, order);
  reorder(f.rest_position, order);
  reorder(f.position, order);
  reorder(f.velocity, order);
}

[[noreturn]] void damaged(const std::filesystem::path& file, const char* what) {
  throw core::Error(
      fmt::format("{}: {} that no part of it owns; the file is damaged. Write or copy it again.", file.string(), what));
}

template <std::size_t N>
std::vector<std::array<std::int32_t, N>> rows_of(const std::vector<std::array<std::int64_t, N>>& corners,
                                                 const RunFrame& f, const std::filesystem::path& file) {
  std::vector<std::array<std::int32_t, N>> result(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i)
    for (std::size_t k = 0; k < N; ++k) {
      const std::int64_t row = row_of(f.node_id, corners[i][k]);
      if (row < 0) damaged(file, "a corner is a node");
      result[i][k] = static_cast<std::int32_t>(row);
    }
  return result;
}

void sort_tets(Joined& all, const std::filesystem::path& file) {
  RunFrame& f = all.frame;
  const std::vector<std::int32_t> order = order_of(all.element_id);
  reorder(all.element_id, order);
  reorder(all.tet_corners, order);
  reorder(f.material, order);
  reorder(f.piece, order);
  if (!f.group.empty()) reorder(f.group, order);
  f.tets = rows_of(all.tet_corners, f, file);
  all.tet_corners = {};
}

/// Sorts the triangles of one tet by their corners.
void sort_triangles(Joined& all, const std::filesystem::path& file) {
  RunFrame& f = all.frame;
  f.triangles = rows_of(all.triangle_corners, f, file);
  std::vector<std::int32_t> order(f.triangles.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return std::pair(f.triangle_element[a], f.triangles[a]) < std::pair(f.triangle_element[b], f.triangles[b]);
  });
  reorder(f.triangles, order);
  reorder(f.triangle_element, order);
  reorder(f.source_triangle, order);
  for (const std::int64_t id : f.triangle_element) {
    const std::int64_t row = row_of(all.element_id, id);
    if (row < 0) damaged(file, "a boundary triangle is of a tet");
    f.triangle_tet.push_back(static_cast<std::int32_t>(row));
  }
}

}  // namespace

RunFrame read_run_frame(const std::filesystem::path& file, FrameDust with) {
  Joined all;
  io::DustRows dust;
  all.frame.header = io::read_snapshot_header(file);
  require_whole(file, all.frame.header.form);
  const std::int64_t parts = io::num_parts(file);
  for (std::int64_t p = 0; p < parts; ++p) {
    io::SnapshotPart part = io::read_snapshot(file, p, 1, io::ReadColumns::motion).part;
    io::require_finite(file, part);
    add_part(part, all);
    if (p == 0) dust = std::move(part.dust);
  }
  if (std::max(all.frame.node_id.size(), all.element_id.size()) > std::numeric_limits<std::int32_t>::max())
    throw core::Error(file.string() + " has more than 2147483647 nodes or tets, too many for one process.");
  if (all.element_id.empty()) throw core::Error(file.string() + " holds no tets: there is nothing to play.");
  sort_nodes(all.frame);
  sort_tets(all, file);
  sort_triangles(all, file);
  for (const std::int32_t piece : all.frame.piece)
    if (piece >= all.frame.header.num_pieces) damaged(file, "a tet has the number of a piece");
  if (with == FrameDust::as_pieces) add_dust(dust, all.frame);
  return std::move(all.frame);
}

std::int64_t NodePositions::row(std::int64_t id) const { return row_of(node_id, id); }

NodePositions read_positions(const std::filesystem::path& file) {
  NodePositions nodes;
  io::DustRows dust;
  const std::int64_t parts = io::num_parts(file);
  for (std::int64_t p = 0; p < parts; ++p) {
    io::Snapshot snapshot = io::read_snapshot(file, p, 1, io::ReadColumns::motion);
    io::require_finite(file, snapshot.part);
    if (p == 0) dust = std::move(snapshot.part.dust);
    nodes.time_s = snapshot.header.time_s;
    for (std::size_t n = 0; n < snapshot.part.node_id.size(); ++n) {
      if (snapshot.part.node_owned[n] == 0) continue;
      nodes.node_id.push_back(snapshot.part.node_id[n]);
      nodes.position.push_back(snapshot.part.position[n]);
    }
  }
  const std::vector<std::int32_t> order = order_of(nodes.node_id);
  reorder(nodes.node_id, order);
  reorder(nodes.position, order);
  add_dust(dust, nodes);
  return nodes;
}

}  // namespace brisance::breaking
