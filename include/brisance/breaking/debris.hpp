/// Continues the pieces of a finished run (`brisance debris`) as rigid bodies among the run's colliders. The state at
/// which they take over is called the hand-over.
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

/// Pose of a kinematic object at a time of the run [s]: the map from the object's axes to the world's.
using Path = std::function<Eigen::Isometry3d(double time_s)>;

/// A collider of the run's scene, in its state at the hand-over.
struct DebrisCollider {
  std::string name;
  rigid::Obstacle obstacle;
  Path path;  ///< prescribed motion, if kinematic
};

/// A region of the run with a Dirichlet condition: pieces with a node of it follow its motion until `until_s`, and are
/// free afterwards.
struct Constraint {
  Path path;                                                 ///< motion of any frame that is fixed to the region
  double until_s = std::numeric_limits<double>::infinity();  ///< time of the run [s]
};

/// Parameters of the rigid bodies and of output.
struct DebrisParameters {
  Vec3 gravity{0, 0, -9.81};         ///< [m/s²]
  double friction = 0.3;             ///< Coulomb coefficient between pieces; colliders may have their own
  double restitution = 0.1;          ///< coefficient of restitution of all contacts
  double step = 1.0 / 480;           ///< time step of the rigid bodies [s]
  double duration = 5;               ///< time after the hand-over [s]
  double frame_interval = 1.0 / 30;  ///< time between frames of the animation [s]
  std::int64_t snapshot_every = 1;   ///< animation frames from one snapshot to the next
  std::vector<DebrisCollider> colliders;
  std::vector<Constraint> constraints;  ///< indexed by RigidPiece::constraint
};

/// Pieces and colliders in one rigid-body world. Every rank holds all of it and computes the same; methods are local.
class Debris {
public:
  /// Places pieces and colliders. Keeps the surface of the frame and frees its other data. Throws core::Error if a
  /// parameter is out of range.
  Debris(RunFrame frame, Handover handover, const DebrisParameters& parameters);

  /// Takes one step of DebrisParameters::step.
  void step();

  /// Time of the run: the time of the hand-over plus passed_s(), the time since [s].
  [[nodiscard]] double time_s() const { return start_s_ + parameters_.step * static_cast<double>(num_steps_); }
  [[nodiscard]] double passed_s() const { return parameters_.step * static_cast<double>(num_steps_); }
  [[nodiscard]] std::int64_t num_steps() const { return num_steps_; }
  [[nodiscard]] const std::vector<RigidPiece>& pieces() const { return pieces_; }
  [[nodiscard]] const std::vector<DebrisCollider>& colliders() const { return parameters_.colliders; }
  /// Number of free pieces, and of free colliders, that Bullet has not put to rest.
  [[nodiscard]] std::size_t num_awake() const;
  [[nodiscard]] std::size_t num_awake_colliders() const;

  [[nodiscard]] rigid::Motion motion_of_piece(std::size_t piece) const { return world_.motion(body_of_piece_[piece]); }
  [[nodiscard]] rigid::Motion motion_of_collider(std::size_t collider) const;
  /// Momentum, angular momentum about the origin, and kinetic energy of the free pieces, summed.
  [[nodiscard]] rigid::Momenta momenta() const;
  /// The same for the free colliders.
  [[nodiscard]] rigid::Momenta collider_momenta() const;
  /// −m g·x summed over free pieces and free colliders [J].
  [[nodiscard]] double gravity_energy() const;
  /// Largest overlap of two bodies at the start of the last step [m].
  [[nodiscard]] double deepest_overlap() const { return world_.deepest_overlap(); }

  /// The surface at present, as a frame of the surface alone. Node and tet ids are those of the run, and so are numbers
  /// of pieces unless some were dropped; `rest_position` is the position at the hand-over.
  [[nodiscard]] io::SnapshotPart snapshot_part() const;
  /// A part without nodes and triangles: that of ranks that write nothing.
  [[nodiscard]] static io::SnapshotPart empty_part() { return {}; }
  [[nodiscard]] io::SnapshotHeader snapshot_header(std::int64_t frame) const;

  /// Surface triangles of all pieces, those of a piece one after the other, in the order of pieces().
  struct Surface {
    std::vector<std::int64_t> node_id;
    std::vector<Vec3> points, rest_points;    ///< positions of the nodes at the hand-over, and at rest in the run [m]
    std::vector<std::int32_t> piece_of_node;  ///< index in pieces()
    std::vector<std::array<std::int32_t, 3>> triangles;  ///< indices in points, outward
    std::vector<std::int32_t> piece_of_triangle;         ///< index in pieces()
    std::vector<std::int64_t> source_triangle;           ///< triangle of the input surface; −1 on a crack surface
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

/// Text for the run folder, and the animation.
struct DebrisOutput {
  std::string scene;  ///< the parameters as TOML, beginning with kPlaybackTable; for scene.toml and snapshots
  std::vector<std::string> report;  ///< lines for the log about the hand-over
  std::filesystem::path animation;  ///< GLB file to write; empty: none
  bool has_strays = false;          ///< whether the animation keeps small pieces that fly far away (stray_pieces)
  double slow = 1;                  ///< seconds of animation for one second of debris
  /// Snapshots of the run that the animation shows first, one a frame; may be empty.
  std::vector<std::filesystem::path> before;
};

/// Finds the pieces that fly so far away that a view of everything would show all others too small: lighter than a
/// thousandth of all, and three times farther than the farthest of the others. Returns a nonzero entry for each. Local.
/// @param farthest  largest distance of each piece from one fixed point, over all keyframes [m]
[[nodiscard]] std::vector<std::uint8_t> stray_pieces(const std::vector<RigidPiece>& pieces,
                                                     const std::vector<double>& farthest);

/// Runs until the end, and writes a run folder as `brisance run` does, and the animation. All ranks compute the same;
/// rank 0 writes.
/// @param stop_requested  called on every rank before each step; if it is true on any, all write the results so far and
///                        mark the folder as interrupted; may be empty
/// Collective; throws core::Error on all ranks, after marking the folder as failed.
io::RunEnd play(const core::Comm& comm, Debris& debris, const DebrisParameters& parameters, const DebrisOutput& output,
                const io::RunFolder& folder, const std::function<bool()>& stop_requested = {});

}  // namespace brisance::breaking
