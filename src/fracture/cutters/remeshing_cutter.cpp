/// Cutting by remeshing: bisect what the plane crosses, split the node, then the fronts.
#include "remeshing_cutter.hpp"

#include "brisance/fracture/fields.hpp"

#include "cut_message.hpp"
#include "neighbourhoods.hpp"
#include "node_splits.hpp"
#include "ready_times.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

namespace brisance::fracture {

namespace {

/// A plan whose provisional ids will be replaced once every rank's counts are known.
struct Planned {
  Plan plan;
  std::set<int> holders;
};

CutMessage finalise(const dist::Mesh& mesh, LocalNode node, const Planned& planned,
                    std::pair<std::int64_t, std::int64_t> first_ids, ReadyTimes& ready, double time_s) {
  auto node_id = [&](GlobalNode n) { return n.valid() ? n : GlobalNode(first_ids.first - 1 - n.value); };
  auto element_id = [&](GlobalElement e) { return e.valid() ? e : GlobalElement(first_ids.second - 1 - e.value); };
  CutMessage cut;
  cut.split.node = mesh.node_id[node];
  cut.ready_time_s = ready.of_copies(mesh, node, time_s);
  for (std::size_t k = 0; k < planned.plan.edges.size(); ++k) {
    const EdgeCut& e = planned.plan.edges[k];
    CutMessage::Edge edge{
        e.a, e.b, node_id(GlobalNode(provisional_id(static_cast<std::int64_t>(k)))), mesh.owner[mesh.find(e.a)],
        e.t, {}};
    for (const auto& [parent, child] : e.children) edge.children.emplace_back(element_id(parent), element_id(child));
    cut.edges.push_back(std::move(edge));
  }
  for (const auto& [e, copy] : planned.plan.assignments)
    cut.split.assignments.emplace_back(element_id(e), node_id(copy));
  for (const auto& [n, distance] : planned.plan.front)
    cut.front.emplace_back(node_id(n), ready.of_front(mesh, node, distance, time_s));
  return cut;
}

/// In ascending id of the cut node.
std::vector<CutMessage> unpack_all(const std::vector<la::Message>& received) {
  std::vector<CutMessage> cuts;
  for (const la::Message& message : received)
    for (core::ByteReader in(message.bytes); !in.done();) cuts.push_back(unpack(in));
  std::sort(cuts.begin(), cuts.end(), [](auto& x, auto& y) { return x.split.node < y.split.node; });
  return cuts;
}

/// Loss of kinetic energy and angular momentum by lumping when the elements around an edge are bisected, counted on
/// each element's home rank (VALIDATION F3).
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

/// Carries out one crack on the part that this rank holds.
void carry_out(dist::Mesh& mesh, const CutMessage& cut, const Services& services, NodeSplitter& splitter,
               Counters& counters) {
  for (const CutMessage::Edge& e : cut.edges) {
    add_losses(mesh, e, counters);
    const LocalNode a = mesh.find(e.a), b = mesh.find(e.b);
    const LocalNode created = mesh.split_edge(e.a, e.b, e.t, e.created, e.owner, e.children);
    if (services.node_born && created.valid() && mesh.is_owned(created)) services.node_born(created, a, b, e.t);
  }
  set_ready(mesh, cut.split.node, cut.ready_time_s);  // before the split, so that the copies inherit it
  splitter.split(mesh, cut.split);
  for (const auto& [n, ready] : cut.front) set_ready(mesh, n, ready);
}

/// Nodes of the cracks' new fronts.
std::vector<GlobalNode> front_nodes(const std::vector<CutMessage>& cuts) {
  std::vector<GlobalNode> nodes;
  for (const CutMessage& cut : cuts)
    for (const auto& entry : cut.front) nodes.push_back(entry.first);
  return nodes;
}

class RemeshingCutter final : public Cutter {
public:
  explicit RemeshingCutter(const Parameters& parameters)
      : parameters_(parameters), splitter_(parameters), ready_(parameters) {}

