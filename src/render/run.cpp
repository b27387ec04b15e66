/// Renders a whole run: one picture for each snapshot, with one camera and one colour range.
#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"
#include "brisance/core/progress.hpp"
#include "brisance/io/finite_frame.hpp"
#include "brisance/render/contact_sheet.hpp"
#include "brisance/render/render.hpp"

#include "fields.hpp"
#include "pieces_frame.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include <spdlog/spdlog.h>
#include <unistd.h>

namespace brisance::render {
namespace {

namespace fs = std::filesystem;

io::Snapshot read_frame(const fs::path& file) {
  if (io::is_pieces_file(file)) return pieces_frame(io::read_pieces(file));
  io::Snapshot snapshot = io::read_snapshot(file);
  io::require_finite(file, snapshot.part);
  return snapshot;
}

/// Errors in a frame that was read name its file.
template <class Work>
auto naming(const fs::path& file, const Work& work) {
  try {
    return work();
  } catch (const core::Error& e) {
    throw core::Error(file.string() + ": " + e.what());
  }
}

/// Processes the frames of one rank: i = rank, rank + size, …  Rank 0 logs its progress, which is roughly that of all.
/// @param what  name of the results for the log: "pictures"
template <class Work>
void for_my_frames(const core::Comm& comm, const std::string& what, const std::vector<fs::path>& snapshots,
                   const Work& work) {
  core::ProgressClock progress;
  core::agree(comm, [&] {
    for (std::size_t i = comm.rank(); i < snapshots.size(); i += comm.size()) {
      work(i);
      const std::size_t done = std::min(i + comm.size(), snapshots.size());
      if (done == snapshots.size() || !progress.is_due()) continue;
      const double left_s =
          progress.passed_s() * static_cast<double>(snapshots.size() - done) / static_cast<double>(done);
      spdlog::info("{}: {} of {}, left about {:.0f} s", what, done, snapshots.size(), left_s);
    }
  });
}

/// Determines camera and range for all frames, so that they do not change in between.
Options fitted_to_all(const core::Comm& comm, const std::vector<fs::path>& snapshots, Options options) {
  const bool needs_range = is_field(options.colour_by) && !options.range;
  const bool needs_camera = !options.camera && options.camera_keys.empty();
  if (!needs_camera && !needs_range) return options;
  Framing framing(options.view, options.width, options.height);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ValueRange range{.low = kInfinity, .high = -kInfinity};
  for_my_frames(comm, "frames read for the camera", snapshots, [&](std::size_t i) {
    const io::Snapshot snapshot = read_frame(snapshots[i]);
    naming(snapshots[i], [&] {
      if (needs_camera) add_to_framing(framing, snapshot, options);
      if (!needs_range) return;
      const ValueRange mine = frame_range(snapshot.part, options.colour_by);
      range = {.low = std::min(range.low, mine.low), .high = std::max(range.high, mine.high)};
    });
  });
  framing.merge(comm);
  if (needs_camera) options.camera = framing.camera();
  range = {.low = comm.min(range.low), .high = comm.max(range.high)};
  if (needs_range) options.range = range.low < range.high ? range : ValueRange{.low = range.low, .high = range.low + 1};
  return options;
}

/// Options for the size of a tile of the sheet; with twice the samples, since fewer pixels are averaged.
Options tile_options(Options options, const SheetOptions& sheet) {
  options.height = std::max(1, static_cast<int>(std::lround(1.0 * sheet.tile_width * options.height / options.width)));
  options.width = sheet.tile_width;
  options.samples_per_pixel *= 2;
  return options;
}

void log_rays(const core::Comm& comm, const RayCount& mine) {
  const auto paths = comm.sum(static_cast<std::int64_t>(mine.paths)),
             shadows = comm.sum(static_cast<std::int64_t>(mine.shadows));
  spdlog::info("rays: {:.3g} million from surface to surface, {:.3g} million to lights",
               1e-6 * static_cast<double>(paths), 1e-6 * static_cast<double>(shadows));
}

using Pixel = std::array<float, 3>;

/// What of light inside solids was computed how.
void log_matter(const core::Comm& comm, const RayCount& mine) {
  const auto dipoles = static_cast<double>(comm.sum(static_cast<std::int64_t>(mine.dipoles))),
             walks = static_cast<double>(comm.sum(static_cast<std::int64_t>(mine.walks))),
             events = static_cast<double>(comm.sum(static_cast<std::int64_t>(mine.walk_events)));
  if (dipoles + walks == 0) return;
  spdlog::info("light inside solids: {:.1f} % by the dipole, {:.1f} % by random walks of {:.0f} events in the mean",
               100 * dipoles / (dipoles + walks), 100 * walks / (dipoles + walks), events / std::max(walks, 1.0));
}

/// Tiles of equal size that ranks have in turn, gathered in order on every rank. Collective.
std::vector<Image> gathered(const core::Comm& comm, const std::vector<Pixel>& mine, std::size_t count, int width,
                            int height) {
  const std::vector<Pixel> all = comm.all_gather(std::span<const Pixel>(mine));
  std::vector<Image> tiles(count, Image(width, height));
  auto next = all.begin();
  for (int rank = 0; rank < comm.size(); ++rank)
    for (std::size_t i = rank; i < count; i += comm.size())
      for (Rgb& pixel : tiles[i].pixels) pixel = Eigen::Map<const Rgb>((next++)->data());
  return tiles;
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
  if (!fs::is_directory(path)) {
    core::require_regular_file(path, "Name a run folder or a snapshot (.hdf).");
    return {path};
  }
  const fs::path folder = fs::is_directory(path / "snapshots") ? path / "snapshots" : path;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".hdf") files.push_back(entry.path());
  if (files.empty())
    throw core::Error(folder.string() + " holds no snapshots (.hdf). Has the run written a frame yet?");
  std::sort(files.begin(), files.end());
  return files;
}

Options fitted_to_run(const core::Comm& comm, const fs::path& path, const Options& options) {
  std::vector<fs::path> snapshots;
  core::agree(comm, [&] {
    check(options);
    snapshots = snapshot_files(path);
  });
  return fitted_to_all(comm, snapshots, options);
}

void render_preview(const core::Comm& comm, const fs::path& path, const Options& options, const fs::path& sheet,
                    const SheetOptions& sheet_options) {
  core::agree(comm, [&] { check(sheet_options); });
  const Options fitted = tile_options(fitted_to_run(comm, path, options), sheet_options);
  const std::vector<fs::path> snapshots = snapshot_files(path);
  std::vector<fs::path> shown;
  for (const std::size_t i : chosen_for_sheet(snapshots.size(), sheet_options)) shown.push_back(snapshots[i]);
  std::vector<Pixel> mine;
  for_my_frames(comm, "pictures of the sheet", shown, [&](std::size_t i) {
    const io::Snapshot snapshot = read_frame(shown[i]);
    const Image tile = naming(shown[i], [&] { return render_frame(snapshot, fitted); });
    for (const Rgb& pixel : tile.pixels) mine.push_back({pixel[0], pixel[1], pixel[2]});
  });
  const std::vector<Image> tiles = gathered(comm, mine, shown.size(), fitted.width, fitted.height);
  core::agree(comm, [&] {
    if (comm.is_root()) write_png(arrange_tiles(tiles, sheet_options), sheet);
  });
}

std::vector<fs::path> picture_files(const fs::path& path, const fs::path& out) {
  const fs::path folder = out.empty() ? picture_folder(path) : out;
  std::vector<fs::path> pictures;
  for (const fs::path& snapshot : snapshot_files(path)) pictures.push_back(folder / snapshot.stem().concat(".png"));
  return pictures;
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
  RayCount rays;
  for_my_frames(comm, "pictures", mine, [&](std::size_t i) {
    const io::Snapshot snapshot = read_frame(mine[i]);
    write_png(naming(mine[i], [&] { return render_frame(snapshot, fitted, &rays); }), pictures[i]);
  });
  log_rays(comm, rays);
  log_matter(comm, rays);
  return pictures;
}

}  // namespace brisance::render
