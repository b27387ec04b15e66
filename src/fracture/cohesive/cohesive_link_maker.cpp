#include "cohesive_link_maker.hpp"

#include "brisance/fracture/criteria/strength.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace brisance::fracture {

namespace {

/// A face of the star that contains the node, as a face of one tet.
struct Face {
  LocalNode low, high;  ///< its two other corners, by id
  LocalElement element;
  int group;  ///< part of the node to which the tet goes
};

double rest_area(const dist::Mesh& mesh, LocalNode n, const Face& face) {
  const Vec3& origin = mesh.rest[n];
  return 0.5 * (mesh.rest[face.low] - origin).cross(mesh.rest[face.high] - origin).norm();
}

std::array<double, 6> rest_corners(const dist::Mesh& mesh, const Face& face) {
  std::array<std::array<double, 3>, 2> ends;
  for (std::size_t k = 0; k < 3; ++k) {
    ends[0][k] = mesh.rest[face.low][static_cast<Vec3::Index>(k)];
    ends[1][k] = mesh.rest[face.high][static_cast<Vec3::Index>(k)];
  }
  if (ends[1] < ends[0]) std::swap(ends[0], ends[1]);
  return {ends[0][0], ends[0][1], ends[0][2], ends[1][0], ends[1][1], ends[1][2]};
}

using Groups = std::pair<int, int>;  ///< ascending

Groups groups_of(const Face& x, const Face& y) { return {std::min(x.group, y.group), std::max(x.group, y.group)}; }

}  // namespace

/// A node that is being split. Group 0 keeps the node, the others are its copies in ascending id.
struct CohesiveLinkMaker::Split {
  LocalNode node;
  bool is_owned;
  double strength = 0;                      ///< of the node, before [Pa]
  std::vector<GlobalNode> parts;            ///< by group
  std::vector<std::pair<Face, Face>> new_;  ///< faces that two tets of different groups share, in ascending ids
  std::vector<Face> alone;                  ///< faces of one tet, in ascending ids
  std::map<Groups, Opening> opened;         ///< between groups
};

void CohesiveLinkMaker::split_node(dist::Mesh& mesh, GlobalNode node,
                                   std::span<const std::pair<GlobalElement, GlobalNode>> assignments) {
  Split split;
  split.node = mesh.find(node);
  if (split.node.valid()) {
    split.is_owned = mesh.is_owned(split.node);
    split.parts = {node};
    for (const auto& entry : assignments)
      if (entry.second != node) split.parts.push_back(entry.second);
    std::sort(split.parts.begin() + 1, split.parts.end());
    split.parts.erase(std::unique(split.parts.begin(), split.parts.end()), split.parts.end());

    std::map<GlobalElement, GlobalNode> part_of(assignments.begin(), assignments.end());
    std::vector<Face> faces;
    for (const std::int32_t slot : mesh.star(split.node)) {
      const LocalElement e(slot);
      const auto assigned = part_of.find(mesh.element_id[e]);
      const GlobalNode part = assigned == part_of.end() ? node : assigned->second;
      const int group = static_cast<int>(std::find(split.parts.begin(), split.parts.end(), part) - split.parts.begin());
      const auto corners = mesh.corners(e);
      for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j) {
          LocalNode low = corners[i], high = corners[j];
          if (low == split.node || high == split.node) continue;
          if (mesh.node_id[high] < mesh.node_id[low]) std::swap(low, high);
          faces.push_back({low, high, e, group});
        }
    }
    const auto ids = [&](const Face& f) { return std::tuple(mesh.node_id[f.low], mesh.node_id[f.high], f.element); };
    std::sort(faces.begin(), faces.end(), [&](const Face& x, const Face& y) { return ids(x) < ids(y); });
    for (std::size_t i = 0; i < faces.size(); ++i) {
      const bool is_shared =
          i + 1 < faces.size() && faces[i].low == faces[i + 1].low && faces[i].high == faces[i + 1].high;
      if (!is_shared) {
        split.alone.push_back(faces[i]);
        continue;
      }
      if (faces[i].group != faces[i + 1].group) split.new_.emplace_back(faces[i], faces[i + 1]);
      ++i;
    }
    if (split.is_owned) split.strength = weakest_strength(mesh, split.node, parameters_);
    note_new_faces(mesh, split);
  }
  mesh.split_node(node, assignments);
  if (split.node.valid() && split.is_owned) divide(mesh, split);
}

void CohesiveLinkMaker::note_new_faces(dist::Mesh& mesh, Split& split) const {
  auto &area = mesh.field(kWaitingArea), &energy = mesh.field(kWaitingEnergy);
  for (const auto& [one, other] : split.new_) {
    const auto g_c = [&](const Face& f) {
      return fracture_energy(parameters_, mesh.material_of[f.element], mesh.material(f.element));
    };
    const double third = rest_area(mesh, split.node, one) / 3, cost = third * 0.5 * (g_c(one) + g_c(other));
    Opening& opened = split.opened[groups_of(one, other)];
    opened.area += third;
    opened.energy += cost;
    for (const LocalNode corner : {one.low, one.high})
      if (mesh.is_owned(corner)) {
        area[corner] += third;
        energy[corner] += cost;
      }
  }
}

