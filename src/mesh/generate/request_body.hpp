/// The body that a request describes.
#pragma once

#include "brisance/mesh/generate/generate.hpp"

#include "mesh/generate/fill_body.hpp"

#include <cstdint>

namespace brisance::mesh {

inline constexpr std::int64_t kDefaultTets = 20000;

/// The body of a shape, of a file's surface, or of the cage around one. The body refers to the report, whose notes its
/// surfaces add to. Throws core::Error on everything the user can correct. Local.
[[nodiscard]] Body body_of(const Request& request, MeshReport& report);

/// An edge length with about that number of tets, to start a search from [m]. Local.
[[nodiscard]] double first_guess_m(const Body& body, double num_tets);

}  // namespace brisance::mesh
