/// A failure that says nothing of the next attempt.
#pragma once

#include "brisance/core/error.hpp"

namespace brisance::core {

/// A step that came to nothing with what it was given, where another attempt (a finer mesh, say) may succeed: a mesher
/// that crashed or gave up over its input, not one that ran out of memory or was stopped.
class FailedMeshing : public Error {
public:
  using Error::Error;
};

}  // namespace brisance::core
