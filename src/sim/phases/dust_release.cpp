/// Small pieces leave the mesh as particles: their choice, their mass, momentum and inertia, and the accounts. All sums
/// are exact, so the particle of a piece does not depend on how ranks share it.
#include "dust_release.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/contact/forces/overlap_contact.hpp"
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dist/check.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/dynamics/energies.hpp"
#include "brisance/dynamics/plastic_state.hpp"
#include "brisance/sim/dust.hpp"
#include "brisance/sim/fields.hpp"
#include "brisance/sim/loads/loads.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr std::int32_t kStays = -1;
/// Least inertia, over that of the ball: a piece whose nodes lie in a line or a plane has none about some axis [–].
constexpr double kLeastInertia = 1e-3;

/// A subset of the mesh's pieces, with its own numbering.
struct Chosen {
  std::vector<std::size_t> piece;      ///< indices into dist::Pieces::list, ascending
  std::vector<std::int32_t> of_piece;  ///< the reverse; kStays for others

  Chosen(std::size_t num_pieces, const auto& is_chosen) : of_piece(num_pieces, kStays) {
    for (std::size_t i = 0; i < num_pieces; ++i) {
      if (!is_chosen(i)) continue;
      of_piece[i] = static_cast<std::int32_t>(piece.size());
      piece.push_back(i);
    }
  }
  [[nodiscard]] std::int32_t at(const dist::Pieces& pieces, LocalNode n) const {
    const std::int32_t p = pieces.of_node[n];
    return p < 0 ? kStays : of_piece[static_cast<std::size_t>(p)];
  }
};

/// `width` exact sums for each of `count` pieces, reduced in one message.
class SumsByPiece {
public:
  SumsByPiece(std::size_t count, std::size_t width) : width_(width), sums_(count * width) {}
  void add(std::int32_t i, std::size_t k, double term) { sums_[static_cast<std::size_t>(i) * width_ + k].add(term); }
  void add(std::int32_t i, std::size_t k, const Vec3& terms) {
    for (std::size_t c = 0; c < 3; ++c) add(i, k + c, terms[static_cast<Eigen::Index>(c)]);
  }
  void reduce(const core::Comm& comm) { core::ExactSum::reduce(comm, sums_); }
  [[nodiscard]] double value(std::size_t i, std::size_t k) const { return sums_[i * width_ + k].value(); }
  [[nodiscard]] Vec3 vector(std::size_t i, std::size_t k) const {
    return {value(i, k), value(i, k + 1), value(i, k + 2)};
  }

private:
  std::size_t width_;
  std::vector<core::ExactSum> sums_;
};

/// I_eff of |L|²/(2 I_eff) = ½ L·I⁻¹L, the energy of the rigid rotation, which is never above that of the nodes [kg
/// m²].
double inertia_about(const Mat3& inertia, const Vec3& angular_momentum, double of_ball) {
  const double least = kLeastInertia * of_ball;
  if (angular_momentum.isZero(0)) return std::max(inertia.trace() / 3, least);
  const Vec3 turning = inertia.ldlt().solve(angular_momentum);
  const double twice_energy = angular_momentum.dot(turning);
  if (!std::isfinite(twice_energy) || !(twice_energy > 0)) return of_ball;
  return std::max(angular_momentum.squaredNorm() / twice_energy, least);
}

std::array<double, 3> triple(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

/// The contribution of the half-step shift to the total energy.
core::ExactSum energy_of(const HalfStep& half) {
  core::ExactSum sum = half.kinetic;
  sum.add(half.viscous);
  sum.add(half.contact_loss);
  sum.subtract(half.supplied);
  return sum;
}

/// Mass, centre and velocity of a piece.
struct PieceMotion {
  double mass = 0;
  std::int64_t material = 0;
  Vec3 centre, velocity;
};

/// @param angular  momentum about the centre
/// @param squares, products  Σ m x², y², z² and Σ m yz, xz, xy about it
DustParticle particle(const PieceMotion& motion, double volume_m3, const Vec3& angular, const Vec3& squares,
                      const Vec3& products) {
  Mat3 inertia;
  inertia << squares.y() + squares.z(), -products.z(), -products.y(), -products.z(), squares.x() + squares.z(),
      -products.x(), -products.y(), -products.x(), squares.x() + squares.y();
  DustParticle dust;
  dust.material = motion.material;
  dust.position = triple(motion.centre);
  dust.velocity = triple(motion.velocity);
  dust.angular_momentum = triple(angular);
  dust.mass = motion.mass;
  dust.radius = std::cbrt(3 * volume_m3 / (4 * std::numbers::pi));
  dust.inertia = inertia_about(inertia, angular, 0.4 * dust.mass * dust.radius * dust.radius);
  return dust;
}

}  // namespace

