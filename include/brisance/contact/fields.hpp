/// What nodes remember for the sake of contact.
#pragma once

#include "brisance/dist/fields.hpp"

namespace brisance::contact {

/// Penetration of a collider that is not punished, since the node was born there.
inline constexpr dist::NodeFieldDeclaration<double> kForgivenDepth{
    .name = "forgiven_depth", .unit = "m", .birth = dist::AtBirth::mean, .ghosts = dist::Ghosts::refreshed};

[[nodiscard]] inline dist::FieldList fields() { return dist::FieldList().add(kForgivenDepth); }

}  // namespace brisance::contact
