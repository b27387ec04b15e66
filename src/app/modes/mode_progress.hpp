/// The progress line of a search for modes.
#pragma once

#include "brisance/core/progress.hpp"
#include "brisance/modes/body/mode_set.hpp"

#include <cstdint>
#include <optional>

namespace brisance::app {

/// " 40%  modes 10-12 of 30  energy 0.7852  0.05 s  left 1 s"; before it, for a mode that takes long, "searching for
/// modes 10-12: 5 s so far".
class ModeProgress {
public:
  /// @param total  modes of the set when it is complete
  /// @param each  number of displacements for one mode
  ModeProgress(std::int32_t total, int each);

  /// Called after the last mode of the set was found.
  void print(const modes::ModeSet& set);

private:
  /// "modes 10-12": the mode of this number, from 1.
  [[nodiscard]] std::string name_of(std::int32_t number) const;

  std::int32_t total_;
  int each_;
  double last_s_, pace_s_ = 0;
  std::optional<core::Heartbeat> searching_;
};

}  // namespace brisance::app
