/// The options by which a user says where an object is strong, weak, or must not break.
#pragma once

#include "brisance/modes/find_modes.hpp"
#include "brisance/modes/mode_set.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace brisance::app {

/// As typed; lists of numbers are still text.
struct StrengthArguments {
  std::string eta, eta_normal, eta_field;
  std::vector<std::string> eta_regions;  ///< REGION=ETA
  std::vector<std::int32_t> no_break;
  std::vector<std::string> no_break_spheres, no_break_boxes;

  [[nodiscard]] bool given() const {
    return !eta.empty() || !eta_normal.empty() || !eta_field.empty() || !eta_regions.empty() || !no_break.empty() ||
           !no_break_spheres.empty() || !no_break_boxes.empty();
  }
};

void add_strength_arguments(CLI::App& command, StrengthArguments& arguments);

/// [S22] eq. (26) with a diagonal η: of displacement along x, y and, in space, z. Throws core::BadInput.
[[nodiscard]] std::array<double, 3> axis_strength(const StrengthArguments& arguments, int dimension);

/// Face weights and cells that must not break, for a body that has its mesh and graph.
/// @param region  of each cell; empty means all 0
/// @param scale   painted points are multiplied by it, as the mesh was
/// Throws core::BadInput.
void apply_strength(const StrengthArguments& arguments, std::span<const std::int32_t> region, double scale,
                    modes::Weighting weighting, modes::Body& body);

}  // namespace brisance::app
