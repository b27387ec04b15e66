/// JSON as text, whatever bytes the names in it have.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace brisance::io {

/// The value as JSON text. Bytes that are not UTF-8, as in names of files from other systems, become U+FFFD: a message
/// must not be lost for one of them. Use it wherever JSON is written, in place of `dump`. Local; does not throw.
/// @param indent  blanks a level; -1: all on one line
template <class Json>
[[nodiscard]] std::string json_text(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace brisance::io
