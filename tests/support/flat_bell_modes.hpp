/// Modes of a flat dumb-bell, quick enough for every test.
#pragma once

#include "brisance/modes/find_modes.hpp"
#include "brisance/sim/mode_file.hpp"

#include "support/flat_bell.hpp"

#include <cstdint>

namespace brisance::test {

/// `scalar_count` modes of flat_bell, the constant one included.
inline sim::ModeFile flat_bell_modes(std::int32_t scalar_count) {
  sim::ModeFile file;
  file.modes.dimension = 2;
  file.plane = flat_bell();
  file.face_weight = modes::face_weights(sim::body_of(file).graph, modes::Weighting::area);
  modes::FindModesSettings settings;
  settings.count = scalar_count;
  (void)modes::find_modes(sim::body_of(file), settings, file.modes, [](const modes::ModeSet&, double) { return true; });
  file.cpu_s.assign(file.modes.modes.size(), 0.0);
  file.scalar_count = scalar_count;
  file.relative_gap = settings.search.relative_gap;
  file.complete = true;
  file.program = "brisance test";
  return file;
}

}  // namespace brisance::test
