#include "brisance/contact/search/tet_depths.hpp"

#include "brisance/contact/overlap/tet_overlap.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

namespace brisance::contact {

namespace {

using Nodes = std::vector<LocalNode>;

/// The corners of a tet in this bit mask, ascending.
Nodes corners_of(const std::array<LocalNode, 4>& corners, std::size_t bits) {
  Nodes named;
  for (std::size_t k = 0; k < 4; ++k)
    if ((bits >> k & 1) != 0) named.push_back(corners[k]);
  std::sort(named.begin(), named.end());
  return named;
}

PlacedTet at_rest(const dist::Mesh& mesh, LocalElement e) {
  const auto c = mesh.corners(e);
  return placed_tet({mesh.rest[c[0]], mesh.rest[c[1]], mesh.rest[c[2]], mesh.rest[c[3]]});
}

/// Height of a tet's corner above the opposite face, at rest [m].
double height(const PlacedTet& tet, std::size_t corner) { return 1 / tet.gradient[corner].norm(); }

/// Depth of a middle for which the slope nowhere exceeds that of the distance from the opposite faces, whose least
/// height is given [m] (middle_slope).
double rise(double least_height, std::size_t size) { return least_height / middle_slope(size); }

/// Depth of the middle of an edge or face with an owned corner and all corners on the surface; 0 if it lies on the
/// surface itself [m].
double depth_of_middle(const dist::Mesh& mesh, const Nodes& place) {
  const auto is_corner = [&](LocalNode n) { return std::find(place.begin(), place.end(), n) != place.end(); };
  const LocalNode owned = *std::find_if(place.begin(), place.end(), [&](LocalNode n) { return mesh.is_owned(n); });
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::int32_t> beyond;  // third corners of an edge's faces, or an entry per tet of a face
  for (const std::int32_t i : mesh.star(owned)) {
    const LocalElement e(i);
    const auto corners = mesh.corners(e);
    if (static_cast<std::size_t>(std::count_if(corners.begin(), corners.end(), is_corner)) < place.size()) continue;
    const PlacedTet tet = at_rest(mesh, e);
    for (std::size_t k = 0; k < 4; ++k)
      if (is_corner(corners[k]))
        least = std::min(least, height(tet, k));
      else
        beyond.push_back(place.size() == 2 ? corners[k].value : 0);
  }
  // A face with one tet is on the surface, and so is an edge with such a face.
  std::sort(beyond.begin(), beyond.end());
  for (std::size_t i = 0; i < beyond.size(); i += 2)
    if (i + 1 == beyond.size() || beyond[i] != beyond[i + 1]) return 0;
  return rise(least, place.size());
}

/// Depths of the middles of edges and faces, computed here or requested from other ranks.
class Middles {
public:
  explicit Middles(const dist::Mesh& mesh) : mesh_(mesh) {}

  /// Index of the depth, which is known after tell().
  [[nodiscard]] std::size_t request(LocalElement e, std::size_t bits) {
    const Nodes place = corners_of(mesh_.corners(e), bits);
    const auto [entry, is_new] = number_of_.try_emplace(place, depth_.size());
    if (!is_new) return entry->second;
    depth_.emplace_back(0);
    if (std::any_of(place.begin(), place.end(), [&](LocalNode n) { return mesh_.is_owned(n); })) {
      depth_.back() = depth_of_middle(mesh_, place);
    } else {
      const int rank = mesh_.owner[place[0]];
      questions_[rank].push_back({mesh_.element_id[e], static_cast<std::int64_t>(bits)});
      unknown_[rank].push_back(entry->second);
    }
    return entry->second;
  }
  void tell() {
    if (mesh_.comm().size() == 1) return;
    std::map<int, std::vector<double>> answers;
    for (const auto& [rank, asked] : la::exchange_arrays(mesh_.comm(), questions_))
      for (const Question& question : asked) {
        const auto corners = mesh_.corners(mesh_.find(question.element));
        answers[rank].push_back(depth_of_middle(mesh_, corners_of(corners, static_cast<std::size_t>(question.bits))));
      }
    for (const auto& [rank, told] : la::exchange_arrays(mesh_.comm(), answers))
      for (std::size_t i = 0; i < told.size(); ++i) depth_[unknown_.at(rank)[i]] = told[i];
  }
  [[nodiscard]] double depth(std::size_t number) const { return depth_[number]; }

private:
  struct Question {
    GlobalElement element;
    std::int64_t bits;
  };

