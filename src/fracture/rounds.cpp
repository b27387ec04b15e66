/// One fracture round after another. Read run() and crack_round() first; the steps between are named functions.
#include "brisance/fracture/rounds.hpp"

#include "brisance/core/error.hpp"
#include "brisance/dist/check.hpp"
#include "brisance/dist/sparse_exchange.hpp"

#include "cut_message.hpp"
#include "neighbourhoods.hpp"
#include "winners.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace brisance::fracture {

namespace {

/// The slowest Rayleigh speed among the star's materials [m/s].
double rayleigh_speed(const dist::Mesh& mesh, LocalNode n) {
  if (mesh.materials.size() == 1) return material::rayleigh_wave_speed(mesh.materials[0]);
  double slowest = std::numeric_limits<double>::infinity();
  for (std::int32_t e : mesh.star(n))
    slowest = std::min(slowest, material::rayleigh_wave_speed(mesh.material(LocalElement(e))));
  return slowest;
}

double waiting_time(double distance, double share, double speed) { return share > 0 ? distance / (share * speed) : 0; }

/// A plan whose provisional ids will be replaced once every rank's counts are known.
struct Planned {
  LocalNode node;
  Plan plan;
  std::set<int> holders;
};

struct IdRequest {
  GlobalNode winner;
  std::int64_t num_nodes, num_elements;
};

/// First new node and element id of each planned crack: all winners of all ranks sorted by id, then a running sum. The
/// counters in MeshFacts advance by the totals. Collective.
std::map<GlobalNode, std::pair<std::int64_t, std::int64_t>> number(dist::Mesh& mesh, std::span<const IdRequest> mine) {
  std::vector<IdRequest> all = mesh.comm().all_gather(mine);
  std::sort(all.begin(), all.end(), [](auto& x, auto& y) { return x.winner < y.winner; });
  std::map<GlobalNode, std::pair<std::int64_t, std::int64_t>> first;
  for (const IdRequest& r : all) {
    first[r.winner] = {mesh.facts.next_node_id, mesh.facts.next_element_id};
    mesh.facts.next_node_id += r.num_nodes;
    mesh.facts.next_element_id += r.num_elements;
  }
  return first;
}

CutMessage finalise(const dist::Mesh& mesh, const Planned& planned, std::pair<std::int64_t, std::int64_t> first_ids,
                    const Parameters& p, double time_s) {
  auto node_id = [&](GlobalNode n) { return n.valid() ? n : GlobalNode(first_ids.first - 1 - n.value); };
  auto element_id = [&](GlobalElement e) { return e.valid() ? e : GlobalElement(first_ids.second - 1 - e.value); };
  const double speed = rayleigh_speed(mesh, planned.node);
  CutMessage cut;
  cut.node = mesh.node_id[planned.node];
  cut.ready_time_s = time_s + waiting_time(mesh.state[planned.node].edge_length, p.copy_speed_share, speed);
  for (std::size_t k = 0; k < planned.plan.edges.size(); ++k) {
    const EdgeCut& e = planned.plan.edges[k];
    CutMessage::Edge edge{
        e.a, e.b, node_id(GlobalNode(provisional_id(static_cast<std::int64_t>(k)))), mesh.owner[mesh.find(e.a)],
        e.t, {}};
    for (const auto& [parent, child] : e.children) edge.children.emplace_back(element_id(parent), element_id(child));
    cut.edges.push_back(std::move(edge));
  }
  for (const auto& [e, copy] : planned.plan.assignments) cut.assignments.emplace_back(element_id(e), node_id(copy));
  for (const auto& [n, distance] : planned.plan.front)
    cut.front.emplace_back(node_id(n), time_s + waiting_time(distance, p.crack_speed_share, speed));
  return cut;
}

/// Sends each cut to its holders and returns those that concern this rank, in ascending id of the cracking node.
/// Collective.
std::vector<CutMessage> deliver(const dist::Mesh& mesh, const std::vector<CutMessage>& cuts,
                                const std::vector<Planned>& planned, Fault fault) {
  std::map<int, core::ByteWriter> outgoing;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    std::set<int> holders = planned[i].holders;
    if (fault == Fault::leave_out_holder && holders.size() > 1 && *holders.rbegin() != mesh.comm().rank())
      holders.erase(*holders.rbegin());
    for (int rank : holders) pack(outgoing[rank], cuts[i]);
  }
  std::map<int, std::vector<std::byte>> packed;
  for (auto& [rank, out] : outgoing) packed[rank] = std::move(out.bytes());
  std::vector<CutMessage> mine;
  for (const dist::Message& message : dist::sparse_exchange(mesh.comm(), std::move(packed)))
    for (core::ByteReader in(message.bytes); !in.done();) mine.push_back(unpack(in));
  std::sort(mine.begin(), mine.end(), [](auto& x, auto& y) { return x.node < y.node; });
  return mine;
}

