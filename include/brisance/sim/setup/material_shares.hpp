/// The share of each material in the objects, and the range of its factors.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::sim {

/// Range of a factor over the tets of a material; the mean is weighted by volume.
struct FactorRange {
  double smallest = 1, largest = 1, mean = 1;
};

struct MaterialShare {
  std::string name;
  std::int64_t num_tets = 0;
  double volume_m3 = 0, volume_share = 0;
  FactorRange strength, stiffness;
};

/// One entry for each of the scene's materials, in order. Collective.
/// @param mesh  this rank's tets of all objects, each on one rank only
[[nodiscard]] std::vector<MaterialShare> material_shares(const core::Comm& comm, const Scene& scene,
                                                         const mesh::TetMesh& mesh);

}  // namespace brisance::sim