  const dist::Mesh& mesh_;
  std::map<Nodes, std::size_t> number_of_;
  std::vector<double> depth_;
  std::map<int, std::vector<Question>> questions_;
  std::map<int, std::vector<std::size_t>> unknown_;
};

/// Subtracts from the depths of faces and tet the contribution of their edges and faces.
void subtract_smaller(TetDepths& tet) {
  for (const std::size_t bits : {7U, 11U, 13U, 14U, 15U}) {
    if (tet.depth[bits] == 0) continue;
    TetDepths smaller = tet;
    std::array<double, 4> middle{};
    for (std::size_t other = 1; other < 16; ++other)
      if (std::popcount(other) >= std::popcount(bits)) smaller.depth[other] = 0;
    for (std::size_t k = 0; k < 4; ++k)
      if ((bits >> k & 1) != 0) middle[k] = 1.0 / std::popcount(bits);
    tet.depth[bits] = std::max(0.0, tet.depth[bits] - depth_at(smaller, middle).depth);
  }
}

}  // namespace

CornerDepth corner_depth(const dist::Mesh& mesh, const NodeField<std::int32_t>& on_boundary, LocalNode n) {
  if (on_boundary[n] != 0) return {0, mesh.mass[n]};
  double least = std::numeric_limits<double>::infinity();
  for (const std::int32_t i : mesh.star(n)) {
    const LocalElement e(i);
    const auto corners = mesh.corners(e);
    std::vector<Vec3> there;
    for (const LocalNode c : corners)
      if (on_boundary[c] != 0) there.push_back(mesh.rest[c]);
    if (there.empty()) continue;
    const Vec3 from = mesh.rest[n] - there[0];
    double distance = from.norm();
    if (there.size() == 2) distance = from.cross((there[1] - there[0]).normalized()).norm();
    if (there.size() == 3)
      distance = height(at_rest(mesh, e),
                        static_cast<std::size_t>(std::find(corners.begin(), corners.end(), n) - corners.begin()));
    least = std::min(least, distance);
  }
  return {std::isfinite(least) ? least : 0, mesh.mass[n]};  // a node of no tet at the surface is never queried
}

std::vector<TetDepths> tet_depths(const dist::Mesh& mesh, const NodeField<std::int32_t>& on_boundary,
                                  const NodeField<CornerDepth>& corner, std::span<const LocalElement> elements) {
  const auto is_on_surface = [&](const Nodes& place) {
    return std::all_of(place.begin(), place.end(), [&](LocalNode n) { return on_boundary[n] != 0; });
  };
  constexpr auto kNowhere = std::numeric_limits<std::size_t>::max();
  Middles middles(mesh);
  std::vector<std::array<std::size_t, 16>> middle_of(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    middle_of[i].fill(kNowhere);
    for (std::size_t bits = 1; bits < 15; ++bits)
      if (!std::has_single_bit(bits) && is_on_surface(corners_of(mesh.corners(elements[i]), bits)))
        middle_of[i][bits] = middles.request(elements[i], bits);
  }
  middles.tell();

  std::vector<TetDepths> found(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    TetDepths& tet = found[i];
    const auto corners = mesh.corners(elements[i]);
    tet.area = std::pow(mesh.own_volume(elements[i]), 2.0 / 3);
    for (std::size_t k = 0; k < 4; ++k) {
      tet.depth[std::size_t{1} << k] = corner[corners[k]].depth;
      tet.node_mass[k] = corner[corners[k]].mass;
    }
    for (std::size_t bits = 3; bits < 15; ++bits)
      if (middle_of[i][bits] != kNowhere) tet.depth[bits] = middles.depth(middle_of[i][bits]);
    if (is_on_surface(corners_of(corners, 15))) {
      const PlacedTet rest = at_rest(mesh, elements[i]);
      tet.depth[15] = rise(std::min({height(rest, 0), height(rest, 1), height(rest, 2), height(rest, 3)}), 4);
    }
    subtract_smaller(tet);
  }
  return found;
}

}  // namespace brisance::contact
