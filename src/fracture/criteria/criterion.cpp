#include "brisance/fracture/criteria/criterion.hpp"

#include "brisance/core/error.hpp"

#include "fracture/criteria/kinds.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace brisance::fracture {

std::span<const CriterionKind* const> criterion_kinds() { return kCriterionKinds; }

const CriterionKind& criterion_kind(const std::string& name) {
  const auto found =
      std::ranges::find_if(kCriterionKinds, [&](const CriterionKind* kind) { return kind->name == name; });
  if (found != kCriterionKinds.end()) return **found;
  std::vector<std::string> names;
  for (const CriterionKind* kind : kCriterionKinds) names.emplace_back(kind->name);
  throw core::Error(
      fmt::format("fracture.criterion = \"{}\" is none of these: {}. Choose one.", name, fmt::join(names, ", ")));
}

std::unique_ptr<Criterion> make_criterion(const Parameters& parameters) {
  return criterion_kind(parameters.criterion).make(parameters);
}

}  // namespace brisance::fracture
