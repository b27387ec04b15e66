/// A material: how a surface scatters light, in the form of pbrt. A kind of material is a class in a file of its own
/// with a row in kinds.cpp.
#pragma once

#include "brisance/render/colour.hpp"

#include "render/sampling/sampler.hpp"

#include <optional>

namespace brisance::render {

namespace media {
struct Turbid;
}

/// What of a surface point a material may depend on.
struct SurfacePoint {
  Rgb albedo = Rgb::Constant(0.5F);                   ///< colour by palette or field
  Vec3f rest_position = Vec3f::Zero();                ///< at rest [m]
  Vec3f rest_normal = Vec3f::UnitZ();                 ///< of the triangle at rest, unit
  Eigen::Vector2f texture = Eigen::Vector2f::Zero();  ///< texture coordinates
  /// Refractive index beyond the surface, divided by that on the side of ωo. The caller knows what is inside what.
  float relative_index = 1;
  /// Microfacets count as at least this rough (Ggx), since a path got here over a matt surface and would seldom meet
  /// the light that they gather.
  float least_alpha = 0;
};

/// What a material must know of a surface beside its shape.
struct Needs {
  bool rest = false;     ///< positions at rest
  bool texture = false;  ///< texture coordinates
};

/// A direction chosen by a material.
struct Scattered {
  Vec3f wi;                      ///< unit; ωi.z < 0 if it is transmitted
  Rgb weight;                    ///< f |cos θi| / pdf; for specular scattering the share of the radiance itself
  float pdf = 0;                 ///< per solid angle [1/sr]; of specular scattering the probability of this branch
  bool is_specular = false;      ///< one direction: evaluate() and pdf() are zero for it
  bool is_transmission = false;  ///< to the other side of the surface
};

/// Both branches of a smooth interface: [reflected, transmitted]; weights are shares of the radiance.
struct SpecularPair {
  Scattered reflected;
  std::optional<Scattered> transmitted{};  ///< none: total reflection
};

/// One of both branches, the reflected one with probability f_r/(f_r + f_t), and weighted so that the mean is both. The
/// shares f are those of energy: the weight of transmission without its factor 1/η².
/// @param choice  uniform in [0, 1)
[[nodiscard]] inline Scattered one_of(const SpecularPair& both, float relative_index, float choice) {
  if (!both.transmitted) return both.reflected;
  const float reflected = both.reflected.weight.mean();
  const float transmitted = both.transmitted->weight.mean() * relative_index * relative_index;
  const float probability = reflected / (reflected + transmitted);
  Scattered one = choice < probability ? both.reflected : *both.transmitted;
  one.pdf = one.is_transmission ? 1 - probability : probability;
  one.weight /= one.pdf;
  return one;
}

/// What fills the space inside a surface.
struct Interior {
  float index = 1;                        ///< refractive index
  Rgb absorption = Rgb::Zero();           ///< σ_a [1/m]: radiance falls as e^(−σ_a s), Beer's law
  Rgb scattering = Rgb::Zero();           ///< reduced, σ_s' [1/m]
  const media::Turbid* turbid = nullptr;  ///< not null: light is scattered inside; follows from the values above
  bool operator==(const Interior& other) const {
    return index == other.index && (absorption == other.absorption).all() && (scattering == other.scattering).all();
  }
};

/// Directions are unit vectors in the local frame of the shading normal, which is on the side of ωo: ωo.z > 0. Both
/// point away from the surface: ωo to where the light goes (the eye), ωi to where it comes from. Radiance is
/// transported: f of transmission includes the factor (n_o/n_i)². Const calls may run on several threads.
class Material {
public:
  Material() = default;
  Material(const Material&) = delete;
  Material& operator=(const Material&) = delete;
  virtual ~Material() = default;

  /// The scattering function f(ωo, ωi) [1/sr], without the cosine; zero for specular parts.
  [[nodiscard]] virtual Rgb evaluate(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const = 0;
  /// A direction ωi for ωo; nothing if the light is absorbed.
  /// @param random  two uniform numbers for the direction
  /// @param choice  a third, for the choice between branches
  [[nodiscard]] virtual std::optional<Scattered> sample(const SurfacePoint& at, const Vec3f& wo, Point2 random,
                                                        float choice) const = 0;
  /// Density of sample() for ωi [1/sr]; zero for specular parts.
  [[nodiscard]] virtual float pdf(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const = 0;

  /// Both branches of a smooth interface, for trees of specular rays; nothing for all other materials.
  [[nodiscard]] virtual std::optional<SpecularPair> branches(const SurfacePoint& /*at*/, const Vec3f& /*wo*/) const {
    return std::nullopt;
  }
  /// The medium inside a closed surface of this material; null: it is opaque.
  [[nodiscard]] virtual const Interior* interior() const { return nullptr; }
  /// Factor on light each time that it passes the surface of a solid that scatters light inside: pigment there.
  [[nodiscard]] virtual Rgb tint(const SurfacePoint& /*at*/) const { return Rgb::Ones(); }
  [[nodiscard]] virtual Needs needs() const { return {}; }
  /// Does it scatter in single directions only, so that no light can be sampled at it?
  [[nodiscard]] virtual bool is_specular() const { return false; }
};

}  // namespace brisance::render
