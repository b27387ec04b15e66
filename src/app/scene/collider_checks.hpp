/// Checks of a [[collider]] that involve several keys.
#pragma once

#include "brisance/contact/parameters.hpp"

#include "app/scene/origins.hpp"

#include <cstddef>

namespace brisance::app {

/// Throws core::Error, with the place in the file, for the first error of the i-th collider.
void check_collider(const contact::ColliderParameters& collider, std::size_t i, const Origins& origins);

}  // namespace brisance::app
