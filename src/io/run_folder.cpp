#include "brisance/io/run_folder.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"
#include "brisance/io/run_files.hpp"

#include "io/posix_file.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <mutex>
#include <regex>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>
#include <sys/file.h>

namespace brisance::io {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 4> kStatusNames{"running", "finished", "interrupted", "failed"};
/// In the order of their removal: without its scene a run cannot be continued.
constexpr std::array<const char*, 6> kTopFiles{"scene.toml", "run.hdf.series", "monitor.csv",
                                               "run.log",    "debris.glb",     "objects.json"};
constexpr const char* kMarker = "run.json";
constexpr const char* kLock = "run.lock";
constexpr const char* kSnapshots = "snapshots";
constexpr const char* kCheckpoints = "checkpoints";

bool is_snapshot_name(const std::string& name) {
  static const std::regex pattern(R"(\d{6,}\.hdf)");
  return std::regex_match(name, pattern);
}

bool is_checkpoint_name(const std::string& name) {
  static const std::regex pattern(R"(\d{9,}\.h5)");
  return std::regex_match(name, pattern);
}

bool is_checkpoint_file(const std::string& name) {
  return is_checkpoint_name(name.ends_with(".sums") ? name.substr(0, name.size() - 5) : name);
}

bool is_top_file(const std::string& name) {
  return std::find(kTopFiles.begin(), kTopFiles.end(), name) != kTopFiles.end();
}

bool is_marker(const std::string& name) { return name == kMarker; }

/// Does anything of this name exist, even a dangling link?
bool is_there(const fs::path& file) { return fs::symlink_status(file).type() != fs::file_type::not_found; }

/// The final name of a file; that of a complete one is its own. MPI-IO keeps files of its own beside one that it
/// writes, with a suffix after ".writing".
std::string complete_name(const std::string& name) {
  constexpr std::string_view kWriting = ".writing";
  const std::size_t at = name.find(kWriting);
  if (at == std::string::npos) return name;
  const std::string_view rest = std::string_view(name).substr(at + kWriting.size());
  return rest.empty() || rest.front() == '.' ? name.substr(0, at) : name;
}

struct Files {
  std::vector<fs::path> complete, leftovers;  ///< leftovers: incomplete files of killed runs
};

/// Files of a folder, including links, whose final name satisfies `belongs`. Ascending.
Files files_in(const fs::path& folder, bool (*belongs)(const std::string&)) {
  Files files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename(), complete = complete_name(name);
    if (!belongs(complete) || entry.symlink_status().type() == fs::file_type::directory) continue;
    (name == complete ? files.complete : files.leftovers).push_back(entry.path());
  }
  std::sort(files.complete.begin(), files.complete.end());
  return files;
}

std::string marker_text(RunStatus status, std::string_view message, const std::string& origin) {
  nlohmann::ordered_json marker{
      {"format", "brisance-run"}, {"version", 1}, {"status", to_string(status)}, {"message", message}};
  if (!origin.empty()) marker["branched_from"] = origin;
  return json_text(marker, 1) + "\n";
}

struct Marker {
  RunStatus status = RunStatus::running;
  std::string origin;
  bool is_complete = true;
};

/// Is a marker incomplete, from a run that was killed or met a full disk while it started? It is empty, zeros of a
/// machine that crashed, or the beginning of a marker.
bool is_cut_short(const std::string& text) {
  const std::string whole = marker_text(RunStatus::running, "", "");
  const std::string head = whole.substr(0, whole.find("running"));
  const bool is_blank = text.find_first_not_of(std::string_view(" \n\0", 3)) == std::string::npos;
  return is_blank || (text.size() < head.size() ? head.starts_with(text) : text.starts_with(head));
}

