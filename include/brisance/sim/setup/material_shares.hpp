/// How much of the objects each material makes up, and how far its factors reach.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::sim {

/// Of what varies over the tets of a material, weighed by volume.
struct FactorRange {
  double smallest = 1, largest = 1, mean = 1;
};

struct MaterialShare {
  std::string name;
  std::int64_t num_tets = 0;
  double volume_m3 = 0, volume_share = 0;
  FactorRange strength, stiffness;
};

/// Of each of the scene's materials, in order. Collective.
/// @param mesh  this rank's tets of it, each on one rank only
[[nodiscard]] std::vector<MaterialShare> material_shares(const core::Comm& comm, const Scene& scene,
                                                         const mesh::TetMesh& mesh);

}  // namespace brisance::sim
