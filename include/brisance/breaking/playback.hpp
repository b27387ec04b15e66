/// Simulates an object that flies, collides with the ground and obstacles, and breaks along precomputed fracture modes
/// (`brisance play`). Between impacts it is a set of rigid bodies; at an impact the runtime library says which faces
/// between atoms open. An atom is a smallest piece, into which the modes divide the object.
#pragma once

#include "brisance/breaking/atom_geometry.hpp"
#include "brisance/io/marked_run.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/rigid/world.hpp"
#include "brisance/runtime/generations.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::breaking {

/// State column of the tets in a playback's frames: the id of their piece, which its name follows.
inline constexpr std::string_view kPieceIdColumn = "piece_id";

/// Parameters of the object, the rigid bodies and output.
struct PlaybackParameters {
  double density = 2500;   ///< [kg/m³]
  double break_speed = 1;  ///< change of speed in one impact that opens a face between atoms [m/s]
  double drop_height = 1;  ///< height of the lowest point above z = 0 [m]; the centre of mass starts over the origin
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Vec3 velocity = Vec3::Zero();                     ///< initial velocity [m/s]
  Vec3 angular_velocity = Vec3::Zero();             ///< initial angular velocity [rad/s]
  double gravity = 9.81;                            ///< downwards [m/s²]
  double friction = 0.5, restitution = 0.1;         ///< Coulomb coefficient; coefficient of restitution
  runtime::Smear smear = runtime::Smear::elastic;   ///< how the runtime library spreads an impact over the object
  runtime::Method method = runtime::Method::modes;  ///< how the runtime library computes an impact's answer
  double step = 1.0 / 480;                          ///< time step of the rigid bodies [s]
  double frame_interval = 1.0 / 30;                 ///< [s]
  double monitor_interval = 1.0 / 30;  ///< time between lines of monitor.csv [s]; a step with a break gets a line, too
  double duration = 2;                 ///< [s]
  bool ground = true;                  ///< a plane at z = 0
  std::vector<rigid::Obstacle> obstacles;
};

/// Relative changes of conserved quantities when a body is replaced by its pieces. They are rounding errors.
struct SwapErrors {
  std::int64_t num_swaps = 0;                                     ///< bodies replaced so far
  double momentum = 0, angular_momentum = 0, kinetic_energy = 0;  ///< the largest so far
};

/// The present bodies, each of one or more atoms, and the world that moves them. Every rank holds all of it and
/// computes the same; methods are local.
class Playback {
public:
  /// Places the whole object. Throws core::Error if parameters are out of range, geometry and modes are inconsistent,
  /// or an obstacle is so fast for its size that it would pass through bodies in one step.
  Playback(AtomGeometry geometry, runtime::Generations modes, const PlaybackParameters& parameters);

  /// Takes one step. If the impulse of a contact breaks a body, the step is undone, the body is replaced by its pieces,
  /// and the step is repeated, so that the pieces collide with the momentum that they had.
  void step();

  [[nodiscard]] double time_s() const { return parameters_.step * static_cast<double>(num_steps_); }
  [[nodiscard]] std::int64_t num_steps() const { return num_steps_; }
  [[nodiscard]] std::size_t num_bodies() const { return bodies_.size(); }
  /// Number of cracks as `brisance run` counts them: summed over the nodes of the object, the number of bodies that
  /// have the node, less one.
  [[nodiscard]] std::int64_t num_node_splits() const;

  /// Momentum, angular momentum about the origin, and kinetic energy of all free bodies and obstacles, summed.
  [[nodiscard]] rigid::Momenta momenta() const;
  /// Number of triangles that a frame has once every face between atoms is open.
  [[nodiscard]] std::int64_t most_triangles() const { return std::ssize(geometry_.triangles); }
  [[nodiscard]] const SwapErrors& swap_errors() const { return swap_errors_; }
  /// Largest overlap of two bodies at the start of the last step [m].
  [[nodiscard]] double deepest_overlap() const { return world_.deepest_overlap(); }

  /// All tets at present, as a frame. Every atom has nodes of its own; `piece` is the number of the body; triangles
  /// inside a body are left out. The state column kPieceIdColumn has the largest atom of each body: it is named
  /// after it (runtime::atom_name), so that of a body that breaks one part keeps the name.
  [[nodiscard]] io::SnapshotPart snapshot_part() const;
  /// A part without nodes and tets, with the same columns: that of ranks that write nothing.
  [[nodiscard]] static io::SnapshotPart empty_part();
  [[nodiscard]] io::SnapshotHeader snapshot_header(std::int64_t frame) const;

private:
  struct Body {
    std::vector<std::int32_t> atoms;  ///< ascending
    rigid::BodyShape shape;
    rigid::BodyNumber number;
  };

  /// The largest atom of a body, after which it is named.
  [[nodiscard]] std::int32_t named_atom(const Body& body) const;
  [[nodiscard]] rigid::BodyShape shape_of(std::span<const std::int32_t> atoms) const;
  void add_obstacles();
  void add_body(std::vector<std::int32_t> atoms, const rigid::Motion& motion);
  [[nodiscard]] const Body& body(rigid::BodyNumber number) const;
  [[nodiscard]] std::vector<std::vector<std::int32_t>> pieces_after(const rigid::ContactImpulse& contact) const;
  void replace(rigid::BodyNumber number, std::vector<std::vector<std::int32_t>> pieces);
  void note_swap(const rigid::Momenta& before, const rigid::Momenta& after);
  [[nodiscard]] io::SnapshotHeader::Collider collider(std::size_t obstacle) const;

  PlaybackParameters parameters_;
  AtomGeometry geometry_;
  runtime::Generations modes_;
  rigid::World world_;
  std::vector<rigid::BodyNumber> obstacles_;
  std::vector<Body> bodies_;                ///< indexed by number
  std::vector<std::int32_t> body_of_atom_;  ///< rigid::BodyNumber
  std::int64_t num_steps_ = 0;
  SwapErrors swap_errors_;
};

/// First line of the TOML text of a playback, by which readers tell it from a scene of `brisance run`.
inline constexpr std::string_view kPlaybackTable = "[play]\n";

/// Runs until the end and writes a run folder as `brisance run` does. All ranks compute the same; rank 0 writes.
/// @param scene           the parameters as TOML, beginning with kPlaybackTable; for scene.toml and the snapshots
/// @param stop_requested  called on every rank before each step; if it is true on any, all write a last snapshot and
///                        mark the folder as interrupted; may be empty
/// Collective; throws core::Error on all ranks, after marking the folder as failed.
io::RunEnd play(const core::Comm& comm, Playback& playback, const PlaybackParameters& parameters,
                const std::string& scene, const io::RunFolder& folder,
                const std::function<bool()>& stop_requested = {});

}  // namespace brisance::breaking
