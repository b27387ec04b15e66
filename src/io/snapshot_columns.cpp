#include "io/snapshot_columns.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <span>

namespace brisance::io {

namespace {

constexpr std::uint8_t kVtkTetra = 10;

/// What a part holds; gathered from all ranks to place the shares.
struct PartCounts {
  std::int64_t nodes = 0;
  std::int64_t tets = 0;
  std::int64_t triangles = 0;
  std::int64_t plastic = 0;
  std::int64_t grouped = 0;
};

Share share_of(const std::vector<PartCounts>& parts, int rank, std::int64_t PartCounts::*what) {
  Share share;
  for (int r = 0; r < std::ssize(parts); ++r) {
    const auto count = static_cast<hsize_t>(parts[r].*what);
    if (r < rank) share.offset += count;
    if (r == rank) share.count = count;
    share.total += count;
  }
  return share;
}

Share scaled(const Share& share, hsize_t factor) {
  return {factor * share.total, factor * share.offset, factor * share.count};
}

}  // namespace

FrameColumns::FrameColumns(const core::Comm& comm, const SnapshotPart& part)
    : num_nodes_(std::ssize(part.node_id)),
      num_tets_(std::ssize(part.tets)),
      num_connectivity_(4 * num_tets_),
      num_triangles_(std::ssize(part.boundary)),
      offsets_(part.tets.size() + 1),
      types_(part.tets.size(), kVtkTetra) {
  using namespace layout;
  for (std::size_t i = 0; i < offsets_.size(); ++i) offsets_[i] = static_cast<std::int64_t>(4 * i);

  const PartCounts mine{num_nodes_, num_tets_, num_triangles_, std::ssize(part.plastic_strain), std::ssize(part.group)};
  const std::vector<PartCounts> parts = comm.all_gather(std::span<const PartCounts>(&mine, 1));
  const Share nodes = share_of(parts, comm.rank(), &PartCounts::nodes);
  const Share tets = share_of(parts, comm.rank(), &PartCounts::tets);
  const Share triangles = share_of(parts, comm.rank(), &PartCounts::triangles);
  const Share grouped = share_of(parts, comm.rank(), &PartCounts::grouped);
  const Share plastic = share_of(parts, comm.rank(), &PartCounts::plastic);
  if (plastic.total != 0 && plastic.total != tets.total)
    throw core::Error("plastic strain is given on some ranks only (a fault of the program, please report)");
  if (grouped.total != 0 && grouped.total != tets.total)
    throw core::Error("groups are given on some ranks only (a fault of the program, please report)");

  const auto ranks = static_cast<hsize_t>(comm.size()), rank = static_cast<hsize_t>(comm.rank());
  const Share one_a_part{ranks, rank, 1};
  const auto* corners = reinterpret_cast<const std::int64_t*>(part.tets.data());  // std::array: no padding
  columns_ = {
      column(kNumPoints, one_a_part, &num_nodes_),
      column(kNumCells, one_a_part, &num_tets_),
      column(kNumConnectivity, one_a_part, &num_connectivity_),
      column(kPoints, nodes, part.position),
      column(kConnectivity, scaled(tets, 4), corners),
      column(kOffsets, {tets.total + ranks, tets.offset + rank, tets.count + 1}, offsets_),
      column(kTypes, tets, types_),
      column(kNodeId, nodes, part.node_id),
      column(kOwned, nodes, part.node_owned),
      column(kRestPosition, nodes, part.rest_position),
      column(kVelocity, nodes, part.velocity),
      column(kElementId, tets, part.element_id),
      column(kMaterial, tets, part.material),
      column(kPiece, tets, part.piece),
      column(kStress, tets, part.stress),
      column(kNumTriangles, one_a_part, &num_triangles_),
      column(kCorners, triangles, part.boundary),
      column(kBoundaryElement, triangles, part.boundary_element),
      column(kSourceTriangle, triangles, part.source_triangle),
  };
  if (grouped.total != 0) columns_.push_back(column(kTetGroup, tets, part.group));
  if (plastic.total != 0) columns_.push_back(column(kPlasticStrain, tets, part.plastic_strain));
  add_state(kPointData, nodes, part.node_state);
  add_state(kCellData, tets, part.element_state);
}

void FrameColumns::add_state(const char* group, const Share& rows, const std::vector<StateColumn>& state) {
  for (const StateColumn& field : state) {
    const std::string& path = state_names_.emplace_back(std::string(group) + "/" + field.name);
    columns_.push_back(
        {path.c_str(), file_type<double>(), memory_type<double>(), field.width, rows, field.values.data()});
  }
}

}  // namespace brisance::io
