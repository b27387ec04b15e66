#include "brisance/mesh/tets/join_small_pieces.hpp"

#include "brisance/mesh/surface/check.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace brisance::mesh {
namespace {

constexpr double kSamePlace = 1e-11;  // over the diagonal: far above round-off, far below an edge

/// Numbers for points in space, the same for points nearer than a tolerance.
class Places {
public:
  explicit Places(double tolerance_m) : tolerance_m_(tolerance_m) {}

  std::int32_t number(const Vec3& point) {
    // The point's cell and, where it is near a border, the adjacent one.
    std::array<std::int64_t, 3> here{}, across{};
    for (int i = 0; i < 3; ++i) {
      const double cells = point[i] / (4 * tolerance_m_);
      here[i] = static_cast<std::int64_t>(std::floor(cells));
      across[i] = here[i] + (cells - std::floor(cells) < 0.5 ? -1 : 1);
    }
    for (int corner = 0; corner < 8; ++corner) {
      std::array<std::int64_t, 3> cell{};
      for (int i = 0; i < 3; ++i) cell[i] = ((corner >> i) & 1) != 0 ? across[i] : here[i];
      const auto found = in_cell_.find(cell);
      if (found == in_cell_.end()) continue;
      for (const std::int32_t n : found->second)
        if ((points_[n] - point).norm() < tolerance_m_) return n;
    }
    in_cell_[here].push_back(static_cast<std::int32_t>(points_.size()));
    points_.push_back(point);
    return static_cast<std::int32_t>(points_.size()) - 1;
  }

private:
  double tolerance_m_;
  std::vector<Vec3> points_;
  std::map<std::array<std::int64_t, 3>, std::vector<std::int32_t>> in_cell_;
};

using Edge = std::pair<std::int32_t, std::int32_t>;

/// A connected part of a piece's crack towards one label.
struct Patch {
  std::vector<std::int32_t> triangles;
  std::vector<Edge> rim;             ///< its border as places, in the direction of its triangles; sorted
  std::vector<std::int32_t> places;  ///< all vertices, sorted; only where the patch is closed and has no rim
  double area_m2 = 0;
};

double area(const Surface& surface, std::int32_t t) {
  const auto& [a, b, c] = surface.triangles[t];
  return (surface.vertices[b] - surface.vertices[a]).cross(surface.vertices[c] - surface.vertices[a]).norm() / 2;
}

std::vector<Patch> patches_towards(const PieceSurface& piece, std::int32_t label, Places& places) {
  const auto& triangles = piece.surface.triangles;
  std::map<Edge, std::int32_t> triangle_at;  // keyed by directed edges
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(triangles.size()); ++t)
    if (piece.neighbour[t] == label)
      for (int i = 0; i < 3; ++i) triangle_at[{triangles[t][i], triangles[t][(i + 1) % 3]}] = t;
  std::vector<char> seen(triangles.size(), 0);
  std::vector<Patch> patches;
  const auto place = [&](std::int32_t v) { return places.number(piece.surface.vertices[v]); };
  for (std::int32_t seed = 0; seed < static_cast<std::int32_t>(triangles.size()); ++seed) {
    if (piece.neighbour[seed] != label || seen[seed] != 0) continue;
    Patch& patch = patches.emplace_back();
    patch.triangles.push_back(seed);
    seen[seed] = 1;
    for (std::size_t i = 0; i < patch.triangles.size(); ++i) {
      const std::int32_t t = patch.triangles[i];
      patch.area_m2 += area(piece.surface, t);
      for (int k = 0; k < 3; ++k) {
        const std::int32_t from = triangles[t][k], to = triangles[t][(k + 1) % 3];
        const auto across = triangle_at.find({to, from});
        if (across == triangle_at.end())
          patch.rim.emplace_back(place(from), place(to));
        else if (seen[across->second]++ == 0)
          patch.triangles.push_back(across->second);
      }
    }
    std::ranges::sort(patch.rim);
    if (!patch.rim.empty()) continue;
    for (const std::int32_t t : patch.triangles)
      for (const std::int32_t v : triangles[t]) patch.places.push_back(place(v));
    std::ranges::sort(patch.places);
    patch.places.erase(std::ranges::unique(patch.places).begin(), patch.places.end());
  }
  return patches;
}

/// Are two patches the two sides of one crack?
bool face_each_other(const Patch& patch, const Patch& other) {
  if (patch.rim.size() != other.rim.size() || patch.places != other.places) return false;
  std::vector<Edge> reversed;
  for (const auto& [from, to] : other.rim) reversed.emplace_back(to, from);
  std::ranges::sort(reversed);
  return patch.rim == reversed;
}

/// A crack between a small piece and another piece.
struct Contact {
  std::size_t piece;
  Patch at_crumb, at_piece;
};

std::vector<Contact> contacts_of(const std::vector<PieceSurface>& pieces, std::size_t crumb, Places& places) {
  std::map<std::int32_t, std::vector<Patch>> patches;  // patches of the small piece, by label across the crack
  for (const std::int32_t label : pieces[crumb].neighbour)
    if (label != kNoNeighbour && !patches.contains(label))
      patches[label] = patches_towards(pieces[crumb], label, places);
  std::vector<Contact> contacts;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const auto towards = patches.find(pieces[p].label);
    if (p == crumb || towards == patches.end()) continue;
    for (Patch& other : patches_towards(pieces[p], pieces[crumb].label, places))
      for (const Patch& patch : towards->second)
        if (face_each_other(patch, other)) contacts.push_back({p, patch, other});
  }
  return contacts;
}

