/// Veins, clouds and speckles of a material, computed from the position at rest.
#pragma once

#include "render/materials/material.hpp"
#include "render/parameters.hpp"

#include <cstdint>

namespace brisance::render {

/// A factor on a material's colour that varies from place to place in space at rest: it moves and turns with a piece,
/// and goes on across a crack.
class Pattern {
public:
  enum class Form : std::uint8_t { none, veins, clouds, speckles };

  Pattern() = default;
  /// From the parameters of pattern_parameters().
  explicit Pattern(const Values& values);

  [[nodiscard]] bool is_plain() const { return form_ == Form::none; }
  /// From 1 to the pattern's colour.
  [[nodiscard]] Rgb factor(const Vec3f& rest_position) const;

private:
  /// How much of its colour a place has, 0 … 1.
  [[nodiscard]] float strength(const Vec3f& at) const;

  Form form_ = Form::none;
  Rgb colour_ = Rgb::Ones();
  float size_m_ = 1;
};

/// The same for all kinds of materials that have one.
[[nodiscard]] std::vector<Parameter> pattern_parameters();

/// Noise of gradients on a lattice of unit cells [Perlin 1985], about −1 … 1, mean 0.
[[nodiscard]] float lattice_noise(const Vec3f& at, std::uint64_t seed);

}  // namespace brisance::render
