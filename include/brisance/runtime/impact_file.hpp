// SPDX-License-Identifier: MIT
/// The runtime file: an ImpactSet as bytes (docs/FORMAT.md, "Runtime file").
#pragma once

#include "brisance/runtime/impact_set.hpp"

#include <string>
#include <string_view>

namespace brisance::runtime {

/// Versions: of one generation of modes, and of several (ImpactSet::own). Both can be read.
inline constexpr std::uint32_t kImpactFileVersion = 1, kGenerationsVersion = 2;
/// Most generations that a file may have.
inline constexpr int kMostGenerations = 8;

/// The contents of the file. The same set gives the same bytes.
[[nodiscard]] std::string encode(const ImpactSet& set);

/// The set in a file's bytes; `name` is for messages. Throws Error if they are no runtime file, of another version,
/// truncated, damaged (checksum), or inconsistent.
[[nodiscard]] ImpactSet decode(std::string_view bytes, const std::string& name);

/// Do the bytes begin like a runtime file?
[[nodiscard]] bool is_impact_file(std::string_view bytes);

/// Reads a file from disk. Throws Error as decode, or if it cannot be opened.
[[nodiscard]] ImpactSet read_impact_file(const std::string& path);

}  // namespace brisance::runtime
