/// An HDF5 file whose datasets all ranks fill.
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

/// Bytes that a rank hands to MPI-IO at once: its counts are of 32 bits.
inline constexpr std::uint64_t kMostBytesAWrite = std::uint64_t{1} << 30;

/// How the file is made.
struct FileForm {
  std::uint64_t rest_bytes = 0;  ///< roughly what `rest` writes, if much; of rank 0, as is `rest`
  int deflate_level = 0;         ///< of the columns, 1 to 9; 0: rows lie in the file as they are in memory
  std::uint64_t most_bytes_a_write = kMostBytesAWrite;
  bool with_checksums = false;  ///< beside it (checksums.hpp), there before the file is: a kill leaves both or neither
};

/// Makes the complete file but for the rows of the columns, at its full size, with its disk space reserved.
/// @return where the rows of each column begin [bytes from the start of the file]; those of all ranks follow in rank
///         order. 0 of a column without rows, and of all where they are deflated.
/// Local, on rank 0; throws core::Error.
[[nodiscard]] std::vector<std::uint64_t> lay_out_columns(const std::filesystem::path& file,
                                                         std::span<const Column> columns, const FileForm& form,
                                                         const std::function<void(Hdf5Writer&)>& rest);

/// Rank 0 lays the file out (`rest`: all but the columns, then those empty, at their full size) and reserves its disk
/// space, as much as it takes without deflating; then all ranks open it and fill the columns in collective calls. So
/// everything that can fail for an everyday reason fails on one rank, outside MPI-IO, which may hang or crash when a
/// write fails inside it.
/// @param columns  the same on all ranks but for shares and data
/// Collective; throws core::Error on all ranks, with what was under `file` before still there.
void write_columns(const core::Comm& comm, const std::filesystem::path& file, std::span<const Column> columns,
                   const FileForm& form, const std::function<void(Hdf5Writer&)>& rest);

}  // namespace brisance::io
