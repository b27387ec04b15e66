/// A file that all ranks write, and that appears complete or not at all.
#pragma once

#include "brisance/core/comm.hpp"

#include <filesystem>
#include <functional>

namespace brisance::io {

/// Makes `file` under its temporary name and publishes it: `lay_out` runs on rank 0 alone and makes the file at its
/// full size, `fill` on all ranks (collective; it throws on all or none). Collective; throws core::Error on all ranks,
/// removes the temporary file and keeps the former `file`.
void write_together(const core::Comm& comm, const std::filesystem::path& file,
                    const std::function<void(const std::filesystem::path& temporary)>& lay_out,
                    const std::function<void(const std::filesystem::path& temporary)>& fill);

}  // namespace brisance::io
