// SPDX-License-Identifier: MIT
/// The only exception of this module, which is independent of the others.
#pragma once

#include <stdexcept>

namespace brisance::runtime {

/// An invalid file or request: the text says what, where, and what to do.
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

}  // namespace brisance::runtime
