/// Mesh options shared by several commands, with the scene's own keys behind them.
#pragma once

#include "brisance/mesh/generate/generate.hpp"
#include "brisance/mesh/request.hpp"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace brisance::app {

struct MeshArguments {
  std::string input, shape;
  double num_tets = 0, edge_length_m = 0, feature_angle_deg = 0;
  std::vector<std::string> overrides;
};

/// Adds IN or --shape (one of them, if `required`), --tets or --edge, --feature-angle-deg, and --set KEY=VALUE.
void add_mesh_arguments(CLI::App& command, MeshArguments& arguments, bool required);

/// The request, read through the scene's own table so that keys, units and checks are the same.
/// @param repair  wrap surfaces with faults unless --set repair=false is given
[[nodiscard]] mesh::Request read_request(const MeshArguments& arguments, bool repair = false);

/// The tets of the arguments: those of a tetrahedral mesh, scaled but otherwise unchanged, with their displacement and
/// velocity, or the result of `mesh::generate`. Local; throws core::BadInput.
/// @param repair     as for read_request
/// @param report_it  prints a report on the result
[[nodiscard]] mesh::TetMesh read_or_make_tets(const MeshArguments& arguments, bool repair, bool report_it);

}  // namespace brisance::app
