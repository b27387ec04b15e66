/// Bounds on the volume that a mesh may lose and on its thinnest tet: a warning first, then an error.
#pragma once

#include <optional>
#include <string>

namespace brisance::mesh {

/// Bounds of the warnings.
inline constexpr double kWarnedVolumeError = 0.02;  ///< relative volume error of the tets
inline constexpr double kWarnedAltitude = 1e-3;     ///< smallest altitude over the mean altitude

/// Advice about thin tets of a file.
inline constexpr const char* kTetFileRemedy =
    "Optimise the mesh in the program that made it, or mesh the body's surface anew.";

/// A warning if the tets' volume error exceeds kWarnedVolumeError; none below, or where 1 is allowed. Throws
/// core::BadInput beyond the allowed error: material is not lost silently. Local.
/// @param error     relative volume error, signed
/// @param allowed   its largest magnitude
/// @param num_tets  number of tets, for the advice
/// @param name      a file or a shape
[[nodiscard]] std::optional<std::string> judge_volume(double error, double allowed, double num_tets,
                                                      const std::string& name);

/// The same for the thinnest tet, which sets the time step of a run. None where 0 is allowed.
/// @param smallest_m, mean_m  altitudes of the tets [m]
/// @param least               bound on their ratio
/// @param remedy              advice: a sentence
[[nodiscard]] std::optional<std::string> judge_altitude(double smallest_m, double mean_m, double least,
                                                        const std::string& name, const std::string& remedy);

}  // namespace brisance::mesh
