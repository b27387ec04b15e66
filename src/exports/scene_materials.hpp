/// Numbers of a frame's materials, from the text of the scene as run.
#pragma once

#include <string>
#include <vector>

namespace brisance::exports {

/// Of each name, from the text of the scene as run [kg/m³]; a crushed form has that of its material.
/// @param given  if positive, of all
/// Local; names that the text does not have get kUnknownDensity, and so do all if it is no TOML.
[[nodiscard]] std::vector<double> densities(const std::string& scene, const std::vector<std::string>& names,
                                            double given);

inline constexpr double kUnknownDensity = 1000;

/// The lowest strength_pa of the scene's materials; 0 if none has one, or the text is no TOML. Local.
[[nodiscard]] double lowest_strength_pa(const std::string& scene);

}  // namespace brisance::exports
