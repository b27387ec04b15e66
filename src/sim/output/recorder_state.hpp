/// State of a run's output, which checkpoints keep.
#pragma once

#include <cstdint>

namespace brisance::sim {

/// State that reports carry from one to the next.
struct RecorderState {
  std::int64_t num_frames = 0, num_lines = 0;  ///< written
  std::int64_t last_frame_step = -1, last_line_step = 0;
  std::int64_t num_pieces = 1;     ///< at the last count
  std::int64_t num_names = 0;      ///< ids that pieces have had in frames
  std::int64_t most_inverted = 0;  ///< largest number of inverted tets in all monitor lines
  double initial_energy = 0;       ///< [J]
  double largest_imbalance = 0;    ///< largest error of the energy balance in all monitor lines [J]
  /// Overlapping pairs of tets of bodies, and deep ones among them, over all monitor lines.
  std::int64_t tet_contacts = 0, deep_tet_contacts = 0;
  double deepest_tet_contact = 0;  ///< depth over the smaller tet's edge [–]
  double deepest_time_s = 0, deepest_edge_m = 0;
  double deepest_x_m = 0, deepest_y_m = 0, deepest_z_m = 0;
};

/// For checkpoints (core/named_state.hpp).
template <class Visit>
void describe(Visit& visit, RecorderState& state) {
  visit("num_frames", state.num_frames);
  visit("num_lines", state.num_lines);
  visit("last_frame_step", state.last_frame_step);
  visit("last_line_step", state.last_line_step);
  visit("num_pieces", state.num_pieces);
  visit("num_names", state.num_names);
  visit("most_inverted", state.most_inverted);
  visit("initial_energy", state.initial_energy);
  visit("largest_imbalance", state.largest_imbalance);
  visit("tet_contacts", state.tet_contacts);
  visit("deep_tet_contacts", state.deep_tet_contacts);
  visit("deepest_tet_contact", state.deepest_tet_contact);
  visit("deepest_time_s", state.deepest_time_s);
  visit("deepest_edge_m", state.deepest_edge_m);
  visit("deepest_x_m", state.deepest_x_m);
  visit("deepest_y_m", state.deepest_y_m);
  visit("deepest_z_m", state.deepest_z_m);
}

}  // namespace brisance::sim
