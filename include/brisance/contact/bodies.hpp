/// Which connected bodies there were before anything broke.
#pragma once

#include "brisance/dist/mesh.hpp"

namespace brisance::contact {

/// Names every element after the body it is part of (kBody). Collective.
void note_bodies(dist::Mesh& mesh);

}  // namespace brisance::contact
