/// Kinds of materials and lights and their parameters: what scene files can say of them, and the checks of it.
#pragma once

#include "brisance/core/named_values.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace brisance::render {

enum class ParameterForm : std::uint8_t {
  number,
  triple,  ///< a colour, a point or a direction
  choice,
  file,
};

/// A parameter of a kind. Parameters of one name mean the same in all kinds.
struct Parameter {
  std::string name;  ///< unit included: "radius_m"
  std::string unit = "–";
  std::string sentence;
  ParameterForm form = ParameterForm::number;
  std::optional<core::NamedValue> normal = {};  ///< the value where none is given; nothing: see the sentence
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool low_open = false;  ///< `low` itself is excluded
  bool is_required = false;
  std::vector<std::string> choices = {};  ///< of ParameterForm::choice
};

/// One of the materials or lights of a scene.
using Specification = core::Specification;

/// A kind of material or light.
struct Kind {
  std::string name;
  std::string sentence;
  std::vector<Parameter> parameters;
  /// Throws core::Error where values that are right by themselves do not fit together; null: they always do.
  void (*check_together)(const Specification&) = nullptr;
};

[[nodiscard]] const std::vector<Kind>& material_kinds();
[[nodiscard]] const std::vector<Kind>& light_kinds();
/// The kind of that name. Throws core::Error naming the choices.
[[nodiscard]] const Kind& kind_named(const std::vector<Kind>& kinds, const std::string& name);

/// Throws core::Error for an unknown kind, a parameter that its kind does not have or that is missing, and a value out
/// of range, of the wrong form, or not among the choices, and for values that do not fit together. Files are not read.
void check(const std::vector<Kind>& kinds, const Specification& specification);

}  // namespace brisance::render
