#include "brisance/mesh/tetgen_child.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/memory.hpp"

#include "mesh/cavities.hpp"
#include "mesh/tetgen/exchange.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace brisance::mesh {
namespace {

namespace fs = std::filesystem;
using core::Error;

constexpr const char* kAdvice =
    "The surface probably crosses itself or has needle triangles that no check saw: turn repair on, or mend it in a "
    "mesh "
    "editor.";

/// Tets with a smaller dihedral angle are refined, as far as the surface lets TetGen.
constexpr int kRefinedDihedralDeg = 12;
/// Flips and smoothing go on where a dihedral angle exceeds 140°, as hard as TetGen can (level 9, all three
/// operations). Beside TetGen's defaults the smallest altitude grew 1.3 to 2.3 times on nine of ten bodies of 20,000
/// tets, in about the same time; on the notched block it fell by 4 %.
constexpr const char* kOptimisation = "o/140O9/7";

/// A folder of our own under the system's one for temporary files, removed with everything in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "brisance-tetgen-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw Error(fmt::format("{}: cannot make a temporary folder ({}). Set TMPDIR to a writable folder.",
                              fs::temp_directory_path().string(), std::strerror(errno)));
    path = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  fs::path path;
};

/// The body moved and scaled (by a power of two, so without rounding) into a box of about unit size.
struct UnitFrame {
  explicit UnitFrame(const Surface& surface) {
    Vec3 low = surface.vertices.front(), high = low;
    for (const Vec3& x : surface.vertices) low = low.cwiseMin(x), high = high.cwiseMax(x);
    centre = (low + high) / 2;
    const double size = (high - low).maxCoeff();
    if (!(size > 0) || !std::isfinite(size))
      throw Error("The surface to fill with tets has no extent: all its vertices are at one place. Check the file.");
    metre = std::exp2(-std::ceil(std::log2(size)));
  }
  Vec3 in(const Vec3& x) const { return (x - centre) * metre; }
  Vec3 out(const Vec3& x) const { return x / metre + centre; }

  Vec3 centre;
  double metre;  ///< one metre in the unit frame
};

void append(std::vector<double>& numbers, const Vec3& x) { numbers.insert(numbers.end(), {x.x(), x.y(), x.z()}); }

/// Most memory the child may have: what is free now but a tenth of it.
std::int64_t memory_bound_byte(const TetgenOptions& options) {
  if (options.memory_bound_byte > 0) return options.memory_bound_byte;
  const std::int64_t available = core::available_memory_bytes();
  return std::min(available - available / 10, std::int64_t{1} << 50);
}

std::vector<std::int64_t> bounds(const TetgenOptions& options) {
  constexpr std::int64_t kAfterUs_s = 2;  // we end it first, with a better message
  return {getpid(), memory_bound_byte(options), static_cast<std::int64_t>(options.time_limit.count()) + kAfterUs_s};
}

tetgen_child::Input child_input(const Surface& surface, const UnitFrame& frame, const TetgenOptions& options) {
  tetgen_child::Input input;
  input.bounds = bounds(options);
  input.switches = fmt::format("pq{:.6g}/{}zQ{}", options.quality, kRefinedDihedralDeg, kOptimisation);
  if (options.keep_surface) input.switches += "Y";
  if (options.largest_volume_m3 > 0)
    input.switches += fmt::format("a{:.17f}", options.largest_volume_m3 * frame.metre * frame.metre * frame.metre);
  for (const Vec3& x : surface.vertices) append(input.vertices, frame.in(x));
  for (const auto& triangle : surface.triangles)
    input.triangles.insert(input.triangles.end(), triangle.begin(), triangle.end());
  if (options.keep_cavities)
    for (const Vec3& x : cavity_points(surface)) append(input.holes, frame.in(x));
  return input;
}

