/// Values of a specification by the names of its kind's parameters.
#pragma once

#include "brisance/render/colour.hpp"
#include "brisance/render/kinds.hpp"

namespace brisance::render {

/// Given values, or the normal ones of the kind. The specification has been checked; both outlive this object.
class Values {
public:
  Values(const Kind& kind, const Specification& specification) : kind_(kind), given_(specification.values) {}

  /// Is there a value, given or normal?
  [[nodiscard]] bool has(const std::string& name) const { return find(name) != nullptr; }
  /// These have a value: they are required, have a normal one, or has() says so.
  [[nodiscard]] float number(const std::string& name) const;
  [[nodiscard]] Vec3 triple(const std::string& name) const;
  [[nodiscard]] Rgb colour(const std::string& name) const { return triple(name).cast<float>().array(); }
  [[nodiscard]] const std::string& text(const std::string& name) const;

private:
  [[nodiscard]] const core::NamedValue* find(const std::string& name) const;

  const Kind& kind_;
  const core::NamedValues& given_;
};

}  // namespace brisance::render
