#include "brisance/sim/fine_steps.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/dynamics/mesh_spans.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace brisance::sim {

namespace {

/// The entries of these arrays, by slot, of a node that is some nodes ahead: slots of fine nodes are all over the
/// memory.
template <class... Arrays>
void ask_ahead(std::span<const std::int32_t> slots, std::size_t i, const Arrays*... arrays) {
  constexpr std::size_t kNodesAhead = 16;
  if (i + kNodesAhead < slots.size()) (__builtin_prefetch(arrays + slots[i + kNodesAhead]), ...);
}

}  // namespace

std::size_t FineSteps::memory_bytes() const {
  std::size_t bytes = nodes_.memory_bytes() + core::bytes_of(pressures_.rows, pressures_.entries, at_end_) +
                      core::bytes_of(fine_, motion_, part_, kick_, last_, others_, terms_, elsewhere_,
                                     coarse_pressures_, coarse_nodes_);
  for (const FineClass& fine : classes_)
    bytes += core::bytes_of(fine.slots, fine.nodes, fine.pressures) + fine.elements.memory_bytes();
  return bytes;
}

void FineSteps::gather(const dist::Mesh& mesh, int finest_class) {
  if (!stale_) return;
  stale_ = false;
  classes_.resize(static_cast<std::size_t>(finest_class));
  for (FineClass& fine : classes_) {
    fine.slots.clear();
    fine.pressures.clear();
  }
  coarse_pressures_.clear();
  has_pressures_ = has_look_ = is_now_ = is_listed_ = false;
  if (finest_class == 0) {
    nodes_.clear(0);
    fine_.assign(1, {});
    num_of_elements_ = 1;
    elsewhere_.clear();
    terms_.clear();
    return;
  }
  const auto& step_class = mesh.field(dynamics::kStepClass);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); step_class[e] > 0 && mesh.is_held(e)) classes_[step_class[e] - 1U].slots.push_back(i);

  // The finest first: their nodes are wanted most often.
  nodes_.clear(mesh.node_id.size());
  fine_.assign(1, {});
  for (int k = finest_class; k > 0; --k) {
    FineClass& fine = classes_[static_cast<std::size_t>(k) - 1];
    fine.elements.pack(dynamics::spans_of(mesh), fine.slots, std::ldexp(1.0, -k), nodes_);
    FineNode node{};
    node.step_class = node.element_class = static_cast<std::int8_t>(k);
    fine_.resize(nodes_.size(), node);
  }
  num_of_elements_ = nodes_.size();
  elsewhere_.clear();
  terms_.clear();
}

void FineSteps::take_again(const dist::Mesh& mesh, const contact::ShortPressures::MadeUpFor& since) {
  for (std::size_t i = 0; i < pressures_.rows.size(); ++i) pressures_.rows[i].bound_by(at_end_[i]);
  take(mesh, since);
}

void FineSteps::take(const dist::Mesh& mesh, const contact::ShortPressures::MadeUpFor& since) {
  since_ = since;
  have_ended_ = false;
  at_end_.resize(pressures_.rows.size());
  has_pressures_ = true;
  has_look_ = is_now_ = is_listed_ = false;
  const auto num_slots = static_cast<std::int32_t>(mesh.node_id.size());
  nodes_.shorten(num_of_elements_, mesh.node_id.size());
  fine_.resize(num_of_elements_);
  for (FineNode& node : fine_) node.step_class = node.element_class;
  for (FineClass& fine : classes_) fine.pressures.clear();
  coarse_pressures_.clear();
  terms_.clear();
  elsewhere_.clear();
  std::unordered_map<GlobalNode, std::int32_t> slot_elsewhere;
  const auto slot_of = [&](const contact::ShortPressures::Entry& entry) {
    if (entry.owner == mesh.comm().rank()) return entry.slot_at_owner;
    if (const LocalNode n = mesh.find(entry.node); n.valid()) return n.value;
    const auto [at, is_new] =
        slot_elsewhere.try_emplace(entry.node, num_slots + static_cast<std::int32_t>(elsewhere_.size()));
    if (is_new) {
      elsewhere_.push_back({LocalNode(at->second), entry.owner, LocalNode(entry.slot_at_owner)});
      nodes_.make_room(static_cast<std::size_t>(at->second) + 1);
    }
    return at->second;
  };
  std::int32_t number_of_row = 0;
  for (const contact::ShortPressures::Row& row : pressures_.rows) {
    auto& list =
        row.step_class == 0 ? coarse_pressures_ : classes_[static_cast<std::size_t>(row.step_class) - 1].pressures;
    const LocalElement element = row.element;
    const double pressed = std::max(0.0, row.pressed());
    Pressure& pressure = list.emplace_back(Pressure{row, number_of_row++, row.pressed(), pressed, pressed, 0, element,
                                                    element.valid() && mesh.homes()[element] != 0});
    pressure.line.first = static_cast<std::int32_t>(terms_.size());
    for (const contact::ShortPressures::Entry& entry : pressures_.of(row)) {
      const std::int32_t number = nodes_.number(slot_of(entry));
      const auto i = static_cast<std::size_t>(number);
      if (i == fine_.size()) fine_.emplace_back();
      fine_[i].step_class = std::max(fine_[i].step_class, static_cast<std::int8_t>(row.step_class));
      terms_.push_back({number, entry.gradient});
    }
  }
}

