#include "brisance/sim/skin_contacts.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/dynamics/step_classes.hpp"
#include "brisance/la/sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

/// κ over λ + 2μ where the scene says 1. Two undamped bars that meet face to face at the longest step keep their energy
/// to 0.2 % at 0.15, to 0.6 % at 0.3 and to 2.6 % at 0.4; at 0.5 they blow up.
constexpr double kShareOfModulus = 0.15;
/// The same where nodes count: such bars keep their energy to 0.8 %, nodes on nodes, to 0.2 % else; at 0.15 to 5.5 and
/// 0.7 %.
constexpr double kShareOfModulusByNodes = 0.06;

/// Times the pressure that a line has come to, that a tet presses with at the next look.
constexpr double kMostOverLine = 2;

/// Of what a tet stores, the most that a look may put in: what smooth motion puts in when tets part, which their coming
/// took before, is less.
constexpr double kMostGained = 0.01;

/// Halvings by which that is found, to a millionth of the line.
constexpr int kHalvings = 20;

/// A share, and how fast it changes.
struct ChangingShare {
  double share, rate;  ///< [–]; [1/s]
};

/// Times that the kick at a look is half of: since the look before, for κ q, and a tet's own step, for the rest of p.
struct KickTimes {
  double look_s, own_s;
};

/// What a tet may press for at a look, of others in it, so that no energy comes of it [–]. With shares l and a, by the
/// line and by the look, its stored energy changes by U(a) − U(l) there, and the kick that makes up for what forces
/// differ by, half of the time T since the look before, takes −V₀ T (p(a) ȧ − p(l) l̇)/2 with it, ȧ and l̇ by the
/// velocities of then. (T is KickTimes::own_s for what has hardened.) Both together are to be no more than nothing, or
/// kMostGained of V₀ κ a²/2. As a rule all of a is paid for. Where it is not, again and again, a crumb among others
/// swings at the beat of looks.
double share_paid_for(const contact::OverlapLaw& law, ChangingShare line, ChangingShare look, const KickTimes& times) {
  const auto balance = [&](const ChangingShare& at) {
    const double kick = times.look_s * law.soft_pressure(at.share) + times.own_s * law.hard_pressure(at.share);
    return law.energy_density(at.share) - 0.5 * kick * at.rate;
  };
  const double before = balance(line);
  const auto is_paid_for = [&](double share) {
    return balance({share, look.rate}) - 0.5 * kMostGained * law.soft_pressure(share) * share <= before;
  };
  double less = line.share, more = std::min(look.share, kMostOverLine * line.share);
  if (more <= less || is_paid_for(more)) return more;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (less + more);
    (is_paid_for(middle) ? less : more) = middle;
  }
  return less;
}

/// Of the smaller of two tets, what they share when those around them begin to take part, and when these still do.
constexpr double kDeep = 0.01, kStaysDeep = 0.5 * kDeep;

/// Share of a tet that may lie inside others at the start.
constexpr double kMostAtStart = 0.9;

}  // namespace

// A share of what the material itself opposes to a wave; less of it for light tets, which go far for their size from
// one look to the next. With 4⁻ᵏ crumbs of small scenes sink deeper into others; with 2⁻ᵏ some are shaken, by which
// `the_end` gains 2 % in 0.1 s.
contact::OverlapLaw SkinContacts::law(const dist::Mesh& mesh, LocalElement e, int step_class) const {
  const material::Material& material = mesh.material(e);
  const double modulus = material.lame_lambda + 2 * material.lame_mu;
  const double share = nodes_count() ? kShareOfModulusByNodes : kShareOfModulus;
  const double full = share * parameters_.stiffness_scale * modulus;
  const double softened = std::sqrt(std::ldexp(1.0, -3 * step_class));
  // A node that counts always knows its way out.
  return nodes_count() ? contact::OverlapLaw{softened * full} : contact::softened_law(full, softened);
}

