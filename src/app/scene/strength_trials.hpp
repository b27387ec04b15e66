/// How many pieces a scene gives at other strengths: runs of a coarse copy of it, without output.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace brisance::app {

/// The copy that all trials start from.
struct StrengthCopy {
  std::int64_t tets = 0;              ///< before the first crack
  double edges = 1;                   ///< its edges over the scene's own [–]
  std::vector<std::string> warnings;  ///< of its mesh; lines that begin with "warning: "
};

/// What came of a trial, and why it ended.
struct StrengthTrial {
  enum class End : std::uint8_t {
    scene,  ///< at the scene's end
    quiet,  ///< no new crack for as long as cracks had come, and for a tenth of the scene
    limit,  ///< it had taken kMostTrialSeconds
    error,  ///< it could not go on
  };
  double factor = 1;                                      ///< of the scene's strength [–]
  std::int64_t pieces = 0, large_pieces = 0, cracks = 0;  ///< large: above kLargePiece of the mass
  double largest_share = 0;                               ///< of the mass [–]
  double time_s = 0;                                      ///< simulated
  End end = End::scene;
  std::string error;
};

inline constexpr double kLargePiece = 0.01;         ///< of the mass [–]
inline constexpr double kMostTrialSeconds = 60;     ///< wall seconds of a trial
inline constexpr double kStrengthTrialTets = 3000;  ///< of the copy, where the scene has more

/// The scene with everything that breaks `factor` times as strong: strengths, toughnesses and stress intensities; crack
/// energies by its square. Local.
[[nodiscard]] sim::Scene strengthened(sim::Scene scene, double factor);

/// Meshes the copy and runs it at each of the factors, one after the other. `say` hears of each on every rank as soon
/// as it is known. Nothing is written. Collective; throws core::Error on all ranks if no copy of the scene can be
/// meshed, core::BadInput if nothing in the scene can break.
/// @param tets  of the scene, about
std::vector<StrengthTrial> try_strengths(const core::Comm& comm, const sim::Scene& scene, double tets,
                                         const std::vector<double>& factors,
                                         const std::function<void(const StrengthCopy&)>& say_copy,
                                         const std::function<void(const StrengthTrial&)>& say);

}  // namespace brisance::app
