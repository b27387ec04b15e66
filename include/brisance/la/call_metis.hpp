/// Calls of METIS in a program that has a use of its own for SIGTERM.
#pragma once

#include <functional>

namespace brisance::la {

/// While METIS works it catches SIGTERM itself and returns METIS_ERROR, which it does for no other reason. Then this
/// calls it again, and at the end raises the signal: the program acts on it as if METIS had not been there.
/// @param call  calls a function of METIS and returns its status; its arguments are the same each time
/// Returns the status of the last call. Local.
[[nodiscard]] int call_metis(const std::function<int()>& call);

}  // namespace brisance::la
