/// Simulates an object that flies, collides with the ground and obstacles, and breaks along its modes: rigid bodies
/// between impacts, the runtime answer at each impact.
#pragma once

#include "brisance/breaking/atom_geometry.hpp"
#include "brisance/breaking/generations.hpp"
#include "brisance/io/marked_run.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/rigid/world.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::breaking {

struct PlaybackParameters {
  double density = 2500;   ///< [kg/m³]
  double break_speed = 1;  ///< change of speed, by one blow, that opens a face between atoms [m/s]
  double drop_height = 1;  ///< height of the lowest point above z = 0 [m]; the centre of mass starts over the origin
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Vec3 velocity = Vec3::Zero();          ///< initial velocity [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< initial angular velocity [rad/s]
  double gravity = 9.81;                 ///< downwards [m/s²]
  double friction = 0.5, restitution = 0.1;
  runtime::Smear smear = runtime::Smear::elastic;
  runtime::Method method = runtime::Method::modes;
  double step = 1.0 / 480;             ///< time step of the rigid bodies [s]
  double frame_interval = 1.0 / 30;    ///< [s]
  double monitor_interval = 1.0 / 30;  ///< [s]; a step with a break gets a line too
  double duration = 2;                 ///< [s]
  bool ground = true;                  ///< a plane at z = 0
  std::vector<rigid::Obstacle> obstacles;
};

/// Relative changes of the conserved quantities when a body is replaced by its pieces; all rounding.
struct SwapErrors {
  std::int64_t num_swaps = 0;
  double momentum = 0, angular_momentum = 0, kinetic_energy = 0;  ///< the largest so far
};

/// The present bodies, each of one or more atoms, and the world that moves them.
class Playback {
public:
  /// Places the whole object. Throws core::Error if parameters are out of range, geometry and modes are inconsistent,
  /// or an obstacle is so fast for its size that it would pass through. Local.
  Playback(AtomGeometry geometry, Generations modes, const PlaybackParameters& parameters);

  /// Performs one step. Where the blow of a contact breaks a body, the step is undone, the body replaced by its pieces,
  /// and the step repeated: pieces collide one by one, with their former momentum. Local.
  void step();

  [[nodiscard]] double time_s() const { return parameters_.step * static_cast<double>(num_steps_); }
  [[nodiscard]] std::int64_t num_steps() const { return num_steps_; }
  [[nodiscard]] std::size_t num_bodies() const { return bodies_.size(); }
  /// Σ over nodes of the whole object of the number of bodies that have the node, less one: the cracks as counted by
  /// `run`. Local.
  [[nodiscard]] std::int64_t num_node_splits() const;

  /// Sums over all moving bodies, including obstacles, about the origin.
  [[nodiscard]] rigid::Momenta momenta() const;
  /// Number of triangles of a frame in which every face between atoms is open.
  [[nodiscard]] std::int64_t most_triangles() const { return std::ssize(geometry_.triangles); }
  [[nodiscard]] const SwapErrors& swap_errors() const { return swap_errors_; }
  /// Largest overlap of two bodies at the start of the last step [m].
  [[nodiscard]] double deepest_overlap() const { return world_.deepest_overlap(); }

  /// All tets at present. Every atom has its own nodes; `piece` is the body; triangles inside a body are left out.
  /// Local.
  [[nodiscard]] io::SnapshotPart snapshot_part() const;
  [[nodiscard]] io::SnapshotHeader snapshot_header(std::int64_t frame) const;

private:
  struct Body {
    std::vector<std::int32_t> atoms;  ///< ascending
    rigid::BodyShape shape;
    rigid::BodyNumber number;
  };

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
  Generations modes_;
  rigid::World world_;
  std::vector<rigid::BodyNumber> obstacles_;
  std::vector<Body> bodies_;                ///< indexed by number
  std::vector<std::int32_t> body_of_atom_;  ///< rigid::BodyNumber
  std::int64_t num_steps_ = 0;
  SwapErrors swap_errors_;
};

/// First line of the scene text of a playback, which is no scene of `run`.
inline constexpr std::string_view kPlaybackTable = "[play]\n";

/// Runs until the end and writes a run folder like any other. All ranks compute the same, rank 0's is written. A
/// playback that is asked to stop writes a last snapshot and marks the folder as interrupted. Collective; throws
/// core::Error on all ranks, after marking the folder as failed.
/// @param scene  the parameters as TOML, from kPlaybackTable on; for scene.toml and the snapshots
/// @param stop_requested  called on every rank before each step; if it is true on any, all stop; may be empty
io::RunEnd play(const core::Comm& comm, Playback& playback, const PlaybackParameters& parameters,
                const std::string& scene, const io::RunFolder& folder,
                const std::function<bool()>& stop_requested = {});

}  // namespace brisance::breaking
