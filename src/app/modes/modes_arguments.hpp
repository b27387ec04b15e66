/// The options of `brisance modes`.
#pragma once

#include "brisance/modes/body/mode_set.hpp"
#include "brisance/modes/spectral/start_vectors.hpp"

#include "app/modes/general_arguments.hpp"
#include "app/modes/strength_arguments.hpp"
#include "app/scene/mesh_arguments.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace brisance::app {

struct ModesArguments {
  MeshArguments mesh;
  StrengthArguments strength;
  GeneralArguments general;
  std::filesystem::path out;
  std::int32_t count = 30;  ///< displacement modes
  bool plane = false;       ///< a flat body
  double num_triangles = 0;
  modes::Weighting weighting = modes::Weighting::area;
  modes::EigenMethod start = modes::EigenMethod::automatic;
  std::optional<double> relative_gap;
  std::int32_t starts = 1;
  double smallest_share = 0;
  bool refine = false;
  bool resume = false, overwrite = false;
  bool vibration = false;
  std::string material = "glass";
  std::vector<std::string> more_inputs;
  bool report_mesh = true;
  std::optional<double> memory_gb;  ///< memory limit of the exact search; default: free memory

  /// Is something requested that only the exact search supports?
  [[nodiscard]] bool for_exact_search() const { return starts > 1 || smallest_share > 0 || refine; }
  [[nodiscard]] double gap() const { return relative_gap.value_or(general.given() ? 1e-3 : 1e-8); }
};

}  // namespace brisance::app
