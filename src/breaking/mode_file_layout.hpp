/// Names in a mode file, shared by writer and reader.
#pragma once

#include "brisance/breaking/mode_file.hpp"
#include "brisance/modes/body/simplices.hpp"

#include <cstddef>
#include <string>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

inline constexpr const char* kOurs = "/brisance_modes";

[[nodiscard]] inline std::string mode_name(std::size_t k) { return fmt::format("/VTKHDF/CellData/mode_{:03}", k); }
[[nodiscard]] inline std::string jump_name(std::size_t k) { return fmt::format("/brisance_modes/jump_{:03}", k); }
[[nodiscard]] inline std::string corner_name(std::size_t k) { return fmt::format("/brisance_modes/corner_{:03}", k); }

[[nodiscard]] inline modes::Simplices simplices_of(const ModeFile& file) {
  return file.modes.dimension == 2 ? modes::simplices(file.plane) : modes::simplices(file.mesh);
}

}  // namespace brisance::breaking
