/// Compares two files, or two run folders frame by frame.
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/diff.hpp"
#include "brisance/io/run_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>

namespace brisance::io {

namespace {

/// The snapshots on both sides of a comparison of folders, by name.
struct FramePairs {
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> both;
  std::vector<std::string> only_in_one;
};

FramePairs frame_pairs(const std::filesystem::path& a, const std::filesystem::path& b) {
  FramePairs result;
  const auto files_a = list_snapshots(a), files_b = list_snapshots(b);
  auto counterpart = [](const auto& files, const std::filesystem::path& file) {
    return std::find_if(files.begin(), files.end(), [&](const auto& f) { return f.filename() == file.filename(); });
  };
  for (const auto& file : files_a) {
    const auto other = counterpart(files_b, file);
    if (other == files_b.end())
      result.only_in_one.push_back(file.string());
    else
      result.both.emplace_back(file, *other);
  }
  for (const auto& file : files_b)
    if (counterpart(files_a, file) == files_a.end()) result.only_in_one.push_back(file.string());
  return result;
}

}  // namespace

std::string PathDiff::text() const {
  std::string text = fmt::format("{} of {} differ\n", num_different, core::counted(num_frames, "frame"));
  if (!first_frame.empty()) text += fmt::format("first difference in {}\n{}", first_frame, first.text());
  for (const std::string& file : only_in_one) text += fmt::format("without a counterpart: {}\n", file);
  return text;
}

PathDiff diff_paths(const std::filesystem::path& a, const std::filesystem::path& b, double tolerance) {
  const bool folders = std::filesystem::is_directory(a);
  if (folders != std::filesystem::is_directory(b))
    throw core::Error(
        fmt::format("{} and {}: one is a folder, the other is not. Give two run folders or two snapshots.", a.string(),
                    b.string()));
  const FramePairs frames = folders ? frame_pairs(a, b) : FramePairs{{{a, b}}, {}};
  PathDiff result;
  result.only_in_one = frames.only_in_one;
  for (const auto& [file_a, file_b] : frames.both) {
    DiffResult frame = diff(read_snapshot(file_a), read_snapshot(file_b), tolerance);
    ++result.num_frames;
    if (frame.equal()) continue;
    if (result.num_different++ > 0) continue;
    result.first_frame = file_a.filename();
    result.first = std::move(frame);
  }
  return result;
}

}  // namespace brisance::io