void SkinContacts::find(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const SinceLook& since) {
  contact_.find(motion, [&](const contact::DeformableContact::Pressed& tet) {
    const LocalElement e = tet.element;
    const std::uint8_t known = mesh.field(contact::kContactClass)[e], now = mesh.field(dynamics::kStepClass)[e];
    const contact::OverlapLaw its_law = law(mesh, e, known == contact::kPressesNothing ? now : known);
    double pressed = std::max(0.0, tet.overlap / tet.volume - mesh.field(contact::kForgivenOverlap)[e]);
    if (is_bounded(mesh, e, pressed, since)) pressed = paid_for(mesh, tet, its_law, pressed, since);
    return contact::Pressing{.pressed = pressed, .law = its_law, .step_class = now};
  });
  is_of_look_ = is_remembered_ = false;
}

bool SkinContacts::has_line(const dist::Mesh& mesh, LocalElement e, const SinceLook& since) {
  return since.steps > 1 || mesh.field(dynamics::kStepClass)[e] > 0;
}

bool SkinContacts::is_bounded(const dist::Mesh& mesh, LocalElement e, double pressed, const SinceLook& since) {
  return since.steps > 1 || (has_line(mesh, e, since) && pressed > contact::OverlapLaw::kSoftShare);
}

double SkinContacts::own_step(const dist::Mesh& mesh, LocalElement e, const SinceLook& since) {
  return std::ldexp(since.time_s / since.steps, -mesh.field(dynamics::kStepClass)[e]);
}

double SkinContacts::paid_for(const dist::Mesh& mesh, const contact::DeformableContact::Pressed& tet,
                              const contact::OverlapLaw& law, double pressed, const SinceLook& since) {
  const ChangingShare line{mesh.field(contact::kPressedShare)[tet.element],
                           mesh.field(contact::kPressedRate)[tet.element]};
  return share_paid_for(law, line, {pressed, tet.rate / tet.volume},
                        {since.time_s, own_step(mesh, tet.element, since)});
}

void SkinContacts::note_look(dist::Mesh& mesh) {
  auto& look = mesh.field(contact::kLookPosition);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const auto& position = mesh.motion[LocalNode(i)].position;  // of four numbers, the last of no meaning
    look[LocalNode(i)] = {position[0], position[1], position[2]};
  }
  look_.assign(mesh.motion.span().begin(), mesh.motion.span().end());
  is_of_look_ = true;
}

void SkinContacts::find_where_looked(dist::Mesh& mesh) {
  auto& look = mesh.field(contact::kLookPosition);
  mesh.halo().update_ghosts(look.span());
  look_.assign(mesh.motion.span().begin(), mesh.motion.span().end());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    std::ranges::copy(look[LocalNode(i)], look_[static_cast<std::size_t>(i)].position);
  asked_ = {};
  contact_.find(look_, [&](const contact::DeformableContact::Pressed& tet) { return in_line(mesh, tet); });
  is_of_look_ = true;
}

void SkinContacts::follow(dist::Mesh& mesh) {
  if (!is_of_look_) find_where_looked(mesh);
  const auto& pressed = mesh.field(contact::kPressedShare);
  std::vector<double> shares;
  shares.reserve(asked_.element.size());
  for (const LocalElement e : asked_.element) shares.push_back(pressed[e]);
  contact_.follow(mesh.motion.span(), shares);
}

contact::Pressing SkinContacts::in_line(const dist::Mesh& mesh, const contact::DeformableContact::Pressed& tet) {
  const LocalElement e = asked_.element.emplace_back(tet.element);
  asked_.step_class.push_back(mesh.field(dynamics::kStepClass)[e]);
  return {.law = law(mesh, e, mesh.field(contact::kContactClass)[e]),
          .step_class = asked_.step_class.back(),
          .share = tet.overlap / tet.volume,
          .forgiven = mesh.field(contact::kForgivenOverlap)[e]};
}

void SkinContacts::note_class(dist::Mesh& mesh, LocalElement e) {
  std::uint8_t& known = mesh.field(contact::kContactClass)[e];
  const std::uint8_t now = mesh.field(dynamics::kStepClass)[e];
  known = known == contact::kPressesNothing ? now : std::max(now, known);
}

