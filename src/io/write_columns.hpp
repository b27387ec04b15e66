/// An HDF5 file whose datasets are written by all ranks.
#pragma once

#include "brisance/core/comm.hpp"

#include "io/column.hpp"
#include "io/hdf5_writer.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

namespace brisance::io {

/// Most bytes in one call of MPI-IO: its counts have 32 bits.
inline constexpr std::uint64_t kMostBytesAWrite = std::uint64_t{1} << 30;

/// Options of the file.
struct FileForm {
  std::uint64_t rest_bytes = 0;  ///< estimated size of what `rest` writes, if large; on rank 0, as is `rest`
  int deflate_level = 0;         ///< compression of the columns, 1 to 9; 0: rows are stored as they are in memory
  std::uint64_t most_bytes_a_write = kMostBytesAWrite;
  bool with_checksums = false;  ///< writes checksums.hpp's file first: a kill leaves both or neither
};

/// Makes the complete file without the rows of the columns, at its full size, with its disk space reserved.
/// @return position of each column's rows [bytes from the start of the file]; those of all ranks follow in rank order.
/// 0 for a column without rows, and for all where they are deflated.
/// Local, on rank 0; throws core::Error.
[[nodiscard]] std::vector<std::uint64_t> lay_out_columns(const std::filesystem::path& file,
                                                         std::span<const Column> columns, const FileForm& form,
                                                         const std::function<void(Hdf5Writer&)>& rest);

/// Rank 0 lays the file out (`rest`: all but the columns; then the columns, empty, at their full size) and reserves its
/// disk space, as much as it takes without deflating; then all ranks open it and write the columns in collective calls.
/// So everyday failures occur on one rank, outside MPI-IO, which may hang or crash when a write inside it fails.
/// @param columns  the same on all ranks except for shares and data
/// Collective; throws core::Error on all ranks and keeps the former `file`.
void write_columns(const core::Comm& comm, const std::filesystem::path& file, std::span<const Column> columns,
                   const FileForm& form, const std::function<void(Hdf5Writer&)>& rest);

}  // namespace brisance::io
