#include "brisance/sim/material_shares.hpp"

#include <algorithm>
#include <limits>

namespace brisance::sim {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void take(FactorRange& range, double factor, double volume_m3) {
  range.smallest = std::min(range.smallest, factor);
  range.largest = std::max(range.largest, factor);
  range.mean += volume_m3 * factor;
}

}  // namespace

std::vector<MaterialShare> material_shares(const Scene& scene, const mesh::TetMesh& whole) {
  std::vector<MaterialShare> shares;
  for (const material::Material& m : scene.materials) {
    MaterialShare& share = shares.emplace_back();
    share.name = m.name;
    share.strength = share.stiffness = {kInfinity, 0, 0};
  }
  double total = 0;
  for (std::size_t t = 0; t < whole.tets.size(); ++t) {
    const auto& [a, b, c, d] = whole.tets[t];
    const double volume = mesh::tet_volume(whole.nodes[a], whole.nodes[b], whole.nodes[c], whole.nodes[d]);
    const auto region = static_cast<std::size_t>(whole.region[t]);
    const bool is_graded = region >= shares.size();
    const mesh::GradedRegion form =
        is_graded ? whole.graded[region - shares.size()] : mesh::GradedRegion{static_cast<std::int32_t>(region), 1};
    MaterialShare& share = shares[static_cast<std::size_t>(form.of)];
    ++share.num_tets;
    share.volume_m3 += volume;
    total += volume;
    take(share.strength, whole.strength.empty() ? 1 : whole.strength[t], volume);
    take(share.stiffness, form.stiffness, volume);
  }
  for (MaterialShare& share : shares) {
    share.volume_share = total > 0 ? share.volume_m3 / total : 0;
    for (FactorRange* range : {&share.strength, &share.stiffness}) {
      if (share.num_tets == 0) *range = {};
      if (share.num_tets > 0) range->mean /= share.volume_m3;
    }
  }
  return shares;
}

}  // namespace brisance::sim