/// Kinetic energy and angular momentum that lumping loses when the elements around an edge are bisected, home elements
/// only (VALIDATION F3).
void add_losses(const dist::Mesh& mesh, const CutMessage::Edge& edge, Counters& counters) {
  for (const auto& [parent, child] : edge.children) {
    const LocalElement e = mesh.find(parent);
    if (!e.valid() || !mesh.is_home(e)) continue;
    const dist::NodeMotion &a = mesh.motion[mesh.find(edge.a)], &b = mesh.motion[mesh.find(edge.b)];
    const Vec3 arm = Vec3(a.position) - Vec3(b.position), difference = Vec3(a.velocity) - Vec3(b.velocity);
    const double share = mesh.material(e).density * mesh.volume(e) / 4 * edge.t * (1 - edge.t);
    counters.kinetic_energy_lost.add(0.5 * share * difference.squaredNorm());
    const Vec3 moment = share * arm.cross(difference);
    for (int k = 0; k < 3; ++k) counters.angular_momentum_lost[k].add(moment[k]);
  }
}

void set_ready(dist::Mesh& mesh, GlobalNode id, double ready_s) {
  if (const LocalNode n = mesh.find(id); n.valid())
    mesh.state[n].ready_time_s = std::max(mesh.state[n].ready_time_s, ready_s);
}

/// Carries out one crack on this rank's part.
void apply(dist::Mesh& mesh, const CutMessage& cut, Counters& counters, std::vector<BornNode>& born) {
  for (const CutMessage::Edge& e : cut.edges) {
    add_losses(mesh, e, counters);
    const LocalNode a = mesh.find(e.a), b = mesh.find(e.b);
    const LocalNode created = mesh.split_edge(e.a, e.b, e.t, e.created, e.owner, e.children);
    if (created.valid() && mesh.is_owned(created))
      born.push_back({created, e.t, Vec3(mesh.motion[a].position), Vec3(mesh.motion[b].position),
                      mesh.state[a].forgiven_depth, mesh.state[b].forgiven_depth});
  }
  set_ready(mesh, cut.node, cut.ready_time_s);  // before the split, so that the copies inherit it
  mesh.split_node(cut.node, cut.assignments);
  for (const auto& [n, ready] : cut.front) set_ready(mesh, n, ready);
}

/// Splits owned front nodes whose star is no longer connected through faces, and tells their holders. Collective.
std::int64_t split_fronts(dist::Mesh& mesh, const std::vector<CutMessage>& cuts) {
  struct FrontSplit {
    LocalNode node;
    std::vector<int> parts;
    int num_parts;
  };
  std::vector<LocalNode> fronts;
  for (const CutMessage& cut : cuts)
    for (const auto& entry : cut.front)
      if (const LocalNode n = mesh.find(entry.first); n.valid() && mesh.is_owned(n)) fronts.push_back(n);
  std::sort(fronts.begin(), fronts.end());
  fronts.erase(std::unique(fronts.begin(), fronts.end()), fronts.end());

  std::vector<FrontSplit> splits;
  std::vector<IdRequest> requests;
  for (LocalNode n : fronts) {
    std::vector<std::array<GlobalNode, 4>> star;
    for (std::int32_t e : mesh.star(n)) {
      std::array<GlobalNode, 4> ids;
      const auto corners = mesh.corners(LocalElement(e));
      for (int i = 0; i < 4; ++i) ids[i] = mesh.node_id[corners[i]];
      star.push_back(ids);
    }
    FrontSplit split{n, face_connected_parts(mesh.node_id[n], star), 0};
    split.num_parts = 1 + *std::max_element(split.parts.begin(), split.parts.end());
    if (split.num_parts == 1) continue;
    requests.push_back({mesh.node_id[n], split.num_parts - 1, 0});
    splits.push_back(std::move(split));
  }
  const auto first_ids = number(mesh, requests);

  std::map<int, core::ByteWriter> outgoing;
  for (const FrontSplit& split : splits) {
    // Parts are numbered by their first, lowest element: part 0 keeps the node.
    CutMessage cut;
    cut.node = mesh.node_id[split.node];
    const auto star = mesh.star(split.node);
    for (std::size_t i = 0; i < star.size(); ++i)
      if (split.parts[i] > 0)
        cut.assignments.emplace_back(mesh.element_id[LocalElement(star[i])],
                                     GlobalNode(first_ids.at(cut.node).first + split.parts[i] - 1));
    for (int rank : mesh.holders(split.node)) pack(outgoing[rank], cut);
  }
  std::map<int, std::vector<std::byte>> packed;
  for (auto& [rank, out] : outgoing) packed[rank] = std::move(out.bytes());
  std::vector<CutMessage> received;
  for (const dist::Message& message : dist::sparse_exchange(mesh.comm(), std::move(packed)))
    for (core::ByteReader in(message.bytes); !in.done();) received.push_back(unpack(in));
  std::sort(received.begin(), received.end(), [](auto& x, auto& y) { return x.node < y.node; });
  for (const CutMessage& cut : received) mesh.split_node(cut.node, cut.assignments);
  return static_cast<std::int64_t>(splits.size());
}

