/// The table of failure criteria. A new one is a row here and a file of its own.
#pragma once

#include "brisance/fracture/criteria/criterion.hpp"

#include <array>

namespace brisance::fracture {

extern const CriterionKind kSeparation, kPrincipalStress;

inline constexpr std::array kCriterionKinds{&kSeparation, &kPrincipalStress};

}  // namespace brisance::fracture
