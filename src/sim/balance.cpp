/// Load balance: nodes change their owners where cracks and fine steps have made some ranks' work more than others'. No
/// bit of the run depends on who owns what.
#include "brisance/core/timer.hpp"
#include "brisance/dist/balanced_owners.hpp"
#include "brisance/dynamics/step_classes.hpp"
#include "brisance/sim/simulation.hpp"

#include <algorithm>
#include <cmath>

#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr std::int64_t kStepsBetweenLooks = 32;
/// Work in updates of an element in the pass over all of them; measured on one core of a machine with AVX-512.
constexpr double kFineUpdate = 2;
constexpr double kTensor = 150;         ///< of a look at a node's separation tensor, with the forces of its star
constexpr double kChangeOfOwner = 500;  ///< of dividing and moving everything, a node

}  // namespace

std::vector<double> Simulation::work_of_nodes() {
  std::vector<double> work(mesh_.node_id.size());
  const auto& step_class = mesh_.field(dynamics::kStepClass);
  const std::vector<std::uint32_t> effort =
      rounds_ ? rounds_->take_effort(mesh_) : std::vector<std::uint32_t>(mesh_.node_id.size());
  for (std::int32_t i : caches_.owned) {
    double updates = 0;
    for (const std::int32_t e : mesh_.star(LocalNode(i))) {
      const int k = step_class[LocalElement(e)];
      updates += k == 0 ? 1 : 1 + kFineUpdate * std::ldexp(1.0, k);
    }
    work[static_cast<std::size_t>(i)] = 0.25 * updates * static_cast<double>(kStepsBetweenLooks);
    work[static_cast<std::size_t>(i)] += kTensor * effort[static_cast<std::size_t>(i)];
  }
  return work;
}

void Simulation::balance() {
  const double threshold = scene_.time.rebalance_above;
  if (comm_.size() == 1 || state_.num_steps == 0 || state_.num_steps % kStepsBetweenLooks != 0) return;
  const std::vector<double> work = work_of_nodes();
  double mine = 0;
  for (std::int32_t i : caches_.owned) mine += work[static_cast<std::size_t>(i)];
  const double most = comm_.max(mine);
  const auto sums =
      comm_.sum(std::array<std::int64_t, 2>{std::llround(mine), static_cast<std::int64_t>(caches_.owned.size())});
  const double mean = static_cast<double>(sums[0]) / comm_.size(), nodes = static_cast<double>(sums[1]) / comm_.size();
  busiest_work_ += most;
  mean_work_ += mean;
  // Nobody knows how long it stays uneven: once as much is lost as a change costs, it is made, and so the run never
  // takes more than twice what it would with that known.
  lost_work_ += most - mean;
  const bool pays = threshold <= 1 || lost_work_ >= kChangeOfOwner * nodes;
  if (threshold == 0 || most <= threshold * mean || !pays) return;
  lost_work_ = 0;

  core::ScopedTimer timer(seconds_.balance);
  migrate(dist::balanced_owners(mesh_, work));
  ++num_rebalances_;
  if (comm_.is_root())
    spdlog::info("t = {:.6g} s: work divided afresh, the busiest of {} ranks had {:.2f} of the mean", state_.time_s,
                 comm_.size(), most / mean);
}

}  // namespace brisance::sim
