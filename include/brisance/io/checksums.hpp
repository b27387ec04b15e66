/// Checksums of a file's blocks, kept beside it: a file that is not what was written is recognised, whatever changed.
#pragma once

#include "brisance/core/comm.hpp"

#include <filesystem>

namespace brisance::io {

/// NAME.sums, beside the file.
[[nodiscard]] std::filesystem::path checksums_name(const std::filesystem::path& file);

/// Reads a file that is complete but may not have its name yet, each rank some of its blocks of 1 MiB, and writes their
/// CRC-32 into the file `beside`, atomically. Collective; throws core::Error on all ranks.
void write_checksums(const core::Comm& comm, const std::filesystem::path& file, const std::filesystem::path& beside);

/// Throws core::Error on all ranks, naming the first block that is not what it was, if file and checksums do not agree
/// or one of them is missing. Collective.
void require_checksums(const core::Comm& comm, const std::filesystem::path& file);

}  // namespace brisance::io