/// Adds the triangles of a piece, except some, to a surface whose vertices are identified by number or, on rims, by
/// place.
void append(PieceSurface& made, const PieceSurface& piece, const std::set<std::int32_t>& without,
            std::map<std::int32_t, std::int32_t>& number_at_place, const std::set<std::int32_t>& rim, Places& places) {
  std::vector<std::int32_t> number(piece.surface.vertices.size(), -1);
  const auto number_of = [&](std::int32_t v) {
    if (number[v] >= 0) return number[v];
    const auto next = static_cast<std::int32_t>(made.surface.vertices.size());
    const std::int32_t place = places.number(piece.surface.vertices[v]);
    number[v] = rim.contains(place) ? number_at_place.try_emplace(place, next).first->second : next;
    if (number[v] == next) made.surface.vertices.push_back(piece.surface.vertices[v]);
    return number[v];
  };
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(piece.surface.triangles.size()); ++t) {
    if (without.contains(t)) continue;
    const auto& [a, b, c] = piece.surface.triangles[t];
    const std::int32_t na = number_of(a), nb = number_of(b), nc = number_of(c);
    made.surface.triangles.push_back({na, nb, nc});
    made.surface.source_face.push_back(piece.surface.source_face[t]);
    made.neighbour.push_back(piece.neighbour[t]);
  }
}

/// Both pieces as one, or nothing if that is not a solid.
std::optional<PieceSurface> united(const PieceSurface& piece, const PieceSurface& crumb,
                                   const std::vector<const Contact*>& contacts, Places& places) {
  std::set<std::int32_t> of_piece, of_crumb, rim;
  for (const Contact* contact : contacts) {
    of_piece.insert(contact->at_piece.triangles.begin(), contact->at_piece.triangles.end());
    of_crumb.insert(contact->at_crumb.triangles.begin(), contact->at_crumb.triangles.end());
    for (const auto& [from, to] : contact->at_piece.rim) rim.insert(from);
  }
  PieceSurface made;
  made.label = piece.label;
  std::map<std::int32_t, std::int32_t> number_at_place;
  append(made, piece, of_piece, number_at_place, rim, places);
  append(made, crumb, of_crumb, number_at_place, rim, places);
  const SurfaceReport report = check_surface(made.surface);
  if (!report.closed() || !report.manifold() || !report.oriented()) return std::nullopt;
  return made;
}

/// Sews the small piece to another one and updates the labels across its other cracks.
bool join(std::vector<PieceSurface>& pieces, std::size_t crumb, Places& places) {
  const std::vector<Contact> contacts = contacts_of(pieces, crumb, places);
  std::map<std::size_t, double> shared;
  for (const Contact& contact : contacts) shared[contact.piece] += contact.at_crumb.area_m2;
  std::vector<std::size_t> by_area;
  for (const auto& [piece, shared_area] : shared) by_area.push_back(piece);
  std::ranges::stable_sort(by_area, std::greater<>{}, [&](std::size_t piece) { return shared[piece]; });
  for (const std::size_t target : by_area) {
    std::vector<const Contact*> sewn;
    for (const Contact& contact : contacts)
      if (contact.piece == target) sewn.push_back(&contact);
    std::optional<PieceSurface> made = united(pieces[target], pieces[crumb], sewn, places);
    if (!made) continue;
    for (const Contact& contact : contacts)
      if (contact.piece != target)
        for (const std::int32_t t : contact.at_piece.triangles)
          pieces[contact.piece].neighbour[t] = pieces[target].label;
    pieces[target] = *std::move(made);
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(crumb));
    return true;
  }
  return false;
}

double diagonal(const std::vector<PieceSurface>& pieces) {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
  for (const PieceSurface& piece : pieces)
    for (const Vec3& x : piece.surface.vertices) lower = lower.cwiseMin(x), upper = upper.cwiseMax(x);
  return (upper - lower).norm();
}

}  // namespace

int join_small_pieces(std::vector<PieceSurface>& pieces, double smallest_m3) {
  if (pieces.empty()) return 0;
  Places places(kSamePlace * diagonal(pieces));
  // Pieces that cannot be joined are set aside until all others are joined.
  std::vector<PieceSurface> stuck;
  while (!pieces.empty()) {
    const auto smallest = std::ranges::min_element(
        pieces, {}, [](const PieceSurface& piece) { return enclosed_volume_m3(piece.surface); });
    if (enclosed_volume_m3(smallest->surface) >= smallest_m3) break;
    if (join(pieces, static_cast<std::size_t>(smallest - pieces.begin()), places)) continue;
    stuck.push_back(std::move(*smallest));
    pieces.erase(smallest);
  }
  const auto num_left = static_cast<int>(stuck.size());
  std::ranges::move(stuck, std::back_inserter(pieces));
  std::ranges::stable_sort(pieces, {}, &PieceSurface::label);
  return num_left;
}

}  // namespace brisance::mesh
