/// Makes bodies of the pieces and obstacles of the colliders, and moves the surface with them.
#include "brisance/breaking/debris.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

constexpr double kRestingSpeed = 0.01;   ///< [m/s]
constexpr double kPartingTime = 0.1;     ///< [s]
constexpr int kIterations = 25;          ///< more than Bullet's ten, for heaps
constexpr double kRollingLever = 0.005;  ///< over the typical length: stops shards from spinning for ever

void require(bool holds, double value, const char* name, const char* range) {
  if (!holds || !std::isfinite(value)) throw core::Error(fmt::format("{} = {:g} must be {}.", name, value, range));
}

DebrisParameters checked(DebrisParameters p) {
  require(p.friction >= 0, p.friction, "friction", "0 or above");
  require(p.restitution >= 0 && p.restitution <= 1, p.restitution, "restitution", "between 0 and 1");
  require(p.step > 0, p.step, "step_s", "above 0");
  require(p.duration > 0, p.duration, "seconds", "above 0");
  constexpr double kMostFrames = 1e6;  // a step is no longer than a frame's interval
  require(p.frame_interval > 0 && p.duration / p.frame_interval <= kMostFrames, p.frame_interval, "frame_interval_s",
          "above 0, and at least a millionth of the duration");
  require(p.gravity.allFinite(), p.gravity.norm(), "gravity_m_s2", "finite");
  // Frames occur at steps: the step divides their interval.
  p.step = p.frame_interval / std::ceil(p.frame_interval / p.step * (1 - 1e-9));
  return p;
}

/// Bullet's tolerances are made for bodies of about this size: the median, over the pieces that are not small, of the
/// cube root of the volume, computed from the inertia.
double typical_length(const std::vector<RigidPiece>& pieces) {
  std::vector<double> sizes;
  for (const bool crumbs : {false, true}) {
    for (const RigidPiece& p : pieces)
      if (p.is_small == crumbs) sizes.push_back(std::sqrt(4 * p.shape.inertia.trace() / p.shape.mass));
    if (!sizes.empty()) break;
  }
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

rigid::WorldParameters world_parameters(const DebrisParameters& p, const std::vector<RigidPiece>& pieces) {
  if (pieces.empty())
    throw core::Error(
        "No piece is left to play. Keep small pieces with --crumbs boxes or full, or lower --crumb-share.");
  rigid::WorldParameters world;
  world.gravity = p.gravity;
  world.length_m = typical_length(pieces);
  world.friction = p.friction;
  world.restitution = p.restitution;
  world.keeps_angular_momentum = true;
  world.has_tight_hulls = true;
  world.offsets_whole_bodies = true;
  world.parting_time_s = kPartingTime;
  world.lifts_sunk_bodies = true;
  world.resting_speed_m_s = kRestingSpeed;
  world.iterations = kIterations;
  world.rolling_lever_m = kRollingLever * world.length_m;
  return world;
}

rigid::Motion pose(const Eigen::Isometry3d& placement) {
  rigid::Motion motion;
  motion.position = placement.translation();
  motion.orientation = Eigen::Quaterniond(placement.linear()).normalized();
  return motion;
}

/// The motion from one pose to the next within a time.
rigid::Motion motion_between(const rigid::Motion& from, const rigid::Motion& to, double time_s) {
  rigid::Motion motion = to;
  motion.velocity = (to.position - from.position) / time_s;
  Eigen::Quaterniond turn = to.orientation * from.orientation.conjugate();
  if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
  const Eigen::AngleAxisd rotation(turn);
  motion.angular_velocity = rotation.angle() / time_s * rotation.axis();
  return motion;
}

}  // namespace

Debris::Debris(RunFrame frame, Handover handover, const DebrisParameters& parameters)
    : parameters_(checked(parameters)),
      run_header_(std::move(frame.header)),
      pieces_(std::move(handover.pieces)),
      world_(world_parameters(parameters_, pieces_)),
      is_held_(pieces_.size(), false),
      start_s_(run_header_.time_s) {
  take_surface(frame);
  add_colliders();
  add_pieces();
}

