#include "brisance/contact/deformable_report.hpp"

#include <array>
#include <limits>

namespace brisance::contact {

DeformableReport over_ranks(const core::Comm& comm, const DeformableReport& mine) {
  DeformableReport all = mine;
  const auto counts = comm.sum(std::array<std::int64_t, 3>{mine.pairs, mine.across, mine.deep});
  all.pairs = counts[0];
  all.across = counts[1];
  all.deep = counts[2];
  all.deepest = comm.max(mine.deepest);
  bool is_here = mine.deepest == all.deepest;
  const auto least_of_equals = [&](double here) {
    const double least = comm.min(is_here ? here : std::numeric_limits<double>::infinity());
    is_here = is_here && here == least;
    return least;
  };
  all.deepest_edge_m = least_of_equals(mine.deepest_edge_m);
  for (int k = 0; k < 3; ++k) all.deepest_place[k] = least_of_equals(mine.deepest_place[k]);
  return all;
}

}  // namespace brisance::contact
