/// Estimates the size of a play's output before anything is written.
#pragma once

#include "brisance/breaking/debris.hpp"
#include "brisance/breaking/playback.hpp"

namespace brisance::breaking {

struct PlannedOutput {
  std::int64_t num_snapshots = 0, bytes_a_snapshot = 0;
  std::int64_t num_keyframes = 0, animation_bytes = 0;  ///< 0 where there is no animation

  [[nodiscard]] double bytes() const {
    return static_cast<double>(num_snapshots) * static_cast<double>(bytes_a_snapshot) +
           static_cast<double>(animation_bytes);
  }
};

/// An upper bound, a few percent above the actual size. Collective.
[[nodiscard]] PlannedOutput planned_output(const core::Comm& comm, const Debris& debris,
                                           const DebrisParameters& parameters, const DebrisOutput& output);
/// The same for an object that breaks along its modes, as if all of its faces were open. Collective.
[[nodiscard]] PlannedOutput planned_output(const core::Comm& comm, const Playback& playback,
                                           const PlaybackParameters& parameters, const std::string& scene);

}  // namespace brisance::breaking
