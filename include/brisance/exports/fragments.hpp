/// A frame as what people take home of it: fragments with the object's own skin, names that last, and particles.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"
#include "brisance/io/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace brisance::exports {

enum class FaceKind : std::uint8_t { outside, crack };

/// Triangles of one fragment. A vertex has one normal and one pair of texture coordinates: where a crack, a crease or a
/// seam of the texture meets, there are several vertices at one place, with bitwise the same rest position and point.
struct Surface {
  std::vector<Vec3> points;      ///< in the world [m]
  std::vector<Vec3> rest;        ///< before anything moved [m]
  std::vector<Vec3> normals;     ///< unit, outward, in the world
  std::vector<Vec3> velocities;  ///< [m/s]
  /// u, v: of the input on the outside, by rest position [m] on cracks; empty if the input has none.
  std::vector<std::array<double, 2>> texture;
  std::vector<std::array<double, 3>> colours;          ///< of the input, 0 to 1; empty if it has none
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< vertices, counter-clockwise from outside
  std::vector<std::int32_t> material;                  ///< of each triangle, a row of FragmentFrame::materials
  std::vector<FaceKind> kinds;                         ///< of each triangle
};

/// One piece. Ids and names are the same in all frames: of a piece that splits the largest part keeps both.
struct Fragment {
  std::int64_t id = 0;
  std::string name;          ///< piece_0000 and so on, by id
  std::int64_t parent = -1;  ///< id of the piece that it was a part of; −1 if it was whole from the start
  std::int32_t piece = 0;    ///< its number in this frame or file
  double volume_m3 = 0;      ///< at rest
  double mass_kg = 0;
  Vec3 centre = Vec3::Zero();    ///< of mass, in the world [m]
  Vec3 velocity = Vec3::Zero();  ///< of the centre [m/s]
  Surface surface;
};

/// A crumb: a piece that left the mesh as dust, or one below FragmentOptions::crumb_share.
struct Particle {
  std::int64_t id = 0;  ///< the same in all frames; dust and crumbs are numbered apart (is_dust)
  Vec3 position = Vec3::Zero();
  double radius_m = 0;  ///< of the ball of its volume
  Vec3 velocity = Vec3::Zero();
  double born_s = 0;  ///< time of the first frame, or of the step, that has it
  bool is_dust = false;
  std::int32_t piece = -1;  ///< of a crumb: its number in this frame or file
};

struct FragmentFrame {
  double time_s = 0;
  std::int64_t frame = 0;
  /// Names of materials: those that the input gives its faces (`usemtl`), in the order of its names; "outside" for
  /// faces without one; the last is "crack".
  std::vector<std::string> materials;
  std::vector<Fragment> fragments;  ///< by id
  std::vector<Particle> particles;
  std::vector<io::Collider> colliders;
  /// Triangles of the input and of cracks that could not be divided: fragments may be open there (docs/SKIN.md).
  std::int64_t num_unclear = 0;
};

struct FragmentOptions {
  bool with_skin = true;        ///< false: the outside is that of the tets
  double crumb_share = 0;       ///< pieces below this share of the mass of all become particles
  double crease_deg = 30;       ///< normals split at edges that turn by more
  double density_kg_m3 = 0;     ///< of all pieces; 0: that of their material in the scene, or 1000 where there is none
  std::filesystem::path input;  ///< the surface file, where the run does not know it (pieces, playbacks); may be empty
  double input_scale = 1;       ///< factor that turns its lengths into metres
};

/// Table of a run's pieces over time.
struct PieceLife {
  std::int64_t id = 0, parent = -1;
  std::string name;
  std::int64_t first_frame = 0, last_frame = 0;  ///< positions in the run
  double born_s = 0;
  double mass_kg = 0;  ///< in its first frame
};

/// Reads a run folder (also of a playback), a single snapshot, or a file of pieces, frame by frame; one frame is in
/// memory at a time. Methods are local and may be called by several processes with their own reader; they throw
/// core::Error.
class FragmentReader {
public:
  /// Reads all frames once, without stresses, for names over time; the input surface is read and prepared.
  FragmentReader(const std::filesystem::path& input, const FragmentOptions& options);
  /// The same; ranks share the frames that are read for the names. Collective.
  FragmentReader(const core::Comm& comm, const std::filesystem::path& input, const FragmentOptions& options);
  ~FragmentReader();
  FragmentReader(FragmentReader&&) noexcept;

  [[nodiscard]] std::size_t num_frames() const;
  [[nodiscard]] double time_s(std::size_t frame) const;
  [[nodiscard]] const std::vector<PieceLife>& pieces() const;
  /// Sentences for the user: why there is no skin, or where it could not be closed so far.
  [[nodiscard]] const std::vector<std::string>& notes() const;
  [[nodiscard]] FragmentFrame read(std::size_t frame) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace brisance::exports
