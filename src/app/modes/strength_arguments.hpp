/// Options for regions where an object is strong, weak, or must not break.
#pragma once

#include "brisance/modes/body/divided_body.hpp"
#include "brisance/modes/body/mode_set.hpp"

#include <array>
#include <cstdint>
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

/// [S22] eq. (26) with a diagonal η: factors for displacement along x, y and, in space, z. Throws core::BadInput.
[[nodiscard]] std::array<double, 3> axis_strength(const StrengthArguments& arguments, int dimension);

/// Sets the strengths of a body: face weights, η, cells that must not break.
/// @param scale   factor on painted points, as for the mesh
/// Collective. Throws core::BadInput on all ranks.
void apply_strength(const StrengthArguments& arguments, double scale, modes::Weighting weighting,
                    modes::DividedBody& body);

}  // namespace brisance::app