Marker read_marker(const fs::path& file) {
  const std::string text = read_text(file);
  try {
    const auto marker = nlohmann::json::parse(text);
    const std::string name = marker.at("status");
    const auto* const found = std::find(kStatusNames.begin(), kStatusNames.end(), name);
    if (marker.at("format") == "brisance-run" && found != kStatusNames.end())
      return {static_cast<RunStatus>(found - kStatusNames.begin()), marker.value("branched_from", "")};
  } catch (const nlohmann::json::parse_error&) {
    if (is_cut_short(text)) return {.origin = "", .is_complete = false};
  } catch (const nlohmann::json::exception&) {  // other keys: reported below
  }
  throw core::Error(file.string() + " was not written by `brisance run`. Choose another folder.");
}

/// All existing files of a run except run.json, in the order of their removal: checkpoints first, since a run could be
/// continued from them.
Files files_of_run(const fs::path& folder) {
  Files files = files_in(folder / kCheckpoints, is_checkpoint_file);
  const auto add = [&](const Files& more) {
    files.complete.insert(files.complete.end(), more.complete.begin(), more.complete.end());
    files.leftovers.insert(files.leftovers.end(), more.leftovers.begin(), more.leftovers.end());
  };
  const Files top = files_in(folder, is_top_file);
  for (const char* name : kTopFiles)
    if (is_there(folder / name) && !fs::is_directory(fs::symlink_status(folder / name)))
      files.complete.push_back(folder / name);
  add({{}, top.leftovers});
  add(files_in(folder / kSnapshots, is_snapshot_name));
  add({{}, files_in(folder, is_marker).leftovers});
  return files;
}

void remove_all(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) fs::remove(file);
}

void refuse_if_taken(const fs::path& folder, bool overwrite) {
  const std::vector<fs::path> files = files_of_run(folder).complete;
  if (!is_there(folder / kMarker)) {
    if (files.empty()) return;
    throw core::Error(folder.string() + " holds " + files.front().lexically_relative(folder).string() +
                      " but no run.json, so it is not known whether a run made it; nothing was touched. Choose another "
                      "folder or move the file away.");
  }
  const Marker marker = read_marker(folder / kMarker);
  if (overwrite || (!marker.is_complete && files.empty())) return;
  const std::string kind = marker.status == RunStatus::finished ? "a finished run"
                           : marker.status == RunStatus::running
                               ? "a run that is in progress or was killed"
                               : fmt::format("a run that ended early ({})", to_string(marker.status));
  throw core::Error(folder.string() + " already holds " + kind +
                    "; nothing was touched. Choose another folder with --out, or replace it with --overwrite.");
}

void make_folders(const fs::path& folder) {
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw core::Error(folder.string() + " is a file; a run needs a folder. Choose another name with --out.");
  fs::create_directories(folder / kSnapshots);
}

/// Marks a locked folder that has no marker.
void claim(const fs::path& folder, const std::string& origin) {
  // Where the file system has no locks, only one of two runs started at once gets the folder.
  if (!write_new(folder / kMarker, marker_text(RunStatus::running, "", origin)))
    throw core::Error("another run has just begun in " + folder.string() +
                      ". Wait for it or stop it, or choose another folder with --out.");
}

/// Marks a run that is about to be removed as not finished. On a full disk this is omitted until its files are removed.
void mark_if_there_is_room(const fs::path& folder, const std::string& origin) {
  try {
    write_atomically(folder / kMarker, marker_text(RunStatus::running, "", origin));
  } catch (const core::Error&) {
  }
}

/// Removes an earlier run from a locked folder, if there is one, and marks the folder. A kill in between leaves a
/// killed run, or no run.
void take_over(const fs::path& folder, const std::string& origin) {
  const bool had_run = is_there(folder / kMarker);
  if (had_run) mark_if_there_is_room(folder, origin);
  const Files files = files_of_run(folder);
  remove_all(files.complete);
  remove_all(files.leftovers);
  if (had_run) fs::remove(folder / kMarker);
  claim(folder, origin);
}

