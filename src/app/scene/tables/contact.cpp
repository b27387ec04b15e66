/// Keys of [contact]: how objects press on each other and on themselves.
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
      .sentence = "How objects press on each other, and their pieces on each other (docs/CONTACT.md).",
      .keys = {
          bind_choice(kContact, &DeformableParameters::enabled, {"auto", "on", "off"},
                      {.name = "enabled",
                       .sentence = "Whether they do (true and false mean on and off); auto: where something can break "
                                   "and steps are those of symplectic_euler, "
                                   "and where there is more than one object, then with implicit_euler and hht, too.",
                       .word_of_false = "off",
                       .word_of_true = "on"}),
          bind_choice(
              kContact, &DeformableParameters::criterion, {"auto", "overlap_volume", "node_penetration", "surface"},
              {.name = "criterion",
               .sentence =
                   "What presses: nodes of the surface behind facets of it (surface), by their depth; the volume "
                   "that tets share (overlap_volume); nodes inside tets (node_penetration), by their depth. "
                   "auto: surface with explicit steps, overlap_volume with implicit ones, with which only that "
                   "goes. Nodes do not see edges that cross. The last two, of the papers, cost many times as "
                   "much where something is crushed."}),
          bind(kContact, &DeformableParameters::self,
               {.name = "self", .sentence = "Pieces and folds of one object touch each other, too."}),
          bind(kContact, &DeformableParameters::stiffness_scale,
               {.name = "stiffness_scale",
                .unit = "–",
                .sentence =
                    "Multiplies the stiffness that is chosen from the material (docs/CONTACT.md); from about 2.5 on "
                    "undamped bodies gain energy.",
                .example = "1",
                .range = {.low = 0, .high = 10, .low_open = true}}),
          bind(kContact, &DeformableParameters::restitution,
               {.name = "restitution",
                .unit = "–",
                .sentence = "Share of the normal velocity that a blow gives back; 1 takes no energy.",
                .example = "0.6",
                .range = {.low = 0, .high = 1}}),
          bind(kContact, &DeformableParameters::friction,
               {.name = "friction",
                .unit = "–",
                .sentence = "Coulomb's coefficient of friction.",
                .example = "0.3",
                .range = kNotNegative}),
          bind(
              kContact, &DeformableParameters::search_share,
              {.name = "search_share",
               .unit = "–",
               .sentence = "With criterion surface, as a share of the edge length: what a node moves against the facet "
                           "nearest to it before it looks whether that still is the nearest. 0: it looks in each "
                           "step, which takes about twice as long in rubble.",
               .example = "0.02",
               .range = {.low = 0, .high = 0.1}}),
      }};
}

}  // namespace brisance::app
