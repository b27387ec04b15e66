/// Runs debris from start to end, and writes a run folder and an animation.
#include "brisance/breaking/debris.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/monitor.hpp"

#include "animation.hpp"
#include "earlier_motions.hpp"
#include "played_frames.hpp"

#include <optional>

namespace brisance::breaking {

namespace {

const std::vector<std::string> kColumns{"time_s",
                                        "step",
                                        "pieces",
                                        "awake",
                                        "kinetic_energy_j",
                                        "collider_kinetic_energy_j",
                                        "gravity_energy_j",
                                        "momentum_x_kg_m_s",
                                        "momentum_y_kg_m_s",
                                        "momentum_z_kg_m_s",
                                        "angular_momentum_x_kg_m2_s",
                                        "angular_momentum_y_kg_m2_s",
                                        "angular_momentum_z_kg_m2_s",
                                        "collider_momentum_x_kg_m_s",
                                        "collider_momentum_y_kg_m_s",
                                        "collider_momentum_z_kg_m_s",
                                        "deepest_overlap_m"};

void write_line(const Debris& debris, io::Monitor& monitor) {
  const rigid::Momenta m = debris.momenta(), c = debris.collider_momenta();
  monitor.append(std::vector<double>{
      debris.time_s(), static_cast<double>(debris.num_steps()), static_cast<double>(debris.pieces().size()),
      static_cast<double>(debris.num_awake()), m.energy, c.energy, debris.gravity_energy(), m.linear.x(), m.linear.y(),
      m.linear.z(), m.angular.x(), m.angular.y(), m.angular.z(), c.linear.x(), c.linear.y(), c.linear.z(),
      debris.deepest_overlap()});
}

bool is_drawn(const DebrisCollider& collider) { return collider.obstacle.kind != rigid::Obstacle::Kind::plane; }

/// Pieces, then balls, boxes and meshes; planes are infinite.
std::vector<AnimatedMesh> meshes_of(const Debris& debris) {
  std::vector<AnimatedMesh> meshes(debris.pieces().size());
  const Debris::Surface& s = debris.surface();
  std::vector<std::int32_t> row(s.points.size());
  for (std::size_t p = 0; p < meshes.size(); ++p) meshes[p].name = fmt::format("piece_{}", p);
  for (std::size_t n = 0; n < s.points.size(); ++n) {
    AnimatedMesh& mesh = meshes[s.piece_of_node[n]];
    row[n] = static_cast<std::int32_t>(mesh.points.size());
    mesh.points.push_back(s.points[n] - debris.pieces()[s.piece_of_node[n]].shape.centre);
  }
  for (std::size_t t = 0; t < s.triangles.size(); ++t) {
    AnimatedMesh& mesh = meshes[s.piece_of_triangle[t]];
    mesh.triangles.push_back({row[s.triangles[t][0]], row[s.triangles[t][1]], row[s.triangles[t][2]]});
    mesh.is_crack.push_back(s.source_triangle[t] < 0);
  }
  for (const DebrisCollider& c : debris.colliders())
    if (is_drawn(c)) meshes.push_back(obstacle_mesh(c.name, c.obstacle));
  return meshes;
}

/// The animation of a play, written by rank 0.
class Film {
public:
  Film(const Debris& debris, const DebrisParameters& parameters, const DebrisOutput& output)
      : debris_(debris),
        slow_(output.slow),
        has_strays_(output.has_strays),
        animation_(meshes_of(debris)),
        farthest_(debris.pieces().size(), 0) {
    double mass = 0;
    for (const RigidPiece& piece : debris.pieces()) {
      middle_ += piece.shape.mass * piece.shape.centre;
      mass += piece.shape.mass;
    }
    middle_ /= mass;
    add_before(output.before, parameters.frame_interval * output.slow);
  }

  void add() {
    std::vector<rigid::Motion> motions;
    for (std::size_t p = 0; p < debris_.pieces().size(); ++p) {
      motions.push_back(debris_.motion_of_piece(p));
      farthest_[p] = std::max(farthest_[p], (motions.back().position - middle_).norm());
    }
    for (std::size_t c = 0; c < debris_.colliders().size(); ++c)
      if (is_drawn(debris_.colliders()[c])) motions.push_back(debris_.motion_of_collider(c));
    animation_.add(first_s_ + slow_ * debris_.passed_s(), motions);
  }

  void write(const std::filesystem::path& file) const {
    const std::vector<std::uint8_t> strays =
        has_strays_ ? std::vector<std::uint8_t>() : stray_pieces(debris_.pieces(), farthest_);
    const auto num_strays = static_cast<std::size_t>(std::count(strays.begin(), strays.end(), 1));
    animation_.write(file, strays);
    if (num_strays > 0)
      spdlog::info(
          "left out of the animation: {} far off, so that a viewer's \"frame all\" shows the others; the "
          "snapshots have all of them, and with --crumbs full the animation has, too",
          core::counted(num_strays, "small piece"));
    spdlog::info("animation: {}, {}, {:.1f} MB in {}", core::counted(num_nodes() - num_strays, "node"),
                 core::counted(animation_.num_keyframes(), "keyframe"),
                 1e-6 * static_cast<double>(std::filesystem::file_size(file)), file.string());
    if (const Vec3& o = animation_.origin(); !o.isZero(0))
      spdlog::info(
          "the pieces are far from the origin: the animation is about ({:.17g}, {:.17g}, {:.17g}) m, where its "
          "root node stands (there with y up)",
          o.x(), o.y(), o.z());
  }

private:
  [[nodiscard]] std::size_t num_nodes() const {
    const auto& all = debris_.colliders();
    return debris_.pieces().size() + static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_drawn));
  }

