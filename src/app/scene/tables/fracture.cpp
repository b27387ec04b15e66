/// Keys of [fracture]: criteria of cracking, and how the mesh is cut.
#include "brisance/fracture/criteria/criterion.hpp"
#include "brisance/fracture/cutters/cutter.hpp"

#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

constexpr auto kFracture = [](auto& s, std::size_t) -> auto& { return s.fracture; };

using fracture::Parameters;

/// The papers' algorithm as printed: thresholds in metres and radians alone, and every failing node is cut.
void make_literal(Parameters& p) {
  p.snap_fraction = 0;
  p.snap_distance_m = 0.005;
  p.snap_angle_rad = 0.1;
  p.altitude_floor = 0;
  p.max_plane_deviation_rad = 1.5707963;
  p.refusal_angle_rad = 0;
  p.cap_damping_ratio = false;
  p.crack_speed_share = p.copy_speed_share = 0;
  p.evaluate_interval_share = 0;
}

Key literal_key() {
  return bind_computed(
      kFracture, Kind::boolean, 0, kNotWritten,
      [](Parameters& p, const Value& v) {
        if (std::get<bool>(v)) make_literal(p);
      },
      {.name = "literal",
       .sentence =
           "true: the 1999 paper as printed. Snapping by 5 mm and 0.1 rad, no lower bound on altitudes, refusals are "
           "not remembered, no limits of crack speed, evaluation in every step; other keys then change it. Its "
           "tetrahedra become as flat, and its steps as short, as cuts make them. Use it with material.toughness_n."});
}

Key criterion_key() {
  std::vector<std::string> names;
  std::string sentence = "Failure criterion of a node.";
  for (const fracture::CriterionKind* kind : fracture::criterion_kinds()) {
    names.emplace_back(kind->name);
    sentence += std::string(" ") + kind->name + ": " + kind->sentence + ".";
  }
  return bind_choice(kFracture, &Parameters::criterion, std::move(names), {.name = "criterion", .sentence = sentence});
}

}  // namespace

