/// The boundary of the distributed mesh: kept through cuts, at the cost of what a cut touches.
#pragma once

#include "brisance/core/field.hpp"
#include "brisance/core/ids.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dist {

class Mesh;

/// A face of one element only, opposite its corner `opposite`.
struct BoundaryFace {
  LocalElement element;
  int opposite;
};

/// Which faces of held elements lie on the boundary, as this rank knows for certain: those whose lowest-id node is
/// owned here, for that node's star is complete. Every boundary face of the whole mesh is on exactly one rank's
/// surface.
class BoundarySurface {
public:
  /// Takes the whole mesh. Local.
  void rebuild(const Mesh& mesh);
  /// After cuts that touched these elements and no others. Local.
  void refresh(const Mesh& mesh, std::span<const LocalElement> touched);
  /// Element slots were closed up: element `from` is now `to`; those from `num_elements` on are gone.
  void move(LocalElement from, LocalElement to) { faces_[to] = faces_[from]; }
  void truncate(std::size_t num_elements) { faces_.resize(num_elements); }

  [[nodiscard]] bool has(LocalElement e, int opposite) const { return (faces_[e] >> opposite & 1) != 0; }
  /// All of them, by ascending (element, opposite). Local.
  [[nodiscard]] std::vector<BoundaryFace> faces() const;
  [[nodiscard]] std::size_t memory_bytes() const { return faces_.size(); }

private:
  ElementField<std::uint8_t> faces_;  ///< bit k: the face opposite corner k
};

}  // namespace brisance::dist
