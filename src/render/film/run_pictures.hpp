/// Renders the frames of a run to picture files, on all ranks.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/render/options.hpp"

#include "render/integrator/stage.hpp"

#include <filesystem>
#include <vector>

namespace brisance::render {

/// A frame and its picture.
struct PictureFiles {
  std::filesystem::path snapshot, png;
  std::filesystem::path exr;    ///< empty: no layers
  double frame_interval_s = 0;  ///< [s]; 0 without a shutter
};

/// Reads a frame of a run or a file of pieces. Local; throws core::Error.
[[nodiscard]] io::Snapshot read_frame(const std::filesystem::path& file);

/// Those pictures that are not there yet, or were made of something else: of another frame, with other options, or by
/// another program. Logs how many are kept. Collective; throws core::Error on all ranks.
[[nodiscard]] std::vector<PictureFiles> missing_pictures(const core::Comm& comm, const std::vector<PictureFiles>& all,
                                                         const Options& options);

/// Renders and writes the pictures. Frames go to ranks in turn; where there are fewer left than ranks, their rows are
/// divided. The bits do not depend on that. A picture is complete or absent, whenever the program ends.
/// @return rays and samples of this rank
/// Collective; throws core::Error on all ranks if any frame fails.
RayCount render_pictures(const core::Comm& comm, const std::vector<PictureFiles>& pictures, const Options& options);

}  // namespace brisance::render