/// A node whose separation tensor is no number can neither crack nor be said to hold. Collective.
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

Rounds::Rounds(const dist::Mesh& mesh, const Parameters& parameters, std::uint32_t held_regions, Services services)
    : parameters_(parameters),
      held_regions_(held_regions),
      services_(std::move(services)),
      criterion_(mesh, parameters, held_regions, services_.corner_forces) {}

void Rounds::hold(std::uint32_t regions) {
  held_regions_ = regions;
  criterion_.hold(regions);
}

void Rounds::rebuild(const dist::Mesh& mesh) {
  criterion_ = Criterion(mesh, parameters_, held_regions_, services_.corner_forces);
}

bool Rounds::run(dist::Mesh& mesh, std::span<const dist::NodeForce> forces, double time_s, std::int64_t step) {
  std::map<LocalNode, Failure> failing;
  for (const Failure& f : criterion_.failures(mesh, criterion_.candidates(mesh, forces, time_s), time_s))
    failing.emplace(f.node, f);
  bool changed = false;
  for (int round = 0; round < parameters_.max_rounds_per_step && mesh.comm().any(!failing.empty()); ++round) {
    refuse_undefined(mesh, failing, time_s, step);
    if (round == 0 && services_.about_to_cut) services_.about_to_cut();
    if (!crack_round(mesh, failing, time_s, step, round)) continue;
    changed = true;
    // Whoever was touched is judged afresh, whether it failed before or not.
    for (const Failure& f : criterion_.failures(mesh, mesh.touched_nodes(), time_s)) failing.emplace(f.node, f);
  }
  return changed;
}

bool Rounds::crack_round(dist::Mesh& mesh, std::map<LocalNode, Failure>& failing, double time_s, std::int64_t step,
                         std::int64_t round) {
  ++counters_.rounds;
  const auto winners = select_winners(mesh, failing, parameters_.seed, step, round);
  mesh.update_ghost_states();

  std::vector<Planned> planned;
  std::vector<IdRequest> requests;
  for (Winner& w : gather_neighbourhoods(mesh, winners, failing, parameters_)) {
    Plan plan = plan_crack(w.neighbourhood, parameters_);
    counters_.quality_snaps += plan.num_snapped_for_quality;
    const Vec3 normal = failing.at(w.node).normal;
    failing.erase(w.node);
    if (plan.verdict != Verdict::cut) {
      ++(plan.verdict == Verdict::one_sided ? counters_.refused_one_sided : counters_.refused_off_plane);
      for (int k = 0; k < 3; ++k) mesh.refusal[w.node].normal[k] = normal[k];
      continue;
    }
    requests.push_back(
        {mesh.node_id[w.node], static_cast<std::int64_t>(plan.edges.size()) + plan.num_copies, plan.num_children});
    planned.push_back({w.node, std::move(plan), std::move(w.holders)});
  }
  const std::int64_t ids_before = mesh.facts.next_node_id;
  const auto first_ids = number(mesh, requests);
  if (mesh.facts.next_node_id == ids_before) return false;  // every winner was refused, on all ranks
  mesh.facts.num_cracks += static_cast<std::int64_t>(first_ids.size());

  std::vector<CutMessage> cuts;
  for (const Planned& p : planned) {
    cuts.push_back(finalise(mesh, p, first_ids.at(mesh.node_id[p.node]), parameters_, time_s));
    ++counters_.cracks;
    counters_.cracks_across_ranks += p.holders.size() > 1 ? 1 : 0;
    counters_.edge_splits += static_cast<std::int64_t>(p.plan.edges.size());
  }
  const auto mine = deliver(mesh, cuts, planned, parameters_.fault);
  std::vector<BornNode> born;
  for (const CutMessage& cut : mine) apply(mesh, cut, counters_, born);
  counters_.front_splits += split_fronts(mesh, mine);
  mesh.finish_cuts();
  if (services_.nodes_born) services_.nodes_born(born);

  criterion_.refresh(mesh, mesh.touched_nodes());
  for (LocalNode n : mesh.touched_nodes()) failing.erase(n);
  if (parameters_.check_invariants)
    dist::require_consistent(mesh, "step " + std::to_string(step) + ", fracture round " + std::to_string(round));
  return true;
}

}  // namespace brisance::fracture
