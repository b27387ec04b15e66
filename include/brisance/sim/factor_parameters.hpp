/// Strength and stiffness that vary within a material (docs/MATERIALS.md).
#pragma once

#include "brisance/sim/part_parameters.hpp"

#include <cstdint>
#include <string>

namespace brisance::sim {

enum class FactorOf : std::uint8_t { strength, stiffness };

/// A factor on the strength (toughness) or the stiffness of tets: by a formula, by a field of the objects' files, or by
/// chance. Where several concern a tet they multiply.
struct FactorParameters {
  FactorOf of = FactorOf::strength;
  std::string material;        ///< name of the only material it concerns; empty: of all
  std::string object;          ///< name of the only object it concerns; empty: of all
  Frame frame = Frame::world;  ///< of the formula's coordinates
  std::string formula;         ///< in x, y and z [m], the middle of the tet at rest
  std::string field;           ///< name of a field on points or tets of the object's file
  double weibull_modulus = 0;  ///< 0: no chance
  /// Volume whose strength the material states; a tet of another is stronger or weaker as the weakest of as many flaws
  /// as it has room for; 0: every tet counts as one of it [m³].
  double reference_volume_m3 = 0;
  std::uint64_t seed = 1;
};

/// Whether it concerns the object of that name. Local.
[[nodiscard]] inline bool concerns(const FactorParameters& factor, const std::string& object) {
  return factor.object.empty() || factor.object == object;
}

}  // namespace brisance::sim
