#include "render/film/run_pictures.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/finite_frame.hpp"
#include "brisance/render/image.hpp"

#include "render/film/prepared_frame.hpp"
#include "render/film/provenance.hpp"
#include "render/film/render_progress.hpp"
#include "render/film/sharing.hpp"
#include "render/naming.hpp"
#include "render/pieces_frame.hpp"

#include <memory>
#include <span>

#include <spdlog/spdlog.h>

namespace brisance::render {
namespace {

Options options_of(const PictureFiles& files, const Options& options) {
  Options own = options;
  own.exposure.frame_interval_s = files.frame_interval_s;
  own.layers = !files.exr.empty();
  return own;
}

bool is_there(const PictureFiles& files, const Options& options) {
  std::error_code ignored;
  if (!std::filesystem::exists(files.png, ignored)) return false;
  if (!files.exr.empty() && !std::filesystem::exists(files.exr, ignored)) return false;
  const std::string wanted = provenance(options_of(files, options), files.snapshot);
  return note_of(files.png, kProvenanceNote) == wanted &&
         (files.exr.empty() || note_of(files.exr, kProvenanceNote) == wanted);
}

/// A frame in work.
class FrameInWork {
public:
  FrameInWork(const PictureFiles& files, const Options& options)
      : files_(files), options_(options_of(files, options)), frame_(naming(files.snapshot, [&] {
          return std::make_unique<PreparedFrame>(read_frame(files.snapshot), options_);
        })) {}

  void render(const RowShare& share, RenderProgress& progress, RayCount& count) {
    pixels_ = frame_->rows(
        share, [&](double part) { progress.frame_share(part); }, count);
    progress.frame_done();
  }

  void write() const {
    const Notes notes{{kProvenanceNote, provenance(options_, files_.snapshot)}};
    // The layers first: a picture that is there says that both are.
    if (!files_.exr.empty()) {
      LayeredImage layers = frame_->layers(pixels_);
      layers.notes.insert(layers.notes.end(), notes.begin(), notes.end());
      write_exr(layers, files_.exr);
    }
    write_png(frame_->image(pixels_), files_.png, notes);
  }

  /// Brings the rows of all members to the writer. Called by all of them, and by no other rank.
  void collect(const core::Comm& comm, const SharedFrame& shared) {
    const auto row_size = static_cast<int>(options_.width * frame_->num_values());
    if (comm.rank() != shared.writer) {
      for (std::size_t first = 0; first < pixels_.size(); first += row_size)
        MPI_Send(&pixels_[first], row_size, MPI_FLOAT, shared.writer, 0, comm.raw());
      return;
    }
    std::vector<float> whole(static_cast<std::size_t>(row_size) * options_.height);
    auto own = pixels_.begin();
    for (int y = 0; y < options_.height; ++y) {
      float* const row = &whole[static_cast<std::size_t>(y) * row_size];
      const int member = y % shared.rows.stride;
      if (member > 0) {
        MPI_Recv(row, row_size, MPI_FLOAT, shared.writer + member, 0, comm.raw(), MPI_STATUS_IGNORE);
      } else {
        std::copy_n(own, row_size, row);
        own += row_size;
      }
    }
    pixels_ = std::move(whole);
  }

private:
  const PictureFiles& files_;
  Options options_;
  std::unique_ptr<PreparedFrame> frame_;
  std::vector<float> pixels_;
};

void render_whole(const std::vector<PictureFiles>& pictures, const std::vector<std::size_t>& mine,
                  const Options& options, RenderProgress& progress, RayCount& count) {
  for (const std::size_t i : mine) {
    FrameInWork frame(pictures[i], options);
    frame.render({}, progress, count);
    frame.write();
  }
}

/// Renders the frames that are left over, each on several ranks. Collective.
void render_shared(const core::Comm& comm, const std::vector<PictureFiles>& pictures, const SharedFrame& mine,
                   const Options& options, RenderProgress& progress, RayCount& count) {
  std::unique_ptr<FrameInWork> frame;
  core::agree(comm, [&] {
    frame = std::make_unique<FrameInWork>(pictures[mine.frame], options);
    frame->render(mine.rows, progress, count);
  });
  frame->collect(comm, mine);
  core::agree(comm, [&] {
    if (comm.rank() == mine.writer) frame->write();
  });
}

}  // namespace

io::Snapshot read_frame(const std::filesystem::path& file) {
  if (io::is_pieces_file(file)) return pieces_frame(io::read_pieces(file));
  io::Snapshot snapshot = io::read_snapshot(file);
  io::require_finite(file, snapshot.part);
  return snapshot;
}

std::vector<PictureFiles> missing_pictures(const core::Comm& comm, const std::vector<PictureFiles>& all,
                                           const Options& options) {
  std::vector<std::uint8_t> mine;
  core::agree(comm, [&] {
    for (std::size_t i = comm.rank(); i < all.size(); i += comm.size())
      mine.push_back(is_there(all[i], options) ? 1 : 0);
  });
  const auto there = comm.all_gather(std::span<const std::uint8_t>(mine));
  std::vector<PictureFiles> missing;
  auto next = there.begin();
  std::vector<bool> is_kept(all.size());
  for (int rank = 0; rank < comm.size(); ++rank)
    for (std::size_t i = rank; i < all.size(); i += comm.size()) is_kept[i] = *next++ != 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!is_kept[i]) missing.push_back(all[i]);
  if (missing.size() < all.size())
    spdlog::info("{} of {} are there already, made of the same; they are kept, unless --overwrite is given",
                 all.size() - missing.size(), core::counted(all.size(), "picture"));
  return missing;
}

RayCount render_pictures(const core::Comm& comm, const std::vector<PictureFiles>& pictures, const Options& options) {
  const FramesOfRank mine = frames_of_rank(pictures.size(), comm.rank(), comm.size());
  RenderProgress progress("pictures", mine.whole.size() + (mine.shared ? 1 : 0));
  RayCount count;
  core::agree(comm, [&] { render_whole(pictures, mine.whole, options, progress, count); });
  if (mine.shared) render_shared(comm, pictures, *mine.shared, options, progress, count);
  return count;
}

}  // namespace brisance::render
