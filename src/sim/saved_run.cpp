/// A run as plain values, and back. What the mesh and its fields do not have is listed here once, for both directions.
#include "brisance/dist/slabs.hpp"
#include "brisance/sim/simulation.hpp"

#include <string>

namespace brisance::sim {

namespace {

/// All of a run's state beside its mesh.
struct Rest {
  RunState run;
  HalfStep half;
  fracture::Counters cracks;
  std::vector<double> bodies;
  std::int64_t element_updates = 0;
  int num_rebalances = 0;
  double busiest_work = 0, mean_work = 0;
};

template <class Visit>
void describe(Visit& visit, Rest& rest) {
  describe(visit, rest.run);
  describe(visit, rest.half);
  describe(visit, rest.cracks);
  for (std::size_t i = 0; i < rest.bodies.size(); ++i) visit("bodies[" + std::to_string(i) + "]", rest.bodies[i]);
  visit.share("element_updates", rest.element_updates);
  visit("num_rebalances", rest.num_rebalances);
  visit("busiest_work", rest.busiest_work);
  visit("mean_work", rest.mean_work);
}

}  // namespace

core::NamedState Simulation::named_state() const {
  Rest rest{.run = state_,
            .half = state_.kept_half_step ? *state_.kept_half_step : half_step(),
            .cracks = rounds_ ? rounds_->counters() : fracture::Counters(),
            .bodies = colliders_.save(),
            .element_updates = coarse_updates_ + subcycling_.element_updates(),
            .num_rebalances = num_rebalances_,
            .busiest_work = busiest_work_,
            .mean_work = mean_work_};
  core::NamedState state;
  core::StateWriter writer(state);
  describe(writer, rest);
  return state;
}

void Simulation::take_up(const core::NamedState& state) {
  Rest rest;
  rest.bodies = colliders_.save();  // for their number
  core::StateReader reader(comm_, state);
  describe(reader, rest);
  reader.require_done();
  state_ = rest.run;
  state_.kept_half_step = rest.half;
  if (rounds_) rounds_->counters() = rest.cracks;
  colliders_.restore(rest.bodies);
  coarse_updates_ = rest.element_updates;
  num_rebalances_ = rest.num_rebalances;
  busiest_work_ = rest.busiest_work;
  mean_work_ = rest.mean_work;
}

SavedRun Simulation::save() const {
  SavedRun saved{.num_ranks = comm_.size(),
                 .state = named_state(),
                 .facts = mesh_.facts,
                 .slab = dist::slab_of(mesh_),
                 .dust = dust_.gathered(comm_)};
  saved.state.reduce(comm_);
  return saved;
}

}  // namespace brisance::sim