bool SkinContacts::may_press_otherwise(const dist::Mesh& mesh) const {
  const auto& step_class = mesh.field(dynamics::kStepClass);
  for (std::size_t i = 0; i < asked_.element.size(); ++i)
    if (step_class[asked_.element[i]] != asked_.step_class[i]) return true;
  return std::ranges::any_of(
      put_, [&](GlobalElement id) { return !std::binary_search(pressing_.begin(), pressing_.end(), id); });
}

bool SkinContacts::find_where_looked_after_cuts(dist::Mesh& mesh, bool anew) {
  if (!std::exchange(has_cuts_, false)) return false;
  const auto& pressed = mesh.field(contact::kPressedShare);
  std::vector<GlobalElement> pressing;
  anew = anew || !is_of_look_ || may_press_otherwise(mesh);
  Asked before = std::exchange(asked_, {});
  const auto answer = [&](const contact::DeformableContact::Pressed& tet) {
    pressing.push_back(tet.id);
    const LocalElement e = tet.element;
    note_class(mesh, e);
    contact::Pressing line = in_line(mesh, tet);
    line.most = contact::ShortPressures::no_harder_than(pressed[e]);
    return line;
  };
  if (!is_of_look_) {
    contact_.find(look_, answer);
  } else if (!contact_.find_again(look_, answer, anew)) {
    asked_ = std::move(before);
    put_.clear();
    return false;
  }
  is_of_look_ = true;
  std::sort(pressing.begin(), pressing.end());
  forget_others(mesh, pressing, [](LocalElement) {});
  return true;
}

template <class Forgive, class Left>
core::ExactSum SkinContacts::find_and_remember(dist::Mesh& mesh, bool again, const Forgive& forgive, const Left& left) {
  auto& contact_class = mesh.field(contact::kContactClass);
  auto &forgiven = mesh.field(contact::kForgivenOverlap), &pressed = mesh.field(contact::kPressedShare);
  core::ExactSum put_in;
  std::vector<GlobalElement> pressing;
  const bool anew = !again || !is_remembered_ || may_press_otherwise(mesh);
  Asked before = std::exchange(asked_, {});
  const auto answer = [&](const contact::DeformableContact::Pressed& tet) {
    pressing.push_back(tet.id);
    const LocalElement e = asked_.element.emplace_back(tet.element);
    const std::uint8_t now = mesh.field(dynamics::kStepClass)[e], known = contact_class[e];
    asked_.step_class.push_back(now);
    note_class(mesh, e);
    const contact::OverlapLaw its_law = law(mesh, e, contact_class[e]);
    const double share = tet.overlap / tet.volume;
    forgiven[e] = forgive(tet, its_law, share);
    pressed[e] = std::max(0.0, share - forgiven[e]);
    if (tet.is_home && known != contact::kPressesNothing && known != contact_class[e]) {
      put_in.add(tet.volume * its_law.energy_density(pressed[e]));
      put_in.add(-tet.volume * law(mesh, e, known).energy_density(pressed[e]));
    }
    return contact::Pressing{
        .pressed = pressed[e], .law = its_law, .step_class = now, .share = share, .forgiven = forgiven[e]};
  };
  if (!again) {
    contact_.find(mesh.motion.span(), answer);
  } else if (!contact_.find_again(mesh.motion.span(), answer, anew)) {
    asked_ = std::move(before);
    put_.clear();
    return put_in;
  }
  is_of_look_ = false;
  is_remembered_ = true;
  std::sort(pressing.begin(), pressing.end());
  forget_others(mesh, pressing, left);
  return put_in;
}