/// Runs `work` on rank 0; errors of the file system become messages. Collective.
void on_root(const core::Comm& comm, const fs::path& folder, const std::function<void()>& work) {
  core::agree(comm, [&] {
    if (!comm.is_root()) return;
    try {
      work();
    } catch (const fs::filesystem_error& e) {
      throw core::Error("cannot make the run folder " + folder.string() + ": " + e.code().message() +
                        ". Choose a folder you may write to with --out.");
    }
  });
}

}  // namespace

std::string_view to_string(RunStatus status) { return kStatusNames[static_cast<std::size_t>(status)]; }

/// Lock on a folder, on rank 0. The thread that handles signals and the main thread take turns in writing run.json.
struct RunFolder::Hold {
  explicit Hold(const fs::path& folder) : lock(folder / kLock, O_RDWR | O_CREAT | O_NOFOLLOW) {}
  PosixFile lock;  ///< keeps other runs out; released when the process ends for any reason
  std::mutex turn;
  bool is_stopping = false, has_ended = false;
};

std::shared_ptr<RunFolder::Hold> RunFolder::held(const fs::path& folder) {
  auto hold = std::make_shared<Hold>(folder);
  if (::flock(hold->lock.raw(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return hold;  // or no locks
  throw core::Error("a run is writing into " + folder.string() +
                    "; nothing was touched. Wait for it or stop it, or choose another folder with --out.");
}

RunFolder RunFolder::create(const core::Comm& comm, const fs::path& path, bool overwrite, const std::string& origin) {
  std::shared_ptr<Hold> hold;
  on_root(comm, path, [&] {
    if (!fs::exists(path) || fs::is_directory(path)) refuse_if_taken(path, overwrite);
    make_folders(path);
    hold = held(path);
    refuse_if_taken(path, overwrite);  // a run may just have ended
    take_over(path, origin);
  });
  return RunFolder(path, origin, std::move(hold));
}

RunFolder RunFolder::reopen(const core::Comm& comm, const fs::path& path, const std::string& origin) {
  std::shared_ptr<Hold> hold;
  std::string kept = origin;
  const auto begin_or_check = [&](bool may_begin) {
    if (!is_there(path / kMarker)) {
      refuse_if_taken(path, false);
      if (may_begin) take_over(path, origin);
      return;
    }
    const Marker marker = read_marker(path / kMarker);
    if (marker.is_complete)
      kept = marker.origin;
    else if (may_begin)
      write_atomically(path / kMarker, marker_text(RunStatus::running, "", origin));
    if (may_begin) remove_all(files_of_run(path).leftovers);
  };
  on_root(comm, path, [&] {
    if (!fs::exists(path) || fs::is_directory(path)) begin_or_check(false);
    make_folders(path);
    hold = held(path);
    begin_or_check(true);  // a run may just have ended
  });
  return RunFolder(path, std::move(kept), std::move(hold));
}

std::vector<fs::path> run_files(const fs::path& folder) {
  // An incomplete file of a killed run belongs to no run, and may be a second link to a complete one.
  std::vector<fs::path> files = files_of_run(folder).complete;
  std::vector<fs::path> always{folder / kMarker};
  for (const char* name : kTopFiles) always.push_back(folder / name);
  for (const fs::path& file : always)
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  return files;
}

fs::path RunFolder::checkpoint(std::int64_t step) const { return path_ / kCheckpoints / fmt::format("{:09}.h5", step); }

std::vector<fs::path> RunFolder::checkpoints() const {
  std::vector<fs::path> files;
  if (!fs::is_directory(path_ / kCheckpoints)) return files;
  for (const auto& entry : fs::directory_iterator(path_ / kCheckpoints))
    if (is_checkpoint_name(entry.path().filename())) files.push_back(entry.path());
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return std::stoll(a.stem().string()) > std::stoll(b.stem().string());
  });
  return files;
}

void RunFolder::prepare_checkpoints(const core::Comm& comm) const {
  on_root(comm, path_, [&] { fs::create_directories(path_ / kCheckpoints); });
}

void RunFolder::keep_checkpoints(const core::Comm& comm, std::size_t kept) const {
  on_root(comm, path_, [&] {
    const std::vector<fs::path> complete = checkpoints();
    std::vector<fs::path> good(complete.begin(),
                               complete.begin() + static_cast<std::ptrdiff_t>(std::min(kept, complete.size())));
    const Files files = files_in(path_ / kCheckpoints, is_checkpoint_file);
    remove_all(files.leftovers);
    for (const fs::path& file : files.complete) {
      const fs::path name = file.extension() == ".sums" ? fs::path(file).replace_extension() : file;
      if (std::find(good.begin(), good.end(), name) == good.end()) fs::remove(file);
    }
  });
}

void RunFolder::keep_snapshots(const core::Comm& comm, std::int64_t num_frames) const {
  on_root(comm, path_, [&] {
    for (const fs::path& file : files_in(path_ / kSnapshots, is_snapshot_name).complete)
      if (std::stoll(file.stem().string()) >= num_frames) fs::remove(file);
  });
}

void RunFolder::start_over(const core::Comm& comm) const {
  on_root(comm, path_, [&] {
    const Files files = files_of_run(path_);
    remove_all(files.complete);
    remove_all(files.leftovers);
  });
}

RunFolder RunFolder::open(const fs::path& path) {
  if (!is_there(path / kMarker))
    throw core::Error(path.string() +
                      " is not a run folder (no run.json in it). Give the folder of --out of `brisance run`.");
  return RunFolder(path, read_marker(path / kMarker).origin);
}

std::string RunFolder::snapshot_name(std::int64_t frame) { return fmt::format("{}/{:06}.hdf", kSnapshots, frame); }

void RunFolder::write_scene(const core::Comm& comm, std::string_view toml) const {
  core::agree(comm, [&] {
    if (comm.is_root()) write_atomically(scene(), toml);
  });
}

void RunFolder::mark(const core::Comm& comm, RunStatus status, std::string_view message) const {
  core::agree(comm, [&] {
    if (comm.is_root()) mark_here(status, message);
  });
}

void RunFolder::mark_here(RunStatus status, std::string_view message) const {
  const auto write = [&] { write_atomically(path_ / kMarker, marker_text(status, message, origin_)); };
  if (!hold_) return write();
  const std::lock_guard turn(hold_->turn);
  if (status == RunStatus::running && hold_->is_stopping) return;  // marked as interrupted during the start
  hold_->has_ended = status == RunStatus::finished || status == RunStatus::failed;
  write();
}

void RunFolder::mark_failed_here(std::string_view message) const {
  write_at_once(path_ / kMarker, marker_text(RunStatus::failed, message, read_marker(path_ / kMarker).origin));
}

void RunFolder::announce_stop() const {
  if (!hold_) return;
  const std::lock_guard turn(hold_->turn);
  if (hold_->has_ended) return;
  hold_->is_stopping = true;
  try {
    write_at_once(path_ / kMarker, marker_text(RunStatus::interrupted, kWhyInterrupted, origin_));
  } catch (const core::Error&) {  // written again at the end of the run, with an error if that fails
  }
}

bool RunFolder::is_being_written() const {
  if (!fs::exists(path_ / kLock)) return false;
  const PosixFile file(path_ / kLock, O_RDONLY);
  return ::flock(file.raw(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

RunStatus RunFolder::status() const { return read_marker(path_ / kMarker).status; }

std::vector<fs::path> list_snapshots(const fs::path& folder) {
  const fs::path place = fs::is_directory(folder / kSnapshots) ? folder / kSnapshots : folder;
  if (!fs::is_directory(place)) throw core::Error(folder.string() + ": no such folder. Give a run folder.");
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(place))
    if (is_snapshot_name(entry.path().filename())) files.push_back(entry.path());
  if (files.empty())
    throw core::Error(folder.string() +
                      " holds no snapshots (snapshots/NNNNNN.hdf). Give the folder of a run that has "
                      "written at least one frame.");
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return std::stoll(a.stem().string()) < std::stoll(b.stem().string());
  });
  return files;
}

}  // namespace brisance::io
