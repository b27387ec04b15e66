/// The list of frames that ParaView opens as one animation: `run.hdf.series`, rewritten after each frame.
#pragma once

#include "brisance/core/comm.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::io {

struct SeriesFrame {
  std::string name;   ///< path of the snapshot, relative to the folder of the series file
  double time_s = 0;  ///< [s]
};

/// The series file of a run. Rank 0 holds and writes it; the others take part only in agreeing on errors.
class Series {
public:
  /// Starts with `frames` (of an earlier part of the same run); writes nothing yet. Local.
  explicit Series(std::filesystem::path file, std::vector<SeriesFrame> frames = {});

  /// Adds a frame and rewrites the file atomically. Call it once the snapshot exists under its name. A frame of the
  /// same name is replaced, and all later ones are removed: the run was restarted before it. Collective; throws
  /// core::Error on all ranks if the file cannot be written.
  void append(const core::Comm& comm, const SeriesFrame& frame);
  /// As `append`, on rank 0 alone. Local; throws core::Error.
  void add(const SeriesFrame& frame);

private:
  std::filesystem::path file_;
  std::vector<SeriesFrame> frames_;
};

/// Writes a series file, atomically. Local; throws core::Error.
void write_series(const std::filesystem::path& file, const std::vector<SeriesFrame>& frames);

/// The frames of a series file, in order. Local; throws core::Error if it is missing or not one.
[[nodiscard]] std::vector<SeriesFrame> read_series(const std::filesystem::path& file);

}  // namespace brisance::io