Table fracture_table() {
  return {
      .path = "fracture",
      .sentence = "When nodes crack and how the mesh is cut.",
      .keys = {
          bind(kFracture, &Parameters::enabled, {.name = "enabled", .sentence = "false: nothing breaks."}),
          literal_key(),
          criterion_key(),
          bind_choice(kFracture, &Parameters::principal_stress_of, {"star", "element"},
                      {.name = "principal_stress_of",
                       .sentence = "principal_stress: the mean stress of the tets around the node, or that of the tet "
                                   "among them which exceeds its strength most."}),
          bind_choice(kFracture, &Parameters::direction, {"separation", "hoop"},
                      {.name = "direction",
                       .sentence = "Plane of a crack at its front: by the separation tensor, or through the front and "
                                   "normal to the largest hoop stress around it, by K_I and K_II fitted to the tets "
                                   "there (-70.5° in mode II, where separation gives near -45°)."}),
          bind_choice(kFracture, &Parameters::front_toughness, {"strength", "energy"},
                      {.name = "toughness",
                       .sentence = "Resistance at a crack's front: the strength, as everywhere, or by the material's "
                                   "fracture_energy_j_m2 or k_ic_pa_sqrt_m, so that the energy of a crack does not "
                                   "depend on the mesh: 0.55 K_Ic/√h, with h the edge length there."}),
          bind(kFracture, &Parameters::suppress_back_cracking,
               {.name = "suppress_back_cracking",
                .sentence = "A crack that extends at its front cuts only ahead of it, and not back into its own faces "
                            "where it turns (figure 12 of the 1999 paper)."}),
          bind(kFracture, &Parameters::cohesive,
               {.name = "cohesive",
                .sentence = "true: cohesive tractions act between the faces of a new crack until opening them has "
                            "taken the material's fracture energy (fracture_energy_j_m2, or k_ic_pa_sqrt_m) times "
                            "their area; false: the faces separate at once, and that energy stays in the motion."}),
          bind_choice(
              kFracture, &Parameters::cutter, fracture::cutter_names(),
              {.name = "cutter",
               .sentence =
                   "How nodes that fail cut the mesh. remeshing: tets are bisected along the crack plane. "
                   "virtual_nodes: tets stay whole; each side of a crack gets a copy with its share of "
                   "the material, so that cracks make no slivers and never shorten the step at rest. "
                   "Without cohesive tractions and hierarchical basis. Pieces meet by "
                   "contact.criterion = \"surface\". Of implicit steps those of implicit_euler with the lattice; there "
                   "pieces meet colliders alone, by nodes."}),
          bind(
              kFracture, &Parameters::snap_fraction,
              {.name = "snap_fraction",
               .unit = "–",
               .sentence = "A crack closer to a node than this share of the initial edge length goes through the node.",
               .example = "0.1",
               .range = {.low = 0, .high = 0.5, .high_open = true}}),
          bind(kFracture, &Parameters::snap_distance_m,
               {.name = "snap_distance_m",
                .unit = "m",
                .sentence = "The same as a distance; 0: not used (the 1999 paper has 0.005).",
                .example = "0.005",
                .range = kNotNegative}),
          bind(kFracture, &Parameters::snap_angle_rad,
               {.name = "snap_angle_rad",
                .unit = "rad",
                .sentence = "The same as an angle off the crack plane, seen from the splitting node.",
                .example = "0.1",
                .range = {.low = 0, .high = 1}}),
          bind(kFracture, &Parameters::altitude_floor,
               {.name = "altitude_floor",
                .unit = "–",
                .sentence = "Cuts leave no altitude below this share of the smallest one in the uncut tets there, or "
                            "of a quarter of their edges where that is less.",
                .example = "0.4",
                .range = {.low = 0, .high = 1}}),
          bind(kFracture, &Parameters::max_plane_deviation_rad,
               {.name = "max_plane_deviation_rad",
                .unit = "rad",
                .sentence = "A cut is refused if it would move a node farther off its plane than this.",
                .example = "0.4",
                .range = {.low = 0, .high = 1.5707963}}),
          bind(kFracture, &Parameters::refusal_angle_rad,
               {.name = "refusal_angle_rad",
                .unit = "rad",
                .sentence = "A refused node is tried again once its crack plane has turned by this.",
                .example = "0.192",
                .range = {.low = 0, .high = 1.5707963}}),
          bind(kFracture, &Parameters::cap_damping_ratio,
               {.name = "cap_damping_ratio",
                .sentence = "Elements made by cuts keep at most the largest damping ratio of the uncut mesh, so that "
                            "small ones do not shrink the step with the square of their size."}),
          bind(kFracture, &Parameters::least_area_share,
               {.name = "least_area_share",
                .unit = "–",
                .sentence =
                    "With strength_pa, a node that was cut is evaluated with the area that its crack would have now, "
                    "but with no less than this share of its area in the uncut mesh. 1: a copy on one face of a crack "
                    "needs about twice the strength to be cut again; 0: pieces may be crushed to dust.",
                .example = "0.5",
                .range = {.low = 0, .high = 1}}),
          bind_choice(
              kFracture, &Parameters::dust, {"auto", "particles", "tets"},
              {.name = "dust",
               .sentence =
                   "Treatment of pieces that are smaller than dust_max_tets. particles: they leave the mesh with their "
                   "mass, momentum and angular momentum and become round particles, which collide with colliders only "
                   "and cost next to nothing. tets: they stay pieces of the mesh. auto: particles with explicit steps, "
                   "where no part of the scene is so small from the start; tets otherwise."}),
          bind(kFracture, &Parameters::dust_max_tets,
               {.name = "dust_max_tets",
                .unit = "–",
                .sentence = "Pieces of less volume than this many mean tets of the uncut mesh are dust.",
                .example = "2",
                .range = kPositive}),
          bind(kFracture, &Parameters::crack_speed_share,
               {.name = "crack_speed_share",
                .unit = "–",
                .sentence = "Largest crack speed as a share of the Rayleigh wave speed; 0: no limit.",
                .example = "0.6",
                .range = {.low = 0, .high = 10}}),
          bind(kFracture, &Parameters::copy_speed_share,
               {.name = "copy_speed_share",
                .unit = "–",
                .sentence = "The same for the copies of a split node, over the smallest altitude; 0: no limit.",
                .example = "1.2",
                .range = {.low = 0, .high = 10}}),
          bind(kFracture, &Parameters::evaluate_interval_share,
               {.name = "evaluate_interval_share",
                .unit = "–",
                .sentence = "Interval between evaluations of the criterion, as a share of the time that a pressure "
                            "wave takes to cross the smallest altitude; 0: every step.",
                .example = "0.1",
                .range = {.low = 0, .high = 10}}),
          bind(kFracture, &Parameters::max_rounds_per_step,
               {.name = "max_rounds_per_step",
                .unit = "–",
                .sentence = "Largest number of cracking rounds in one step; remaining cracks wait for the next step.",
                .example = "1000",
                .range = {.low = 1, .high = 1000000}}),
          bind(kFracture, &Parameters::seed,
               {.name = "seed",
                .unit = "–",
                .sentence = "Seed of the order in which equally severe nodes crack.",
                .example = "1",
                .range = {.low = 0, .high = 9e18}}),
          bind(kFracture, &Parameters::check_invariants,
               {.name = "check_invariants",
                .sentence = "After each round verify that all ranks' copies agree (slow; for tests)."}),
      }};
}

}  // namespace brisance::app
