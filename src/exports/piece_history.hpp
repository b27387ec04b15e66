/// Names of pieces over time: a piece that splits hands its id to its largest part.
#pragma once

#include "brisance/exports/fragments.hpp"

#include "exports/skin/broken_shape.hpp"

#include <cstdint>
#include <span>
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

/// What names need of a frame. Trivially copyable: ranks exchange it.
struct FrameRow {
  double time_s = 0;
  double dust_kg = 0;
  std::int64_t num_pieces = 0;
};

/// What names need of a piece in a frame.
struct PieceRow {
  static constexpr std::int32_t kNone = -1;
  double volume_m3 = 0, mass_kg = 0;
  std::int32_t id = kNone;      ///< that the frame has for it
  std::int32_t parent = kNone;  ///< id that the frame says
  bool has_parent = false;      ///< the frame says whose child it is, perhaps nobody's
  std::int32_t before = kNone;  ///< the piece of the frame before that it is a part of
};

/// Where pieces were in the frame before.
struct PlacesBefore {
  std::vector<Vec3> rest;  ///< of nodes
  std::vector<std::int32_t> piece_of_node;
};

/// Rows of a frame's pieces. Local.
/// @param before  empty for the first frame
[[nodiscard]] std::vector<PieceRow> rows_of(const BrokenShape& shape, const std::vector<PieceBody>& bodies,
                                            const PlacesBefore& before);

/// Follows pieces from frame to frame, by the ids of the frames. Where these have none, a piece is a part of the one
/// that had most of its nodes' places at rest.
class PieceHistory {
public:
  /// Adds the next frame. Local.
  void add(const FrameRow& frame, std::span<const PieceRow> pieces);

  [[nodiscard]] const std::vector<PieceLife>& lives() const { return lives_; }
  /// Row of lives() of each piece of a frame.
  [[nodiscard]] const std::vector<std::int32_t>& ids(std::size_t frame) const { return ids_[frame]; }

  /// First and last frame of ids that no piece has had.
  static constexpr std::int64_t kNever = -1;

private:
  /// With the ids of the frame itself.
  void add_named(const FrameRow& frame, std::span<const PieceRow> pieces);
  /// Id of the piece of the frame before that a piece is a part of, or −1.
  [[nodiscard]] std::int32_t id_before(const PieceRow& piece) const;

  std::vector<PieceLife> lives_;
  std::vector<std::vector<std::int32_t>> ids_;  ///< of each frame
};

}  // namespace brisance::exports
