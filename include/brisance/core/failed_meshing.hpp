/// An error after which meshing with other parameters may succeed.
#pragma once

#include "brisance/core/error.hpp"

namespace brisance::core {

/// Meshing failed for this input, but another try (with a finer mesh, say) may succeed: a mesher crashed or gave up.
/// Not thrown where a mesher ran out of memory or was stopped.
class FailedMeshing : public Error {
public:
  using Error::Error;
};

}  // namespace brisance::core