fs::path find_program(const TetgenOptions& options) {
  if (!options.program.empty()) return options.program;
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& folder : {here, here.parent_path(), here.parent_path() / "libexec" / "brisance"})
    if (const fs::path program = folder / "brisance-tetgen"; access(program.c_str(), X_OK) == 0) return program;
  throw Error(fmt::format("{}: the program brisance-tetgen is not here. Install it beside brisance.", here.string()));
}

/// Owns the attributes of posix_spawn: output to a file, no descriptor of ours but 0-2, default signals, a process
/// group of its own (what a terminal sends to ours is for us to answer).
class SpawnSetup {
public:
  explicit SpawnSetup(const fs::path& output) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    posix_spawnattr_init(&attributes);
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

pid_t start(const fs::path& program, const fs::path& folder) {
  const SpawnSetup setup(folder / "output.txt");
  const std::string name = program.string(), input = folder / "surface", output = folder / "tets";
  std::array<char*, 4> arguments{const_cast<char*>(name.c_str()), const_cast<char*>(input.c_str()),
                                 const_cast<char*>(output.c_str()), nullptr};
  pid_t child = 0;
  if (const int reason =
          posix_spawn(&child, name.c_str(), &setup.actions, &setup.attributes, arguments.data(), environ))
    throw Error(fmt::format("{}: cannot be started ({}). Install it beside brisance.", name, std::strerror(reason)));
  return child;
}

/// The wait status of the child; kills it at the time limit. Leaves no zombie.
int wait_for(pid_t child, std::chrono::duration<double> limit) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  std::chrono::milliseconds pause{1};
  for (int status = 0;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR)
      throw Error(
          fmt::format("The TetGen process cannot be waited for ({}). Run again without a wrapper that collects "
                      "child processes.",
                      std::strerror(errno)));
    if (Clock::now() - begin > limit) {
      kill(child, SIGKILL);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      throw Error(
          fmt::format("TetGen did not finish within {:g} s and was stopped. Ask for fewer tets, or check the "
                      "surface for parts that nearly touch.",
                      limit.count()));
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds{20});
  }
}

/// The last thing TetGen said, for the message.
std::string last_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line, last;
  while (std::getline(in, line))
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return last.empty() ? "it said nothing" : "it said: " + last.substr(0, 200);
}

std::string gibibytes(std::int64_t bytes) {
  return fmt::format("{:.2g} GiB", static_cast<double>(bytes) / (std::int64_t{1} << 30));
}

/// A signal from outside is no fault of the surface; one that the child raised may be.
[[noreturn]] void fail_at_signal(int signal, const std::string& said) {
  const std::string name = fmt::format("signal {} ({})", signal, strsignal(signal));
  if (signal == SIGKILL)
    throw Error(
        fmt::format("TetGen was ended from outside by {}: where nobody sent it, the system did because memory ran "
                    "out ({} are free now; dmesg or the batch system's report says so). Ask for fewer tets, or "
                    "use a machine with more memory.",
                    name, gibibytes(core::available_memory_bytes())));
  if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT)
    throw Error(
        fmt::format("TetGen was ended from outside by {}: a user or the batch system stopped it. Start again.", name));
  if (signal == SIGALRM || signal == SIGXCPU)
    throw Error(
        fmt::format("TetGen was ended by {}: it ran out of time. Ask for fewer tets, or check the surface for "
                    "parts that nearly touch.",
                    name));
  throw Error(fmt::format("TetGen crashed with {}; {}. {}", name, said, kAdvice));
}

void require_success(int status, const fs::path& folder, const TetgenOptions& options) {
  const std::string said = last_line(folder / "output.txt");
  if (WIFSIGNALED(status)) fail_at_signal(WTERMSIG(status), said);
  const int code = WEXITSTATUS(status);
  if (code == tetgen_child::out_of_memory)
    throw Error(
        fmt::format("TetGen ran out of memory: it may have {}, nine tenths of what was free. Ask for fewer tets "
                    "or use a machine with more memory.",
                    gibibytes(memory_bound_byte(options))));
  if (code == tetgen_child::bad_exchange)
    throw Error(fmt::format("brisance-tetgen could not exchange files in {} ({}). Check the free space there.",
                            folder.parent_path().string(), said));
  if (code != tetgen_child::done) throw Error(fmt::format("TetGen gave up with code {} ({}). {}", code, said, kAdvice));
}

