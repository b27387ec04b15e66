/// An object flies, hits the ground and obstacles, and breaks by its modes: rigid bodies between impacts, the runtime
/// answer at each.
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
  double break_speed = 1;  ///< difference of speed, from one blow, that opens a face between atoms [m/s]
  double drop_height = 1;  ///< of the lowest point above z = 0 [m]; the centre of mass starts over the origin
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Vec3 velocity = Vec3::Zero();          ///< at the start [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< at the start [rad/s]
  double gravity = 9.81;                 ///< downwards [m/s²]
  double friction = 0.5, restitution = 0.1;
  runtime::Smear smear = runtime::Smear::elastic;
  runtime::Method method = runtime::Method::modes;
  double step = 1.0 / 480;             ///< of the rigid bodies [s]
  double frame_interval = 1.0 / 30;    ///< [s]
  double monitor_interval = 1.0 / 30;  ///< [s]; a step that breaks something has its line too
  double duration = 2;                 ///< [s]
  bool ground = true;                  ///< a plane at z = 0
  std::vector<rigid::Obstacle> obstacles;
};

/// What a swap of a body for its pieces changed, as a share of what there was; all rounding.
struct SwapErrors {
  std::int64_t num_swaps = 0;
  double momentum = 0, angular_momentum = 0, kinetic_energy = 0;  ///< the largest so far
};

/// The bodies there are now, each one or more atoms, and the world that moves them.
class Playback {
public:
  /// Places the whole object. Throws core::Error if parameters are out of range, geometry and modes do not belong
  /// together, or an obstacle is so fast for its size that it would fly through. Local.
  Playback(AtomGeometry geometry, Generations modes, const PlaybackParameters& parameters);

  /// One step. Where the blow of a contact breaks a body, the step is taken back, the body swapped for its pieces, and
  /// the step taken again: pieces meet the ground one by one, with the momentum they had. Local.
  void step();

  [[nodiscard]] double time_s() const { return parameters_.step * static_cast<double>(num_steps_); }
  [[nodiscard]] std::int64_t num_steps() const { return num_steps_; }
  [[nodiscard]] std::size_t num_bodies() const { return bodies_.size(); }
  /// Σ over nodes of the whole object of the bodies that hold it, less one: what `run` counts as cracks. Local.
  [[nodiscard]] std::int64_t num_node_splits() const;

  /// Of all that moves, obstacles included, about the origin.
  [[nodiscard]] rigid::Momenta momenta() const;
  /// Of a frame in which every face between atoms is open.
  [[nodiscard]] std::int64_t most_triangles() const { return std::ssize(geometry_.triangles); }
  [[nodiscard]] const SwapErrors& swap_errors() const { return swap_errors_; }
  /// Of any two bodies, at the start of the last step [m].
  [[nodiscard]] double deepest_overlap() const { return world_.deepest_overlap(); }

  /// All tets where they are now. Every atom has its own nodes; `piece` is the body, boundary triangles inside a body
  /// are left out. Local.
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
  std::vector<Body> bodies_;                ///< by number
  std::vector<std::int32_t> body_of_atom_;  ///< rigid::BodyNumber
  std::int64_t num_steps_ = 0;
  SwapErrors swap_errors_;
};

/// How the scene text of a playback begins: no scene of `run`.
inline constexpr std::string_view kPlaybackTable = "[play]\n";

/// Plays until the end and writes a run folder like any other's. All ranks compute the same, rank 0's is written. A
/// playback that is asked to stop writes a last snapshot and marks the folder as interrupted. Collective; throws
/// core::Error on all ranks, after marking the folder as failed.
/// @param scene  the parameters as TOML, from kPlaybackTable on; for scene.toml and the snapshots
/// @param stop_requested  asked on every rank before each step; if any says yes, all stop; may be empty
io::RunEnd play(const core::Comm& comm, Playback& playback, const PlaybackParameters& parameters,
                const std::string& scene, const io::RunFolder& folder,
                const std::function<bool()>& stop_requested = {});

}  // namespace brisance::breaking
