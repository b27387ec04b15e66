/// The bodies of a playback: takes a step, evaluates every blow with the modes, replaces bodies that break, and
/// repeats.
#include "brisance/breaking/playback.hpp"

#include "brisance/core/error.hpp"
#include "brisance/runtime/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

/// Pieces may hit others and break in turn; after so many repetitions a step is accepted as it is.
constexpr int kMostRounds = 16;

void require_positive(double value, const char* name) {
  if (!(value > 0) || !std::isfinite(value)) throw core::Error(fmt::format("{} = {:g} must be above 0.", name, value));
}

PlaybackParameters checked(const PlaybackParameters& p) {
  require_positive(p.density, "density_kg_m3");
  require_positive(p.break_speed, "break_speed_m_s");
  require_positive(p.step, "step_s");
  require_positive(p.frame_interval, "frame_interval_s");
  require_positive(p.monitor_interval, "monitor_interval_s");
  require_positive(p.duration, "duration_s");
  for (const rigid::Obstacle& o : p.obstacles) {
    const double radius = o.kind == rigid::Obstacle::Kind::ball ? o.size.x() : o.size.minCoeff() / 2;
    if (o.mass > 0 && o.velocity.norm() * p.step > radius)
      throw core::Error(
          fmt::format("An obstacle of {:g} m/s goes {:.3g} m in a step, more than half its own size: it would fly "
                      "through what it meets. Shorten the step of the playback: --step {:.2g} or less.",
                      o.velocity.norm(), o.velocity.norm() * p.step, 0.9 * radius / o.velocity.norm()));
  }
  return p;
}

rigid::WorldParameters world_parameters(const PlaybackParameters& p, const runtime::Generations& modes) {
  double volume = 0;
  for (std::int32_t a = 0; a < modes.num_atoms(); ++a) volume += modes.shape(a).volume;
  rigid::WorldParameters world;
  world.gravity = Vec3(0, 0, -p.gravity);
  world.length_m = std::cbrt(volume);
  world.friction = p.friction;
  world.restitution = p.restitution;
  return world;
}

Vec3 vector(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }
std::array<double, 3> array(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

Playback::Playback(AtomGeometry geometry, runtime::Generations modes, const PlaybackParameters& parameters)
    : parameters_(checked(parameters)),
      geometry_(std::move(geometry)),
      modes_(std::move(modes)),
      world_(world_parameters(parameters, modes_)) {
  const std::int32_t num_atoms = modes_.num_atoms();
  if (geometry_.hulls.size() != static_cast<std::size_t>(num_atoms))
    throw core::Error(fmt::format("The runtime set has {} atoms, the mesh {}. Make both from the same modes.",
                                  num_atoms, geometry_.hulls.size()));
  std::vector<std::int32_t> all(num_atoms);
  std::iota(all.begin(), all.end(), 0);
  body_of_atom_.assign(num_atoms, 0);

  // The lowest point of the rotated object is placed at the drop height.
  const Vec3 centre = shape_of(all).centre;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vec3& x : geometry_.nodes) lowest = std::min(lowest, (parameters_.orientation * (x - centre)).z());
  rigid::Motion start;
  start.position = Vec3(0, 0, parameters_.drop_height - lowest);
  start.orientation = parameters_.orientation;
  start.velocity = parameters_.velocity;
  start.angular_velocity = parameters_.angular_velocity;
  add_obstacles();
  add_body(std::move(all), start);
}

void Playback::add_obstacles() {
  if (parameters_.ground) world_.add_obstacle({});
  for (const rigid::Obstacle& obstacle : parameters_.obstacles) obstacles_.push_back(world_.add_obstacle(obstacle));
}

rigid::BodyShape Playback::shape_of(std::span<const std::int32_t> atoms) const {
  rigid::BodyShape shape;
  std::vector<runtime::SolidShape> solids;
  for (const std::int32_t a : atoms) {
    solids.push_back(modes_.shape(a));
    shape.hulls.insert(shape.hulls.end(), geometry_.hulls[a].begin(), geometry_.hulls[a].end());
  }
  const runtime::SolidShape whole = runtime::combined(solids);
  shape.mass = parameters_.density * whole.volume;
  shape.centre = vector(whole.centre);
  shape.inertia = parameters_.density * full_matrix(SymMat3(whole.inertia.data()));
  return shape;
}