  /// Adds each frame of the run as a frame of the animation.
  void add_before(const std::vector<std::filesystem::path>& files, double interval_s) {
    std::optional<EarlierMotions> earlier;
    for (const std::filesystem::path& file : files) {
      const NodePositions nodes = read_positions(file);
      if (!earlier) earlier.emplace(debris_, nodes);
      std::vector<rigid::Motion> motions = earlier->in(nodes);
      const auto colliders = io::read_snapshot_header(file).colliders;
      for (std::size_t c = 0; c < debris_.colliders().size(); ++c) {
        if (!is_drawn(debris_.colliders()[c])) continue;
        motions.push_back(debris_.motion_of_collider(c));
        if (c >= colliders.size()) continue;
        const auto& [w, x, y, z] = colliders[c].orientation;
        motions.back().position = colliders[c].centre;
        motions.back().orientation = Eigen::Quaterniond(w, x, y, z);
      }
      animation_.add(first_s_, motions);
      first_s_ += interval_s;
    }
    if (earlier)
      spdlog::info("the animation begins with {} of the run as rigid motions, which are at most {:.2g} m off the nodes",
                   core::counted(files.size(), "frame"), earlier->largest_error());
  }

  const Debris& debris_;
  double slow_;
  bool has_strays_;
  Animation animation_;
  Vec3 middle_ = Vec3::Zero();    ///< centre of mass at the hand-over [m]
  std::vector<double> farthest_;  ///< largest distance of each piece from it [m]
  double first_s_ = 0;            ///< start of the debris in the animation
};

/// Energy of all moving bodies [J].
double energy(const Debris& debris) {
  return debris.momenta().energy + debris.collider_momenta().energy + debris.gravity_energy();
}

/// Contacts may dissipate energy but not add any: pieces that touch along a crack must not fly apart.
void report_first_steps(const Debris& debris, double kinetic_before, double energy_before) {
  spdlog::debug(
      "after the first {} steps ({:.4g} s): contacts have taken {:.4g} J of {:.5g} J; deepest overlap {:.3g} m",
      debris.num_steps(), debris.passed_s(), energy_before - energy(debris), kinetic_before, debris.deepest_overlap());
}

/// Number of pieces, and of free colliders if there are any, that still move.
std::string who_moves(const Debris& debris) {
  const auto free =
      std::ranges::count_if(debris.colliders(), [](const DebrisCollider& c) { return c.obstacle.mass > 0; });
  std::string text = fmt::format("{} of {}", debris.num_awake(), core::counted(debris.pieces().size(), "piece"));
  if (free > 0)
    text += fmt::format(" and {} of {}", debris.num_awake_colliders(), core::counted(free, "free collider"));
  return text;
}

constexpr std::int64_t kFirstSteps = 4;

}  // namespace

std::vector<std::uint8_t> stray_pieces(const std::vector<RigidPiece>& pieces, const std::vector<double>& farthest) {
  constexpr double kSmallShare = 1e-3, kFarOff = 3;
  double mass = 0, reach = 0;
  for (const RigidPiece& piece : pieces) mass += piece.shape.mass;
  const auto is_small = [&](std::size_t p) { return pieces[p].shape.mass < kSmallShare * mass; };
  for (std::size_t p = 0; p < pieces.size(); ++p)
    if (!is_small(p)) reach = std::max(reach, farthest[p]);
  std::vector<std::uint8_t> strays;
  for (std::size_t p = 0; p < pieces.size(); ++p)
    strays.push_back(reach > 0 && is_small(p) && farthest[p] > kFarOff * reach ? 1 : 0);
  return strays;
}

io::RunEnd play(const core::Comm& comm, Debris& debris, const DebrisParameters& parameters, const DebrisOutput& output,
                const io::RunFolder& folder, const std::function<bool()>& stop_requested) {
  return io::marked_run(comm, folder, output.scene, [&] {
    const double start_s = core::wall_seconds();
    for (const std::string& line : output.report) spdlog::info("{}", line);
    PlayedFrames<Debris> frames(comm, debris, folder, output.scene);
    io::Monitor monitor(comm, folder.monitor(), kColumns);
    std::optional<Film> film;
    core::agree(comm, [&] {
      if (comm.is_root() && !output.animation.empty()) film.emplace(debris, parameters, output);
    });
    Schedule due(parameters.frame_interval);
    const double kinetic_before = debris.momenta().energy + debris.collider_momenta().energy;
    const double energy_before = energy(debris);
    double last_report_s = start_s;
    io::RunEnd end = io::RunEnd::finished;
    for (std::int64_t frame = 0;;) {
      const bool at_end = debris.passed_s() >= parameters.duration * (1 - 1e-9);
      const bool stop = !at_end && stop_requested && comm.any(stop_requested());
      const bool is_due = due.is_due(debris.passed_s());
      if (is_due || stop || at_end) {
        if (frame++ % parameters.snapshot_every == 0 || stop || at_end) frames.write();
        if (film) film->add();
        write_line(debris, monitor);
      }
      if (debris.num_steps() == kFirstSteps) report_first_steps(debris, kinetic_before, energy_before);
      if (comm.is_root() && core::wall_seconds() - last_report_s > 5) {
        last_report_s = core::wall_seconds();
        spdlog::info("t = {} s: {} move; {:.0f} s so far", core::time_text(debris.passed_s(), parameters.duration),
                     who_moves(debris), last_report_s - start_s);
      }
      if (stop) end = io::RunEnd::interrupted;
      if (stop || at_end) break;
      debris.step();
    }
    core::agree(comm, [&] {
      if (film) film->write(output.animation);
    });
    spdlog::info("{} in {:.1f} s; {} still move", core::counted(debris.num_steps(), "step"),
                 core::wall_seconds() - start_s, who_moves(debris));
    return end;
  });
}

}  // namespace brisance::breaking
