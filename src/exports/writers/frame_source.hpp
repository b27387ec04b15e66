/// Frames for writers, one at a time.
#pragma once

#include "brisance/exports/export.hpp"
#include "brisance/exports/fragments.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace brisance::exports {

/// The chosen frames of a run.
class FrameSource {
public:
  /// Local; throws core::Error if the choice is empty.
  FrameSource(const std::filesystem::path& input, const ExportOptions& options);

  [[nodiscard]] std::size_t size() const { return files_.size(); }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }
  /// With skin and lasting names; where the first frame has no positions at rest, the tets' surface with names of this
  /// frame alone. Local; throws core::Error, also those of FragmentReader.
  [[nodiscard]] FragmentFrame read(std::size_t i) const;
  /// Pieces over time and sentences for the user; empty where names do not last.
  [[nodiscard]] std::vector<PieceLife> pieces() const;
  [[nodiscard]] std::vector<std::string> notes() const;

private:
  /// Made when it is needed, since it reads all frames; null where positions at rest are missing.
  [[nodiscard]] const FragmentReader* reader() const;

  std::filesystem::path input_;
  FragmentOptions options_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::size_t> places_;  ///< among all frames
  bool has_rest_;
  mutable std::optional<FragmentReader> reader_;
};

}  // namespace brisance::exports