  [[nodiscard]] std::vector<LocalNode> plan(dist::Mesh& mesh, std::span<const LocalNode> nodes,
                                            const std::map<LocalNode, Failure>& failing, Counters& counters) override {
    std::vector<LocalNode> unplanned, refused;
    std::ranges::copy_if(nodes, std::back_inserter(unplanned), [&](LocalNode n) { return !plans_.contains(n); });
    for (ChosenNode& w : gather_neighbourhoods(mesh, unplanned, failing, parameters_)) {
      Plan plan = plan_crack(w.neighbourhood, parameters_);
      counters.quality_snaps += plan.num_snapped_for_quality;
      if (plan.verdict == Verdict::cut) {
        plans_[w.node] = {std::move(plan), std::move(w.holders)};
        continue;
      }
      ++(plan.verdict == Verdict::one_sided ? counters.refused_one_sided : counters.refused_off_plane);
      const Failure& failure = failing.at(w.node);
      const Vec3 normal = parameters_.refusal_growth > 0 ? Vec3(failure.severity * failure.normal) : failure.normal;
      mesh.field(kRefusal)[w.node] = {normal.x(), normal.y(), normal.z()};
      refused.push_back(w.node);
    }
    return refused;
  }

  void forget(std::span<const LocalNode> nodes) override {
    for (LocalNode n : nodes) plans_.erase(n);
  }
  void forget_all() override { plans_.clear(); }

  [[nodiscard]] std::vector<IdRequest> requests(const dist::Mesh& mesh,
                                                std::span<const LocalNode> chosen) const override {
    std::vector<IdRequest> result;
    for (LocalNode n : chosen) {
      const Plan& plan = plans_.at(n).plan;
      result.push_back(
          {mesh.node_id[n], static_cast<std::int64_t>(plan.edges.size()) + plan.num_copies, plan.num_children});
    }
    return result;
  }

  [[nodiscard]] std::map<int, std::vector<std::byte>> messages(const dist::Mesh& mesh,
                                                               std::span<const LocalNode> chosen,
                                                               const FirstIds& first_ids, double time_s,
                                                               Counters& counters) override {
    std::map<int, core::ByteWriter> outgoing;
    for (LocalNode n : chosen) {
      const Planned& p = plans_.at(n);
      const CutMessage cut = finalise(mesh, n, p, first_ids.at(mesh.node_id[n]), ready_, time_s);
      for (int rank : p.holders) pack(outgoing[rank], cut);
      ++counters.cracks;
      counters.cracks_at_fronts += mesh.field(kFront)[n] != 0 ? 1 : 0;
      counters.back_cracks += p.plan.cuts_back ? 1 : 0;
      counters.cracks_across_ranks += p.holders.size() > 1 ? 1 : 0;
      counters.edge_splits += static_cast<std::int64_t>(p.plan.edges.size());
    }
    return bytes_of(std::move(outgoing));
  }

  void apply(dist::Mesh& mesh, const std::vector<la::Message>& received, const Services& services,
             Counters& counters) override {
    const std::vector<CutMessage> cuts = unpack_all(received);
    for (const CutMessage& cut : cuts) carry_out(mesh, cut, services, splitter_, counters);
    splitter_.finish(mesh);
    counters.front_splits += split_disconnected(mesh, front_nodes(cuts), splitter_);
    splitter_.finish(mesh);
  }

private:
  Parameters parameters_;
  NodeSplitter splitter_;
  ReadyTimes ready_;
  std::unordered_map<LocalNode, Planned> plans_;  ///< of nodes that wait for their cut
};

}  // namespace

std::unique_ptr<Cutter> make_remeshing_cutter(const Parameters& parameters) {
  return std::make_unique<RemeshingCutter>(parameters);
}

}  // namespace brisance::fracture
