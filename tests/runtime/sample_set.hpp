/// A row of unit cubes as atoms, with the shares of a blow falling off along the row. Small enough to check by hand.
#pragma once

#include "brisance/runtime/impact_set.hpp"
#include "brisance/runtime/projection.hpp"

#include <cmath>

namespace brisance::test {

/// Atom a is the cube [a, a+1]×[0,1]². Modes: the constant and indicators of the first 1, 2, … atoms, made orthonormal.
/// One vertex a cube, at its top centre; the Gaussian smear is narrower than the elastic one.
inline runtime::ImpactSet row_of_cubes(int num_atoms, int num_modes) {
  runtime::ImpactSet set;
  for (int a = 0; a < num_atoms; ++a) {
    const double sixth = 1.0 / 6;
    set.atoms.push_back({1, {a + 0.5, 0.5, 0.5}, {sixth, sixth, sixth, 0, 0, 0}});
    set.vertices.push_back({a + 0.5, 0.5, 1});
    if (a > 0) set.faces.push_back({a - 1, a, 1});
  }
  runtime::AtomModes modes;
  for (int i = 0; i < num_modes; ++i)
    for (int a = 0; a < num_atoms; ++a) modes.value.push_back(i == 0 || a < i ? 1 : 0);
  runtime::orthonormalise(modes, std::vector<double>(num_atoms, 1), 1e-9);
  set.mode_value = modes.value;
  for (int i = 0; i < num_modes; ++i) set.mode_energy.push_back(i);
  const auto smear = [&](double length) {
    runtime::SmearTable table{length, {}};
    for (int v = 0; v < num_atoms; ++v) {
      double sum = 0;
      for (int a = 0; a < num_atoms; ++a) sum += std::exp(-std::abs(a - v) / length);
      for (int a = 0; a < num_atoms; ++a)
        table.share.push_back(static_cast<float>(std::exp(-std::abs(a - v) / length) / sum));
    }
    return table;
  };
  set.elastic = smear(2);
  set.gaussian = smear(0.5);
  return set;
}

}  // namespace brisance::test