bool DustRelease::turns_to_dust() const { return dust_flies(scene_) && rounds_ && state_.dust.mean_tet_m3 > 0; }

void DustRelease::note_mean_tet() {
  core::ExactSum volume;
  for (const std::int32_t e : dist::home_elements(mesh_)) volume.add(mesh_.own_volume(LocalElement(e)));
  volume.reduce(comm_);
  state_.dust.mean_tet_m3 = volume.value() / static_cast<double>(mesh_.facts.num_uncut);
}

DustRelease::SmallPieces DustRelease::small_pieces(const dist::Pieces& pieces) const {
  const double limit_m3 = scene_.fracture.dust_max_tets * state_.dust.mean_tet_m3;
  double heaviest = 0;
  for (const auto& m : mesh_.materials) heaviest = std::max(heaviest, m.density);
  const Chosen light(pieces.list.size(), [&](std::size_t i) { return pieces.list[i].mass < heaviest * limit_m3; });
  enum { kVolume, kHeld, kWidth };
  SumsByPiece sums(light.piece.size(), kWidth);
  for (const std::int32_t e : dist::home_elements(mesh_))
    if (const std::int32_t i = light.at(pieces, mesh_.corner(LocalElement(e), 0)); i != kStays)
      sums.add(i, kVolume, mesh_.volume(LocalElement(e)));
  const fracture::ConstrainedRegions held = constrained_regions();
  const std::uint32_t regions = held.by_axis[0] | held.by_axis[1] | held.by_axis[2];
  for (const std::int32_t slot : caches_.owned) {
    const LocalNode n(slot);
    const std::int32_t i = light.at(pieces, n);
    if (i == kStays) continue;
    const bool is_held = (mesh_.field(dist::kRegions)[n] & regions) != 0 ||
                         (links_ && mesh_.field(fracture::kCohesiveLinks)[n].count() > 0);
    if (is_held) sums.add(i, kHeld, 1);
  }
  sums.reduce(comm_);
  SmallPieces small;
  for (std::size_t i = 0; i < light.piece.size(); ++i) {
    const double volume_m3 = sums.value(i, kVolume);
    if (!(volume_m3 < limit_m3)) continue;
    if (sums.value(i, kHeld) > 0)
      small.any_held = true;
    else
      small.list.push_back({light.piece[i], volume_m3});
  }
  return small;
}

void DustRelease::require_more_than_dust() {
  if (!turns_to_dust()) return;
  const dist::Pieces pieces = dist::find_pieces(mesh_);
  const SmallPieces small = small_pieces(pieces);
  if (small.list.empty()) return;
  if (!asks_for_dust(scene_)) {
    if (comm_.is_root())
      spdlog::warn(
          "{} of {} separate parts of the scene have a volume below fracture.dust_max_tets = {:g} mean tets: small "
          "pieces stay tets, as with fracture.dust = \"tets\". A smaller dust_max_tets lets those below it become "
          "particles.",
          small.list.size(), pieces.list.size(), scene_.fracture.dust_max_tets);
    state_.dust.mean_tet_m3 = 0;
    return;
  }
  Vec3 at = Vec3::Zero();
  const auto& [piece, volume_m3] = small.list.front();
  const LocalNode n = mesh_.find(pieces.list[piece].lowest_node);
  core::agree_on_input(comm_, [&] {
    if (!n.valid() || !mesh_.is_owned(n)) return;
    at = mesh_.rest[n];
    throw core::BadInput(fmt::format(
        "fracture.dust_max_tets = {:g}: {} of {} separate parts of the scene, the first at ({:.4g}, {:.4g}, {:.4g}) m, "
        "has a volume of {:.3g} mean tets and would be dust from the start: nothing of it would be left. Give fewer "
        "tets, mesh it finer, or take fracture.dust = \"tets\".",
        scene_.fracture.dust_max_tets, small.list.size(), pieces.list.size(), at.x(), at.y(), at.z(),
        volume_m3 / state_.dust.mean_tet_m3));
  });
}

void DustRelease::release() {
  core::ScopedTimer timer(seconds_.fracture);
  DustAccount& account = state_.dust;
  if (!turns_to_dust() || (account.nodes_at_check == mesh_.facts.next_node_id && account.waits == 0)) return;
  account.nodes_at_check = mesh_.facts.next_node_id;
  const dist::Pieces pieces = dist::find_pieces(mesh_);
  SmallPieces small = small_pieces(pieces);
  account.waits = small.any_held ? 1 : 0;
  if (small.list.size() == pieces.list.size())  // an empty mesh has no stable step: the largest stays
    small.list.erase(std::ranges::max_element(small.list, {}, &SmallPiece::volume_m3));
  if (small.list.empty()) return;
  leave_mesh(pieces, small.list);
}

