/// Checks of time.basis and its keys.
#pragma once

#include "brisance/sim/parameters.hpp"

#include "app/scene/origins.hpp"

namespace brisance::app {

/// Refuses keys of the hierarchical basis without it, and scenes that it does not support: throws core::Error, with the
/// place in the file, for the first error.
void check_basis(const sim::Scene& scene, const Origins& origins);

}  // namespace brisance::app
