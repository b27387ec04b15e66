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
      .sentence = "Contact between objects, and between their pieces (docs/CONTACT.md).",
      .keys = {
          bind_choice(kContact, &DeformableParameters::enabled, {"auto", "on", "off"},
                      {.name = "enabled",
                       .sentence = "Contact of deformable objects (true and false mean on and off); auto: with "
                                   "symplectic_euler where something can break, and where there is more than one "
                                   "object, then with implicit_euler and hht, too.",
                       .word_of_false = "off",
                       .word_of_true = "on"}),
          bind_choice(
              kContact, &DeformableParameters::criterion, {"auto", "overlap_volume", "node_penetration", "surface"},
              {.name = "criterion",
               .sentence = "Contact criterion: the depth of surface nodes behind surface facets (surface); the volume "
                           "that tets share (overlap_volume); the depth of nodes inside tets (node_penetration). auto: "
                           "surface with explicit steps, overlap_volume with implicit ones, which support only that. "
                           "Criteria by nodes miss edges that cross. overlap_volume and node_penetration, of the "
                           "papers, cost many times as much where something is crushed."}),
          bind(kContact, &DeformableParameters::self,
               {.name = "self", .sentence = "Contact between pieces, and between folds, of one object, too."}),
          bind(kContact, &DeformableParameters::stiffness_scale,
               {.name = "stiffness_scale",
                .unit = "–",
                .sentence = "Factor on the stiffness that is chosen from the material (docs/CONTACT.md); from about "
                            "2.5 on undamped bodies gain energy.",
                .example = "1",
                .range = {.low = 0, .high = 10, .low_open = true}}),
          bind(kContact, &DeformableParameters::restitution,
               {.name = "restitution",
                .unit = "–",
                .sentence = "Share of the normal velocity that is restored after a collision; 1 dissipates no energy.",
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
                .sentence = "With criterion surface: distance that a node moves relative to its nearest facet, as a "
                            "share of the edge length, before the nearest facet is searched again. 0: in each step, "
                            "which takes about twice as long in rubble.",
                .example = "0.02",
                .range = {.low = 0, .high = 0.1}}),
      }};
}

}  // namespace brisance::app
