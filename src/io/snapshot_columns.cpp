#include "io/snapshot_columns.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <span>

namespace brisance::io {

namespace {

constexpr std::uint8_t kVtkTetra = 10, kVtkTriangle = 5;

/// Counts of a part; gathered from all ranks to compute the offsets.
struct PartCounts {
  std::int64_t nodes = 0;
  std::int64_t cells = 0;
  std::int64_t triangles = 0;
  std::int64_t plastic = 0;
  std::int64_t grouped = 0;
  std::int64_t dust = 0;
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

FrameColumns::FrameColumns(const core::Comm& comm, const FrameForm& form, const SnapshotPart& part)
    : form_(form),
      num_nodes_(std::ssize(part.node_id)),
      num_cells_(std::ssize(part.element_id)),
      num_connectivity_((form.surface_only ? 3 : 4) * num_cells_),
      num_triangles_(std::ssize(part.boundary)),
      offsets_(part.element_id.size() + 1),
      types_(part.element_id.size(), form.surface_only ? kVtkTriangle : kVtkTetra) {
  using namespace layout;
  const std::int64_t corners_a_cell = form.surface_only ? 3 : 4;
  for (std::size_t i = 0; i < offsets_.size(); ++i) offsets_[i] = corners_a_cell * static_cast<std::int64_t>(i);

  const PartCounts mine{num_nodes_,
                        num_cells_,
                        num_triangles_,
                        std::ssize(part.plastic_strain),
                        std::ssize(part.group),
                        static_cast<std::int64_t>(part.dust.size())};
  const std::vector<PartCounts> parts = comm.all_gather(std::span<const PartCounts>(&mine, 1));
  const Share nodes = share_of(parts, comm.rank(), &PartCounts::nodes);
  const Share cells = share_of(parts, comm.rank(), &PartCounts::cells);
  const Share triangles = share_of(parts, comm.rank(), &PartCounts::triangles);
  const Share grouped = share_of(parts, comm.rank(), &PartCounts::grouped);
  const Share plastic = share_of(parts, comm.rank(), &PartCounts::plastic);
  const Share dust = share_of(parts, comm.rank(), &PartCounts::dust);
  if (plastic.total != 0 && plastic.total != cells.total)
    throw core::Error("plastic strain is given on some ranks only (a fault of the program, please report)");
  if (grouped.total != 0 && grouped.total != cells.total)
    throw core::Error("groups are given on some ranks only (a fault of the program, please report)");

  const auto ranks = static_cast<hsize_t>(comm.size()), rank = static_cast<hsize_t>(comm.rank());
  const Share one_a_part{ranks, rank, 1};
  const auto* corners = form.surface_only  // std::array: no padding
                            ? reinterpret_cast<const std::int64_t*>(part.boundary.data())
                            : reinterpret_cast<const std::int64_t*>(part.tets.data());
  columns_.push_back(column(kNumPoints, one_a_part, &num_nodes_));
  columns_.push_back(column(kNumCells, one_a_part, &num_cells_));
  columns_.push_back(column(kNumConnectivity, one_a_part, &num_connectivity_));
  add_field(kPoints, nodes, part.position);
  columns_.push_back(column(kConnectivity, scaled(cells, static_cast<hsize_t>(corners_a_cell)), corners));
  columns_.push_back(column(kOffsets, {cells.total + ranks, cells.offset + rank, cells.count + 1}, offsets_));
  columns_.push_back(column(kTypes, cells, types_));
  columns_.push_back(column(kNodeId, nodes, part.node_id));
  columns_.push_back(column(kOwned, nodes, part.node_owned));
  if (form.has("rest_position")) add_field(kRestPosition, nodes, part.rest_position);
  if (form.has("velocity")) add_field(kVelocity, nodes, part.velocity);
  columns_.push_back(column(kElementId, cells, part.element_id));
  columns_.push_back(column(kMaterial, cells, part.material));
  columns_.push_back(column(kPiece, cells, part.piece));
  if (form.has("stress")) add_field(kStress, cells, part.stress);
  columns_.push_back(column(kNumTriangles, one_a_part, &num_triangles_));
  columns_.push_back(column(kCorners, triangles, part.boundary));
  columns_.push_back(column(kBoundaryElement, triangles, part.boundary_element));
  columns_.push_back(column(kSourceTriangle, triangles, part.source_triangle));
  if (form.surface_only) columns_.push_back(column(kSourceOfCell, triangles, part.source_triangle));
  if (grouped.total != 0) columns_.push_back(column(kTetGroup, cells, part.group));
  if (plastic.total != 0) add_field(kPlasticStrain, cells, part.plastic_strain);
  if (dust.total != 0) add_dust(dust, part.dust);
  add_state(kPointData, nodes, part.node_state);
  add_state(kCellData, cells, part.element_state);
}

void FrameColumns::add_dust(const Share& rows, const DustRows& dust) {
  using namespace layout;
  columns_.push_back(column(kDustId, rows, dust.id));
  columns_.push_back(column(kDustMaterial, rows, dust.material));
  columns_.push_back(column(kDustBirth, rows, dust.birth_s));
  add_field(kDustPosition, rows, dust.position);
  add_field(kDustVelocity, rows, dust.velocity);
  add_field(kDustSpin, rows, dust.angular_momentum);
  add_field(kDustRadius, rows, dust.radius);
  add_field(kDustMass, rows, dust.mass);
}

template <class Row>
void FrameColumns::add_field(const char* name, const Share& rows, const std::vector<Row>& values) {
  add_reals(name, RowLayout<Row>::width, rows, reinterpret_cast<const double*>(values.data()));
}

void FrameColumns::add_reals(const char* name, hsize_t width, const Share& rows, const double* values) {
  if (!form_.single_precision) {
    columns_.push_back({name, file_type<double>(), memory_type<double>(), width, rows, values});
    return;
  }
  std::vector<float>& kept = rounded_.emplace_back(rows.count * width);
  std::transform(values, values + kept.size(), kept.begin(), [](double x) { return static_cast<float>(x); });
  columns_.push_back({name, file_type<float>(), memory_type<float>(), width, rows, kept.data()});
}

void FrameColumns::add_state(const char* group, const Share& rows, const std::vector<StateColumn>& state) {
  for (const StateColumn& field : state) {
    const std::string& path = state_names_.emplace_back(std::string(group) + "/" + field.name);
    add_reals(path.c_str(), field.width, rows, field.values.data());
  }
}

}  // namespace brisance::io
