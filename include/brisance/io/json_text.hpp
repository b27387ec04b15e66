/// JSON text from names with arbitrary bytes.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace brisance::io {

/// The value as JSON text. Bytes that are not UTF-8, as in file names from other systems, become U+FFFD instead of an
/// exception. Use it wherever JSON is written, in place of `dump`. Local; does not throw.
/// @param indent  blanks for each level; -1: all on one line
template <class Json>
[[nodiscard]] std::string json_text(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace brisance::io