std::vector<DustParticle> DustRelease::particles_of(const dist::Pieces& pieces,
                                                    std::span<const SmallPiece> small) const {
  std::size_t next = 0;
  const Chosen chosen(pieces.list.size(), [&](std::size_t i) {
    const bool is_next = next < small.size() && small[next].piece == i;
    next += is_next ? 1 : 0;
    return is_next;
  });
  const auto for_each_node = [&](const auto& visit) {
    for (const std::int32_t slot : caches_.owned)
      if (const std::int32_t i = chosen.at(pieces, LocalNode(slot)); i != kStays) visit(i, LocalNode(slot));
  };
  enum { kMass, kMaterial, kMoment, kMomentum = kMoment + 3, kWidth = kMomentum + 3 };
  SumsByPiece sums(small.size(), kWidth);
  for_each_node([&](std::int32_t i, LocalNode n) {
    const double m = mesh_.mass[n];
    sums.add(i, kMass, m);
    sums.add(i, kMoment, m * Vec3(mesh_.motion[n].position));
    sums.add(i, kMomentum, m * Vec3(mesh_.motion[n].velocity));
    if (mesh_.node_id[n] == pieces.list[small[static_cast<std::size_t>(i)].piece].lowest_node)
      sums.add(i, kMaterial, model_.named_material[mesh_.material_of[LocalElement(mesh_.star(n).front())]]);
  });
  sums.reduce(comm_);
  std::vector<PieceMotion> motion;
  for (std::size_t i = 0; i < small.size(); ++i) {
    const double mass = sums.value(i, kMass);
    motion.push_back({mass, static_cast<std::int64_t>(sums.value(i, kMaterial)), sums.vector(i, kMoment) / mass,
                      sums.vector(i, kMomentum) / mass});
  }
  enum { kAngular, kSquares = 3, kProducts = 6, kTurning = 9 };
  SumsByPiece turning(small.size(), kTurning);
  for_each_node([&](std::int32_t i, LocalNode n) {
    const PieceMotion& piece = motion[static_cast<std::size_t>(i)];
    const Vec3 arm = Vec3(mesh_.motion[n].position) - piece.centre;
    const double m = mesh_.mass[n];
    turning.add(i, kAngular, m * arm.cross(Vec3(mesh_.motion[n].velocity) - piece.velocity));
    turning.add(i, kSquares, m * arm.cwiseProduct(arm));
    turning.add(i, kProducts, m * Vec3(arm.y() * arm.z(), arm.x() * arm.z(), arm.x() * arm.y()));
  });
  turning.reduce(comm_);
  std::vector<DustParticle> born;
  for (std::size_t i = 0; i < small.size(); ++i) {
    DustParticle& dust = born.emplace_back(particle(motion[i], small[i].volume_m3, turning.vector(i, kAngular),
                                                    turning.vector(i, kSquares), turning.vector(i, kProducts)));
    dust.id = pieces.list[small[i].piece].lowest_node.value;
    dust.birth_s = state_.time_s;
    dust.contact_radius = contact::room_between(colliders_, particle_of(dust));
  }
  return born;
}

void DustRelease::leave_mesh(const dist::Pieces& pieces, std::span<const SmallPiece> small) {
  const std::vector<DustParticle> born = particles_of(pieces, small);
  std::vector<std::uint8_t> leaves(pieces.list.size(), 0);
  for (const SmallPiece& piece : small) leaves[piece.piece] = 1;
  const auto is_leaving = [&](LocalNode n) {
    const std::int32_t p = pieces.of_node[n];
    return p >= 0 && leaves[static_cast<std::size_t>(p)] != 0;
  };
  std::vector<LocalElement> elements;
  for (std::int32_t i = 0; i < mesh_.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh_.is_held(e) && is_leaving(mesh_.corner(e, 0))) elements.push_back(e);
  std::vector<std::uint8_t> gone(mesh_.node_id.size(), 0);
  std::vector<LocalNode> nodes;
  for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh_.is_used(n) && is_leaving(n)) {
      gone[static_cast<std::size_t>(i)] = 1;
      if (mesh_.is_owned(n)) nodes.push_back(n);
    }
  book_leaving(nodes, elements);
  core::ExactSum& loss = state_.dust.loss;
  const HalfStep whole = ledger_.half_step();
  const bool any_contact = overlaps_ && any_presses(elements);
  if (any_contact) loss.add(contact_.stored_in_overlaps());
  // Springs at points inside tets are found again, and so are those of remaining pieces: the difference has left.
  if (edges_) loss.add(contact_.stored_between_bodies());

  std::int64_t num_removed = 0;
  for (const LocalElement e : elements) num_removed += mesh_.is_home(e) ? 1 : 0;
  mesh_.remove_elements(elements);
  state_.dust.tets += comm_.sum(num_removed);
  mesh_.relink_ghosts();
  forget_nodes(gone);

  const HalfStep of_rest = ledger_.half_step();
  loss.add(energy_of(whole));
  loss.subtract(energy_of(of_rest));
  state_.kept_half_step = of_rest;
  if (overlaps_) overlaps_->forget();
  if (surface_) surface_->note_cuts(nodes);
  if (edges_) edges_->forget();
  if (any_contact) loss.subtract(contact_.stored_in_overlaps());
  if (edges_) loss.subtract(contact_.stored_between_bodies());
  for (const DustParticle& dust : born) {
    if (!Dust::is_here(comm_, dust)) continue;
    loss.add(-particle_of(dust).kinetic_energy());
    loss.add(dust.mass * scene_.gravity.dot(Vec3(dust.position.data())));
  }
  dust_.add(comm_, born);
  if (scene_.fracture.check_invariants)
    dist::require_consistent(mesh_, "step " + std::to_string(state_.num_steps) + ", after dust has left");
}

