/// The one exception of this room, which knows nothing of the others.
#pragma once

#include <stdexcept>

namespace brisance::runtime {

/// A file or a request that makes no sense: what, where, what to do.
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

}  // namespace brisance::runtime
