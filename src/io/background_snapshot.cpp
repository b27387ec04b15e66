#include "brisance/io/background_snapshot.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/io/atomic_file.hpp"

#include "io/row_writer.hpp"
#include "io/snapshot_columns.hpp"
#include "io/snapshot_rest.hpp"
#include "io/write_columns.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace brisance::io {

namespace {

static_assert(std::endian::native == std::endian::little, "rows go into the file as they are in memory");

MPI_Comm duplicate(const core::Comm& comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(comm.raw(), &copy);
  return copy;
}

/// Work in a separate thread; its exception is kept.
class Task {
public:
  explicit Task(std::function<void()> work)
      : thread_([this, work = std::move(work)] {
          try {
            work();
          } catch (const std::exception& e) {
            failure_ = e.what();
          }
          done_ = true;
        }) {}
  [[nodiscard]] bool is_done() const { return done_; }
  /// Waits for the end of the work.
  [[nodiscard]] const std::optional<std::string>& failure() {
    if (thread_.joinable()) thread_.join();
    return failure_;
  }

private:
  std::optional<std::string> failure_;
  std::atomic<bool> done_ = false;
  std::jthread thread_;
};

}  // namespace

struct BackgroundSnapshot::Frame {
  std::filesystem::path file;
  FrameForm form;
  SnapshotPart part;
  FrameColumns columns;
  std::vector<std::uint64_t> begin = {};      ///< position of each column in the file
  std::vector<std::uint64_t> row_bytes = {};  ///< row size of each column
  std::function<void()> published;
  std::optional<Task> filling = {}, publishing = {};
  enum class Stage : std::uint8_t { filling, telling, publishing, done } stage = Stage::filling;
  std::optional<std::string> failure = {};  ///< failure on this rank
  int any_failed = 0;                       ///< failure on any rank, once reduced
  MPI_Request told = MPI_REQUEST_NULL;

  Frame(const core::Comm& comm, std::filesystem::path name, const FrameForm& frame_form, SnapshotPart&& its_part,
        std::function<void()> then)
      : file(std::move(name)),
        form(frame_form),
        part(std::move(its_part)),
        columns(comm, form, part),
        published(std::move(then)) {
    for (const Column& column : columns.all()) row_bytes.push_back(column.width * H5Tget_size(column.file_type));
  }

  /// In the thread: no call of HDF5, which only the main thread may use.
  void fill() const {
    RowWriter out(temporary_name(file));
    for (std::size_t c = 0; c < columns.all().size(); ++c) {
      const Column& column = columns.all()[c];
      out.write(static_cast<const char*>(column.data), column.share.count * row_bytes[c],
                begin[c] + column.share.offset * row_bytes[c]);
    }
    out.flush();
  }

  /// This rank's rows are written, or have failed: start the reduction over all ranks.
  void tell(const core::Comm& comm) {
    failure = filling->failure();
    any_failed = failure ? 1 : 0;
    MPI_Iallreduce(MPI_IN_PLACE, &any_failed, 1, MPI_INT, MPI_MAX, comm.raw(), &told);
    stage = Stage::telling;
  }

  /// The reduction is complete: publish the file, or remove it where a rank failed.
  void complete(bool is_root) {
    stage = Stage::done;
    if (!is_root) return;
    if (any_failed != 0) {
      std::error_code ignored;
      std::filesystem::remove(temporary_name(file), ignored);
      return;
    }
    stage = Stage::publishing;
    publishing.emplace([this] {
      publish(temporary_name(file), file);
      published();
    });
  }

  void end_publishing() {
    if (const auto& why = publishing->failure(); why) failure = why;
    stage = Stage::done;
  }
};

BackgroundSnapshot::BackgroundSnapshot(const core::Comm& comm) : comm_(duplicate(comm)) {}

BackgroundSnapshot::~BackgroundSnapshot() {
  constexpr double kPatience_s = 5;  // a rank that left alone must not wait for the others
  const bool left_early = frame_ != nullptr;
  if (left_early && wait_until_told(kPatience_s)) {
    if (frame_->stage == Frame::Stage::telling) frame_->complete(comm_.is_root());
    if (frame_->stage == Frame::Stage::publishing) frame_->end_publishing();
  }
  MPI_Comm copy = comm_.raw();
  if (!left_early) MPI_Comm_free(&copy);
}

void BackgroundSnapshot::start(const std::filesystem::path& file, const SnapshotHeader& header, SnapshotPart part,
                               std::function<void()> published) {
  finish();
  const QuietHdf5 quiet;
  require_complete(comm_, header.form, part);
  auto frame = std::make_unique<Frame>(comm_, file, header.form, std::move(part), std::move(published));
  frame->begin.resize(frame->columns.all().size());
  const std::filesystem::path temporary = temporary_name(file);
  try {
    core::agree(comm_, [&] {
      if (comm_.is_root())
        frame->begin = lay_out_columns(temporary, frame->columns.all(), {.rest_bytes = rest_bytes(header)},
                                       [&](Hdf5Writer& made) { add_rest(made, header, frame->part); });
    });
  } catch (const core::Error&) {  // thrown on all ranks alike
    std::error_code ignored;
    if (comm_.is_root()) std::filesystem::remove(temporary, ignored);
    throw;
  }
  MPI_Bcast(frame->begin.data(), static_cast<int>(frame->begin.size()), MPI_UINT64_T, 0, comm_.raw());
  frame_ = std::move(frame);
  frame_->filling.emplace([under_way = frame_.get()] { under_way->fill(); });
}

void BackgroundSnapshot::test() {
  if (!frame_) return;
  if (frame_->stage == Frame::Stage::filling && frame_->filling->is_done()) frame_->tell(comm_);
  if (frame_->stage == Frame::Stage::telling) {
    int told = 0;
    MPI_Test(&frame_->told, &told, MPI_STATUS_IGNORE);
    if (told != 0) frame_->complete(comm_.is_root());
  }
  if (frame_->stage == Frame::Stage::publishing && frame_->publishing->is_done()) frame_->end_publishing();
}

/// Waits until the reduction over all ranks is complete; false after `most_s` seconds.
bool BackgroundSnapshot::wait_until_told(double most_s) {
  if (frame_->stage == Frame::Stage::filling) frame_->tell(comm_);
  if (frame_->stage != Frame::Stage::telling) return true;
  const double start_s = core::wall_seconds();
  for (;;) {
    int told = 0;
    MPI_Test(&frame_->told, &told, MPI_STATUS_IGNORE);
    if (told != 0) return true;
    if (core::wall_seconds() - start_s > most_s) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

void BackgroundSnapshot::finish() {
  if (!frame_) return;
  wait_until_told(std::numeric_limits<double>::infinity());
  if (frame_->stage == Frame::Stage::telling) frame_->complete(comm_.is_root());
  if (frame_->stage == Frame::Stage::publishing) frame_->end_publishing();
  const auto failure = frame_->failure;
  frame_.reset();
  core::agree(comm_, [&] {
    if (failure) throw core::Error(*failure);
  });
}

}  // namespace brisance::io
