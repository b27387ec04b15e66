/// Warnings about the start of a scene, given before the first step in the log and by `brisance check`.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/sim/parameters.hpp"

#include <span>
#include <string>
#include <vector>

namespace brisance::sim {

/// Sentences that begin with "warning: ": objects without contact between them, materials in which linear tets lock, a
/// grain without effect, bodies and regions far faster than pressure waves. Local; throws core::Error for a collider
/// that cannot start as described.
[[nodiscard]] std::vector<std::string> scene_warnings(const Scene& scene);

/// An addition to the advice after a failed solve: a sentence, preceded by a blank, on materials so nearly
/// incompressible that linear tets lock; empty if there is none. Local.
[[nodiscard]] std::string advice_on_locking(const Scene& scene);

/// Yield and plastic limit of each material that flows, in engineering units and in the papers'. Local.
[[nodiscard]] std::vector<std::string> flow_notes(const Scene& scene);

/// Warnings for one placed object, given this rank's nodes of it: a speed far above that of pressure waves, a start
/// inside a collider. The same on all ranks. Collective; throws core::BadInput if it lies wholly inside one.
[[nodiscard]] std::vector<std::string> object_warnings(const core::Comm& comm, const Scene& scene,
                                                       const ObjectParameters& object, std::span<const Vec3> points);

}  // namespace brisance::sim
