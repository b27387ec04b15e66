#include "piece_shares.hpp"

#include "brisance/core/exact_sum.hpp"

#include <algorithm>

namespace brisance::sim {

namespace {

constexpr double kDustShare = 1e-3;  ///< of the whole mass: lighter pieces count as dust

}  // namespace

PieceShares piece_shares(const dist::Pieces& pieces, double particles_kg) {
  double total = particles_kg;
  for (const auto& p : pieces.list) total += p.mass;
  PieceShares shares;
  shares.all_kg = total;
  shares.dust = particles_kg / total;
  for (const auto& p : pieces.list) {
    if (p.mass < kDustShare * total) shares.dust += p.mass / total;
    shares.largest = std::max(shares.largest, p.mass / total);
  }
  return shares;
}

double dust_mass(const Simulation& simulation) {
  core::ExactSum mass = simulation.dust().mass();
  mass.reduce(simulation.comm());
  return mass.value();
}

}  // namespace brisance::sim
