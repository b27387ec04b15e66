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
          "object's file, or at random. Where several factors concern a tet they multiply.",
      .keys =
          {
              bind_choice(kFactor, &FactorParameters::of, {"strength", "stiffness"},
                          {.name = "of",
                           .sentence = "Quantity that is multiplied: strength_pa or toughness_n; or elasticity and "
                                       "damping together, in steps of 1.1 %."}),
              bind(kFactor, &FactorParameters::material,
                   {.name = "material",
                    .sentence = "Name of the only [[material]] concerned; empty: all.",
                    .example = "glass"}),
              bind(kFactor, &FactorParameters::object,
                   {.name = "object",
                    .sentence = "Name of the only [[object]] concerned; empty: all.",
                    .example = "bowl"}),
              bind(kFactor, &FactorParameters::formula,
                   {.name = "formula",
                    .sentence = "A formula in x, y and z in metres, the middle of a tet at rest; in muParser's syntax.",
                    .example = "1 - 0.5 * exp(-(z / 0.01)^2)"}),
              bind_choice(kFactor, &FactorParameters::frame, {"world", "object"},
                          {.name = "frame",
                           .sentence = "Frame of x, y and z: the world after placement, or the object's own mesh "
                                       "before it is rotated and translated."}),
              bind(kFactor, &FactorParameters::field,
                   {.name = "field",
                    .sentence =
                        "Name of a field with one number for each point or tet in the object's file (VTU, Gmsh).",
                    .example = "density"}),
              bind(kFactor, &FactorParameters::weibull_modulus,
                   {.name = "weibull_modulus",
                    .unit = "–",
                    .sentence = "m: strengths scatter by Weibull's law, more for smaller values; 0: no scatter.",
                    .example = "10",
                    .range = kNotNegative}),
              bind(kFactor, &FactorParameters::reference_volume_m3,
                   {.name = "reference_volume_m3",
                    .unit = "m³",
                    .sentence =
                        "weibull_modulus: the volume for which the material's strength is stated, by its 63rd "
                        "percentile; 0: every tet counts as one, and the strength of a body depends on its mesh.",
                    .example = "1e-6",
                    .range = kNotNegative}),
              bind(kFactor, &FactorParameters::seed,
                   {.name = "seed",
                    .sentence = "weibull_modulus: seed of the random strengths.",
                    .range = {.low = 0, .high = 9e15}}),
          },
      .count = [](const Scene& s) { return s.factors.size(); },
      .append = [](Scene& s) { s.factors.emplace_back(); },
  };
}

}  // namespace brisance::app
