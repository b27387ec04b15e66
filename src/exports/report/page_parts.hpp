/// What pages have in common: libraries, and places to fill.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace brisance::exports {

/// A library's text. Throws core::Error if it is missing; `package` is Debian's, for the message. Local.
[[nodiscard]] std::string library(const std::filesystem::path& folder, const char* name, const char* package);

/// JSON inside a script element: "</" would end it.
[[nodiscard]] std::string script_text(const nlohmann::json& value);

/// Replaces {{name}}, once.
void fill(std::string& page, std::string_view name, std::string_view text);

}  // namespace brisance::exports
