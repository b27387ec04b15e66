#include "parameters.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace brisance::render {
namespace {

const Parameter* parameter_named(const Kind& kind, const std::string& name) {
  const auto found = std::ranges::find(kind.parameters, name, &Parameter::name);
  return found == kind.parameters.end() ? nullptr : &*found;
}

std::string names_of(const std::vector<Parameter>& parameters) {
  std::string names;
  for (const Parameter& each : parameters) names += (names.empty() ? "" : ", ") + each.name;
  return names;
}

bool is_within(const Parameter& parameter, double x) {
  return (parameter.low_open ? x > parameter.low : x >= parameter.low) && x <= parameter.high;
}

/// Does a value have the form of its parameter, and every number of it lie in the range?
bool is_valid(const Parameter& parameter, const core::NamedValue& value) {
  if (const auto* number = std::get_if<double>(&value))
    return parameter.form == ParameterForm::number && is_within(parameter, *number);
  if (const auto* triple = std::get_if<Vec3>(&value))
    return parameter.form == ParameterForm::triple &&
           std::ranges::all_of(*triple, [&](double x) { return is_within(parameter, x); });
  if (parameter.form == ParameterForm::file) return true;
  return parameter.form == ParameterForm::choice &&
         std::ranges::find(parameter.choices, std::get<std::string>(value)) != parameter.choices.end();
}

std::string requirement_of(const Parameter& parameter) {
  if (parameter.form == ParameterForm::choice) return fmt::format("one of {}", fmt::join(parameter.choices, ", "));
  return fmt::format("{} from {}{} to {}", parameter.form == ParameterForm::triple ? "three numbers" : "a number",
                     parameter.low_open ? "above " : "", parameter.low, parameter.high);
}

}  // namespace

const Kind& kind_named(const std::vector<Kind>& kinds, const std::string& name) {
  const auto found = std::ranges::find(kinds, name, &Kind::name);
  if (found != kinds.end()) return *found;
  std::string choices;
  for (const Kind& each : kinds) choices += (choices.empty() ? "" : ", ") + each.name;
  throw core::Error("there is no kind \"" + name + "\". Choose one of " + choices + ".");
}

void check(const std::vector<Kind>& kinds, const Specification& specification) {
  const Kind& kind = kind_named(kinds, specification.kind);
  for (const auto& [name, value] : specification.values) {
    const Parameter* parameter = parameter_named(kind, name);
    if (parameter == nullptr)
      throw core::Error(fmt::format("{} is not a parameter of the kind \"{}\", which has {}. Leave it out.", name,
                                    kind.name, names_of(kind.parameters)));
    if (!is_valid(*parameter, value))
      throw core::Error(fmt::format("{} must be {}.", name, requirement_of(*parameter)));
  }
  for (const Parameter& parameter : kind.parameters)
    if (parameter.is_required && !specification.values.contains(parameter.name))
      throw core::Error(fmt::format("the kind \"{}\" needs {}.", kind.name, parameter.name));
  if (kind.check_together != nullptr) kind.check_together(specification);
}

const core::NamedValue* Values::find(const std::string& name) const {
  const auto given = given_.find(name);
  if (given != given_.end()) return &given->second;
  const Parameter* parameter = parameter_named(kind_, name);
  return parameter != nullptr && parameter->normal ? &*parameter->normal : nullptr;
}

float Values::number(const std::string& name) const { return static_cast<float>(std::get<double>(*find(name))); }
Vec3 Values::triple(const std::string& name) const { return std::get<Vec3>(*find(name)); }
const std::string& Values::text(const std::string& name) const { return std::get<std::string>(*find(name)); }

}  // namespace brisance::render
