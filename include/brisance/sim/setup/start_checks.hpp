/// What is odd about the start of a scene: said before the first step, in the log and by `brisance check`.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/sim/parameters.hpp"

#include <span>
#include <string>
#include <vector>

namespace brisance::sim {

/// Sentences that begin with "warning: ": objects that do not meet each other, materials in which linear
/// tets lock, a grain that means nothing, bodies and
/// regions far faster than pressure waves. Local; throws core::Error for a collider that cannot start as it is
/// described.
[[nodiscard]] std::vector<std::string> scene_warnings(const Scene& scene);

/// What to add to advice where equations are not solved: a sentence, begun with a blank, on materials so nearly
/// incompressible that linear tets lock; empty where there is none. Local.
[[nodiscard]] std::string advice_on_locking(const Scene& scene);

/// What the yield and the limit of each material that flows come to, as an engineer and as the papers say it. Local.
[[nodiscard]] std::vector<std::string> flow_notes(const Scene& scene);

/// Warnings for one placed object, given this rank's nodes of it: a speed far above that of pressure waves, a start
/// inside a collider. The same on all ranks. Collective; throws core::BadInput if it lies wholly inside one.
[[nodiscard]] std::vector<std::string> object_warnings(const core::Comm& comm, const Scene& scene,
                                                       const ObjectParameters& object, std::span<const Vec3> points);

}  // namespace brisance::sim
