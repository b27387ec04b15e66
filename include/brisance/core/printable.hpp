/// Text that a terminal shows as it is.
#pragma once

#include <string>
#include <string_view>

namespace brisance::core {

/// The text with all characters escaped by which a name in a file could control a terminal: control characters (ASCII
/// and Unicode's, but for line breaks, form feeds and tabs) as \x1B or \u{9B}, characters that change the direction of
/// writing as \u{202E}, and bytes that are not UTF-8 as \xFF. All else stays as it is. Local; does not throw.
[[nodiscard]] std::string printable(std::string_view text);

/// As `printable`, for a name inside a line: line breaks, form feeds and tabs are escaped as well.
[[nodiscard]] std::string printable_name(std::string_view name);

}  // namespace brisance::core