bool DustRelease::any_presses(std::span<const LocalElement> elements) const {
  const auto& stiffness = mesh_.field(contact::kContactStiffness);
  return comm_.any(std::ranges::any_of(elements, [&](LocalElement e) { return stiffness[e] > 0; }));
}

void DustRelease::book_leaving(std::span<const LocalNode> nodes, std::span<const LocalElement> elements) {
  DustAccount& account = state_.dust;
  std::vector<std::int32_t> slots;
  for (const LocalNode n : nodes) {
    if (meets_colliders(n)) slots.push_back(n.value);
    const Vec3 v(mesh_.motion[n].velocity), x(mesh_.motion[n].position);
    account.loss.add(0.5 * mesh_.mass[n] * v.squaredNorm());
    account.loss.add(-mesh_.mass[n] * scene_.gravity.dot(x));
    account.viscous.add(mesh_.field(kViscousWork)[n]);
    account.supplied.add(mesh_.field(kSuppliedWork)[n]);
    account.step_change.add(mesh_.field(kStepChangeWork)[n]);
    if (links_) {
      account.torn_energy.add(mesh_.field(fracture::kTornEnergy)[n]);
      account.torn_area.add(mesh_.field(fracture::kTornArea)[n]);
    }
    if (scene_.loads.empty()) continue;
    account.load_work.add(mesh_.field(kLoadWork)[n]);
    for (std::size_t k = 0; k < 3; ++k) account.load_impulse[k].add(mesh_.field(kLoadImpulse)[n][k]);
  }
  const contact::ContactNodes all = contact_nodes();
  account.loss.add(contact_energy({all.motion, all.mass, all.wave_frequency, slots}));
  std::vector<std::int32_t> home;
  for (const LocalElement e : elements)
    if (mesh_.is_home(e)) home.push_back(e.value);
  const auto energies = dynamics::element_energies(element_spans(), mesh_.materials, mesh_.motion.span(), home);
  account.loss.add(energies.elastic);
  account.plastic.add(energies.plastic_work);
}

void DustRelease::forget_nodes(std::span<const std::uint8_t> gone) {
  const auto is_gone = [&](std::int32_t slot) { return gone[static_cast<std::size_t>(slot)] != 0; };
  std::erase_if(caches_.owned, is_gone);
  std::erase_if(caches_.touchable, is_gone);
  std::vector<std::int32_t> prescribed;
  std::vector<Reaction> constraints;
  for (std::size_t i = 0; i < caches_.prescribed.size(); ++i) {
    if (is_gone(caches_.prescribed[i])) continue;
    prescribed.push_back(caches_.prescribed[i]);
    if (i < scratch_.constraints.size()) constraints.push_back(scratch_.constraints[i]);
  }
  caches_.prescribed = std::move(prescribed);
  scratch_.constraints = std::move(constraints);
  std::erase_if(scratch_.loaded, [&](const LoadedNode& node) { return is_gone(node.slot); });
  std::erase_if(scratch_.pressed, [&](const ContactLoad& node) { return is_gone(node.slot); });
  colliders_.forget_nodes(gone);
  if (links_) links_->forget();
  face_loads_.forget();
  subcycling_.forget();
  double largest = 0, smallest_mass = std::numeric_limits<double>::infinity();
  for (const std::int32_t i : caches_.owned) {
    largest = std::max(largest, caches_.wave_frequency[LocalNode(i)]);
    smallest_mass = std::min(smallest_mass, mesh_.mass[LocalNode(i)]);
  }
  state_.bound.largest_wave_frequency = comm_.max(largest);
  state_.bound.smallest_mass = comm_.min(smallest_mass);
}

}  // namespace brisance::sim