void Debris::take_surface(const RunFrame& frame) {
  std::vector<std::int32_t> row_of_number(static_cast<std::size_t>(run_header_.num_pieces), -1);
  for (std::size_t p = 0; p < pieces_.size(); ++p) row_of_number[pieces_[p].number] = static_cast<std::int32_t>(p);
  std::vector<std::int32_t> kept;  // triangles, sorted by piece
  for (std::size_t t = 0; t < frame.triangles.size(); ++t)
    if (row_of_number[frame.piece[frame.triangle_tet[t]]] >= 0) kept.push_back(static_cast<std::int32_t>(t));
  const auto piece = [&](std::int32_t t) { return row_of_number[frame.piece[frame.triangle_tet[t]]]; };
  std::stable_sort(kept.begin(), kept.end(), [&](std::int32_t a, std::int32_t b) { return piece(a) < piece(b); });

  std::vector<std::int32_t> row(frame.node_id.size(), -1);
  for (const std::int32_t t : kept)
    for (const std::int32_t n : frame.triangles[t]) row[n] = piece(t);
  Surface& s = surface_;
  for (std::size_t n = 0; n < row.size(); ++n) {
    if (row[n] < 0) continue;
    s.piece_of_node.push_back(row[n]);
    row[n] = static_cast<std::int32_t>(s.node_id.size());
    s.node_id.push_back(frame.node_id[n]);
    s.points.push_back(frame.position[n]);
    s.rest_points.push_back(frame.rest_position[n]);
  }
  for (const std::int32_t t : kept) {
    const auto& c = frame.triangles[t];
    s.triangles.push_back({row[c[0]], row[c[1]], row[c[2]]});
    s.piece_of_triangle.push_back(piece(t));
    s.source_triangle.push_back(frame.source_triangle[t]);
    triangle_element_.push_back(frame.triangle_element[t]);
    triangle_material_.push_back(frame.material[frame.triangle_tet[t]]);
    if (!frame.group.empty()) triangle_group_.push_back(frame.group[frame.triangle_tet[t]]);
  }
}

void Debris::add_colliders() {
  for (const DebrisCollider& c : parameters_.colliders) {
    rigid::Obstacle obstacle = c.obstacle;
    if (obstacle.is_kinematic) {
      const rigid::Motion start = pose(c.path(start_s_));
      obstacle.centre = start.position;
      obstacle.orientation = start.orientation;
    }
    body_of_collider_.push_back(world_.add_obstacle(obstacle));
  }
}

void Debris::add_pieces() {
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const RigidPiece& piece = pieces_[p];
    is_held_[p] = piece.constraint != kUnconstrained && parameters_.constraints.at(piece.constraint).until_s > start_s_;
    body_of_piece_.push_back(
        world_.add_body(piece.shape, piece.motion, {.is_kinematic = is_held_[p], .is_small = piece.is_small}));
  }
}

void Debris::move_prescribed() {
  const double next_s = time_s() + parameters_.step;
  for (std::size_t c = 0; c < body_of_collider_.size(); ++c)
    if (parameters_.colliders[c].obstacle.is_kinematic)
      world_.move_to(body_of_collider_[c], pose(parameters_.colliders[c].path(next_s)));
  std::vector<Eigen::Isometry3d> start, now, next;  // poses of the Dirichlet conditions
  for (const Constraint& constraint : parameters_.constraints) {
    start.push_back(constraint.path(start_s_));
    now.push_back(constraint.path(time_s()));
    next.push_back(constraint.path(next_s));
  }
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (!is_held_[p]) continue;
    const auto constraint = static_cast<std::size_t>(pieces_[p].constraint);
    Eigen::Isometry3d body = Eigen::Isometry3d::Identity();
    body.translation() = pieces_[p].shape.centre;
    const rigid::Motion to = pose(next[constraint] * start[constraint].inverse() * body);
    if (next_s <= parameters_.constraints[constraint].until_s) {
      world_.move_to(body_of_piece_[p], to);
      continue;
    }
    rigid::Motion from = pose(now[constraint] * start[constraint].inverse() * body);
    const rigid::Motion moving = motion_between(from, to, parameters_.step);
    from.velocity = moving.velocity;
    from.angular_velocity = moving.angular_velocity;
    world_.release(body_of_piece_[p], from);
    is_held_[p] = false;
  }
}

void Debris::step() {
  move_prescribed();
  world_.step(parameters_.step);
  ++num_steps_;
}

rigid::Motion Debris::motion_of_collider(std::size_t c) const {
  if (!rigid::is_fixed(body_of_collider_[c])) return world_.motion(body_of_collider_[c]);
  rigid::Motion motion;
  motion.position = parameters_.colliders[c].obstacle.centre;
  motion.orientation = parameters_.colliders[c].obstacle.orientation;
  return motion;
}

