/// What the dimensions of a shape must satisfy, said in the words of the scene.
#pragma once

#include <string>

namespace brisance::mesh {

/// Throws core::Error naming mesh.`name` unless the value is positive and finite.
void require_positive(const std::string& name, double value);

/// The same, and `name` must be below `bound`, called `bound_name`.
void require_below(const std::string& name, double value, const std::string& bound_name, double bound);

}  // namespace brisance::mesh