void Playback::add_body(std::vector<std::int32_t> atoms, const rigid::Motion& motion) {
  rigid::BodyShape shape = shape_of(atoms);
  const rigid::BodyNumber number = world_.add_body(shape, motion);
  for (const std::int32_t a : atoms) body_of_atom_[a] = number;
  bodies_.push_back({std::move(atoms), std::move(shape), number});
}

const Playback::Body& Playback::body(rigid::BodyNumber number) const {
  return *std::lower_bound(bodies_.begin(), bodies_.end(), number,
                           [](const Body& b, rigid::BodyNumber n) { return b.number < n; });
}

void Playback::step() {
  for (int round = 0; round < kMostRounds; ++round) {
    const auto before = world_.state();
    world_.step(parameters_.step);

    // Of several contacts of one body the largest impulse decides.
    std::map<rigid::BodyNumber, rigid::ContactImpulse> hardest;
    for (const rigid::ContactImpulse& contact : world_.contact_impulses(0)) {
      if (std::find(obstacles_.begin(), obstacles_.end(), contact.body) != obstacles_.end()) continue;
      const auto [it, first] = hardest.try_emplace(contact.body, contact);
      if (!first && contact.impulse > it->second.impulse) it->second = contact;
    }
    std::map<rigid::BodyNumber, std::vector<std::vector<std::int32_t>>> broken;
    for (const auto& [number, contact] : hardest)
      if (auto pieces = pieces_after(contact); pieces.size() > 1) broken[number] = std::move(pieces);
    if (broken.empty()) break;

    world_.return_to(*before);
    for (auto& [number, pieces] : broken) replace(number, std::move(pieces));
  }
  ++num_steps_;
}

std::vector<std::vector<std::int32_t>> Playback::pieces_after(const rigid::ContactImpulse& contact) const {
  const Body& struck = body(contact.body);
  if (struck.atoms.size() == 1) return {};
  // The change of speed, less that by its own weight: a body at rest is not struck.
  const double speed = contact.impulse / struck.shape.mass - parameters_.gravity * parameters_.step;
  if (!(speed > 0)) return {};
  const rigid::Motion motion = world_.motion(contact.body);
  runtime::Impact impact;
  impact.point = array(rigid::to_rest(motion, struck.shape.centre, contact.point));
  impact.direction = array(motion.orientation.conjugate() * contact.direction);
  impact.strength = speed;
  impact.threshold = parameters_.break_speed;
  impact.smear = parameters_.smear;
  impact.method = parameters_.method;
  return modes_.strike(impact, body_of_atom_, contact.body);
}

void Playback::replace(rigid::BodyNumber number, std::vector<std::vector<std::int32_t>> pieces) {
  const rigid::Motion motion = world_.motion(number);
  const rigid::BodyShape whole = body(number).shape;
  world_.remove_body(number);
  std::erase_if(bodies_, [&](const Body& b) { return b.number == number; });
  const std::size_t first = bodies_.size();
  for (auto& piece : pieces) {
    const Vec3 piece_centre = shape_of(piece).centre;
    add_body(std::move(piece), rigid::motion_of_piece(motion, whole.centre, piece_centre));
  }
  rigid::Momenta after;
  for (std::size_t b = first; b < bodies_.size(); ++b)
    after += rigid::momenta(bodies_[b].shape, world_.motion(bodies_[b].number), motion.position);
  note_swap(rigid::momenta(whole, motion, motion.position), after);
}

void Playback::note_swap(const rigid::Momenta& before, const rigid::Momenta& after) {
  const auto share = [](double change, double of) { return of > 0 ? change / of : change; };
  // Σ|terms| is the scale of rounding errors: the momenta themselves may cancel.
  swap_errors_.momentum =
      std::max(swap_errors_.momentum, share((after.linear - before.linear).norm(), after.linear_scale));
  swap_errors_.angular_momentum =
      std::max(swap_errors_.angular_momentum, share((after.angular - before.angular).norm(), after.angular_scale));
  swap_errors_.kinetic_energy =
      std::max(swap_errors_.kinetic_energy, share(std::abs(after.energy - before.energy), before.energy));
  ++swap_errors_.num_swaps;
}

std::int64_t Playback::num_node_splits() const {
  std::set<std::int32_t> nodes;
  std::set<std::pair<std::int32_t, rigid::BodyNumber>> sides;
  for (std::size_t n = 0; n < geometry_.nodes.size(); ++n) {
    nodes.insert(geometry_.mesh_node[n]);
    sides.emplace(geometry_.mesh_node[n], body_of_atom_[geometry_.atom_of_node[n]]);
  }
  return static_cast<std::int64_t>(sides.size() - nodes.size());
}

