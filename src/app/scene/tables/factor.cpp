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
          "object's file, or by chance. Where several concern a tet they multiply.",
      .keys =
          {
              bind_choice(kFactor, &FactorParameters::of, {"strength", "stiffness"},
                          {.name = "of",
                           .sentence = "What is multiplied: strength_pa or toughness_n; or elasticity and damping "
                                       "together, in steps of 1.1 %."}),
              bind(kFactor, &FactorParameters::material,
                   {.name = "material",
                    .sentence = "Name of the only [[material]] it concerns; empty: all.",
                    .example = "glass"}),
              bind(kFactor, &FactorParameters::object,
                   {.name = "object",
                    .sentence = "Name of the only [[object]] it concerns; empty: all.",
                    .example = "bowl"}),
              bind(kFactor, &FactorParameters::formula,
                   {.name = "formula",
                    .sentence = "In x, y and z in metres, the middle of a tet at rest; as muParser reads it.",
                    .example = "1 - 0.5 * exp(-(z / 0.01)^2)"}),
              bind_choice(kFactor, &FactorParameters::frame, {"world", "object"},
                          {.name = "frame",
                           .sentence = "Where x, y and z are measured: after placement, or in the object's own mesh "
                                       "before it is turned and shifted."}),
              bind(kFactor, &FactorParameters::field,
                   {.name = "field",
                    .sentence = "Name of a field of one number a point or a tet in the object's file (VTU, Gmsh).",
                    .example = "density"}),
              bind(kFactor, &FactorParameters::weibull_modulus,
                   {.name = "weibull_modulus",
                    .unit = "–",
                    .sentence = "m: strengths scatter by Weibull's law, the more the smaller it is; 0: they do not.",
                    .example = "10",
                    .range = kNotNegative}),
              bind(kFactor, &FactorParameters::reference_volume_m3,
                   {.name = "reference_volume_m3",
                    .unit = "m³",
                    .sentence = "weibull_modulus: the volume whose strength, by its 63rd percentile, the material "
                                "states; 0: every tet counts as one, and the strength of a body depends on its mesh.",
                    .example = "1e-6",
                    .range = kNotNegative}),
              bind(kFactor, &FactorParameters::seed,
                   {.name = "seed",
                    .sentence = "weibull_modulus: another number, other strengths.",
                    .range = {.low = 0, .high = 9e15}}),
          },
      .count = [](const Scene& s) { return s.factors.size(); },
      .append = [](Scene& s) { s.factors.emplace_back(); },
  };
}

}  // namespace brisance::app
