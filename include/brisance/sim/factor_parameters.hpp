/// Strength and stiffness that vary within a material (docs/MATERIALS.md).
#pragma once

#include "brisance/sim/part_parameters.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace brisance::sim {

enum class FactorOf : std::uint8_t { strength, stiffness };
/// The vertex colour of the input surface that is read; none: another source.
enum class VertexColour : std::uint8_t { none, luminance, red, green, blue };
enum class PaintChannel : std::uint8_t { luminance, red, green, blue, alpha };

/// A factor on the strength (toughness) or the stiffness of tets: given by a formula, by a field of the objects' files,
/// by paint on their input surfaces, or by a Weibull distribution. Where several apply to a tet they multiply.
struct FactorParameters {
  FactorOf of = FactorOf::strength;
  std::string material;        ///< name of the only material it applies to; empty: all
  std::string object;          ///< name of the only object it applies to; empty: all
  Frame frame = Frame::world;  ///< frame of the formula's coordinates
  std::string formula;         ///< in x, y and z [m], the centroid of the tet at rest
  std::string field;           ///< name of a field on points or tets of the object's file
  VertexColour colour = VertexColour::none;
  std::filesystem::path image;                     ///< by the surface's texture coordinates; empty: another source
  PaintChannel channel = PaintChannel::luminance;  ///< of the image
  double black = 0.1, white = 1;                   ///< factor where the paint is 0 and 1, linear between them
  double weibull_modulus = 0;                      ///< 0: no scatter
  /// Volume V₀ that the material's strength refers to [m³]. A tet of volume V is as strong as the weakest of V/V₀
  /// flaws; 0: every tet counts as V₀.
  double reference_volume_m3 = 0;
  std::uint64_t seed = 1;
};

/// Whether the factor is painted on input surfaces. Local.
[[nodiscard]] inline bool is_painted(const FactorParameters& factor) {
  return factor.colour != VertexColour::none || !factor.image.empty();
}

/// Whether the factor applies to the object of that name. Local.
[[nodiscard]] inline bool concerns(const FactorParameters& factor, const std::string& object) {
  return factor.object.empty() || factor.object == object;
}

}  // namespace brisance::sim
