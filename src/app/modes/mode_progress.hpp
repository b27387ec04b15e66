/// The progress line of a search for modes.
#pragma once

#include "brisance/modes/body/mode_set.hpp"

#include <cstdint>

namespace brisance::app {

/// " 40%  modes 10-12 of 30  energy 0.7852  gap 3e-16  3 steps  0.05 s  left 1 s".
class ModeProgress {
public:
  /// @param total  modes of the set when it is complete
  explicit ModeProgress(std::int32_t total);

  /// After the last mode of the set was found.
  void print(const modes::ModeSet& set);

private:
  std::int32_t total_;
  double last_s_, pace_s_ = 0;
};

}  // namespace brisance::app