template <class Left>
void SkinContacts::forget_others(dist::Mesh& mesh, std::vector<GlobalElement>& pressing, const Left& left) {
  for (const std::vector<GlobalElement>* before : {&pressing_, &put_})
    for (const GlobalElement id : *before) {
      if (std::binary_search(pressing.begin(), pressing.end(), id)) continue;
      const LocalElement e = mesh.find(id);
      if (!e.valid()) continue;
      left(e);
      mesh.field(contact::kContactClass)[e] = contact::kPressesNothing;
      mesh.field(contact::kForgivenOverlap)[e] = mesh.field(contact::kPressedShare)[e] = 0;
      mesh.field(contact::kPressedRate)[e] = 0;
    }
  pressing_ = std::move(pressing);
  put_.clear();
}

void SkinContacts::short_pressures(const dist::Mesh& mesh, contact::ShortPressures& pressures, bool all,
                                   const contact::ShortPressures::MadeUpFor& since) {
  const auto at_owner = [&](std::int32_t slot) {
    const dist::GhostLink link = mesh.link_of(LocalNode(slot));
    return contact::NodeAtOwner{link.owner, link.remote_slot.value};
  };
  contact_.short_pressures(at_owner, pressures, all, since);
}

void SkinContacts::forgive_start(dist::Mesh& mesh) {
  std::vector<std::pair<GlobalElement, double>> shares;  // of their volume, that others occupy
  const auto note = [&](LocalElement e, double share) { shares.emplace_back(mesh.element_id[e], share); };
  if (nodes_count()) {  // how much of a tet others occupy is not told by nodes
    contact::DeformableParameters by_volume = parameters_;
    by_volume.criterion = contact::ContactCriterion::overlap_volume;
    contact::DeformableContact whole(mesh.comm(), by_volume);
    for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
      if (const LocalElement e(i); mesh.is_held(e) && takes_part(mesh, e))
        whole.put(described(mesh, e), mesh.motion.span());
    whole.find(mesh.motion.span(), [&](const contact::DeformableContact::Pressed& tet) {
      note(tet.element, tet.overlap / tet.volume);
      return contact::Pressing{};
    });
  }
  const auto forgive_all = [&](const contact::DeformableContact::Pressed& tet, const contact::OverlapLaw&,
                               double share) {
    if (!nodes_count()) note(tet.element, share);
    return share;
  };
  find_and_remember(mesh, false, forgive_all, [](LocalElement) {});
  report_start(mesh, shares);
}

void SkinContacts::report_start(const dist::Mesh& mesh,
                                std::span<const std::pair<GlobalElement, double>> shares) const {
  std::int64_t count = 0, deepest = std::numeric_limits<std::int64_t>::max();
  double most = 0;
  for (const auto& [id, share] : shares) {
    count += mesh.is_home(mesh.find(id)) ? 1 : 0;
    most = std::max(most, share);
  }
  const core::Comm& comm = mesh.comm();
  count = comm.sum(count);
  if (count == 0) return;
  most = comm.max(most);
  for (const auto& [id, share] : shares)
    if (share == most) deepest = std::min(deepest, id.value);
  deepest = comm.min(deepest);
  Vec3 at = Vec3::Zero();
  if (const LocalElement e = mesh.find(GlobalElement(deepest)); e.valid() && mesh.is_home(e))
    for (const LocalNode n : mesh.corners(e)) at += 0.25 * Vec3(mesh.motion[n].position);
  la::sum_over_ranks(comm, std::span<double>(at.data(), 3));  // of one rank alone
  const std::string what =
      fmt::format("{} others at the start, the worst with {:.3g} % of its volume, at ({:.4g}, {:.4g}, {:.4g}) m",
                  core::counted(count, "tet overlaps", "tets overlap"), 100 * most, at.x(), at.y(), at.z());
  if (most > kMostAtStart)
    throw core::BadInput(what +
                         ". Nothing says which way is out: move the objects apart (object.translation_m), or let "
                         "them pass through each other with contact.enabled = \"off\".");
  if (comm.is_root()) spdlog::warn("{}; contact takes this as its zero and only opposes more.", what);
}

double SkinContacts::energy(const dist::Mesh& mesh, LocalElement e, double share) const {
  return mesh.own_volume(e) * law(mesh, e, mesh.field(contact::kContactClass)[e]).energy_density(share);
}

