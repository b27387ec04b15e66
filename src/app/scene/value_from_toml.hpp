/// Converts a TOML node to the value of a key: checks type and range, stores nothing.
#pragma once

#include "app/scene/key.hpp"
#include "app/scene/toml.hpp"

#include <functional>
#include <string>

namespace brisance::app {

/// Calls `complain` (which must throw) with "must be a number …" or "must be positive (glass is near 2500)." if the
/// node does not fit the key.
[[nodiscard]] Value value_from_toml(const Key& key, const toml::node& node,
                                    const std::function<void(const std::string&)>& complain);

/// The node as it may have been written, on one line and truncated if long.
[[nodiscard]] std::string source_text(const toml::node& node);

}  // namespace brisance::app
