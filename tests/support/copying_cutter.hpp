/// A cutter that leaves elements whole: elements that the plane crosses are copied, and original and copy share their
/// material by the volume on each side of the plane.
#pragma once

#include "brisance/fracture/cutters/cutter.hpp"

#include "fracture/cutters/node_splits.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace brisance::test {

/// The crack at a node: what lies below the plane gets the node's copy.
struct CopyingCut {
  fracture::NodeSplit split;
  struct Copy {
    GlobalElement original, copy;
    double share;  ///< of the copy
  };
  std::vector<Copy> copies;
  std::vector<GlobalNode> around;  ///< nodes of the star
};

class CopyingCutter final : public fracture::Cutter {
public:
  CopyingCutter() : splitter_(fracture::Parameters{}) {}

  [[nodiscard]] std::vector<LocalNode> plan(dist::Mesh& mesh, std::span<const LocalNode> nodes,
                                            const std::map<LocalNode, fracture::Failure>& failing,
                                            fracture::Counters& counters) override {
    std::vector<LocalNode> refused;
    for (const LocalNode n : nodes) {
      Sides sides = sides_of(mesh, n, failing.at(n).normal);
      const std::size_t num_below = sides.below.size() + sides.crossed.size();
      if (num_below == 0 || sides.below.size() == mesh.star(n).size()) {
        ++counters.refused_one_sided;
        refused.push_back(n);
      } else {
        plans_[n] = std::move(sides);
      }
    }
    return refused;
  }
  void forget(std::span<const LocalNode> nodes) override {
    for (const LocalNode n : nodes) plans_.erase(n);
  }
  void forget_all() override { plans_.clear(); }

  [[nodiscard]] std::vector<fracture::IdRequest> requests(const dist::Mesh& mesh,
                                                          std::span<const LocalNode> chosen) const override {
    std::vector<fracture::IdRequest> list;
    for (const LocalNode n : chosen)
      list.push_back({mesh.node_id[n], 1, static_cast<std::int64_t>(plans_.at(n).crossed.size())});
    return list;
  }

  [[nodiscard]] std::map<int, std::vector<std::byte>> messages(const dist::Mesh& mesh,
                                                               std::span<const LocalNode> chosen,
                                                               const fracture::FirstIds& first_ids, double,
                                                               fracture::Counters& counters) override {
    std::map<int, core::ByteWriter> outgoing;
    for (const LocalNode n : chosen) {
      const CopyingCut cut = numbered(mesh, n, first_ids.at(mesh.node_id[n]));
      const std::vector<int> holders = mesh.holders(n);
      for (const int rank : holders) {
        pack(outgoing[rank], cut.split);
        outgoing[rank].put_all(cut.copies);
        outgoing[rank].put_all(cut.around);
      }
      ++counters.cracks;
      counters.cracks_across_ranks += holders.size() > 1 ? 1 : 0;
    }
    return fracture::bytes_of(std::move(outgoing));
  }

  void apply(dist::Mesh& mesh, const std::vector<la::Message>& received, const fracture::Services&,
             fracture::Counters& counters) override {
    std::vector<CopyingCut> cuts;
    for (const la::Message& message : received)
      for (core::ByteReader in(message.bytes); !in.done();) {
        CopyingCut cut{.split = fracture::unpack_node_split(in), .copies = {}, .around = {}};
        cut.copies = in.get_all<CopyingCut::Copy>();
        cut.around = in.get_all<GlobalNode>();
        cuts.push_back(std::move(cut));
      }
    std::ranges::sort(cuts, {}, [](const CopyingCut& cut) { return cut.split.node; });
    std::vector<GlobalNode> touched;
    for (const CopyingCut& cut : cuts) {
      for (const auto& [element, copy, share] : cut.copies) mesh.copy_element(element, copy, share);
      splitter_.split(mesh, cut.split);
      touched.insert(touched.end(), cut.around.begin(), cut.around.end());
      for (const auto& entry : cut.split.assignments) touched.push_back(entry.second);
    }
    counters.front_splits += fracture::split_disconnected(mesh, touched, splitter_);
  }

private:
  struct Sides {
    std::vector<LocalElement> below;
    std::vector<std::pair<LocalElement, double>> crossed;  ///< element, share of its volume below
  };

  static Sides sides_of(const dist::Mesh& mesh, LocalNode n, const Vec3& normal) {
    Sides sides;
    for (const std::int32_t slot : mesh.star(n)) {
      const LocalElement e(slot);
      std::vector<double> height;
      for (const LocalNode c : mesh.corners(e))
        if (c != n) height.push_back(normal.dot(Vec3(mesh.motion[c].position) - Vec3(mesh.motion[n].position)));
      std::ranges::sort(height);
      if (height[2] <= 0)
        sides.below.push_back(e);
      else if (height[0] < 0)
        sides.crossed.emplace_back(e, share_below(height));
    }
    return sides;
  }

  /// Share of a tet below a plane through one corner, by the heights of the others, ascending, the first below 0 and
  /// the last above it.
  static double share_below(const std::vector<double>& h) {
    if (h[1] >= 0) return h[0] / (h[0] - h[1]) * h[0] / (h[0] - h[2]);
    return 1 - h[2] / (h[2] - h[0]) * h[2] / (h[2] - h[1]);
  }

  [[nodiscard]] CopyingCut numbered(const dist::Mesh& mesh, LocalNode n,
                                    std::pair<std::int64_t, std::int64_t> first_ids) const {
    const Sides& sides = plans_.at(n);
    const GlobalNode copy(first_ids.first);
    CopyingCut cut{.split = {mesh.node_id[n], {}}, .copies = {}, .around = {}};
    for (const LocalElement e : sides.below) cut.split.assignments.emplace_back(mesh.element_id[e], copy);
    for (const auto& [e, share] : sides.crossed) {
      const GlobalElement child(first_ids.second + static_cast<std::int64_t>(cut.copies.size()));
      cut.copies.push_back({mesh.element_id[e], child, share});
      cut.split.assignments.emplace_back(child, copy);
    }
    for (const std::int32_t slot : mesh.star(n))
      for (const LocalNode c : mesh.corners(LocalElement(slot))) cut.around.push_back(mesh.node_id[c]);
    return cut;
  }

  std::map<LocalNode, Sides> plans_;
  fracture::NodeSplitter splitter_;
};

}  // namespace brisance::test
