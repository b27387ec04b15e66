/// Checksums of a file's blocks, in a file beside it: they detect any change of what was written.
#pragma once

#include "brisance/core/comm.hpp"

#include <filesystem>

namespace brisance::io {

/// NAME.sums, beside the file.
[[nodiscard]] std::filesystem::path checksums_name(const std::filesystem::path& file);

/// Reads a complete file, which may still have its temporary name, each rank some of its blocks of 1 MiB, and writes
/// their CRC-32 into the file `beside`, atomically. Collective; throws core::Error on all ranks.
void write_checksums(const core::Comm& comm, const std::filesystem::path& file, const std::filesystem::path& beside);

/// Throws core::Error on all ranks, naming the first block that differs, if file and checksums do not agree or one of
/// them is missing. Collective.
void require_checksums(const core::Comm& comm, const std::filesystem::path& file);

}  // namespace brisance::io
