/// Frames for writers, one at a time.
#pragma once

#include "brisance/exports/export.hpp"

#include <filesystem>
#include <vector>

namespace brisance::exports {

/// The chosen frames of a run.
class FrameSource {
public:
  /// Local; throws core::Error if the choice is empty.
  FrameSource(const std::filesystem::path& input, const ExportOptions& options);

  [[nodiscard]] std::size_t size() const { return files_.size(); }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }
  /// Local; throws core::Error.
  [[nodiscard]] FragmentFrame read(std::size_t i) const;

private:
  std::vector<std::filesystem::path> files_;
};

}  // namespace brisance::exports
