#include "brisance/sim/skin_depths.hpp"

#include "brisance/contact/tet_overlap.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace brisance::sim {

namespace {

using Nodes = std::vector<LocalNode>;

/// The corners of a tet that the bits name, ascending.
Nodes corners_of(const std::array<LocalNode, 4>& corners, std::size_t bits) {
  Nodes named;
  for (std::size_t k = 0; k < 4; ++k)
    if ((bits >> k & 1) != 0) named.push_back(corners[k]);
  std::sort(named.begin(), named.end());
  return named;
}

contact::PlacedTet at_rest(const dist::Mesh& mesh, LocalElement e) {
  const auto c = mesh.corners(e);
  return contact::placed_tet({mesh.rest[c[0]], mesh.rest[c[1]], mesh.rest[c[2]], mesh.rest[c[3]]});
}

/// Of a tet's corner above the face across, at rest [m].
double height(const contact::PlacedTet& tet, std::size_t corner) { return 1 / tet.gradient[corner].norm(); }

/// Of an edge or face of which an owned node is a corner, with all corners on the surface: the least distance of its
/// middle from the other faces of its tets, and nothing where it lies on the surface itself [m].
double depth_of_middle(const dist::Mesh& mesh, const Nodes& place) {
  const auto is_corner = [&](LocalNode n) { return std::find(place.begin(), place.end(), n) != place.end(); };
  const LocalNode owned = *std::find_if(place.begin(), place.end(), [&](LocalNode n) { return mesh.is_owned(n); });
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::int32_t> beyond;  // third corners of its faces, or numbers of the tets of a face
  for (const std::int32_t i : mesh.star(owned)) {
    const LocalElement e(i);
    const auto corners = mesh.corners(e);
    if (static_cast<std::size_t>(std::count_if(corners.begin(), corners.end(), is_corner)) < place.size()) continue;
    const contact::PlacedTet tet = at_rest(mesh, e);
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
  return least / static_cast<double>(place.size());
}

/// Of an owned corner that is not on the surface [m].
double depth_of_corner(const dist::Mesh& mesh, const NodeField<std::int32_t>& on_boundary, LocalNode n) {
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
  return least;
}

/// Of a corner, an edge or a face, what an owner of a corner of it knows.
struct Known {
  double depth = 0;  ///< [m]
  double mass = 0;   ///< of a corner [kg]
};

/// Looks at places here, or asks for them.
class Places {
public:
  Places(const dist::Mesh& mesh, const NodeField<std::int32_t>& on_boundary) : mesh_(mesh), on_boundary_(on_boundary) {}

  [[nodiscard]] bool is_on_surface(const Nodes& place) const {
    return std::all_of(place.begin(), place.end(), [&](LocalNode n) { return on_boundary_[n] != 0; });
  }
  /// Where the answer is once all have been told.
  [[nodiscard]] std::size_t look(LocalElement e, std::size_t bits) {
    const Nodes place = corners_of(mesh_.corners(e), bits);
    const auto [entry, is_new] = number_of_.try_emplace(place, known_.size());
    if (!is_new) return entry->second;
    known_.emplace_back();
    if (std::any_of(place.begin(), place.end(), [&](LocalNode n) { return mesh_.is_owned(n); })) {
      known_.back() = answer(place);
    } else {
      const int rank = mesh_.owner[place[0]];
      questions_[rank].push_back({mesh_.element_id[e], static_cast<std::int64_t>(bits)});
      unknown_[rank].push_back(entry->second);
    }
    return entry->second;
  }
  void tell() {
    if (mesh_.comm().size() == 1) return;
    std::map<int, std::vector<Known>> answers;
    for (const auto& [rank, asked] : la::exchange_arrays(mesh_.comm(), questions_))
      for (const Question& question : asked)
        answers[rank].push_back(
            answer(corners_of(mesh_.corners(mesh_.find(question.element)), static_cast<std::size_t>(question.bits))));
    for (const auto& [rank, told] : la::exchange_arrays(mesh_.comm(), answers))
      for (std::size_t i = 0; i < told.size(); ++i) known_[unknown_.at(rank)[i]] = told[i];
  }
  [[nodiscard]] const Known& known(std::size_t number) const { return known_[number]; }

private:
  struct Question {
    GlobalElement element;
    std::int64_t bits;
  };
  [[nodiscard]] Known answer(const Nodes& place) const {
    if (place.size() > 1) return {depth_of_middle(mesh_, place), 0};
    const bool is_inside = on_boundary_[place[0]] == 0;
    return {is_inside ? depth_of_corner(mesh_, on_boundary_, place[0]) : 0, mesh_.mass[place[0]]};
  }

  const dist::Mesh& mesh_;
  const NodeField<std::int32_t>& on_boundary_;
  std::map<Nodes, std::size_t> number_of_;
  std::vector<Known> known_;
  std::map<int, std::vector<Question>> questions_;
  std::map<int, std::vector<std::size_t>> unknown_;
};

}  // namespace

std::vector<contact::TetDepths> skin_depths(const dist::Mesh& mesh, const NodeField<std::int32_t>& on_boundary,
                                            std::span<const LocalElement> elements) {
  Places places(mesh, on_boundary);
  std::vector<std::array<std::size_t, 16>> looked(elements.size());
  const auto is_looked_at = [&](const Nodes& place) {
    return place.size() == 1 || (place.size() < 4 && places.is_on_surface(place));
  };
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (std::size_t bits = 1; bits < 16; ++bits)
      if (is_looked_at(corners_of(mesh.corners(elements[i]), bits))) looked[i][bits] = places.look(elements[i], bits);
  places.tell();

  std::vector<contact::TetDepths> found(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    contact::TetDepths& tet = found[i];
    tet.area = std::pow(mesh.own_volume(elements[i]), 2.0 / 3);
    for (std::size_t k = 0; k < 4; ++k) tet.node_mass[k] = places.known(looked[i][std::size_t{1} << k]).mass;
    for (std::size_t bits = 1; bits < 16; ++bits) {
      const Nodes place = corners_of(mesh.corners(elements[i]), bits);
      if (is_looked_at(place)) {
        tet.depth[bits] = places.known(looked[i][bits]).depth;
      } else if (places.is_on_surface(place)) {
        const contact::PlacedTet rest = at_rest(mesh, elements[i]);
        tet.depth[bits] = 0.25 * std::min({height(rest, 0), height(rest, 1), height(rest, 2), height(rest, 3)});
      } else {
        for (std::size_t k = 0; k < 4; ++k)
          if ((bits >> k & 1) != 0)
            tet.depth[bits] += places.known(looked[i][std::size_t{1} << k]).depth / static_cast<double>(place.size());
      }
    }
  }
  return found;
}

}  // namespace brisance::sim
