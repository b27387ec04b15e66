/// Keys of [output]: intervals and form of results.
#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

using sim::OutputParameters;

constexpr auto kOutput = [](auto& s, std::size_t) -> auto& { return s.output; };

}  // namespace

Table output_table() {
  return {
      .path = "output",
      .sentence =
          "When results are written, and in which form. A result is written after the first step that reaches its "
          "time. No step is shortened for it, so a run has the same bits whatever it writes.",
      .keys = {
          bind(kOutput, &OutputParameters::frame_interval_s,
               {.name = "frame_interval_s",
                .unit = "s",
                .sentence = "Simulated time between snapshots. 0: a twenty-fifth of the duration.",
                .example = "0.004",
                .range = kNotNegative}),
          bind(kOutput, &OutputParameters::surface_interval_s,
               {.name = "surface_interval_s",
                .unit = "s",
                .sentence = "Simulated time between extra frames of the surface alone (triangles and their nodes), "
                            "which pictures and exported meshes can use. 0: none.",
                .example = "0.0004",
                .range = kNotNegative}),
          bind(kOutput, &OutputParameters::surface_only,
               {.name = "surface_only", .sentence = "Writes the surface alone in all frames."}),
          bind_words(kOutput, &OutputParameters::fields, {io::kOptionalFields.begin(), io::kOptionalFields.end()},
                     {.name = "fields", .sentence = "Fields of frames besides positions, ids, materials and pieces."}),
          bind_choice(
              kOutput, &OutputParameters::precision, {"single", "double"},
              {.name = "precision",
               .sentence = "Precision of real numbers in frames. single makes frames smaller; a frame far from the "
                           "origin whose nodes it could not distinguish stays double. Checkpoints are always double."}),
          bind(kOutput, &OutputParameters::compression,
               {.name = "compression",
                .unit = "–",
                .sentence = "Lossless compression of frames (deflate), 1 to 9; 1 saves most of what 9 does. 0: none. "
                            "All HDF5 readers support it, but the run waits while compressed frames are written.",
                .example = "1",
                .range = {.low = 0, .high = 9}}),
          bind(kOutput, &OutputParameters::background,
               {.name = "background",
                .sentence = "Writes frames from a copy in memory while the run continues. false saves that memory, and "
                            "suits network file systems on which two machines cannot write parts of one page. The "
                            "files are the same."}),
          bind(kOutput, &OutputParameters::monitor_interval_s,
               {.name = "monitor_interval_s",
                .unit = "s",
                .sentence = "Simulated time between rows of monitor.csv. 0: a tenth of the frame interval.",
                .example = "0.0004",
                .range = kNotNegative}),
          bind(kOutput, &OutputParameters::energy_ledger,
               {.name = "energy_ledger",
                .sentence =
                    "Accounts for viscous work in each step, so that the energy balance closes. Costs a few percent."}),
          bind(kOutput, &OutputParameters::state_fields,
               {.name = "state_fields",
                .sentence = "Adds every field of the run's state to snapshots, as arrays of nodes and tets."}),
          bind(kOutput, &OutputParameters::front_fields,
               {.name = "front_fields",
                .sentence = "Adds the crack-front fields of nodes to snapshots: front, front_tangent, front_growth "
                            "(both in the rest shape) and front_born."}),
          bind(kOutput, &OutputParameters::progress_interval_s,
               {.name = "progress_interval_s",
                .unit = "s",
                .sentence = "Real time between progress lines.",
                .example = "1",
                .range = kNotNegative}),
          bind(kOutput, &OutputParameters::checkpoint_interval_s,
               {.name = "checkpoint_interval_s",
                .unit = "s",
                .sentence = "Real time between checkpoints, from which `--resume` continues. 0: only where a run ends "
                            "early. --checkpoint-every overrides it.",
                .example = "600",
                .range = kNotNegative}),
          bind(kOutput, &OutputParameters::checkpoints_kept,
               {.name = "checkpoints_kept",
                .unit = "–",
                .sentence = "Number of newest checkpoints kept in the run folder.",
                .example = "2",
                .range = {.low = 1, .high = 1000000}}),
      }};
}

}  // namespace brisance::app