void CohesiveLinkMaker::divide(dist::Mesh& mesh, const Split& split) {
  std::vector<LocalNode> parts;
  for (const GlobalNode id : split.parts) parts.push_back(mesh.find(id));

  // The links go to the part with the most of the old surface.
  auto& ties = mesh.field(kCohesiveLinks);
  std::vector<double> old_surface(parts.size(), 0);
  for (const Face& face : split.alone)
    old_surface[static_cast<std::size_t>(face.group)] += rest_area(mesh, split.node, face);
  const auto base =
      static_cast<std::size_t>(std::max_element(old_surface.begin(), old_surface.end()) - old_surface.begin());
  if (base > 0 && ties[split.node].count() > 0) {
    std::swap(ties[split.node], ties[parts[base]]);
    for (const Tie& tie : ties[parts[base]].span()) moved_.push_back({split.parts[0], split.parts[base], tie.partner});
  }

  // Waiting area goes to the parts that have the two sides of the opened faces.
  const Opening waiting{mesh.field(kWaitingArea)[split.node], mesh.field(kWaitingEnergy)[split.node]};
  std::map<Groups, Opening> opened = split.opened;
  if (waiting.area > 0) {
    mesh.field(kWaitingArea)[split.node] = mesh.field(kWaitingEnergy)[split.node] = 0;
    std::vector<Face> faces = split.alone;
    std::stable_sort(faces.begin(), faces.end(),
                     [&](const Face& x, const Face& y) { return rest_corners(mesh, x) < rest_corners(mesh, y); });
    std::map<Groups, double> matching;
    double all = 0;
    for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
      if (rest_corners(mesh, faces[i]) != rest_corners(mesh, faces[i + 1])) continue;
      const double area = rest_area(mesh, split.node, faces[i]);
      matching[groups_of(faces[i], faces[i + 1])] += area;
      all += area;
      ++i;
    }
    if (all == 0) {
      Groups most{0, 1};
      double largest = 0;
      for (const auto& [groups, opening] : opened)
        if (opening.area > largest) {
          largest = opening.area;
          most = groups;
        }
      matching[most] = all = 1;
    }
    for (const auto& [groups, area] : matching) {
      const double part = area / all;
      if (groups.first == groups.second) {
        const LocalNode n = parts[static_cast<std::size_t>(groups.first)];
        mesh.field(kWaitingArea)[n] = part * waiting.area;
        mesh.field(kWaitingEnergy)[n] = part * waiting.energy;
      } else {
        opened[groups].area += part * waiting.area;
        opened[groups].energy += part * waiting.energy;
      }
    }
  }
  if (!std::isfinite(split.strength)) return;  // nothing here can break on its own
  for (const auto& [groups, opening] : opened)
    if (opening.energy > 0)
      made_.push_back(
          {split.parts[static_cast<std::size_t>(groups.first)],
           split.parts[static_cast<std::size_t>(groups.second)],
           {.partner = {}, .area = opening.area, .energy = opening.energy, .peak = split.strength * opening.area}});
}

void CohesiveLinkMaker::finish(dist::Mesh& mesh) {
  auto& ties = mesh.field(kCohesiveLinks);
  const auto sort = [](Ties& of) {
    std::sort(of.tie.begin(), of.tie.begin() + static_cast<std::ptrdiff_t>(of.count()),
              [](const Tie& x, const Tie& y) { return x.partner < y.partner; });
  };
  const std::vector<Move> moves = mesh.comm().all_gather(std::span<const Move>(moved_));
  std::map<GlobalNode, GlobalNode> now;
  for (const Move& move : moves) now[move.from] = move.to;
  for (const Move& move : moves) {
    const auto partner = now.find(move.partner);  // the partner's links may have moved, too
    const LocalNode n = mesh.find(partner == now.end() ? move.partner : partner->second);
    if (!n.valid() || !mesh.is_owned(n)) continue;
    for (Tie& tie : ties[n].tie)
      if (tie.partner == move.from) tie.partner = move.to;
    sort(ties[n]);
  }
  for (const NewTie& made : made_) {
    const LocalNode one = mesh.find(made.one), other = mesh.find(made.other);
    const std::size_t at_one = ties[one].count(), at_other = ties[other].count();
    if (at_one == kMostCohesiveLinks || at_other == kMostCohesiveLinks) continue;
    ties[one].tie[at_one] = ties[other].tie[at_other] = made.tie;
    ties[one].tie[at_one].partner = made.other;
    ties[other].tie[at_other].partner = made.one;
    sort(ties[one]);
    sort(ties[other]);
  }
  made_.clear();
  moved_.clear();
}

}  // namespace brisance::fracture
