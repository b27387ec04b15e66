/// Modes of a flat dumb-bell, quick enough for every test.
#pragma once

#include "brisance/breaking/mode_file.hpp"
#include "brisance/modes/search/find_modes.hpp"

#include "support/flat_bell.hpp"

#include <cstdint>

namespace brisance::test {

/// `scalar_count` modes of flat_bell, the constant one included.
inline breaking::ModeFile flat_bell_modes(std::int32_t scalar_count) {
  breaking::ModeFile file;
  file.modes.dimension = 2;
  file.plane = flat_bell();
  file.face_weight = modes::face_weights(breaking::body_of(file).graph, modes::Weighting::area);
  modes::FindModesSettings settings;
  settings.count = scalar_count;
  (void)modes::find_modes(breaking::body_of(file), settings, file.modes,
                          [](const modes::ModeSet&, double) { return true; });
  file.cpu_s.assign(file.modes.modes.size(), 0.0);
  file.scalar_count = scalar_count;
  file.relative_gap = settings.search.relative_gap;
  file.complete = true;
  file.program = "brisance test";
  return file;
}

}  // namespace brisance::test
