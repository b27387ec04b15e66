#include "io/write_columns.hpp"

#include "brisance/core/blocks.hpp"
#include "brisance/core/error.hpp"
#include "brisance/io/checksums.hpp"

#include "io/posix_file.hpp"
#include "io/write_together.hpp"

#include <array>

namespace brisance::io {

namespace {

std::uint64_t total_bytes(std::span<const Column> columns) {
  std::uint64_t bytes = 0;
  for (const Column& c : columns) bytes += c.share.total * c.width * H5Tget_size(c.file_type);
  return bytes;
}

/// Writes some of this rank's rows of a column. Collective; returns or throws on each rank independently.
void write_rows(const Hdf5File& file, const Column& column, const core::Block& rows,
                const std::filesystem::path& path) {
  const std::array<hsize_t, 2> count{static_cast<hsize_t>(rows.count), column.width};
  const std::array<hsize_t, 2> offset{column.share.offset + static_cast<hsize_t>(rows.first), 0};
  const Hdf5Dataset dataset(check_hdf5(H5Dopen2(file.raw(), column.name, H5P_DEFAULT), column.name, path));
  const Hdf5Space to(H5Dget_space(dataset.raw()));
  const Hdf5Space from(H5Screate_simple(column.rank(), count.data(), nullptr));
  if (rows.count > 0) {
    H5Sselect_hyperslab(to.raw(), H5S_SELECT_SET, offset.data(), nullptr, count.data(), nullptr);
  } else {
    H5Sselect_none(to.raw());
  }
  const Hdf5Properties transfer(H5Pcreate(H5P_DATASET_XFER));
  H5Pset_dxpl_mpio(transfer.raw(), H5FD_MPIO_COLLECTIVE);
  const auto* data = static_cast<const std::byte*>(column.data) +
                     static_cast<std::size_t>(rows.first) * column.width * H5Tget_size(column.memory_type);
  check_hdf5(H5Dwrite(dataset.raw(), column.memory_type, from.raw(), to.raw(), transfer.raw(), data), column.name,
             path);
}

/// Writes the rows of all ranks. Collective; throws core::Error on all ranks.
void fill(const core::Comm& comm, const std::filesystem::path& path, std::span<const Column> columns,
          std::uint64_t most_bytes_a_write) {
  const Hdf5Properties access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_mpio(access.raw(), comm.raw(), MPI_INFO_NULL);
  H5Pset_all_coll_metadata_ops(access.raw(), true);  // one rank reads the layout and tells the others
  Hdf5File file;
  core::agree(comm,
              [&] { file = Hdf5File(check_hdf5(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.raw()), "open", path)); });
  for (const Column& column : columns) {
    if (column.share.total == 0) continue;
    const std::uint64_t bytes = column.share.count * column.width * H5Tget_size(column.memory_type);
    const auto num_writes = static_cast<int>(comm.max(bytes / most_bytes_a_write + 1));
    for (int w = 0; w < num_writes; ++w)
      core::agree(comm, [&] {
        write_rows(file, column, core::block_of(static_cast<std::int64_t>(column.share.count), w, num_writes), path);
      });
  }
  core::agree(comm, [&] { check_hdf5(H5Fflush(file.raw(), H5F_SCOPE_LOCAL), "flush", path); });
  core::agree(comm, [&] { check_hdf5(file.close() ? 0 : -1, "close", path); });
}

}  // namespace

std::vector<std::uint64_t> lay_out_columns(const std::filesystem::path& path, std::span<const Column> columns,
                                           const FileForm& form, const std::function<void(Hdf5Writer&)>& rest) {
  // HDF5 may crash on a full disk, so the space is tested first; creating the file frees it again …
  constexpr std::uint64_t kMetadataBytes = 64 << 10;
  const std::uint64_t bytes = total_bytes(columns);
  const bool deflates = form.deflate_level > 0;
  require_fresh(path);
  reserve_space(path, bytes + form.rest_bytes + kMetadataBytes);
  Hdf5Writer file(path);
  rest(file);
  std::vector<std::uint64_t> begin;
  for (const Column& column : columns) {
    const Hdf5Dataset made = file.dataset(column, form.deflate_level);
    const haddr_t address = column.share.total > 0 && !deflates ? H5Dget_offset(made.raw()) : 0;
    check_hdf5(address == HADDR_UNDEF ? -1 : 0, column.name, path);
    begin.push_back(address);
  }
  file.close();
  // … so reserve the space of the finished layout; for deflated rows, whose size is not known in advance, the upper
  // bound: the excess is freed when the file is closed.
  reserve_space(path, std::filesystem::file_size(path) + (deflates ? bytes + kMetadataBytes : 0));
  return begin;
}

void write_columns(const core::Comm& comm, const std::filesystem::path& file, std::span<const Column> columns,
                   const FileForm& form, const std::function<void(Hdf5Writer&)>& rest) {
  write_together(
      comm, file,
      [&](const std::filesystem::path& temporary) {
        static_cast<void>(lay_out_columns(temporary, columns, form, rest));
      },
      [&](const std::filesystem::path& temporary) {
        fill(comm, temporary, columns, form.most_bytes_a_write);
        if (form.with_checksums) write_checksums(comm, temporary, checksums_name(file));
      });
}

}  // namespace brisance::io