rigid::Momenta Debris::momenta() const {
  rigid::Momenta sum;
  for (std::size_t p = 0; p < pieces_.size(); ++p)
    if (!is_held_[p]) sum += rigid::momenta(pieces_[p].shape, motion_of_piece(p), Vec3::Zero());
  return sum;
}

std::size_t Debris::num_awake() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(body_of_piece_, [&](rigid::BodyNumber body) { return world_.is_awake(body); }));
}

std::size_t Debris::num_awake_colliders() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(body_of_collider_, [&](rigid::BodyNumber body) { return world_.is_awake(body); }));
}

double Debris::gravity_energy() const {
  double sum = 0;
  for (std::size_t p = 0; p < pieces_.size(); ++p)
    if (!is_held_[p]) sum -= pieces_[p].shape.mass * parameters_.gravity.dot(motion_of_piece(p).position);
  for (std::size_t c = 0; c < body_of_collider_.size(); ++c)
    if (const double mass = parameters_.colliders[c].obstacle.mass; mass > 0)
      sum -= mass * parameters_.gravity.dot(motion_of_collider(c).position);
  return sum;
}

rigid::Momenta Debris::collider_momenta() const {
  rigid::Momenta sum;
  for (std::size_t c = 0; c < body_of_collider_.size(); ++c)
    if (const rigid::Obstacle& o = parameters_.colliders[c].obstacle; o.mass > 0)
      sum += rigid::momenta(rigid::body_shape(o), motion_of_collider(c), Vec3::Zero());
  return sum;
}

io::SnapshotPart Debris::snapshot_part() const {
  io::SnapshotPart part;
  std::vector<rigid::Motion> motion;
  motion.reserve(pieces_.size());
  for (std::size_t p = 0; p < pieces_.size(); ++p) motion.push_back(motion_of_piece(p));
  const Surface& s = surface_;
  part.node_id = s.node_id;
  part.node_owned.assign(s.node_id.size(), 1);
  part.rest_position = s.points;
  for (std::size_t n = 0; n < s.node_id.size(); ++n) {
    const std::int32_t p = s.piece_of_node[n];
    const rigid::Motion& m = motion[p];
    part.position.push_back(rigid::to_world(m, pieces_[p].shape.centre, s.points[n]));
    part.velocity.push_back(m.velocity + m.angular_velocity.cross(part.position.back() - m.position));
  }
  // Rows sorted by the tets' ids, as in frames of the run.
  std::vector<std::int32_t> order(s.triangles.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return std::pair(triangle_element_[a], s.triangles[a]) < std::pair(triangle_element_[b], s.triangles[b]);
  });
  for (const std::int32_t t : order) {
    part.element_id.push_back(triangle_element_[t]);
    part.material.push_back(triangle_material_[t]);
    if (!triangle_group_.empty()) part.group.push_back(triangle_group_[t]);
    part.piece.push_back(s.piece_of_triangle[t]);
    part.boundary.push_back({s.triangles[t][0], s.triangles[t][1], s.triangles[t][2]});
    part.source_triangle.push_back(s.source_triangle[t]);
  }
  part.boundary_element = part.element_id;
  return part;
}

io::SnapshotHeader Debris::snapshot_header(std::int64_t frame) const {
  io::SnapshotHeader header;
  header.form = {.surface_only = true, .single_precision = false, .left_out = {"stress", "plastic_strain"}};
  header.time_s = time_s();
  header.step = num_steps_;
  header.frame = frame;
  header.num_pieces = std::ssize(pieces_);
  header.num_cracks = run_header_.num_cracks;
  header.material_names = run_header_.material_names;
  header.groups = run_header_.groups;
  for (std::size_t c = 0; c < parameters_.colliders.size(); ++c) {
    const DebrisCollider& collider = parameters_.colliders[c];
    const rigid::Motion motion = motion_of_collider(c);
    const Eigen::Quaterniond& q = motion.orientation;
    io::Collider row;
    row.name = collider.name;
    row.kind = rigid::kind_name(collider.obstacle.kind);
    row.centre = motion.position;
    row.size = collider.obstacle.kind == rigid::Obstacle::Kind::plane ? Vec3(q * collider.obstacle.size)
                                                                      : collider.obstacle.size;
    row.orientation = {q.w(), q.x(), q.y(), q.z()};
    row.vertices = collider.obstacle.vertices;
    row.triangles = collider.obstacle.triangles;
    row.velocity = motion.velocity;
    row.angular_velocity = motion.angular_velocity;
    header.colliders.push_back(row);
  }
  return header;
}

}  // namespace brisance::breaking
