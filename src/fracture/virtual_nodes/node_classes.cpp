#include "node_classes.hpp"

#include "brisance/fracture/cutters/plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace brisance::fracture {

namespace {

/// The copies around a vertex, in ascending (tet, block), and which are connected.
class Classes {
public:
  explicit Classes(std::span<const StarTet> star) {
    for (std::size_t t = 0; t < star.size(); ++t) {
      first_.push_back({-1, -1, -1, -1});
      for (int block = 0; block < 4; ++block)
        if (star[t].block_of(block) == block) {
          first_.back()[static_cast<std::size_t>(block)] = static_cast<int>(copies_.size());
          copies_.push_back({static_cast<int>(t), block});
        }
    }
    root_.resize(copies_.size());
    std::iota(root_.begin(), root_.end(), 0);
    for (const StarFace& face : faces_between(star)) join(star, face);
  }

  struct Copy {
    int tet, block;
  };
  [[nodiscard]] std::span<const Copy> copies() const { return copies_; }
  [[nodiscard]] int root(int i) {
    auto& parent = root_;
    while (parent[at(i)] != i) i = parent[at(i)] = parent[at(parent[at(i)])];
    return i;
  }

private:
  void join(std::span<const StarTet> star, const StarFace& face) {
    const StarTet &a = star[at(face.a)], &b = star[at(face.b)];
    for (int i = 0; i < 4; ++i) {
      if (i == face.opposite_a) continue;
      const int p = root(first_[at(face.a)][at(a.block_of(i))]);
      const int q = root(first_[at(face.b)][at(b.block_of(b.place_of(a.vertex[at(i)])))]);
      root_[at(std::max(p, q))] = std::min(p, q);
    }
  }

  std::vector<std::array<int, 4>> first_;  ///< by tet and block: index in copies_
  std::vector<Copy> copies_;
  std::vector<int> root_;
};

}  // namespace

std::vector<NodeSplit> splits_at(const dist::Mesh& mesh, std::span<const StarTet> star) {
  Classes classes(star);
  struct Member {
    LocalElement element;
    int part;
    bool is_real;
  };
  std::map<GlobalNode, std::vector<Member>> members;  // of each present node
  for (int i = 0; i < static_cast<int>(classes.copies().size()); ++i) {
    const auto [t, block] = classes.copies()[static_cast<std::size_t>(i)];
    const StarTet& tet = star[static_cast<std::size_t>(t)];
    const LocalElement e = tet.copy[static_cast<std::size_t>(block)];
    if (!e.valid()) continue;  // it has left the mesh with all of its part
    members[mesh.node_id[mesh.corner(e, tet.at)]].push_back({e, classes.root(i), tet.block_of(tet.at) == block});
  }
  std::vector<NodeSplit> splits;
  for (const auto& [node, list] : members) {
    const auto real = std::ranges::find_if(list, &Member::is_real);
    const int keeper = real != list.end() ? real->part : list.front().part;
    std::map<int, GlobalNode> copy_of_part;
    NodeSplit split{node, {}};
    for (const Member& member : list) {
      if (member.part == keeper) continue;
      const auto count = static_cast<std::int64_t>(copy_of_part.size());
      const auto [entry, is_new] = copy_of_part.try_emplace(member.part, GlobalNode(provisional_id(count)));
      split.assignments.emplace_back(mesh.element_id[member.element], entry->second);
    }
    if (!split.assignments.empty()) splits.push_back(std::move(split));
  }
  return splits;
}

}  // namespace brisance::fracture
