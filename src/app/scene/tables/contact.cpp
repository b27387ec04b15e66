/// Keys of [contact]: contact between objects, and of an object with itself.
#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

constexpr auto kContact = [](auto& s, std::size_t) -> auto& { return s.contact; };

}  // namespace

Table contact_table() {
  using contact::DeformableParameters;
  return {
      .path = "contact",
      .sentence = "Contact between deformable objects, and between their pieces (docs/CONTACT.md).",
      .keys = {
          bind_choice(kContact, &DeformableParameters::enabled, {"auto", "on", "off"},
                      {.name = "enabled",
                       .sentence = "Contact of deformable objects; true and false mean on and off. auto: on with "
                                   "symplectic_euler where something can break or there are several objects, with "
                                   "implicit_euler and hht where there are several objects, else off.",
                       .word_of_false = "off",
                       .word_of_true = "on"}),
          bind_choice(
              kContact, &DeformableParameters::criterion, {"auto", "overlap_volume", "node_penetration", "surface"},
              {.name = "criterion",
               .sentence =
                   "What counts as contact. surface: surface nodes behind surface facets; overlap_volume: the volume "
                   "that tets share; node_penetration: nodes inside tets. auto: surface with explicit steps, "
                   "overlap_volume with implicit ones, which support nothing else. Criteria by nodes miss edges that "
                   "cross; overlap_volume and node_penetration are many times slower where something is crushed."}),
          bind(kContact, &DeformableParameters::self,
               {.name = "self", .sentence = "Contact within an object: between its pieces and between its folds."}),
          bind(kContact, &DeformableParameters::stiffness_scale,
               {.name = "stiffness_scale",
                .unit = "–",
                .sentence = "Multiplies the contact stiffness that the solver chooses (docs/CONTACT.md). From about "
                            "2.5 on undamped bodies gain energy.",
                .example = "1",
                .range = {.low = 0, .high = 10, .low_open = true}}),
          bind(kContact, &DeformableParameters::restitution,
               {.name = "restitution",
                .unit = "–",
                .sentence = "Share of the normal velocity that remains after a collision. 1 dissipates no energy.",
                .example = "0.6",
                .range = {.low = 0, .high = 1}}),
          bind(kContact, &DeformableParameters::friction,
               {.name = "friction",
                .unit = "–",
                .sentence = "Coulomb's coefficient of friction.",
                .example = "0.3",
                .range = kNotNegative}),
          bind(kContact, &DeformableParameters::search_share,
               {.name = "search_share",
                .unit = "–",
                .sentence = "criterion surface: how far a node may move relative to its nearest facet, as a share of "
                            "the edge length, before all facets near it are searched again; until then only those "
                            "around that facet are. 0 searches all in each step.",
                .example = "0.03",
                .range = {.low = 0, .high = 0.1}}),
      }};
}

}  // namespace brisance::app
