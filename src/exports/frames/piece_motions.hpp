/// How the pieces of one frame moved as rigid bodies in all frames.
#pragma once

#include "brisance/exports/surface_frame.hpp"

#include <vector>

#include <Eigen/Geometry>

namespace brisance::exports {

/// Position of a piece's centre [m] and its rotation from rest.
struct PieceMotion {
  Vec3 position = Vec3::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

/// The pieces in one frame.
struct PieceStates {
  std::vector<PieceMotion> motion;
  std::vector<float> speed;   ///< root mean square of the nodes' [m/s]; empty if the frame has no velocities
  std::vector<float> stress;  ///< mean of the nodes' largest principal stresses [Pa]; empty if it has none
};

/// Fits rigid motions from rest to each frame, by least squares over the nodes that a piece has in both. A piece that
/// has too few nodes in an early frame, because cracks made the others, moves with nodes of the first frame near it.
class PieceMotions {
public:
  /// @param reference  frame whose pieces are followed, usually the last
  /// @param first      the earliest frame
  PieceMotions(const SurfaceFrame& reference, const SurfaceFrame& first);

  /// Centres at rest: means of the surface's nodes [m].
  [[nodiscard]] const std::vector<Vec3>& centres() const { return centres_; }
  /// Local. Quaternions of successive calls have the sign nearer to that before.
  [[nodiscard]] PieceStates in(const SurfaceFrame& frame);
  /// Largest distance so far between a node and its place in the rigid shape, over the diagonal of all at rest.
  [[nodiscard]] double largest_deviation() const { return largest_deviation_ / diagonal_; }

private:
  struct Node {
    std::int64_t id;
    Vec3 rest;
  };
  /// The piece's nodes, or its anchors in a frame that has too few of these.
  [[nodiscard]] const std::vector<Node>& followed(std::size_t piece, const SurfaceFrame& frame) const;
  PieceMotion fit(std::size_t piece, const SurfaceFrame& frame);
  void find_anchors(const SurfaceFrame& first);

  std::vector<std::vector<Node>> nodes_;    ///< of each piece, some hundreds at most
  std::vector<std::vector<Node>> anchors_;  ///< of pieces with few old nodes
  std::vector<Vec3> centres_;
  std::vector<Eigen::Quaterniond> last_;
  double diagonal_ = 1, largest_deviation_ = 0;
};

}  // namespace brisance::exports
