/// The connected body that each element belonged to before anything broke.
#pragma once

#include "brisance/dist/mesh.hpp"

namespace brisance::contact {

/// Sets kBody of every element. Collective.
void note_bodies(dist::Mesh& mesh);

}  // namespace brisance::contact