tetgen_child::Output result(const fs::path& folder) {
  try {
    return tetgen_child::read_output(folder / "tets");
  } catch (const std::runtime_error& error) {
    throw Error(fmt::format("brisance-tetgen wrote no readable result ({}; {}). {}", error.what(),
                            last_line(folder / "output.txt"), kAdvice));
  }
}

using FaceMarkers = std::map<std::array<std::int32_t, 3>, std::int32_t>;

FaceMarkers markers_by_face(const tetgen_child::Output& output) {
  FaceMarkers markers;
  for (std::size_t f = 0; f < output.marker.size(); ++f) {
    std::array<std::int32_t, 3> corners{output.faces[3 * f], output.faces[3 * f + 1], output.faces[3 * f + 2]};
    std::sort(corners.begin(), corners.end());
    markers.emplace(corners, output.marker[f]);
  }
  return markers;
}

/// Unit-frame nodes back in metres; those of the surface take its own bits again.
std::vector<Vec3> nodes_in_metres(const tetgen_child::Output& output, const Surface& surface, const UnitFrame& frame) {
  std::vector<Vec3> nodes;
  for (std::size_t i = 0; i + 2 < output.nodes.size(); i += 3)
    nodes.push_back(frame.out({output.nodes[i], output.nodes[i + 1], output.nodes[i + 2]}));
  if (nodes.size() < surface.vertices.size())
    throw Error(fmt::format("TetGen dropped vertices of the surface. {}", kAdvice));
  std::copy(surface.vertices.begin(), surface.vertices.end(), nodes.begin());
  return nodes;
}

TetMesh as_mesh(const tetgen_child::Output& output, const Surface& surface, const UnitFrame& frame) {
  TetMesh mesh;
  mesh.nodes = nodes_in_metres(output, surface, frame);
  const FaceMarkers markers = markers_by_face(output);
  for (std::size_t e = 0; e + 3 < output.tets.size(); e += 4) {
    std::array<std::int32_t, 4> tet{output.tets[e], output.tets[e + 1], output.tets[e + 2], output.tets[e + 3]}, source;
    const auto& x = mesh.nodes;
    if (tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 0) std::swap(tet[2], tet[3]);
    for (int f = 0; f < 4; ++f) {
      std::array<std::int32_t, 3> face{tet[kFaceCorners[f][0]], tet[kFaceCorners[f][1]], tet[kFaceCorners[f][2]]};
      std::sort(face.begin(), face.end());
      const auto marker = markers.find(face);
      source[f] = marker == markers.end() ? kNoSourceTriangle : marker->second;
    }
    mesh.tets.push_back(tet);
    mesh.face_source.push_back(source);
  }
  return mesh;
}

}  // namespace

TetMesh tetrahedralize(const Surface& surface, const TetgenOptions& options) {
  if (surface.triangles.empty()) throw Error("The surface to fill with tets has no triangles. Check the file.");
  const UnitFrame frame(surface);
  const fs::path program = find_program(options);
  const TemporaryFolder folder;
  try {
    tetgen_child::write(folder.path / "surface", child_input(surface, frame, options));
  } catch (const std::runtime_error& error) {
    throw Error(fmt::format("{}. Set TMPDIR to a folder with more space.", error.what()));
  }
  const int status = wait_for(start(program, folder.path), options.time_limit);
  require_success(status, folder.path, options);

  const tetgen_child::Output output = result(folder.path);
  if (output.tets.empty())
    throw Error(fmt::format("TetGen made no tets, as it does for a surface that is not closed. {}", kAdvice));
  return as_mesh(output, surface, frame);
}

}  // namespace brisance::mesh
