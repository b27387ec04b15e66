#include "brisance/sim/setup/material_shares.hpp"

#include "brisance/core/exact_sum.hpp"

#include <algorithm>
#include <limits>

namespace brisance::sim {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Sums over all ranks.
struct Sums {
  core::ExactSum volume_m3, strength, stiffness;
};

void take(FactorRange& range, core::ExactSum& sum, double factor, double volume_m3) {
  range.smallest = std::min(range.smallest, factor);
  range.largest = std::max(range.largest, factor);
  sum.add(volume_m3 * factor);
}

}  // namespace

std::vector<MaterialShare> material_shares(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& mesh) {
  std::vector<MaterialShare> shares;
  for (const material::Material& m : scene.materials) {
    MaterialShare& share = shares.emplace_back();
    share.name = m.name;
    share.strength = share.stiffness = {kInfinity, 0, 0};
  }
  std::vector<Sums> sums(shares.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const auto& [a, b, c, d] = mesh.tets[t];
    const double volume = mesh::tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]);
    const auto region = static_cast<std::size_t>(mesh.region[t]);
    const bool is_graded = region >= shares.size();
    const mesh::GradedRegion form =
        is_graded ? mesh.graded[region - shares.size()] : mesh::GradedRegion{static_cast<std::int32_t>(region), 1};
    const auto k = static_cast<std::size_t>(form.of);
    ++shares[k].num_tets;
    sums[k].volume_m3.add(volume);
    take(shares[k].strength, sums[k].strength, mesh.strength.empty() ? 1 : mesh.strength[t], volume);
    take(shares[k].stiffness, sums[k].stiffness, form.stiffness, volume);
  }
  double total = 0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    MaterialShare& share = shares[k];
    share.num_tets = comm.sum(share.num_tets);
    sums[k].volume_m3.reduce(comm);
    total += share.volume_m3 = sums[k].volume_m3.value();
    const auto join = [&](FactorRange& range, core::ExactSum& sum) {
      sum.reduce(comm);
      range = {comm.min(range.smallest), comm.max(range.largest), sum.value() / share.volume_m3};
      if (share.num_tets == 0) range = {};
    };
    join(share.strength, sums[k].strength);
    join(share.stiffness, sums[k].stiffness);
  }
  for (MaterialShare& share : shares) share.volume_share = total > 0 ? share.volume_m3 / total : 0;
  return shares;
}

}  // namespace brisance::sim
