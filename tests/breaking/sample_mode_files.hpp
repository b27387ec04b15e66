/// Mode files with data in every table, consistent or not.
#pragma once

#include "brisance/breaking/mode_file.hpp"
#include "brisance/modes/body/cell_graph.hpp"

#include <cmath>
#include <cstddef>

namespace brisance::test {

/// Three scalar modes of a solid.
inline breaking::ModeFile scalar_mode_file(mesh::TetMesh mesh) {
  breaking::ModeFile f;
  f.mesh = std::move(mesh);
  f.mesh.region.assign(f.mesh.tets.size(), 3);
  for (std::size_t i = 0; i < modes::cell_graph(f.mesh).faces.size(); ++i)
    f.face_weight.push_back(0.1 * static_cast<double>(i + 1));
  f.modes.weighting = modes::Weighting::sqrt_area;
  for (int k = 0; k < 3; ++k) {
    modes::Mode mode;
    for (std::size_t c = 0; c < f.mesh.tets.size(); ++c) mode.value.push_back(k + 1.0 / static_cast<double>(c + 3));
    mode.energy = 0.7 * k;
    mode.relative_gap = 1e-9 * k;
    mode.part = k % 2;
    mode.convex_energies.assign(static_cast<std::size_t>(k), 1.5 + k);
    mode.convex_gaps.assign(static_cast<std::size_t>(k), 1e-9 * k);
    f.modes.modes.push_back(mode);
    f.cpu_s.push_back(0.25 * k);
  }
  f.no_break.assign(f.mesh.tets.size(), 0);
  f.no_break.back() = 1;
  f.modes.axis_strength = {1, 2, 3.5};
  f.modes.modes[1].settled = false;
  f.starts = 3;
  f.smallest_share = 0.01;
  f.refined = true;
  f.scalar_count = 5;
  f.relative_gap = 1e-8;
  f.program = "brisance 0.1.0";
  return f;
}

/// The same of the general problem, with jumps and displaced corners.
inline breaking::ModeFile general_mode_file(mesh::TetMesh mesh) {
  breaking::ModeFile f = scalar_mode_file(std::move(mesh));
  f.modes.components = 3;
  f.method = "admm strain=elastic";
  for (modes::Mode& mode : f.modes.modes) {
    mode.part = 0;
    mode.value.clear();
    for (std::size_t i = 0; i < 3 * f.mesh.tets.size(); ++i) mode.value.push_back(0.5 + static_cast<double>(i));
    for (std::size_t i = 0; i < f.face_weight.size(); ++i) mode.jump.push_back(mode.energy * static_cast<double>(i));
    for (std::size_t i = 0; i < 12 * f.mesh.tets.size(); ++i)
      mode.corner_value.push_back(0.25 * static_cast<double>(i) + mode.energy);
    mode.strain_energy = 0.1 * mode.energy;
  }
  return f;
}

/// A mode of two triangles and the edge between them.
inline breaking::ModeFile flat_mode_file() {
  breaking::ModeFile f;
  f.modes.dimension = 2;
  f.plane.surface.vertices = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  f.plane.surface.triangles = {{0, 1, 2}, {0, 2, 3}};
  f.plane.surface.source_face = {4, 2};
  f.plane.region = {0, 7};
  f.modes.modes.resize(1);
  f.modes.modes[0].value = {1, 1};
  f.face_weight = {std::sqrt(2.0)};
  f.cpu_s = {0};
  f.scalar_count = 1;
  f.relative_gap = 1e-8;
  f.program = "brisance 0.1.0";
  return f;
}

}  // namespace brisance::test
