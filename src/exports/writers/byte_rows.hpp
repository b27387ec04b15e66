/// Numbers appended to a text as little-endian bytes.
#pragma once

#include <string>

namespace brisance::exports {

/// Appends the value as a T; this program runs on little-endian machines only.
template <class T, class Value>
void append(std::string& bytes, Value value) {
  const T converted = static_cast<T>(value);
  bytes.append(reinterpret_cast<const char*>(&converted), sizeof converted);
}

}  // namespace brisance::exports
