/// Frames for writers, one at a time.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/exports/export.hpp"
#include "brisance/exports/fragments.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace brisance::exports {

/// Files of the chosen frames, of a run, one frame or a file of pieces. Local; throws core::Error if there is none.
[[nodiscard]] std::vector<std::filesystem::path> chosen_frames(const std::filesystem::path& input,
                                                               const ExportOptions& options);

/// The chosen frames of a run.
class FrameSource {
public:
  /// Collective: ranks share the reading for names over time. Throws core::Error if the choice is empty, and those of
  /// FragmentReader.
  FrameSource(const core::Comm& comm, const std::filesystem::path& input, const ExportOptions& options);

  [[nodiscard]] std::size_t size() const { return files_.size(); }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }
  /// Files that do not move: one frame, or pieces.
  [[nodiscard]] bool is_still() const { return files_.size() == 1; }
  [[nodiscard]] bool is_file_of_pieces() const { return is_file_of_pieces_; }
  /// Do the frames have positions at rest?
  [[nodiscard]] bool has_rest() const { return reader_.has_value(); }
  /// Place of the i-th chosen frame among all frames of the run.
  [[nodiscard]] std::size_t place(std::size_t i) const { return first_ + i * step_; }
  /// The scene as run; empty for a file of pieces. Local; throws core::Error.
  [[nodiscard]] std::string scene() const;
  /// With skin and lasting names; where the first frame has no positions at rest, the tets' surface with names of this
  /// frame alone. Local; throws core::Error.
  [[nodiscard]] FragmentFrame read(std::size_t i) const;
  /// Pieces over time and sentences for the user; empty where names do not last.
  [[nodiscard]] std::vector<PieceLife> pieces() const;
  [[nodiscard]] std::vector<std::string> notes() const;

private:
  std::vector<std::filesystem::path> files_;
  bool is_file_of_pieces_ = false;
  std::size_t first_, step_;              ///< of the places of the files among all frames
  std::optional<FragmentReader> reader_;  ///< nothing where positions at rest are missing
  mutable std::int64_t num_unclear_ = 0;  ///< of the frames read
};

}  // namespace brisance::exports
