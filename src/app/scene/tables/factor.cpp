/// Keys of [[factor]]: strength and stiffness that vary within a material.
#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

using sim::FactorParameters;
using sim::Scene;

constexpr auto kFactor = [](auto& s, std::size_t i) -> auto& { return s.factors.at(i); };

}  // namespace

Table factor_table() {
  return {
      .path = "factor",
      .sentence =
          "A factor on the strength or the stiffness of tets (docs/MATERIALS.md): by a formula, by a field of the "
          "object's file, by paint on its surface, or at random. Several factors on a tet multiply.",
      .keys =
          {
              bind_choice(kFactor, &FactorParameters::of, {"strength", "stiffness"},
                          {.name = "of",
                           .sentence = "What is multiplied. strength: strength_pa or toughness_n; stiffness: "
                                       "elasticity and damping together, rounded to steps of 1.1 %."}),
              bind(kFactor, &FactorParameters::material,
                   {.name = "material",
                    .sentence = "The factor applies to this [[material]] only; empty: to all.",
                    .example = "glass"}),
              bind(kFactor, &FactorParameters::object,
                   {.name = "object",
                    .sentence = "The factor applies to this [[object]] only; empty: to all.",
                    .example = "bowl"}),
              bind(kFactor, &FactorParameters::formula,
                   {.name = "formula",
                    .sentence = "Formula of the factor, in muParser's syntax; x, y and z are the position in metres of "
                                "a tet's middle at rest.",
                    .example = "1 - 0.5 * exp(-(z / 0.01)^2)"}),
              bind_choice(kFactor, &FactorParameters::frame, {"world", "object"},
                          {.name = "frame",
                           .sentence = "Axes of x, y and z: the world after placement, or the object's own mesh before "
                                       "it is rotated and translated."}),
              bind(kFactor, &FactorParameters::field,
                   {.name = "field",
                    .sentence = "Field of the object's file (VTU, Gmsh) with one factor for each point or tet.",
                    .example = "density"}),
              bind_choice(kFactor, &FactorParameters::colour, {"none", "luminance", "red", "green", "blue"},
                          {.name = "colour",
                           .sentence = "Paint: the vertex colour of the object's surface file at the point "
                                       "nearest to a tet's middle."}),
              bind(kFactor, &FactorParameters::image,
                   {.name = "image",
                    .sentence = "Paint: an image by the texture coordinates of the object's surface file, at the point "
                                "nearest to a tet's middle. Its numbers count as stored, also in sRGB.",
                    .example = "strength.png"}),
              bind_choice(kFactor, &FactorParameters::channel, {"luminance", "red", "green", "blue", "alpha"},
                          {.name = "channel", .sentence = "image: its channel that is read."}),
              bind(kFactor, &FactorParameters::black,
                   {.name = "black",
                    .unit = "–",
                    .sentence = "colour, image: the factor where the paint is 0; linear up to white.",
                    .range = kPositive}),
              bind(kFactor, &FactorParameters::white,
                   {.name = "white",
                    .unit = "–",
                    .sentence = "colour, image: the factor where the paint is 1 (255 in a file of bytes).",
                    .range = kPositive}),
              bind(kFactor, &FactorParameters::weibull_modulus,
                   {.name = "weibull_modulus",
                    .unit = "–",
                    .sentence = "Strengths scatter by Weibull's law with this modulus; smaller values scatter more. 0: "
                                "no scatter.",
                    .example = "10",
                    .range = kNotNegative}),
              bind(kFactor, &FactorParameters::reference_volume_m3,
                   {.name = "reference_volume_m3",
                    .unit = "m³",
                    .sentence = "Weibull: the volume whose strength (63rd percentile) is the material's. 0: each tet "
                                "counts as one such volume, and the strength of a body depends on its mesh.",
                    .example = "1e-6",
                    .range = kNotNegative}),
              bind(kFactor, &FactorParameters::seed,
                   {.name = "seed",
                    .sentence = "Weibull: seed of the random strengths.",
                    .range = {.low = 0, .high = 9e15}}),
          },
      .count = [](const Scene& s) { return s.factors.size(); },
      .append = [](Scene& s) { s.factors.emplace_back(); },
  };
}

}  // namespace brisance::app
