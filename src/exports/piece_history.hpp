/// Names of pieces over time: a piece that splits hands its id to its largest part.
#pragma once

#include "brisance/exports/fragments.hpp"

#include "exports/skin/broken_shape.hpp"

#include <cstdint>
#include <vector>

namespace brisance::exports {

/// Size and motion of a piece, from its boundary.
struct PieceBody {
  double volume_m3 = 0;  ///< at rest
  double mass_kg = 0;
  Vec3 centre = Vec3::Zero();    ///< of volume, in the world [m]
  Vec3 velocity = Vec3::Zero();  ///< of the rigid motion nearest to that of its nodes, at the centre [m/s]
};

/// Bodies of all pieces of a frame.
/// @param density  of each material of the frame [kg/m³]
[[nodiscard]] std::vector<PieceBody> bodies_of(const BrokenShape& shape, const std::vector<double>& density);

/// Follows pieces from frame to frame, by the ids of the frames. Where these have none, a piece is a part of the one
/// that had most of its nodes' places at rest.
class PieceHistory {
public:
  /// Adds the next frame. Local.
  void add(const BrokenShape& shape, const std::vector<PieceBody>& bodies, std::int64_t frame);

  [[nodiscard]] const std::vector<PieceLife>& lives() const { return lives_; }
  /// Row of lives() of each piece of a frame.
  [[nodiscard]] const std::vector<std::int32_t>& ids(std::size_t frame) const { return ids_[frame]; }

  /// First and last frame of ids that no piece has had.
  static constexpr std::int64_t kNever = -1;

private:
  /// With the ids of the frame itself.
  /// @param parent  id of the piece that each was a part of, or −1
  void add_named(const BrokenShape& shape, const std::vector<PieceBody>& bodies, std::int64_t frame,
                 const std::vector<std::int32_t>& parent);
  /// The parents of a frame with ids: those that it says, or (playbacks, whose pieces are named after their largest
  /// atom) by the frame before.
  [[nodiscard]] std::vector<std::int32_t> parent_ids(const BrokenShape& shape) const;
  /// The piece of the frame before that a piece is a part of, or −1.
  [[nodiscard]] std::vector<std::int32_t> parents(const BrokenShape& shape) const;

  std::vector<PieceLife> lives_;
  std::vector<std::vector<std::int32_t>> ids_;
  std::vector<Vec3> rest_before_;           ///< nodes of the frame before
  std::vector<std::int32_t> piece_before_;  ///< of these nodes
};

}  // namespace brisance::exports
