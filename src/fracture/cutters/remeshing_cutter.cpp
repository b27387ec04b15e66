/// Cutting by remeshing: bisect what the plane crosses, split the node, then the fronts.
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/fracture/fields.hpp"

#include "cut_message.hpp"
#include "cutter.hpp"
#include "fracture/cohesive/cohesive_link_maker.hpp"
#include "neighbourhoods.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <unordered_map>

namespace brisance::fracture {

namespace {

/// The slowest Rayleigh speed among the star's materials [m/s].
/// @param speeds  of each material
double rayleigh_speed(const dist::Mesh& mesh, LocalNode n, std::span<const double> speeds) {
  double slowest = std::numeric_limits<double>::infinity();
  for (std::int32_t e : mesh.star(n)) slowest = std::min(slowest, speeds[mesh.material_of[LocalElement(e)]]);
  return slowest;
}

double waiting_time(double distance, double share, double speed) { return share > 0 ? distance / (share * speed) : 0; }

/// A plan whose provisional ids will be replaced once every rank's counts are known.
struct Planned {
  Plan plan;
  std::set<int> holders;
};

CutMessage finalise(const dist::Mesh& mesh, LocalNode node, const Planned& planned,
                    std::pair<std::int64_t, std::int64_t> first_ids, const Parameters& p,
                    std::span<const double> rayleigh_speeds, double time_s) {
  auto node_id = [&](GlobalNode n) { return n.valid() ? n : GlobalNode(first_ids.first - 1 - n.value); };
  auto element_id = [&](GlobalElement e) { return e.valid() ? e : GlobalElement(first_ids.second - 1 - e.value); };
  const double speed = rayleigh_speed(mesh, node, rayleigh_speeds);
  CutMessage cut;
  cut.node = mesh.node_id[node];
  cut.ready_time_s = time_s + waiting_time(mesh.field(dist::kUncutEdgeLength)[node], p.copy_speed_share, speed);
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

std::map<int, std::vector<std::byte>> bytes_of(std::map<int, core::ByteWriter>&& outgoing) {
  std::map<int, std::vector<std::byte>> packed;
  for (auto& [rank, out] : outgoing) packed[rank] = std::move(out.bytes());
  return packed;
}

/// In ascending id of the cut node.
std::vector<CutMessage> unpack_all(const std::vector<la::Message>& received) {
  std::vector<CutMessage> cuts;
  for (const la::Message& message : received)
    for (core::ByteReader in(message.bytes); !in.done();) cuts.push_back(unpack(in));
  std::sort(cuts.begin(), cuts.end(), [](auto& x, auto& y) { return x.node < y.node; });
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

void set_ready(dist::Mesh& mesh, GlobalNode id, double ready_s) {
  const LocalNode n = mesh.find(id);
  if (!n.valid()) return;
  double& mine = mesh.field(kReadyTime)[n];
  mine = std::max(mine, ready_s);
}

void split_node(dist::Mesh& mesh, const CutMessage& cut, std::optional<CohesiveLinkMaker>& ties) {
  if (ties)
    ties->split_node(mesh, cut.node, cut.assignments);
  else
    mesh.split_node(cut.node, cut.assignments);
}

/// Carries out one crack on the part that this rank holds.
void carry_out(dist::Mesh& mesh, const CutMessage& cut, const Services& services,
               std::optional<CohesiveLinkMaker>& ties, Counters& counters) {
  for (const CutMessage::Edge& e : cut.edges) {
    add_losses(mesh, e, counters);
    const LocalNode a = mesh.find(e.a), b = mesh.find(e.b);
    const LocalNode created = mesh.split_edge(e.a, e.b, e.t, e.created, e.owner, e.children);
    if (services.node_born && created.valid() && mesh.is_owned(created)) services.node_born(created, a, b, e.t);
  }
  set_ready(mesh, cut.node, cut.ready_time_s);  // before the split, so that the copies inherit it
  split_node(mesh, cut, ties);
  for (const auto& [n, ready] : cut.front) set_ready(mesh, n, ready);
}

/// Splits owned front nodes whose star is no longer connected through faces, and sends the splits to their holders.
/// Collective.
std::int64_t split_fronts(dist::Mesh& mesh, const std::vector<CutMessage>& cuts,
                          std::optional<CohesiveLinkMaker>& ties) {
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
  const FirstIds first_ids = give_out_ids(mesh, requests);

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
  for (const CutMessage& cut : unpack_all(mesh.exchange_with_neighbours(bytes_of(std::move(outgoing)))))
    split_node(mesh, cut, ties);
  return static_cast<std::int64_t>(splits.size());
}

class RemeshingCutter final : public Cutter {
public:
  explicit RemeshingCutter(const Parameters& parameters) : parameters_(parameters) {
    if (parameters.cohesive) ties_.emplace(parameters);
  }

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
    if (rayleigh_speeds_.empty())
      for (const material::Material& m : mesh.materials) rayleigh_speeds_.push_back(material::rayleigh_wave_speed(m));
    std::map<int, core::ByteWriter> outgoing;
    for (LocalNode n : chosen) {
      const Planned& p = plans_.at(n);
      const CutMessage cut = finalise(mesh, n, p, first_ids.at(mesh.node_id[n]), parameters_, rayleigh_speeds_, time_s);
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
    for (const CutMessage& cut : cuts) carry_out(mesh, cut, services, ties_, counters);
    if (ties_) ties_->finish(mesh);
    counters.front_splits += split_fronts(mesh, cuts, ties_);
    if (ties_) ties_->finish(mesh);
  }

private:
  Parameters parameters_;
  std::optional<CohesiveLinkMaker> ties_;         ///< absent without cohesive tractions
  std::unordered_map<LocalNode, Planned> plans_;  ///< of nodes that wait for their cut
  std::vector<double> rayleigh_speeds_;           ///< of each material [m/s]
};

}  // namespace

FirstIds give_out_ids(dist::Mesh& mesh, std::span<const IdRequest> mine) {
  std::vector<IdRequest> all = mesh.comm().all_gather(mine);
  std::sort(all.begin(), all.end(), [](auto& x, auto& y) { return x.chosen < y.chosen; });
  FirstIds first;
  for (const IdRequest& r : all) {
    first[r.chosen] = {mesh.facts.next_node_id, mesh.facts.next_element_id};
    mesh.facts.next_node_id += r.num_nodes;
    mesh.facts.next_element_id += r.num_elements;
  }
  return first;
}

std::unique_ptr<Cutter> make_remeshing_cutter(const Parameters& parameters) {
  return std::make_unique<RemeshingCutter>(parameters);
}

}  // namespace brisance::fracture