rigid::Momenta Playback::momenta() const {
  rigid::Momenta sum;
  for (const Body& b : bodies_) sum += rigid::momenta(b.shape, world_.motion(b.number), Vec3::Zero());
  for (std::size_t o = 0; o < obstacles_.size(); ++o)
    if (!rigid::is_fixed(obstacles_[o]))
      sum += rigid::momenta(rigid::body_shape(parameters_.obstacles[o]), world_.motion(obstacles_[o]), Vec3::Zero());
  return sum;
}

std::int32_t Playback::named_atom(const Body& body) const {
  return *std::ranges::max_element(body.atoms, {}, [&](std::int32_t a) { return modes_.shape(a).volume; });
}

io::SnapshotPart Playback::empty_part() {
  io::SnapshotPart part;
  part.element_state.push_back({std::string(kPieceIdColumn), "-", 1, {}});
  return part;
}

io::SnapshotPart Playback::snapshot_part() const {
  io::SnapshotPart part = empty_part();
  std::vector<double> name_of_body;
  std::map<rigid::BodyNumber, std::int64_t> piece_of_body;
  std::map<rigid::BodyNumber, rigid::Motion> motion;
  for (const Body& b : bodies_) {
    piece_of_body[b.number] = static_cast<std::int64_t>(piece_of_body.size());
    name_of_body.push_back(named_atom(b));
    motion[b.number] = world_.motion(b.number);
  }
  part.rest_position = geometry_.nodes;
  part.node_owned.assign(geometry_.nodes.size(), 1);
  for (std::size_t n = 0; n < geometry_.nodes.size(); ++n) {
    const rigid::BodyNumber number = body_of_atom_[geometry_.atom_of_node[n]];
    const rigid::Motion& m = motion[number];
    part.node_id.push_back(static_cast<std::int64_t>(n));
    part.position.push_back(rigid::to_world(m, body(number).shape.centre, geometry_.nodes[n]));
    part.velocity.push_back(m.velocity + m.angular_velocity.cross(part.position.back() - m.position));
  }
  for (std::size_t t = 0; t < geometry_.tets.size(); ++t) {
    const auto& tet = geometry_.tets[t];
    part.element_id.push_back(static_cast<std::int64_t>(t));
    part.tets.push_back({tet[0], tet[1], tet[2], tet[3]});
    part.material.push_back(0);
    part.piece.push_back(piece_of_body[body_of_atom_[geometry_.atom_of_tet[t]]]);
  }
  part.stress.assign(geometry_.tets.size(), SymMat3::Zero());
  for (const std::int64_t piece : part.piece)
    part.element_state[0].values.push_back(name_of_body[static_cast<std::size_t>(piece)]);
  for (const AtomTriangle& t : geometry_.triangles) {
    if (t.beyond != kOutside && body_of_atom_[t.beyond] == body_of_atom_[t.atom]) continue;
    part.boundary.push_back({t.corners[0], t.corners[1], t.corners[2]});
    part.boundary_element.push_back(t.tet);
    part.source_triangle.push_back(t.source);
  }
  return part;
}

io::SnapshotHeader Playback::snapshot_header(std::int64_t frame) const {
  io::SnapshotHeader header;
  header.time_s = time_s();
  header.step = num_steps_;
  header.frame = frame;
  header.num_pieces = static_cast<std::int64_t>(bodies_.size());
  header.num_cracks = num_node_splits();
  header.material_names = {"object"};
  if (parameters_.ground) header.colliders.push_back({"ground", "plane", Vec3::Zero(), Vec3::UnitZ(), {1, 0, 0, 0}});
  for (std::size_t o = 0; o < obstacles_.size(); ++o) header.colliders.push_back(collider(o));
  return header;
}

io::SnapshotHeader::Collider Playback::collider(std::size_t o) const {
  const rigid::Obstacle& obstacle = parameters_.obstacles[o];
  io::SnapshotHeader::Collider collider;
  collider.name = fmt::format("obstacle_{}", o + 1);
  collider.kind = rigid::kind_name(obstacle.kind);
  collider.centre = obstacle.centre;
  collider.size = obstacle.size;
  if (!rigid::is_fixed(obstacles_[o])) {
    const rigid::Motion motion = world_.motion(obstacles_[o]);
    collider.centre = motion.position;
    const Eigen::Quaterniond& q = motion.orientation;
    collider.orientation = {q.w(), q.x(), q.y(), q.z()};
  }
  return collider;
}

}  // namespace brisance::breaking
