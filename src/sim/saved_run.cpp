/// Saves a run as plain values and restores it. `describe` lists the state beside the mesh once, for both directions.
#include "brisance/dist/slabs.hpp"
#include "brisance/sim/simulation.hpp"

#include "sim/phases/phases.hpp"

#include <string>

namespace brisance::sim {

namespace {

/// The state of a run that is not in its mesh.
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
  const Model& m = *model_;
  const WorkBalance::Counts& counts = phases_->balance.counts();
  Rest rest{.run = m.state,
            .half = m.state.kept_half_step ? *m.state.kept_half_step : phases_->ledger.half_step(),
            .cracks = m.rounds ? m.rounds->counters() : fracture::Counters(),
            .bodies = m.colliders.save(),
            .element_updates = m.coarse_updates + m.subcycling.element_updates(),
            .num_rebalances = counts.num_rebalances,
            .busiest_work = counts.busiest_work,
            .mean_work = counts.mean_work};
  core::NamedState state;
  core::StateWriter writer(state);
  describe(writer, rest);
  return state;
}

void Simulation::take_up(const core::NamedState& state) {
  Model& m = *model_;
  Rest rest;
  rest.bodies = m.colliders.save();  // for their number
  core::StateReader reader(m.comm, state);
  describe(reader, rest);
  reader.require_done();
  m.state = rest.run;
  m.state.kept_half_step = rest.half;
  if (m.rounds) m.rounds->counters() = rest.cracks;
  m.colliders.restore(rest.bodies);
  m.coarse_updates = rest.element_updates;
  phases_->balance.counts() = {
      .num_rebalances = rest.num_rebalances, .busiest_work = rest.busiest_work, .mean_work = rest.mean_work};
}

SavedRun Simulation::save() const {
  const Model& m = *model_;
  SavedRun saved{.num_ranks = m.comm.size(),
                 .state = named_state(),
                 .facts = m.mesh.facts,
                 .slab = dist::slab_of(m.mesh),
                 .dust = m.dust.gathered(m.comm)};
  saved.state.reduce(m.comm);
  return saved;
}

}  // namespace brisance::sim
