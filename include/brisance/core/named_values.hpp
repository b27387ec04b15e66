/// Values by name, as one table of a scene file gives them to a module that declares its own parameters.
#pragma once

#include "brisance/core/types.hpp"

#include <map>
#include <string>
#include <variant>

namespace brisance::core {

/// A number, three numbers, or a text.
using NamedValue = std::variant<double, Vec3, std::string>;
using NamedValues = std::map<std::string, NamedValue>;

/// An entry of such a table: one of several things of some kinds.
struct Specification {
  std::string name;
  std::string kind;
  NamedValues values;
};

}  // namespace brisance::core
