/// The pieces of a run, going on as rigid bodies among the run's colliders.
#pragma once

#include "brisance/breaking/handover.hpp"
#include "brisance/io/marked_run.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/rigid/world.hpp"

#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace brisance::breaking {

/// Where something that is led stands at a time of the run [s]: its own axes to the world.
using Path = std::function<Eigen::Isometry3d(double time_s)>;

/// A collider of the run's scene, as it stands at the hand-over.
struct DebrisCollider {
  std::string name;
  rigid::Obstacle obstacle;
  Path path;  ///< of what is led
};

/// What holds pieces: they go where it goes, and are free afterwards.
struct Grip {
  Path path;                                                 ///< any frame that moves along
  double until_s = std::numeric_limits<double>::infinity();  ///< time of the run
};

struct DebrisParameters {
  Vec3 gravity{0, 0, -9.81};         ///< [m/s²]
  double friction = 0.3;             ///< between pieces; obstacles may have their own
  double restitution = 0.1;          ///< of every contact
  double step = 1.0 / 480;           ///< of the rigid bodies [s]
  double duration = 5;               ///< [s]
  double frame_interval = 1.0 / 30;  ///< of the animation [s]
  std::int64_t snapshot_every = 1;   ///< so many of its frames, one is a snapshot
  std::vector<DebrisCollider> colliders;
  std::vector<Grip> constraints;  ///< by RigidPiece::Dirichlet condition
};

/// Pieces and colliders in one world.
class Debris {
public:
  /// Takes the surface of the frame and lets go of the rest of it. Throws core::Error if a parameter is out of range.
  /// Local.
  Debris(RunFrame frame, Handover handover, const DebrisParameters& parameters);

  /// One step of the world. Local.
  void step();

  /// Of the run: the hand-over's, and what has passed since [s].
  [[nodiscard]] double time_s() const { return start_s_ + parameters_.step * static_cast<double>(num_steps_); }
  [[nodiscard]] double passed_s() const { return parameters_.step * static_cast<double>(num_steps_); }
  [[nodiscard]] std::int64_t num_steps() const { return num_steps_; }
  [[nodiscard]] const std::vector<RigidPiece>& pieces() const { return pieces_; }
  [[nodiscard]] const std::vector<DebrisCollider>& colliders() const { return parameters_.colliders; }
  /// Pieces, and colliders, that move on their own and are not at rest.
  [[nodiscard]] std::size_t num_awake() const;
  [[nodiscard]] std::size_t num_awake_colliders() const;

  [[nodiscard]] rigid::Motion motion_of_piece(std::size_t piece) const { return world_.motion(body_of_piece_[piece]); }
  [[nodiscard]] rigid::Motion motion_of_collider(std::size_t collider) const;
  /// Of the pieces that nothing holds, about the origin.
  [[nodiscard]] rigid::Momenta momenta() const;
  /// The same of free colliders.
  [[nodiscard]] rigid::Momenta collider_momenta() const;
  /// −m g·x of all that is in these sums: falls as they fall; its zero is at the origin [J].
  [[nodiscard]] double gravity_energy() const;
  /// Of any two bodies, at the start of the last step [m].
  [[nodiscard]] double deepest_overlap() const { return world_.deepest_overlap(); }

  /// The surface where it is now: ids of nodes and tets as in the run, and numbers of pieces unless some were dropped.
  /// `rest_position` is the shape that goes on, that of the hand-over. Local.
  [[nodiscard]] io::SnapshotPart snapshot_part() const;
  [[nodiscard]] io::SnapshotHeader snapshot_header(std::int64_t frame) const;

  /// Surface triangles of all pieces with corners as rows of points(), which are where they were at the hand-over [m];
  /// triangles of a piece follow each other, pieces in their order.
  struct Surface {
    std::vector<std::int64_t> node_id;
    std::vector<Vec3> points, rest_points;
    std::vector<std::int32_t> piece_of_node;  ///< row of pieces()
    std::vector<std::array<std::int32_t, 3>> triangles;
    std::vector<std::int32_t> piece_of_triangle;
    std::vector<std::int64_t> source_triangle;
  };
  [[nodiscard]] const Surface& surface() const { return surface_; }

private:
  void take_surface(const RunFrame& frame);
  void add_colliders();
  void add_pieces();
  void lead();

  DebrisParameters parameters_;
  io::SnapshotHeader run_header_;
  std::vector<RigidPiece> pieces_;
  Surface surface_;
  std::vector<std::int64_t> triangle_element_;
  std::vector<std::int32_t> triangle_material_, triangle_group_;
  rigid::World world_;
  std::vector<rigid::BodyNumber> body_of_piece_, body_of_collider_;
  std::vector<bool> is_held_;
  double start_s_ = 0;
  std::int64_t num_steps_ = 0;
};

/// What is written beside the snapshots, and how.
struct DebrisOutput {
  std::string scene;                ///< TOML from kPlaybackTable on
  std::vector<std::string> report;  ///< lines for the log: how the hand-over went
  std::filesystem::path animation;  ///< GLB; empty: none
  bool has_strays = false;          ///< the animation keeps small pieces that fly far off (stray_pieces)
  double slow = 1;                  ///< seconds of the animation for one of the debris
  /// Frames of the run that the animation begins with, one after the other at its own rate; may be empty.
  std::vector<std::filesystem::path> before;
};

/// Pieces that make a viewer that shows all show nothing: below a thousandth of the mass of all, and farther off than
/// three times the farthest of the others. Not 0 for each of them. Local.
/// @param farthest  of each piece, from one and the same place, in all keyframes [m]
[[nodiscard]] std::vector<std::uint8_t> stray_pieces(const std::vector<RigidPiece>& pieces,
                                                     const std::vector<double>& farthest);

/// Plays until the end and writes a run folder like any other's, and an animation. All ranks compute the same, rank 0's
/// is written. One that is asked to stop writes what there is and marks the folder as interrupted. Collective; throws
/// core::Error on all ranks, after marking the folder as failed.
io::RunEnd play(const core::Comm& comm, Debris& debris, const DebrisParameters& parameters, const DebrisOutput& output,
                const io::RunFolder& folder, const std::function<bool()>& stop_requested = {});

}  // namespace brisance::breaking