void FineSteps::drop_pressures() {
  has_pressures_ = have_ended_ = false;
  coarse_pressures_.clear();
}

// What is known of nodes_, which have their classes.
void FineSteps::list_nodes(const dist::Mesh& mesh) {
  if (is_listed_) return;
  is_listed_ = true;
  const std::span<const std::int32_t> slots = nodes_.slots();
  std::vector<dist::GhostLink> ghosts = elsewhere_;
  for (FineClass& fine : classes_) fine.nodes.clear();
  coarse_nodes_.clear();
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    if (slots[i] >= mesh.num_node_slots()) continue;
    const LocalNode n(slots[i]);
    ask_ahead(slots, i, mesh.mass.span().data(), mesh.inverse_mass.span().data(), mesh.owner.span().data());
    fine_[i].mass = mesh.mass[n];
    fine_[i].inverse_mass = mesh.inverse_mass[n];
    fine_[i].is_owned = mesh.is_owned(n);
    if (fine_[i].is_owned)
      (fine_[i].step_class == 0 ? coarse_nodes_ : classes_[static_cast<std::size_t>(fine_[i].step_class) - 1].nodes)
          .push_back(static_cast<std::int32_t>(i));
    else
      ghosts.push_back(mesh.link_of(n));
  }
  motion_.assign(nodes_.size(), {});
  part_.resize(nodes_.size());
  kick_.resize(nodes_.size());
  last_.resize(nodes_.size());
  halos_.clear();
  halos_.resize(std::max<std::size_t>(1, classes_.size()));
  if (mesh.comm().size() == 1) return;
  dist::Halo& all = halos_.front();
  all = dist::Halo(mesh.comm(), ghosts, nodes_.numbers(), nodes_.size());
  std::vector<std::int8_t> class_of(nodes_.size());
  for (std::size_t i = 1; i < nodes_.size(); ++i) class_of[i] = fine_[i].step_class;
  all.update_ghosts(std::span(class_of));
  for (std::size_t k = 1; k < halos_.size(); ++k)
    halos_[k] = all.from_level(mesh.comm(), class_of, static_cast<int>(k) + 1);
}

void FineSteps::begin(const dist::Mesh& mesh, double coarse_s, std::span<dist::NodeForce> forces,
                      const dynamics::ForceOptions& options, std::span<const ForcesOnNodes::Entry> others) {
  options_ = options;
  coarse_s_ = coarse_s;
  list_nodes(mesh);
  const std::span<const std::int32_t> slots = nodes_.slots();
  for (std::size_t i = 1; i < slots.size(); ++i) {
    if (slots[i] >= mesh.num_node_slots()) continue;
    ask_ahead(slots, i, mesh.motion.span().data(), forces.data());
    motion_[i] = mesh.motion[LocalNode(slots[i])];
    fine_[i].start = Vec3(motion_[i].position);
    kick_[i] = {};
    last_[i] = forces[static_cast<std::size_t>(slots[i])];  // what coarse elements give, once that of fine ones is off
  }
  if (has_pressures_ && !has_look_) note_look(mesh, true);
  is_now_ = false;
  if (has_pressures_ && since_.steps > 0) {
    const auto& push = mesh.field(contact::kPushAtEnd);  // it is a matter of the first kick alone
    for (const FineClass& fine : classes_)
      for (const std::int32_t i : fine.nodes)
        for (std::size_t a = 0; a < 3; ++a)
          last_[i].force[a] += since_.length * fine_[i].mass * push[LocalNode(slots[i])][a];
  }
  others_.clear();
  for (const ForcesOnNodes::Entry& entry : others) {
    const std::int32_t i = others_.emplace_back(static_cast<std::int32_t>(nodes_.number_if_any(entry.slot)));
    for (int a = 0; a < 3; ++a) last_[i].force[a] -= entry.first[a];
  }
  int k = 0;
  for (FineClass& fine : classes_) {
    ++k;
    for (const Pressure& pressure : fine.pressures) press(pressure, -first_push(pressure), last_);
    const dynamics::ElementSpans spans = dynamics::spans_of(mesh);
    if (!spans.plastic.empty()) fine.elements.pack(spans, fine.slots, std::ldexp(1.0, -k), nodes_);  // it has flowed
    fine.elements.internal_forces(mesh.materials, motion_, part_, options_);
    element_updates_ += static_cast<std::int64_t>(fine.elements.size());
    const double whole = std::ldexp(1.0, k);
    for (const std::int32_t i : fine.elements.corners()) {
      if (!fine_[i].is_owned) continue;
      dist::add_scaled(1 - whole, part_[i], forces[slots[i]]);
      dist::add_scaled(-whole, part_[i], last_[i]);
    }
  }
}

