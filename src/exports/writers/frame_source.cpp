#include "frame_source.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/run_folder.hpp"

#include "exports/frames/plain_fragments.hpp"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

FrameSource::FrameSource(const std::filesystem::path& input, const ExportOptions& options) {
  const std::vector<std::filesystem::path> all =
      std::filesystem::is_directory(input) ? io::list_snapshots(input) : std::vector{input};
  for (std::size_t i = options.first; i < std::min(options.end, all.size()); i += options.step)
    files_.push_back(all[i]);
  if (files_.empty())
    throw core::Error(
        fmt::format("--frames chooses nothing of {}: there are frames 0 to {}.", input.string(), all.size() - 1));
}

FragmentFrame FrameSource::read(std::size_t i) const { return plain_fragments(read_surface_frame(files_[i])).frame; }

}  // namespace brisance::exports
