#include "exports/piece_history.hpp"

#include "brisance/runtime/impact_set.hpp"

#include "exports/skin/places.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

namespace brisance::exports {
namespace {

/// Volume and first moment of what a piece's triangles enclose.
struct Enclosed {
  double volume = 0;
  Vec3 moment = Vec3::Zero();
  void add(const Vec3& origin, const Vec3& a, const Vec3& b, const Vec3& c) {
    const double part = (a - origin).cross(b - origin).dot(c - origin) / 6;
    volume += part;
    moment += part / 4 * ((a - origin) + (b - origin) + (c - origin));
  }
};

/// Velocity at a point of the rigid motion that is nearest to that of the nodes.
Vec3 rigid_velocity(const std::vector<Vec3>& points, const std::vector<Vec3>& velocities,
                    const std::vector<std::int32_t>& nodes, const Vec3& at) {
  Vec3 middle = Vec3::Zero(), mean = Vec3::Zero();
  for (const std::int32_t n : nodes) middle += points[n], mean += velocities[n];
  middle /= static_cast<double>(nodes.size()), mean /= static_cast<double>(nodes.size());
  Mat3 inertia = Mat3::Zero();
  Vec3 spin = Vec3::Zero();
  for (const std::int32_t n : nodes) {
    const Vec3 r = points[n] - middle;
    inertia += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
    spin += r.cross(velocities[n] - mean);
  }
  const Vec3 turning = inertia.completeOrthogonalDecomposition().solve(spin);
  return mean + turning.cross(at - middle);
}

/// The piece of the frame before that each piece is a part of, or −1.
std::vector<std::int32_t> pieces_before(const BrokenShape& shape, const PlacesBefore& places) {
  const auto count = static_cast<std::size_t>(shape.header.num_pieces);
  std::vector<std::int32_t> parent(count, -1);
  if (places.rest.empty()) return parent;
  std::unordered_multimap<Place, std::int32_t, HashOfPlace> before;
  before.reserve(places.rest.size());
  for (std::size_t n = 0; n < places.rest.size(); ++n)
    before.emplace(place_of(places.rest[n]), places.piece_of_node[n]);
  std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> votes;
  for (std::size_t n = 0; n < shape.rest.size(); ++n) {
    const auto [first, last] = before.equal_range(place_of(shape.rest[n]));
    for (auto i = first; i != last; ++i) ++votes[{shape.piece_of_node[n], i->second}];
  }
  std::vector<std::int64_t> most(count, 0);
  for (const auto& [pair, number] : votes) {
    const auto piece = static_cast<std::size_t>(pair.first);
    if (number > most[piece]) most[piece] = number, parent[piece] = pair.second;
  }
  // A piece from the inside has no place that was on the boundary before: the nearest one tells.
  std::vector<double> nearest(count, std::numeric_limits<double>::infinity());
  for (std::size_t n = 0; n < shape.rest.size(); ++n) {
    const auto piece = static_cast<std::size_t>(shape.piece_of_node[n]);
    if (most[piece] > 0) continue;
    for (std::size_t m = 0; m < places.rest.size(); ++m) {
      const double distance = (places.rest[m] - shape.rest[n]).squaredNorm();
      if (distance < nearest[piece]) nearest[piece] = distance, parent[piece] = places.piece_of_node[m];
    }
  }
  return parent;
}

}  // namespace

std::vector<PieceBody> bodies_of(const BrokenShape& shape, const std::vector<double>& density) {
  const auto count = static_cast<std::size_t>(shape.header.num_pieces);
  std::vector<std::vector<std::int32_t>> nodes(count);
  for (std::size_t n = 0; n < shape.piece_of_node.size(); ++n)
    nodes[static_cast<std::size_t>(shape.piece_of_node[n])].push_back(static_cast<std::int32_t>(n));
  std::vector<Enclosed> now(count), rest(count);
  std::vector<double> area(count, 0), weight(count, 0);
  for (const BoundaryTriangle& triangle : shape.triangles) {
    const auto piece = static_cast<std::size_t>(triangle.piece);
    const std::int32_t origin = nodes[piece].front();
    const auto& [a, b, c] = triangle.corners;
    now[piece].add(shape.points[origin], shape.points[a], shape.points[b], shape.points[c]);
    rest[piece].add(shape.rest[origin], shape.rest[a], shape.rest[b], shape.rest[c]);
    const double size = (shape.rest[b] - shape.rest[a]).cross(shape.rest[c] - shape.rest[a]).norm();
    area[piece] += size;
    weight[piece] += size * density[static_cast<std::size_t>(triangle.material)];
  }
  std::vector<PieceBody> bodies(count);
  for (std::size_t p = 0; p < count; ++p) {
    if (nodes[p].empty()) continue;
    PieceBody& body = bodies[p];
    const Vec3& origin = shape.points[nodes[p].front()];
    body.volume_m3 = rest[p].volume;
    body.mass_kg = area[p] > 0 ? body.volume_m3 * weight[p] / area[p] : 0;
    body.centre = now[p].volume > 0 ? Vec3(origin + now[p].moment / now[p].volume) : origin;
    body.velocity = rigid_velocity(shape.points, shape.velocities, nodes[p], body.centre);
  }
  return bodies;
}

std::vector<PieceRow> rows_of(const BrokenShape& shape, const std::vector<PieceBody>& bodies,
                              const PlacesBefore& before) {
  std::vector<PieceRow> rows(bodies.size());
  const std::vector<io::PieceName>& names = shape.header.piece_names;
  const std::vector<std::int32_t> from =
      names.empty() ? pieces_before(shape, before) : std::vector<std::int32_t>(rows.size(), PieceRow::kNone);
  for (std::size_t p = 0; p < rows.size(); ++p) {
    rows[p] = {bodies[p].volume_m3, bodies[p].mass_kg, PieceRow::kNone, PieceRow::kNone, !names.empty(), from[p]};
    if (!shape.piece_ids.empty()) rows[p].id = shape.piece_ids[p];
    if (!names.empty()) rows[p].parent = names[p].parent;
  }
  return rows;
}

std::int32_t PieceHistory::id_before(const PieceRow& piece) const {
  return piece.before < 0 ? -1 : ids_.back()[static_cast<std::size_t>(piece.before)];
}

void PieceHistory::add_named(const FrameRow& frame, std::span<const PieceRow> pieces) {
  const auto number = static_cast<std::int64_t>(ids_.size());
  std::vector<std::int32_t> ids;
  for (const PieceRow& piece : pieces) {
    ids.push_back(piece.id);
    for (auto row = static_cast<std::int32_t>(lives_.size()); row <= piece.id; ++row)
      lives_.push_back({row, -1, runtime::atom_name(row), kNever, kNever, 0, 0});
    PieceLife& life = lives_[static_cast<std::size_t>(piece.id)];
    life.last_frame = number;
    if (life.first_frame != kNever) continue;
    // Playbacks name pieces after their largest atom, and do not say whose children they are.
    const std::int32_t parent = piece.has_parent ? piece.parent : id_before(piece);
    life = {piece.id, parent, life.name, number, number, frame.time_s, piece.mass_kg};
  }
  ids_.push_back(std::move(ids));
}

void PieceHistory::add(const FrameRow& frame, std::span<const PieceRow> pieces) {
  if (!pieces.empty() && pieces.front().id >= 0) return add_named(frame, pieces);
  const auto number = static_cast<std::int64_t>(ids_.size());
  std::vector<std::int32_t> order(pieces.size());
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = static_cast<std::int32_t>(p);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::int32_t p) { return pieces[static_cast<std::size_t>(p)].volume_m3; });
  std::vector<std::int32_t> ids(pieces.size(), -1);
  std::vector<char> is_taken(lives_.size(), 0);
  for (const std::int32_t row : order) {
    const auto p = static_cast<std::size_t>(row);
    const std::int32_t from = id_before(pieces[p]);
    if (from >= 0 && is_taken[static_cast<std::size_t>(from)] == 0) {
      is_taken[static_cast<std::size_t>(from)] = 1;
      ids[p] = from;
      lives_[static_cast<std::size_t>(from)].last_frame = number;
      continue;
    }
    ids[p] = static_cast<std::int32_t>(lives_.size());
    lives_.push_back({ids[p], from, runtime::atom_name(ids[p]), number, number, frame.time_s, pieces[p].mass_kg});
  }
  ids_.push_back(std::move(ids));
}

}  // namespace brisance::exports
