/// Renders snapshots: one frame, or a whole run with its frames distributed over the ranks.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/render/contact_sheet.hpp"
#include "brisance/render/image.hpp"
#include "brisance/render/options.hpp"
#include "brisance/render/ray_count.hpp"

#include <filesystem>
#include <limits>
#include <vector>

namespace brisance::render {

/// Path-traced picture of one frame in linear light. Camera and range are taken from `options`, or fitted to this frame
/// alone. Random numbers are keyed by pixel and sample: equal input gives equal bits on any number of threads. Local.
/// Throws core::Error for invalid options, a frame without boundary triangles, and a camera inside an object.
/// @param count  if not null, the picture's rays are added to it
[[nodiscard]] Image render_frame(const io::Snapshot& snapshot, const Options& options, RayCount* count = nullptr);

/// The layers of one frame (docs/RENDERING.md, "Film"). Local; errors as render_frame.
[[nodiscard]] LayeredImage render_layers(const io::Snapshot& snapshot, const Options& options);

/// Adds the points that must be in the picture: corners of all triangles of pieces that are not dust
/// (Options::dust_share), and colliders no larger than the object.
void add_to_framing(Framing& framing, const io::Snapshot& snapshot, const Options& options);

/// The snapshots below `path` in ascending order: a run folder, its snapshots folder, or one file (a snapshot or a file
/// of pieces). Throws core::Error if there are none.
[[nodiscard]] std::vector<std::filesystem::path> snapshot_files(const std::filesystem::path& path);

/// Completes the options with a camera that frames the whole run, and with the range of its field, so that neither
/// changes between its pictures. Reads every frame. Collective; throws core::Error on all ranks.
[[nodiscard]] Options fitted_to_run(const core::Comm& comm, const std::filesystem::path& path, const Options& options);

/// Renders a contact sheet before the pictures of a run: its frames at the size of their tiles, with twice the samples,
/// distributed over the ranks. Collective; throws core::Error on all ranks.
void render_preview(const core::Comm& comm, const std::filesystem::path& path, const Options& options,
                    const std::filesystem::path& sheet, const SheetOptions& sheet_options = {});
/// Every `of`th picture of a run from the `which`th on (from 0), for several jobs that share its frames.
struct FrameShare {
  std::size_t which = 0, of = 1;
};

/// Frames of a run, counted from 0: first, first + step, … before end.
struct FrameChoice {
  std::size_t first = 0, end = std::numeric_limits<std::size_t>::max(), step = 1;
};

/// Which pictures of a run are made.
struct PictureChoice {
  FrameChoice frames{};
  FrameShare share{};   ///< of these frames
  bool layers = false;  ///< beside each NNNNNN.png a NNNNNN.exr with layers
  bool again = false;   ///< also those that are there already, made of the same
};

/// The files that render_run makes or keeps, in the order of frames. Local; throws core::Error as snapshot_files, and
/// if no frame is chosen.
[[nodiscard]] std::vector<std::filesystem::path> picture_files(const std::filesystem::path& path,
                                                               const std::filesystem::path& out,
                                                               const PictureChoice& choice = {});

/// Renders the chosen snapshots of a run to `out`/NNNNNN.png (empty: RUN/pictures, or beside a single file),
/// distributed over the ranks, with one camera and one range for the whole run. Pictures that are there already, made
/// of the same frame by the same program with the same options, are kept: what was interrupted is continued. Returns
/// the pictures in order, on every rank. Logs the progress. Collective; throws core::Error on all ranks if any frame
/// fails.
std::vector<std::filesystem::path> render_run(const core::Comm& comm, const std::filesystem::path& path,
                                              const Options& options, const std::filesystem::path& out = {},
                                              const PictureChoice& choice = {});

}  // namespace brisance::render
