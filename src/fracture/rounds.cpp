/// Fracture rounds. Read run() and crack_round() first; the steps between are named functions.
#include "brisance/fracture/rounds.hpp"

#include "brisance/core/error.hpp"
#include "brisance/dist/check.hpp"
#include "brisance/fracture/cutters/cutter.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/fracture/fronts.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "independent_set.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace brisance::fracture {

namespace {

/// Cost of a plan and of a cut, measured over a hard landing, in evaluations of a separation tensor.
constexpr std::uint32_t kPlanEffort = 15, kCutEffort = 75;

/// Throws if the separation tensor of a failing node is not finite: then the node can neither crack nor count as sound.
/// Collective.
void refuse_undefined(const dist::Mesh& mesh, const std::map<LocalNode, Failure>& failing, double time_s,
                      std::int64_t step) {
  core::agree(mesh.comm(), [&] {
    for (const auto& [node, failure] : failing) {
      if (!std::isnan(failure.severity)) continue;
      const Vec3& at = mesh.rest[node];
      throw core::Error(fmt::format(
          "step {}, t = {:.6g} s: the stress around node {}, at rest position ({:.4g}, {:.4g}, {:.4g}) m, is no longer "
          "finite, so the run went unstable. Lower time.step_safety, or choose time.integrator = \"symplectic_euler\".",
          step, time_s, mesh.node_id[node].value, at.x(), at.y(), at.z()));
    }
  });
}

}  // namespace

Rounds::Rounds(const dist::Mesh& mesh, const Parameters& parameters, const ConstrainedRegions& held, Services services)
    : Rounds(mesh, parameters, held, std::move(services), make_cutter(parameters)) {}

Rounds::Rounds(const dist::Mesh& mesh, const Parameters& parameters, const ConstrainedRegions& held, Services services,
               std::unique_ptr<Cutter> cutter)
    : parameters_(parameters),
      held_(held),
      services_(std::move(services)),
      criterion_(mesh, parameters, held, services_.corner_forces),
      cutter_(std::move(cutter)),
      selection_(std::make_unique<IndependentSet>(*cutter_)) {
  cutter_->rebuild(mesh);
}

Rounds::~Rounds() = default;

void Rounds::hold(const ConstrainedRegions& held) {
  held_ = held;
  criterion_.hold(held);
}

void Rounds::rebuild(const dist::Mesh& mesh) {
  criterion_ = FailureSearch(mesh, parameters_, held_, services_.corner_forces);
  selection_ = std::make_unique<IndependentSet>(*cutter_);
  cutter_->rebuild(mesh);
}

std::vector<std::uint32_t> Rounds::take_effort(const dist::Mesh& mesh) {
  std::vector<std::uint32_t> effort = criterion_.take_evaluations();
  effort.resize(mesh.node_id.size());
  const auto add = [&](std::vector<GlobalNode>& ids, std::uint32_t evaluations) {
    for (GlobalNode id : ids)
      if (const LocalNode n = mesh.find(id); n.valid()) effort[static_cast<std::size_t>(n.value)] += evaluations;
    ids.clear();
  };
  add(planned_, kPlanEffort);
  add(cut_, kCutEffort);
  return effort;
}

std::size_t Rounds::memory_bytes() const { return criterion_.memory_bytes() + selection_->memory_bytes(); }

bool Rounds::run(dist::Mesh& mesh, std::span<const dist::NodeForce> forces, double time_s, std::int64_t step) {
  std::map<LocalNode, Failure> failing;
  for (const Failure& f : criterion_.failures(mesh, criterion_.candidates(mesh, forces, time_s), time_s))
    failing.emplace(f.node, f);
  refuse_undefined(mesh, failing, time_s, step);
  // Nodes that cannot be cut leave first, so that they exclude no others.
  cutter_->forget_all();
  std::vector<LocalNode> nodes;
  for (const auto& entry : failing) nodes.push_back(entry.first);
  for (LocalNode n : nodes) planned_.push_back(mesh.node_id[n]);
  if (mesh.comm().any(!nodes.empty()))
    for (LocalNode n : cutter_->plan(mesh, nodes, failing, counters_)) failing.erase(n);

  bool changed = false;
  for (int turn = 0; turn < parameters_.max_rounds_per_step && mesh.comm().any(!failing.empty()); ++turn) {
    if (!round(mesh, failing, time_s, step, turn)) continue;
    changed = true;
    // Waiting nodes whose star was touched are evaluated again; nodes that these cuts make fail are found at the next
    // evaluation.
    for (const Failure& f : criterion_.failures(mesh, reevaluated_, time_s)) failing.emplace(f.node, f);
    refuse_undefined(mesh, failing, time_s, step);
  }
  if (changed) mesh.relink_ghosts();
  return changed;
}

bool Rounds::crack_round(dist::Mesh& mesh, std::map<LocalNode, Failure>& failing, double time_s, std::int64_t step,
                         std::int64_t turn) {
  cutter_->forget_all();
  const bool changed = round(mesh, failing, time_s, step, turn);
  if (changed) mesh.relink_ghosts();
  return changed;
}

bool Rounds::round(dist::Mesh& mesh, std::map<LocalNode, Failure>& failing, double time_s, std::int64_t step,
                   std::int64_t turn) {
  ++counters_.rounds;
  std::vector<LocalNode> chosen = selection_->select(mesh, failing, parameters_.seed, step, turn);
  mesh.update_ghost_fields_of(selection_->surroundings());

  const std::vector<LocalNode> refused = cutter_->plan(mesh, chosen, failing, counters_);
  for (LocalNode n : chosen) failing.erase(n);
  std::erase_if(chosen, [&](LocalNode n) { return std::ranges::find(refused, n) != refused.end(); });
  const FirstIds first_ids = give_out_ids(mesh, cutter_->requests(mesh, chosen));
  if (first_ids.empty()) return false;  // every chosen node was refused, on all ranks
  mesh.facts.num_cracks += static_cast<std::int64_t>(first_ids.size());
  auto outgoing = cutter_->messages(mesh, chosen, first_ids, time_s, counters_);
  cutter_->apply(mesh, la::sparse_exchange(mesh.comm(), std::move(outgoing)), services_, counters_);
  cutter_->forget(selection_->excluded());  // cuts within three edges may touch elements of their plans
  mesh.finish_cuts();
  selection_->forget(mesh.touched_nodes());
  for (LocalNode n : mesh.touched_nodes()) mesh.field(kCut)[n] = 1;
  cutter_->note_fronts(mesh, mesh.touched_nodes(), time_s);
  for (LocalNode n : chosen) cut_.push_back(mesh.node_id[n]);

  if (services_.cuts_finished) services_.cuts_finished();
  criterion_.refresh(mesh, mesh.touched_nodes());
  reevaluated_.clear();
  for (LocalNode n : mesh.touched_nodes())
    if (failing.erase(n) > 0) reevaluated_.push_back(n);
  if (parameters_.check_invariants) {
    mesh.relink_ghosts();
    dist::require_consistent(mesh, "step " + std::to_string(step) + ", fracture round " + std::to_string(turn));
  }
  return true;
}

}  // namespace brisance::fracture
