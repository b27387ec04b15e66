/// A frame becomes a file. Rank 0 lays the file out (groups, header, empty datasets at their full size) and reserves
/// its disk space; then all ranks open it and fill the datasets in collective calls. So everything that can fail for an
/// everyday reason fails on one rank, outside MPI-IO, which may hang or crash when a write fails inside it.
#include "brisance/core/error.hpp"
#include "brisance/io/snapshot.hpp"

#include "io/hdf5_writer.hpp"
#include "io/posix_file.hpp"
#include "io/snapshot_columns.hpp"
#include "io/snapshot_layout.hpp"
#include "io/write_together.hpp"

#include <algorithm>
#include <span>

namespace brisance::io {

namespace {

void add_header(Hdf5Writer& file, const SnapshotHeader& header) {
  using namespace layout;
  file.rows(kFieldTime, std::vector{header.time_s});
  file.rows(kFieldStep, std::vector{header.step});
  file.rows(kFieldFrame, std::vector{header.frame});

  file.attribute(kOurs, "format_version", kSnapshotVersion);
  file.attribute(kOurs, "time_s", header.time_s);
  file.attribute(kOurs, "step", header.step);
  file.attribute(kOurs, "frame", header.frame);
  file.attribute(kOurs, "num_pieces", header.num_pieces);
  file.attribute(kOurs, "num_cracks", header.num_cracks);
  file.texts(kScene, {header.scene});
  file.texts(kMaterialNames, header.material_names);
}

void add_colliders(Hdf5Writer& file, const std::vector<Collider>& colliders) {
  std::vector<std::string> names, kinds;
  std::vector<Vec3> centres, sizes;
  std::vector<std::array<double, 4>> orientations;
  for (const Collider& collider : colliders) {
    names.push_back(collider.name);
    kinds.push_back(collider.kind);
    centres.push_back(collider.centre);
    sizes.push_back(collider.size);
    orientations.push_back(collider.orientation);
  }
  file.texts(layout::kColliderName, names);
  file.texts(layout::kColliderKind, kinds);
  file.rows(layout::kColliderCentre, centres);
  file.rows(layout::kColliderSize, sizes);
  file.rows(layout::kColliderOrientation, orientations);
}

/// The complete file but for the rows of the columns. Local, on rank 0.
void lay_out(const std::filesystem::path& path, const SnapshotHeader& header, const FrameColumns& columns) {
  // HDF5 cannot be trusted to survive a full disk, so ask before it starts; creating it gives the space back …
  constexpr std::uint64_t kMetadataBytes = 64 << 10;
  reserve_space(path, columns.total_bytes() + header.scene.size() + kMetadataBytes);
  Hdf5Writer file(path);
  for (const char* group : {layout::kVtk, layout::kPointData, layout::kCellData, layout::kFieldData, layout::kOurs,
                            layout::kBoundary, layout::kColliders})
    file.group(group);
  file.vtk_attributes();
  add_header(file, header);
  add_colliders(file, header.colliders);
  for (const Column& column : columns.all()) const Hdf5Dataset made = file.dataset(column);
  file.close();
  // … so reserve what it has become, for good.
  reserve_space(path, std::filesystem::file_size(path));
}

/// Writes this rank's rows of a column. Every rank calls it for every column; it returns or throws on each by itself.
void write_rows(const Hdf5File& file, const Column& column, const std::filesystem::path& path) {
  const std::array<hsize_t, 2> count{column.share.count, column.width};
  const std::array<hsize_t, 2> offset{column.share.offset, 0};
  const Hdf5Dataset dataset(check_hdf5(H5Dopen2(file.raw(), column.name, H5P_DEFAULT), column.name, path));
  const Hdf5Space to(H5Dget_space(dataset.raw()));
  const Hdf5Space from(H5Screate_simple(column.rank(), count.data(), nullptr));
  if (column.share.count > 0) {
    H5Sselect_hyperslab(to.raw(), H5S_SELECT_SET, offset.data(), nullptr, count.data(), nullptr);
  } else {
    H5Sselect_none(to.raw());
  }
  const Hdf5Properties transfer(H5Pcreate(H5P_DATASET_XFER));
  H5Pset_dxpl_mpio(transfer.raw(), H5FD_MPIO_COLLECTIVE);
  check_hdf5(H5Dwrite(dataset.raw(), column.memory_type, from.raw(), to.raw(), transfer.raw(), column.data),
             column.name, path);
}

/// Every rank fills in its rows. Collective; throws core::Error on all ranks.
void fill(const core::Comm& comm, const std::filesystem::path& path, const FrameColumns& columns) {
  const Hdf5Properties access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_mpio(access.raw(), comm.raw(), MPI_INFO_NULL);
  H5Pset_all_coll_metadata_ops(access.raw(), true);  // one rank reads the layout and tells the others
  Hdf5File file;
  core::agree(comm,
              [&] { file = Hdf5File(check_hdf5(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.raw()), "open", path)); });
  for (const Column& column : columns.all())
    if (column.share.total > 0) core::agree(comm, [&] { write_rows(file, column, path); });
  core::agree(comm, [&] { check_hdf5(H5Fflush(file.raw(), H5F_SCOPE_LOCAL), "flush", path); });
  core::agree(comm, [&] { check_hdf5(file.close() ? 0 : -1, "close", path); });
}

void check_lengths(const SnapshotPart& part) {
  const std::size_t nodes = part.node_id.size(), tets = part.element_id.size(), triangles = part.boundary.size();
  const bool fits = part.node_owned.size() == nodes && part.rest_position.size() == nodes &&
                    part.position.size() == nodes && part.velocity.size() == nodes && part.tets.size() == tets &&
                    part.material.size() == tets && part.piece.size() == tets && part.stress.size() == tets &&
                    (part.plastic_strain.empty() || part.plastic_strain.size() == tets) &&
                    part.boundary_element.size() == triangles && part.source_triangle.size() == triangles;
  if (!fits)
    throw core::Error("a snapshot part has arrays of different lengths (a fault of the program, please report)");
}

}  // namespace

void write_snapshot(const core::Comm& comm, const std::filesystem::path& file, const SnapshotHeader& header,
                    const SnapshotPart& part) {
  const QuietHdf5 quiet;
  core::agree(comm, [&] { check_lengths(part); });
  const FrameColumns columns(comm, part);
  write_together(
      comm, file, [&](const std::filesystem::path& temporary) { lay_out(temporary, header, columns); },
      [&](const std::filesystem::path& temporary) { fill(comm, temporary, columns); });
}

}  // namespace brisance::io
