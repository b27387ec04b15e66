#include "frame_source.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/io/run_folder.hpp"

#include "exports/frames/plain_fragments.hpp"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

std::vector<std::filesystem::path> chosen_frames(const std::filesystem::path& input, const ExportOptions& options) {
  const std::vector<std::filesystem::path> all =
      std::filesystem::is_directory(input) ? io::list_snapshots(input) : std::vector{input};
  std::vector<std::filesystem::path> files;
  for (std::size_t i = options.first; i < std::min(options.end, all.size()); i += options.step) files.push_back(all[i]);
  if (files.empty())
    throw core::Error(
        fmt::format("--frames chooses nothing of {}: there are frames 0 to {}.", input.string(), all.size() - 1));
  return files;
}

FrameSource::FrameSource(const core::Comm& comm, const std::filesystem::path& input, const ExportOptions& options)
    : first_(options.first), step_(options.step) {
  bool has_rest = false;
  core::agree(comm, [&] {
    files_ = chosen_frames(input, options);
    is_file_of_pieces_ = io::is_pieces_file(input);
    has_rest = is_file_of_pieces_ || io::read_snapshot_header(files_.front()).form.has("rest_position");
  });
  if (comm.any(has_rest)) reader_.emplace(comm, input, options.fragments);
}

FragmentFrame FrameSource::read(std::size_t i) const {
  if (!reader_) return plain_fragments(read_surface_frame(files_[i], io::ReadColumns::motion)).frame;
  FragmentFrame frame = reader_->read(place(i));
  num_unclear_ += frame.num_unclear;
  return frame;
}

std::string FrameSource::scene() const {
  return is_file_of_pieces_ ? std::string() : io::read_snapshot_header(files_.back()).scene;
}

std::vector<PieceLife> FrameSource::pieces() const { return reader_ ? reader_->pieces() : std::vector<PieceLife>(); }

std::vector<std::string> FrameSource::notes() const {
  if (reader_) {
    std::vector<std::string> notes = reader_->notes();
    if (num_unclear_ > 0)
      notes.push_back(
          fmt::format("{} of the input and of cracks could not be divided, counting all frames read here: "
                      "there pieces are not closed (docs/SKIN.md).",
                      core::counted(num_unclear_, "triangle")));
    return notes;
  }
  return {
      "the frames have no positions at rest, by which the input's skin and lasting names are found: the outside is "
      "that of the tets. Run with rest_position in output.fields for them."};
}

}  // namespace brisance::exports
