#include "render/film/run_files.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"
#include "brisance/io/snapshot.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include <unistd.h>

namespace brisance::render {
namespace {

namespace fs = std::filesystem;

fs::path picture_folder(const fs::path& path) {
  if (fs::is_regular_file(path)) return path.has_parent_path() ? path.parent_path() : fs::path(".");
  return path.filename() == "snapshots" ? path.parent_path() / "pictures" : path / "pictures";
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw core::Error("cannot make the folder " + folder.string() + " for pictures: " + failure.message() +
                      ". Choose another with --out.");
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw core::Error("cannot write pictures into " + folder.string() + ": " + std::strerror(errno) +
                      ". Choose another folder with --out.");
}

}  // namespace

std::vector<fs::path> snapshot_files(const fs::path& path) {
  if (!fs::is_directory(path)) {
    core::require_regular_file(path, "Name a run folder or a snapshot (.hdf).");
    return {path};
  }
  const fs::path folder = fs::is_directory(path / "snapshots") ? path / "snapshots" : path;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".hdf") files.push_back(entry.path());
  if (files.empty())
    throw core::Error(folder.string() + " holds no snapshots (.hdf). Has the run written a frame yet?");
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> chosen(const std::vector<fs::path>& snapshots, const PictureChoice& choice) {
  const FrameChoice& frames = choice.frames;
  std::vector<fs::path> list, mine;
  for (std::size_t i = frames.first; i < std::min(frames.end, snapshots.size()); i += frames.step)
    list.push_back(snapshots[i]);
  if (list.empty())
    throw core::Error("no frame is chosen: there are frames 0 to " + std::to_string(snapshots.size() - 1) +
                      ". Give others with --frames.");
  for (std::size_t i = choice.share.which; i < list.size(); i += choice.share.of) mine.push_back(list[i]);
  return mine;
}

std::vector<PictureFiles> picture_files_of(const std::vector<fs::path>& snapshots, const fs::path& path,
                                           const fs::path& out, const PictureChoice& choice) {
  const fs::path folder = out.empty() ? picture_folder(path) : out;
  std::vector<PictureFiles> files;
  for (const fs::path& snapshot : snapshots) {
    const fs::path stem = folder / snapshot.stem();
    files.push_back({.snapshot = snapshot,
                     .png = fs::path(stem).concat(".png"),
                     .exr = choice.layers ? fs::path(stem).concat(".exr") : fs::path()});
  }
  return files;
}

/// Sets the time from each frame to the next; from the one before to the last.
void set_intervals(std::vector<PictureFiles>& pictures, const std::vector<fs::path>& snapshots) {
  if (snapshots.size() < 2)
    throw core::Error(
        "motion blur needs the time between frames, and there is one frame only. Name the run folder, "
        "and choose the frame with --frames.");
  for (PictureFiles& each : pictures) {
    const std::size_t at = std::ranges::find(snapshots, each.snapshot) - snapshots.begin();
    const std::size_t first = std::min(at, snapshots.size() - 2);
    each.frame_interval_s =
        io::read_snapshot_header(snapshots[first + 1]).time_s - io::read_snapshot_header(snapshots[first]).time_s;
    if (!(each.frame_interval_s > 0))
      throw core::Error(snapshots[first + 1].string() + " is not later than the frame before it. Is this one run?");
  }
}

std::vector<fs::path> picture_files(const fs::path& path, const fs::path& out, const PictureChoice& choice) {
  std::vector<fs::path> files;
  for (const PictureFiles& each : picture_files_of(chosen(snapshot_files(path), choice), path, out, choice)) {
    files.push_back(each.png);
    if (choice.layers) files.push_back(each.exr);
  }
  return files;
}

void make_picture_folder(const fs::path& path, const fs::path& out) {
  make_folder(out.empty() ? picture_folder(path) : out);
}

}  // namespace brisance::render
