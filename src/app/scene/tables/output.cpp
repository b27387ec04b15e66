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
          "Intervals and form of results. They are written after the first step that reaches or passes each time; no "
          "step is shortened for it, so a run has the same bits whatever it writes.",
      .keys = {
          bind(kOutput, &OutputParameters::frame_interval_s,
               {.name = "frame_interval_s",
                .unit = "s",
                .sentence = "Simulated time between snapshots; 0: a twenty-fifth of the duration.",
                .example = "0.004",
                .range = kNotNegative}),
          bind(kOutput, &OutputParameters::surface_interval_s,
               {.name = "surface_interval_s",
                .unit = "s",
                .sentence = "Simulated time between frames of the surface alone (its triangles and their nodes), where "
                            "no whole frame is due; 0: none. Pictures and meshes need no more.",
                .example = "0.0004",
                .range = kNotNegative}),
          bind(kOutput, &OutputParameters::surface_only,
               {.name = "surface_only", .sentence = "All frames contain the surface alone."}),
          bind_words(kOutput, &OutputParameters::fields, {io::kOptionalFields.begin(), io::kOptionalFields.end()},
                     {.name = "fields", .sentence = "Data of frames beside positions, ids, materials and pieces."}),
          bind_choice(
              kOutput, &OutputParameters::precision, {"single", "double"},
              {.name = "precision",
               .sentence =
                   "Precision of the real numbers in frames: single makes them smaller, except for frames whose nodes "
                   "it could not distinguish, far from the origin. Checkpoints are always double."}),
          bind(kOutput, &OutputParameters::compression,
               {.name = "compression",
                .unit = "–",
                .sentence = "Compression of frames, 1 to 9 (deflate; 1 saves most of what 9 does); 0: none. It is "
                            "lossless, and every reader of HDF5 supports it. The run waits for it: compressed frames "
                            "are not written in the background.",
                .example = "1",
                .range = {.low = 0, .high = 9}}),
          bind(kOutput, &OutputParameters::background,
               {.name = "background",
                .sentence = "Frames are written from a copy in memory while the run continues. The files are the same; "
                            "false saves the memory, and suits network file systems on which two machines cannot write "
                            "parts of one page."}),
          bind(kOutput, &OutputParameters::monitor_interval_s,
               {.name = "monitor_interval_s",
                .unit = "s",
                .sentence = "Simulated time between rows of monitor.csv; 0: a tenth of the frame interval.",
                .example = "0.0004",
                .range = kNotNegative}),
          bind(
              kOutput, &OutputParameters::energy_ledger,
              {.name = "energy_ledger",
               .sentence =
                   "Accounts for viscous work step by step, so that the energy balance closes (costs a few percent)."}),
          bind(kOutput, &OutputParameters::state_fields,
               {.name = "state_fields",
                .sentence = "Snapshots also carry every field of the run's state, as arrays of nodes and tets."}),
          bind(kOutput, &OutputParameters::front_fields,
               {.name = "front_fields",
                .sentence = "Snapshots also carry the crack-front fields of nodes: front, front_tangent, front_growth "
                            "(both at rest) and front_born."}),
          bind(kOutput, &OutputParameters::progress_interval_s,
               {.name = "progress_interval_s",
                .unit = "s",
                .sentence = "Real time between progress lines.",
                .example = "1",
                .range = kNotNegative}),
          bind(kOutput, &OutputParameters::checkpoint_interval_s,
               {.name = "checkpoint_interval_s",
                .unit = "s",
                .sentence = "Real time between checkpoints, from which `--resume` continues; 0: only where a run ends "
                            "early. --checkpoint-every overrides it.",
                .example = "600",
                .range = kNotNegative}),
          bind(kOutput, &OutputParameters::checkpoints_kept,
               {.name = "checkpoints_kept",
                .unit = "–",
                .sentence = "Number of checkpoints kept in the run folder, the newest ones.",
                .example = "2",
                .range = {.low = 1, .high = 1000000}}),
      }};
}

}  // namespace brisance::app
