/// What a mesh may lose of its body, and how thin its thinnest tet may be: warnings first, then refusals.
#pragma once

#include <optional>
#include <string>

namespace brisance::mesh {

/// Beyond these there is a warning.
inline constexpr double kWarnedVolumeError = 0.02;  ///< relative, of the tets against what they fill
inline constexpr double kWarnedAltitude = 1e-3;     ///< of the thinnest tet, over the mean altitude

/// What to do about thin tets of a file.
inline constexpr const char* kTetFileRemedy =
    "Optimise the mesh in the program that made it, or mesh the body's surface anew.";

/// A warning if the tets' volume is off by more than kWarnedVolumeError, nothing if not, or where 1 is allowed. Throws
/// core::BadInput beyond what is allowed: matter is not lost in silence. Local.
/// @param error     of the volume: relative, signed
/// @param allowed   the largest magnitude
/// @param num_tets  that there are, for the advice
/// @param name      of the body: a file or a shape
[[nodiscard]] std::optional<std::string> judge_volume(double error, double allowed, double num_tets,
                                                      const std::string& name);

/// The same for the thinnest tet, which sets the time step of a run. Nothing where 0 is allowed.
/// @param smallest_m, mean_m  altitudes of the tets [m]
/// @param least               of their ratio
/// @param remedy              what to do: a sentence
[[nodiscard]] std::optional<std::string> judge_altitude(double smallest_m, double mean_m, double least,
                                                        const std::string& name, const std::string& remedy);

}  // namespace brisance::mesh