void FineSteps::run(dist::Mesh& mesh, std::span<dist::NodeForce> forces, std::span<const HeldNode> held,
                    const Accounts& accounts, ForcesOnNodes& others) {
  if (!any()) return;
  const std::span<const std::int32_t> slots = nodes_.slots();
  for (const HeldNode& node : held) fine_[nodes_.number_if_any(node.slot)].held = node.axes;
  int k = 0;
  for (const FineClass& fine : classes_) {
    const double step_s = std::ldexp(coarse_s_, -++k);
    for (const std::int32_t i : fine.nodes) {
      ask_ahead(slots, static_cast<std::size_t>(i), mesh.motion.span().data(), accounts.supplied.data());
      dist::NodeMotion& m = motion_[i];
      std::ranges::copy(mesh.motion[LocalNode(slots[i])].velocity, m.velocity);
      for (int a = 0; a < 3; ++a) m.position[a] = fine_[i].start[a] + step_s * m.velocity[a];
      fine_[i].viscous = accounts.viscous.empty() ? 0 : accounts.viscous[slots[i]];
      fine_[i].supplied = accounts.supplied[slots[i]];
    }
  }
  const int finest = static_cast<int>(classes_.size());
  const std::uint32_t steps = 1U << finest;
  for (std::uint32_t j = 1; j < steps; ++j) {
    // A step of class k is 2^(finest − k) of the finest ones: those begin whose number divides j. Those that began a
    // finest step ago have moved since.
    const auto coarsest_at = [&](std::uint32_t number) { return finest - std::countr_zero(number); };
    const int first = coarsest_at(j), moved = j == 1 ? 1 : coarsest_at(j - 1);
    halos_[static_cast<std::size_t>(moved - 1)].update_ghosts(std::span(motion_));
    const auto is_last = [&](int of) { return j == steps - (steps >> of); };
    for (k = first; k <= finest; ++k) kick(mesh.materials, k, is_last(k));
    const double elapsed = static_cast<double>(j) / steps;
    if (!others_.empty())
      for (k = first; k <= finest; ++k) push(k, elapsed, is_last(k), others);
    for (k = first; k <= finest; ++k) move(k);
    for (std::size_t entry = 0; entry < others_.size(); ++entry)
      if (const std::int32_t i = others_[entry]; fine_[i].element_class >= first)
        others.taken(entry, Vec3(motion_[i].velocity), std::ldexp(coarse_s_, -fine_[i].element_class));
  }
  if (const std::span<dynamics::PlasticBlock> plastic = mesh.field(dynamics::kPlasticState); !plastic.empty())
    for (const FineClass& fine : classes_) fine.elements.put_back_flow(fine.slots, plastic);
  for (const FineClass& fine : classes_)
    for (const std::int32_t i : fine.nodes) {
      ask_ahead(slots, static_cast<std::size_t>(i), forces.data(), mesh.motion.span().data(), accounts.supplied.data());
      dist::NodeForce& force = forces[slots[i]];
      const double bound = force.force[3];
      force = last_[i];
      force.force[3] = bound;
      mesh.motion[LocalNode(slots[i])] = motion_[i];
      if (!accounts.viscous.empty()) accounts.viscous[slots[i]] = fine_[i].viscous;
      accounts.supplied[slots[i]] = fine_[i].supplied;
    }
  for (const HeldNode& node : held) fine_[nodes_.number_if_any(node.slot)].held = {};
}

