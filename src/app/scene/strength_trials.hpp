/// Number of pieces of a scene at other strengths: runs of a coarse copy of it, without output.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace brisance::app {

/// The copy used by all trials.
struct StrengthCopy {
  std::int64_t tets = 0;              ///< before the first crack
  double edges = 1;                   ///< its edges over the scene's own [–]
  std::vector<std::string> warnings;  ///< warnings about its mesh; lines that begin with "warning: "
};

/// Result of a trial, and the reason of its end.
struct StrengthTrial {
  enum class End : std::uint8_t {
    scene,          ///< the scene's end was reached
    no_new_cracks,  ///< no new crack for as long as cracks had occurred, and for a tenth of the scene
    limit,          ///< it took longer than kMostTrialSeconds
    error,          ///< it could not continue
  };
  double factor = 1;                                      ///< factor on the scene's strength [–]
  std::int64_t pieces = 0, large_pieces = 0, cracks = 0;  ///< large: above kLargePiece of the mass
  double largest_share = 0;                               ///< share of the mass [–]
  double time_s = 0;                                      ///< simulated time
  End end = End::scene;
  std::string error;
};

inline constexpr double kLargePiece = 0.01;         ///< share of the mass [–]
inline constexpr double kMostTrialSeconds = 60;     ///< wall time of a trial [s]
inline constexpr double kStrengthTrialTets = 3000;  ///< tets of the copy, where the scene has more

/// The scene with all strengths, toughnesses and stress intensities multiplied by `factor`, and crack energies by its
/// square. Local.
[[nodiscard]] sim::Scene strengthened(sim::Scene scene, double factor);

/// Meshes the copy and runs it at each of the factors, one after the other. `say` is called on every rank with each
/// result as soon as it is known. Nothing is written. Collective; throws core::Error on all ranks if no copy of the
/// scene can be meshed, core::BadInput if nothing in the scene can break.
/// @param tets  estimated number for the scene
std::vector<StrengthTrial> try_strengths(const core::Comm& comm, const sim::Scene& scene, double tets,
                                         const std::vector<double>& factors,
                                         const std::function<void(const StrengthCopy&)>& say_copy,
                                         const std::function<void(const StrengthTrial&)>& say);

}  // namespace brisance::app
