/// A file that all ranks fill and that appears whole or not at all.
#pragma once

#include "brisance/core/comm.hpp"

#include <filesystem>
#include <functional>

namespace brisance::io {

/// Makes `file` under its temporary name and publishes it: `lay_out` runs on rank 0 alone and makes the file at its
/// full size, `fill` on all ranks (collective; it throws on all or none). Collective; throws core::Error on all ranks,
/// with the temporary file gone and what was under `file` before still there.
void write_together(const core::Comm& comm, const std::filesystem::path& file,
                    const std::function<void(const std::filesystem::path& temporary)>& lay_out,
                    const std::function<void(const std::filesystem::path& temporary)>& fill);

}  // namespace brisance::io
