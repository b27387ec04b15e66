/// Renders a whole run: one picture for each snapshot, with one camera and one colour range.
#include "brisance/core/error.hpp"
#include "brisance/core/progress.hpp"
#include "brisance/render/contact_sheet.hpp"
#include "brisance/render/render.hpp"

#include "render/fields.hpp"
#include "render/film/run_files.hpp"
#include "render/film/run_pictures.hpp"
#include "render/naming.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include <spdlog/spdlog.h>

namespace brisance::render {
namespace {

namespace fs = std::filesystem;

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

/// Logs rays and samples of all ranks. Collective.
void log_rays(const core::Comm& comm, const RayCount& mine, const Options& options, std::size_t num_pictures) {
  if (num_pictures == 0) return;
  const auto [paths, shadows, samples] =
      comm.sum(std::array{static_cast<std::int64_t>(mine.paths), static_cast<std::int64_t>(mine.shadows),
                          static_cast<std::int64_t>(mine.samples)});
  const double pixels = static_cast<double>(options.width) * options.height * static_cast<double>(num_pictures);
  spdlog::info("rays: {:.3g} million from surface to surface, {:.3g} million to lights; {:.1f} samples a pixel",
               1e-6 * static_cast<double>(paths), 1e-6 * static_cast<double>(shadows),
               static_cast<double>(samples) / pixels);
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

}  // namespace

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

std::vector<fs::path> render_run(const core::Comm& comm, const fs::path& path, const Options& options,
                                 const fs::path& out, const PictureChoice& choice) {
  std::vector<fs::path> snapshots;
  std::vector<PictureFiles> pictures;
  core::agree_on_input(comm, [&] {
    check(options);
    snapshots = snapshot_files(path);
    pictures = picture_files_of(chosen(snapshots, choice), path, out, choice);
    make_picture_folder(path, out);
  });
  const Options fitted = fitted_to_all(comm, snapshots, options);
  core::agree(comm, [&] {
    if (fitted.exposure.shutter > 0) set_intervals(pictures, snapshots);
  });
  const auto missing = choice.again ? pictures : missing_pictures(comm, pictures, fitted);
  const RayCount rays = render_pictures(comm, missing, fitted);
  log_rays(comm, rays, fitted, missing.size());
  log_matter(comm, rays);
  std::vector<fs::path> made;
  for (const PictureFiles& each : pictures) made.push_back(each.png);
  return made;
}

}  // namespace brisance::render
