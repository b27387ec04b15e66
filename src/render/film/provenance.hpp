/// What a picture was made of, as text in its file.
#pragma once

#include "brisance/render/options.hpp"

#include <filesystem>
#include <string>

namespace brisance::render {

inline constexpr const char* kProvenanceNote = "brisance_made_of";

/// Everything that the bits of a picture depend on, a line each: checksums of the program, of the snapshot and of the
/// image files that the options name, and all options but the number of threads. Two equal texts mean equal pictures.
/// Reads the files. Local; throws core::Error if one cannot be read.
[[nodiscard]] std::string provenance(const Options& options, const std::filesystem::path& snapshot);

}  // namespace brisance::render
