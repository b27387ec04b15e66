/// Bytes as text.
#pragma once

#include <string>
#include <string_view>

namespace brisance::exports {

/// Base64 of RFC 4648, without line ends.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace brisance::exports