void FineSteps::kick(std::span<const material::Material> materials, int k, bool last) {
  FineClass& fine = classes_[static_cast<std::size_t>(k) - 1];
  dynamics::ForceOptions options = options_;
  options.since_flow_s = std::ldexp(coarse_s_, -k);
  options.step_class = {};
  const double share = std::ldexp(1.0, -k);
  element_updates_ += static_cast<std::int64_t>(fine.elements.size());
  if (!last) {
    fine.elements.flow_and_add_internal_forces(materials, motion_, kick_, options);
    for (const Pressure& pressure : fine.pressures)
      press(pressure, share * pressure.line.law.pressure(now(pressure)), kick_);
    return;
  }
  for (const std::int32_t i : fine.elements.corners()) part_[i] = {};
  for (const Pressure& pressure : fine.pressures) {
    const double p = share * pressure.line.law.pressure(now(pressure));
    press(pressure, p, kick_);
    press(pressure, p, last_);
  }
  fine.elements.flow_and_add_internal_forces(materials, motion_, part_, options);
  for (const std::int32_t i : fine.elements.corners()) {
    dist::add_scaled(1, part_[i], kick_[i]);
    dist::add_scaled(1, part_[i], last_[i]);
  }
}

std::span<const FineSteps::PressureTerm> FineSteps::terms_of(const Pressure& pressure) const {
  return std::span(terms_).subspan(static_cast<std::size_t>(pressure.line.first),
                                   static_cast<std::size_t>(pressure.line.count));
}

double FineSteps::now(const Pressure& pressure) const {
  double change = 0;  // of S since the coarse step began [m³]
  for (const PressureTerm& term : terms_of(pressure)) {
    const auto i = static_cast<std::size_t>(term.number);
    change += term.gradient.dot(Vec3(motion_[i].position) - fine_[i].look);
  }
  return std::max(0.0, pressure.at_look + pressure.line.slope * change);
}

void FineSteps::press(const Pressure& pressure, double p, std::span<dist::NodeForce> to) const {
  for (const PressureTerm& term : terms_of(pressure))
    for (int a = 0; a < 3; ++a) to[static_cast<std::size_t>(term.number)].force[a] -= p * term.gradient[a];
}

void FineSteps::note_look(const dist::Mesh& mesh, bool is_now) {
  has_look_ = true;
  const std::span<const std::int32_t> slots = nodes_.slots();
  const auto& look = mesh.field(contact::kLookPosition);
  if (!is_now)
    for (std::size_t i = 1; i < slots.size(); ++i)
      if (slots[i] < mesh.num_node_slots()) std::ranges::copy(look[LocalNode(slots[i])], motion_[i].position);
  halos_.front().update_ghosts(std::span(motion_));
  for (std::size_t i = 1; i < slots.size(); ++i) fine_[i].look = Vec3(motion_[i].position);
  if (is_now) return;
  for (std::size_t i = 1; i < slots.size(); ++i)
    if (slots[i] < mesh.num_node_slots()) motion_[i] = mesh.motion[LocalNode(slots[i])];
}

void FineSteps::find_pressures() {
  halos_.front().update_ghosts(std::span(motion_));
  for (int k = 0; k <= static_cast<int>(classes_.size()); ++k)
    for (Pressure& pressure : pressures_of(k)) {
      const double next = now(pressure);
      pressure.change = next - pressure.now;
      pressure.now = next;
    }
}

void FineSteps::go_on(dist::Mesh& mesh) {
  list_nodes(mesh);
  note_look(mesh, false);
  find_pressures();
  is_now_ = true;
  auto& forgiven = mesh.field(contact::kForgivenOverlap);
  for (int k = 0; k <= static_cast<int>(classes_.size()); ++k)
    for (Pressure& pressure : pressures_of(k)) {
      contact::ShortPressures::Row& line = pressure.line;
      if (!(pressure.now > line.most)) continue;
      line.forgiven += pressure.now - line.most;
      pressures_.rows[static_cast<std::size_t>(pressure.row)].forgiven = line.forgiven;
      pressure.at_look = line.pressed();
      pressure.now = now(pressure);
      if (pressure.element.valid()) forgiven[pressure.element] = line.forgiven;
    }
}

void FineSteps::add_pressures(std::span<dist::NodeForce> forces) {
  for (int k = 0; k <= static_cast<int>(classes_.size()); ++k)
    for (Pressure& pressure : pressures_of(k)) {
      pressure.at_kick = pressure.now;
      const double p = first_push(pressure);
      for (const PressureTerm& term : terms_of(pressure)) {
        const auto i = static_cast<std::size_t>(term.number);
        if (!fine_[i].is_owned) continue;
        dist::NodeForce& force = forces[static_cast<std::size_t>(nodes_.slots()[i])];
        for (int a = 0; a < 3; ++a) force.force[a] -= p * term.gradient[a];
      }
    }
}

