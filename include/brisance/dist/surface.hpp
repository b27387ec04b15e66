/// The boundary of the distributed mesh, updated after cuts at a cost proportional to the elements touched.
#pragma once

#include "brisance/core/field.hpp"
#include "brisance/core/ids.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dist {

class Mesh;

/// A face with elements on one side only, opposite the corner `opposite` of one of them.
struct BoundaryFace {
  LocalElement element;
  int opposite;
};

/// Boundary faces of held elements, as far as this rank can be certain: a face with a corner owned here, since that
/// node's star is complete. The faces whose lowest-id node is owned here are this rank's surface, so that every
/// boundary face of the whole mesh is on exactly one rank.
class BoundarySurface {
public:
  /// Evaluates the whole mesh. Local.
  void rebuild(const Mesh& mesh);
  /// Updates it after cuts that touched these elements and no others. Local.
  void refresh(const Mesh& mesh, std::span<const LocalElement> touched);
  /// Element slots were closed up: element `from` is now `to`; those from `num_elements` on are gone.
  void move(LocalElement from, LocalElement to) { faces_[to] = faces_[from]; }
  void truncate(std::size_t num_elements) { faces_.resize(num_elements); }

  /// Is the face on this rank's surface?
  [[nodiscard]] bool has(LocalElement e, int opposite) const { return (faces_[e] >> opposite & 1) != 0; }
  /// Is the face on the boundary? For faces of which a corner is owned here.
  [[nodiscard]] bool is_boundary(LocalElement e, int opposite) const {
    return (faces_[e] >> (opposite + kCorners) & 1) != 0;
  }
  /// Is one of the element's faces on the boundary? Same restriction as is_boundary.
  [[nodiscard]] bool touches_boundary(LocalElement e) const { return faces_[e] >> kCorners != 0; }
  /// All of this rank's surface, by ascending (element, opposite). Local.
  [[nodiscard]] std::vector<BoundaryFace> faces() const;
  [[nodiscard]] std::size_t memory_bytes() const { return faces_.size(); }

private:
  static constexpr int kCorners = 4;
  /// Bit k: the face opposite corner k is on this rank's surface; bit 4 + k: it is on the boundary, and a corner of it
  /// is owned here.
  ElementField<std::uint8_t> faces_;
};

}  // namespace brisance::dist
