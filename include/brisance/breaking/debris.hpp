/// Continues the pieces of a run as rigid bodies among the run's colliders.
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

/// Pose of a kinematic object at a time of the run [s]: from its own axes to the world.
using Path = std::function<Eigen::Isometry3d(double time_s)>;

/// A collider of the run's scene, in its state at the hand-over.
struct DebrisCollider {
  std::string name;
  rigid::Obstacle obstacle;
  Path path;  ///< prescribed motion, if kinematic
};

/// A Dirichlet condition on pieces: they follow its motion until `until_s`, and are free afterwards.
struct Constraint {
  Path path;                                                 ///< motion of any frame fixed to it
  double until_s = std::numeric_limits<double>::infinity();  ///< time of the run [s]
};

struct DebrisParameters {
  Vec3 gravity{0, 0, -9.81};         ///< [m/s²]
  double friction = 0.3;             ///< between pieces; obstacles may have a value of their own
  double restitution = 0.1;          ///< coefficient of all contacts
  double step = 1.0 / 480;           ///< time step of the rigid bodies [s]
  double duration = 5;               ///< [s]
  double frame_interval = 1.0 / 30;  ///< interval of the animation's frames [s]
  std::int64_t snapshot_every = 1;   ///< number of animation frames for each snapshot
  std::vector<DebrisCollider> colliders;
  std::vector<Constraint> constraints;  ///< indexed by RigidPiece::constraint
};

/// Pieces and colliders in one rigid-body world.
class Debris {
public:
  /// Takes the surface of the frame and frees the rest of it. Throws core::Error if a parameter is out of range. Local.
  Debris(RunFrame frame, Handover handover, const DebrisParameters& parameters);

  /// One step of the world. Local.
  void step();

  /// Time of the run: that of the hand-over, plus the time since [s].
  [[nodiscard]] double time_s() const { return start_s_ + parameters_.step * static_cast<double>(num_steps_); }
  [[nodiscard]] double passed_s() const { return parameters_.step * static_cast<double>(num_steps_); }
  [[nodiscard]] std::int64_t num_steps() const { return num_steps_; }
  [[nodiscard]] const std::vector<RigidPiece>& pieces() const { return pieces_; }
  [[nodiscard]] const std::vector<DebrisCollider>& colliders() const { return parameters_.colliders; }
  /// Number of free pieces, and of free colliders, that are not at rest.
  [[nodiscard]] std::size_t num_awake() const;
  [[nodiscard]] std::size_t num_awake_colliders() const;

  [[nodiscard]] rigid::Motion motion_of_piece(std::size_t piece) const { return world_.motion(body_of_piece_[piece]); }
  [[nodiscard]] rigid::Motion motion_of_collider(std::size_t collider) const;
  /// Sums over the free pieces, about the origin.
  [[nodiscard]] rigid::Momenta momenta() const;
  /// The same for free colliders.
  [[nodiscard]] rigid::Momenta collider_momenta() const;
  /// −m g·x summed over the bodies in these sums, zero at the origin [J].
  [[nodiscard]] double gravity_energy() const;
  /// Largest overlap of two bodies at the start of the last step [m].
  [[nodiscard]] double deepest_overlap() const { return world_.deepest_overlap(); }

  /// The surface at present: ids of nodes and tets as in the run, and numbers of pieces unless some were dropped.
  /// `rest_position` is the shape at the hand-over. Local.
  [[nodiscard]] io::SnapshotPart snapshot_part() const;
  [[nodiscard]] io::SnapshotHeader snapshot_header(std::int64_t frame) const;

  /// Surface triangles of all pieces. Corners are rows of points(), the positions at the hand-over [m]; the triangles
  /// of a piece are contiguous, in the order of the pieces.
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
  void move_prescribed();

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

/// Outputs beside the snapshots.
struct DebrisOutput {
  std::string scene;                ///< TOML from kPlaybackTable on
  std::vector<std::string> report;  ///< lines for the log about the hand-over
  std::filesystem::path animation;  ///< GLB; empty: none
  bool has_strays = false;          ///< the animation keeps small pieces that fly far away (stray_pieces)
  double slow = 1;                  ///< seconds of animation for one second of debris
  /// Frames of the run at the start of the animation, at its own rate; may be empty.
  std::vector<std::filesystem::path> before;
};

/// Pieces that would make all others too small in a view of everything: below a thousandth of the mass of all, and
/// farther away than three times the farthest of the others. Returns a nonzero entry for each of them. Local.
/// @param farthest  of each piece, from one fixed point, over all keyframes [m]
[[nodiscard]] std::vector<std::uint8_t> stray_pieces(const std::vector<RigidPiece>& pieces,
                                                     const std::vector<double>& farthest);

/// Runs until the end, and writes a run folder like any other and an animation. All ranks compute the same, rank 0's is
/// written. When asked to stop, writes the results so far and marks the folder as interrupted. Collective; throws
/// core::Error on all ranks, after marking the folder as failed.
io::RunEnd play(const core::Comm& comm, Debris& debris, const DebrisParameters& parameters, const DebrisOutput& output,
                const io::RunFolder& folder, const std::function<bool()>& stop_requested = {});

}  // namespace brisance::breaking
