#include "frame_source.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/io/run_folder.hpp"

#include "exports/frames/plain_fragments.hpp"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

FrameSource::FrameSource(const std::filesystem::path& input, const ExportOptions& options)
    : input_(input), options_(options.fragments) {
  const std::vector<std::filesystem::path> all =
      std::filesystem::is_directory(input) ? io::list_snapshots(input) : std::vector{input};
  for (std::size_t i = options.first; i < std::min(options.end, all.size()); i += options.step) {
    files_.push_back(all[i]);
    places_.push_back(i);
  }
  if (files_.empty())
    throw core::Error(
        fmt::format("--frames chooses nothing of {}: there are frames 0 to {}.", input.string(), all.size() - 1));
  has_rest_ = io::is_pieces_file(input) || io::read_snapshot_header(files_.front()).form.has("rest_position");
}

const FragmentReader* FrameSource::reader() const {
  if (has_rest_ && !reader_) reader_.emplace(input_, options_);
  return reader_ ? &*reader_ : nullptr;
}

FragmentFrame FrameSource::read(std::size_t i) const {
  const FragmentReader* with_skin = reader();
  return with_skin != nullptr ? with_skin->read(places_[i]) : plain_fragments(read_surface_frame(files_[i])).frame;
}

std::vector<PieceLife> FrameSource::pieces() const {
  const FragmentReader* with_skin = reader();
  return with_skin != nullptr ? with_skin->pieces() : std::vector<PieceLife>();
}

std::vector<std::string> FrameSource::notes() const {
  if (const FragmentReader* with_skin = reader(); with_skin != nullptr) return with_skin->notes();
  return {
      "the frames have no positions at rest, by which the input's skin and lasting names are found: the outside is "
      "that of the tets. Run with rest_position in output.fields for them."};
}

}  // namespace brisance::exports