core::ExactSum SkinContacts::stored_in_lines(const dist::Mesh& mesh) const {
  core::ExactSum stored;
  for (const GlobalElement id : pressing_)
    if (const LocalElement e = mesh.find(id); e.valid() && mesh.is_home(e))
      stored.add(energy(mesh, e, mesh.field(contact::kPressedShare)[e]));
  return stored;
}

core::ExactSum SkinContacts::find_for_step(dist::Mesh& mesh, const SinceLook& since, LineError* error) {
  const auto &forgiven = mesh.field(contact::kForgivenOverlap), &pressed = mesh.field(contact::kPressedShare);
  const auto add = [&](core::ExactSum& to, LocalElement e, double share) { to.add(energy(mesh, e, share)); };
  core::ExactSum taken;  // of what has hardened, where it presses for less than its line did: no kick gives it back
  const auto take_hardened = [&](LocalElement e, const contact::OverlapLaw& its_law, double now, double rate) {
    if (now >= pressed[e] || !has_line(mesh, e, since) || !mesh.is_home(e)) return;
    const double own_s = own_step(mesh, e, since);
    const auto balance = [&](double share, double its_rate) {
      return its_law.hard_energy_density(share) - 0.5 * own_s * its_law.hard_pressure(share) * its_rate;
    };
    const double change = balance(now, rate) - balance(pressed[e], mesh.field(contact::kPressedRate)[e]);
    if (change < 0) taken.add(mesh.own_volume(e) * change);
  };
  std::vector<std::pair<LocalElement, std::uint8_t>> reached;
  const auto& was_reached = mesh.field(contact::kReach);
  const auto forgive = [&](const contact::DeformableContact::Pressed& tet, const contact::OverlapLaw& its_law,
                           double share) {
    const LocalElement e = tet.element;
    if (tet.deepest > (was_reached[e] == contact::kSharesMuch ? kStaysDeep : kDeep))
      reached.emplace_back(e, contact::kSharesMuch);
    else if (!is_at_surface(mesh, e))
      reached.emplace_back(e, contact::kTouches);
    const double line = pressed[e], known = std::min(forgiven[e], share);
    if (error && mesh.is_home(e)) {
      const double missed = share - known - line;
      error->missed.add(0.5 * mesh.own_volume(e) * its_law.slope(std::max(share - known, line)) * missed * missed);
      add(error->stored, e, share - known);
    }
    double now = share - known;
    if (is_bounded(mesh, e, now, since)) now = paid_for(mesh, tet, its_law, now, since);
    take_hardened(e, its_law, now, tet.rate / tet.volume);
    return std::max(known, share - now);
  };
  core::ExactSum put_in = find_and_remember(mesh, false, forgive, [&](LocalElement e) {
    if (error && mesh.is_home(e)) add(error->missed, e, pressed[e]);
    take_hardened(e, law(mesh, e, mesh.field(contact::kContactClass)[e]), 0, 0);
  });
  put_in.add(taken);
  if (!nodes_count()) reach(mesh, std::move(reached));
  return put_in;
}

core::ExactSum SkinContacts::find_after_cuts(dist::Mesh& mesh) {
  if (!std::exchange(has_cuts_, false)) return {};
  core::ExactSum taken = stored_before_cuts_;
  const auto &forgiven = mesh.field(contact::kForgivenOverlap), &pressed = mesh.field(contact::kPressedShare);
  // All are asked, cut or not: what was inside a body and is at its surface now may lie in others.
  const auto forgive = [&](const contact::DeformableContact::Pressed& tet, const contact::OverlapLaw&, double share) {
    return std::max(std::min(forgiven[tet.element], share),
                    share - contact::ShortPressures::no_harder_than(pressed[tet.element]));
  };
  find_and_remember(mesh, true, forgive, [](LocalElement) {});
  taken.subtract(contact_.stored());
  return taken;
}

}  // namespace brisance::sim
