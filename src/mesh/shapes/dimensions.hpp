/// Checks of the dimensions of a shape or file, worded with the keys of the scene.
#pragma once

#include "brisance/mesh/request.hpp"
#include "brisance/mesh/surface.hpp"

#include <string>

namespace brisance::mesh {

/// Throws core::Error with that name unless the value is positive and within the limits of lengths.
void require_positive(const std::string& name, double value);

/// The same, and `name` must be below `bound`, called `bound_name`.
void require_below(const std::string& name, double value, const std::string& bound_name, double bound);

/// Scales the surface of a file to metres. Throws core::Error naming the scale or the file unless the scale is positive
/// and finite and the body then within the limits of lengths.
void scale(Surface& surface, const Request& request);

}  // namespace brisance::mesh
