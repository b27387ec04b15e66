/// Axis-aligned boxes.
#pragma once

#include "brisance/core/types.hpp"

namespace brisance::contact {

struct Box {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< [m]
};

}  // namespace brisance::contact
