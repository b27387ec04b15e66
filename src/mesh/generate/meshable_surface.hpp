/// The surface of a request's file, ready to be filled.
#pragma once

#include "brisance/mesh/generate/generate.hpp"

namespace brisance::mesh {

/// Reads the file and scales it. Throws core::Error. Local.
[[nodiscard]] Surface read_scaled(const Request& request);

/// The file's surface, with the cavity of the request, checked; wrapped if it has faults and the request allows it (a
/// cage is a wrap anyway). What was found and changed is in the report's notes. Throws core::Error if the surface
/// bounds no body. Local.
[[nodiscard]] Surface meshable_surface(const Request& request, MeshReport& report);

}  // namespace brisance::mesh
