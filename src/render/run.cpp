/// A whole run: every snapshot becomes a picture, seen by one camera and coloured by one range.
#include "brisance/core/error.hpp"
#include "brisance/render/render.hpp"

#include "fields.hpp"
#include "pieces_frame.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include <unistd.h>

namespace brisance::render {
namespace {

namespace fs = std::filesystem;

io::Snapshot read_frame(const fs::path& file) {
  return io::is_pieces_file(file) ? pieces_frame(io::read_pieces(file)) : io::read_snapshot(file);
}

/// What fails in a frame that was read names its file.
template <class Work>
auto naming(const fs::path& file, const Work& work) {
  try {
    return work();
  } catch (const core::Error& e) {
    throw core::Error(file.string() + ": " + e.what());
  }
}

/// The frames of one rank: i = rank, rank + size, …
template <class Work>
void for_my_frames(const core::Comm& comm, const std::vector<fs::path>& snapshots, const Work& work) {
  core::agree(comm, [&] {
    for (std::size_t i = comm.rank(); i < snapshots.size(); i += comm.size()) work(i);
  });
}

/// Fixes camera and range for all frames, so that neither jumps.
Options fitted_to_all(const core::Comm& comm, const std::vector<fs::path>& snapshots, Options options) {
  const bool needs_range = is_field(options.colour_by) && !options.range;
  if (options.camera && !needs_range) return options;
  Framing framing(options.view, options.width, options.height);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ValueRange range{.low = kInfinity, .high = -kInfinity};
  for_my_frames(comm, snapshots, [&](std::size_t i) {
    const io::Snapshot snapshot = read_frame(snapshots[i]);
    naming(snapshots[i], [&] {
      if (!options.camera) add_to_framing(framing, snapshot, options);
      if (!needs_range) return;
      const ValueRange mine = frame_range(snapshot.part, options.colour_by);
      range = {.low = std::min(range.low, mine.low), .high = std::max(range.high, mine.high)};
    });
  });
  framing.merge(comm);
  if (!options.camera) options.camera = framing.camera();
  range = {.low = comm.min(range.low), .high = comm.max(range.high)};
  if (needs_range) options.range = range.low < range.high ? range : ValueRange{.low = range.low, .high = range.low + 1};
  return options;
}

fs::path picture_folder(const fs::path& path) {
  if (fs::is_regular_file(path)) return path.has_parent_path() ? path.parent_path() : fs::path(".");
  return path.filename() == "snapshots" ? path.parent_path() / "pictures" : path / "pictures";
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw core::Error("cannot make the folder " + folder.string() + " for pictures: " + failure.message() +
                      ". Choose another with --out.");
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw core::Error("cannot write pictures into " + folder.string() + ": " + std::strerror(errno) +
                      ". Choose another folder with --out.");
}

}  // namespace

std::vector<fs::path> snapshot_files(const fs::path& path) {
  if (fs::is_regular_file(path)) return {path};
  if (!fs::is_directory(path))
    throw core::Error(path.string() + " does not exist. Name a run folder or a snapshot (.hdf).");
  const fs::path folder = fs::is_directory(path / "snapshots") ? path / "snapshots" : path;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".hdf") files.push_back(entry.path());
  if (files.empty())
    throw core::Error(folder.string() + " holds no snapshots (.hdf). Has the run written a frame yet?");
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> render_run(const core::Comm& comm, const fs::path& path, const Options& options,
                                 const fs::path& out, const FrameShare& share) {
  std::vector<fs::path> snapshots;
  const fs::path folder = out.empty() ? picture_folder(path) : out;
  core::agree_on_input(comm, [&] {
    check(options);
    snapshots = snapshot_files(path);
    make_folder(folder);
  });
  const Options fitted = fitted_to_all(comm, snapshots, options);
  std::vector<fs::path> mine, pictures;
  for (std::size_t i = share.which; i < snapshots.size(); i += share.of) mine.push_back(snapshots[i]);
  for (const fs::path& snapshot : mine) pictures.push_back(folder / snapshot.stem().concat(".png"));
  for_my_frames(comm, mine, [&](std::size_t i) {
    const io::Snapshot snapshot = read_frame(mine[i]);
    write_png(naming(mine[i], [&] { return render_frame(snapshot, fitted); }), pictures[i]);
  });
  return pictures;
}

}  // namespace brisance::render