core::ExactSum FineSteps::stored() const {
  core::ExactSum energy;
  for (int k = 0; k <= static_cast<int>(classes_.size()); ++k)
    for (const Pressure& pressure : pressures_of(k))
      if (pressure.is_home) energy.add(pressure.line.law.energy_density(pressure.now) / pressure.line.slope);
  return energy;
}

void FineSteps::leave_push(dist::Mesh& mesh, int steps) {
  std::ranges::fill(part_, dist::NodeForce{});
  for (int k = 0; k <= static_cast<int>(classes_.size()); ++k)
    for (const Pressure& pressure : pressures_of(k))
      press(pressure, contact::ShortPressures::push_at_end(pressure.line.law, pressure.now, k, steps), part_);
  auto& at_end = mesh.field(contact::kPushAtEnd);
  const auto leave = [&](std::span<const std::int32_t> nodes) {
    for (const std::int32_t i : nodes)
      for (std::size_t a = 0; a < 3; ++a)
        at_end[LocalNode(nodes_.slots()[static_cast<std::size_t>(i)])][a] = fine_[i].inverse_mass * part_[i].force[a];
  };
  leave(coarse_nodes_);
  for (const FineClass& fine : classes_) leave(fine.nodes);
}

void FineSteps::finish(dist::Mesh& mesh, std::span<dist::NodeForce> forces, int steps) {
  if (!has_pressures_) return;
  const std::span<const std::int32_t> slots = nodes_.slots();
  const auto slot_of = [&](std::int32_t number) { return LocalNode(slots[static_cast<std::size_t>(number)]); };
  for (const std::int32_t i : coarse_nodes_) motion_[i] = mesh.motion[slot_of(i)];
  find_pressures();
  is_now_ = true;
  leave_push(mesh, steps);
  auto &pressed = mesh.field(contact::kPressedShare), &rate = mesh.field(contact::kPressedRate);
  have_ended_ = true;
  for (int k = 0; k <= static_cast<int>(classes_.size()); ++k)
    for (const Pressure& pressure : pressures_of(k)) {
      at_end_[static_cast<std::size_t>(pressure.row)] = pressure.now;
      if (!pressure.element.valid()) continue;
      pressed[pressure.element] = pressure.now;
      rate[pressure.element] = pressure.change / coarse_s_;
    }
  // Velocities are led on by what acts in a step, not by what makes up for steps before.
  const contact::ShortPressures::MadeUpFor since = std::exchange(since_, {.steps = 0});
  if (since.steps <= 1) return;
  for (const Pressure& pressure : coarse_pressures_) {
    const double p =
        since.length * contact::ShortPressures::push_at_end(pressure.line.law, pressure.at_kick, 0, since.steps);
    for (const PressureTerm& term : terms_of(pressure))
      if (fine_[term.number].is_owned)
        for (int a = 0; a < 3; ++a) forces[slot_of(term.number).value].force[a] += p * term.gradient[a];
  }
}

void FineSteps::push(int k, double elapsed, bool last, ForcesOnNodes& others) {
  const double share = std::ldexp(1.0, -k);
  for (std::size_t entry = 0; entry < others_.size(); ++entry) {
    const std::int32_t i = others_[entry];
    if (fine_[i].element_class != k) continue;
    const dist::NodeMotion& m = motion_[i];
    const Vec3 expected = Vec3(m.velocity) + coarse_s_ * fine_[i].inverse_mass * Vec3(kick_[i].force);
    const Vec3 force = others.force(entry, {m, expected, elapsed, share * coarse_s_});
    for (int a = 0; a < 3; ++a) {
      kick_[i].force[a] += share * force[a];
      if (last) last_[i].force[a] += share * force[a];
    }
  }
}

void FineSteps::move(int k) {
  const FineClass& fine = classes_[static_cast<std::size_t>(k) - 1];
  const double step_s = std::ldexp(coarse_s_, -k);
  for (const std::int32_t i : fine.nodes) {
    FineNode& node = fine_[i];
    dist::NodeMotion& m = motion_[i];
    const double speed_up = coarse_s_ * node.inverse_mass;
    double viscous = 0, supplied = 0;
    for (int a = 0; a < 3; ++a) {
      const double old_velocity = m.velocity[a], free_velocity = old_velocity + kick_[i].force[a] * speed_up;
      m.velocity[a] = node.held[a] ? old_velocity : free_velocity;
      m.position[a] += step_s * m.velocity[a];
      const double mean = 0.5 * (old_velocity + m.velocity[a]);
      viscous -= coarse_s_ * kick_[i].viscous[a] * mean;
      supplied += node.mass * (m.velocity[a] - free_velocity) * mean;
    }
    node.viscous += viscous;
    node.supplied += supplied;
    kick_[i] = {};
  }
}

}  // namespace brisance::sim
