#include "brisance/io/run_folder.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/run_files.hpp"

#include "io/posix_file.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <regex>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>
#include <sys/file.h>

namespace brisance::io {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 4> kStatusNames{"running", "finished", "interrupted", "failed"};
constexpr std::array<const char*, 5> kTopFiles{"scene.toml", "run.log", "monitor.csv", "run.hdf.series", "debris.glb"};
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

/// Files of a subfolder of which `belongs` likes the name, unfinished ones of such a name as well.
std::vector<fs::path> files_in(const fs::path& folder, bool (*belongs)(const std::string&)) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    fs::path name = entry.path();
    for (const char* ending : {".writing", ".sums"})
      if (name.extension() == ending) name.replace_extension();
    if (belongs(name.filename()) && entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

std::string marker_text(RunStatus status, std::string_view message, const std::string& origin) {
  nlohmann::ordered_json marker{
      {"format", "brisance-run"}, {"version", 1}, {"status", to_string(status)}, {"message", message}};
  if (!origin.empty()) marker["branched_from"] = origin;
  return marker.dump(1) + "\n";
}

struct Marker {
  RunStatus status;
  std::string origin;
};

Marker read_marker(const fs::path& file) {
  try {
    const auto marker = nlohmann::json::parse(read_text(file));
    const std::string name = marker.at("status");
    const auto* const found = std::find(kStatusNames.begin(), kStatusNames.end(), name);
    if (marker.at("format") == "brisance-run" && found != kStatusNames.end())
      return {static_cast<RunStatus>(found - kStatusNames.begin()), marker.value("branched_from", "")};
  } catch (const nlohmann::json::exception&) {  // not JSON, or other keys: said below
  }
  throw core::Error(file.string() + " was not written by `brisance run`. Choose another folder.");
}

/// Everything a run may have made in its folder and that is there now, run.json last.
std::vector<fs::path> files_of_run(const fs::path& folder) {
  std::vector<fs::path> files;
  auto add = [&](const fs::path& file) {
    if (fs::is_regular_file(file)) files.push_back(file);
    if (fs::is_regular_file(temporary_name(file))) files.push_back(temporary_name(file));
  };
  for (const char* name : kTopFiles) add(folder / name);  // first the list of frames: it names none that is gone
  for (const fs::path& file : files_in(folder / kSnapshots, is_snapshot_name)) files.push_back(file);
  for (const fs::path& file : files_in(folder / kCheckpoints, is_checkpoint_name)) files.push_back(file);
  add(folder / kMarker);
  return files;
}

void refuse_if_taken(const fs::path& folder, bool overwrite) {
  const std::vector<fs::path> files = files_of_run(folder);
  if (!fs::exists(folder / kMarker)) {
    if (files.empty()) return;
    throw core::Error(folder.string() + " holds " + files.back().lexically_relative(folder).string() +
                      " but no run.json, so it is not known whether a run made it; nothing was touched. Choose another "
                      "folder or move the file away.");
  }
  const RunStatus status = read_marker(folder / kMarker).status;
  if (overwrite) return;
  const std::string kind = status == RunStatus::finished ? "a finished run"
                           : status == RunStatus::running
                               ? "a run that is going on or was killed"
                               : fmt::format("a run that ended early ({})", to_string(status));
  throw core::Error(folder.string() + " already holds " + kind +
                    "; nothing was touched. Choose another folder with --out, or replace it with --overwrite.");
}

void make_folders(const fs::path& folder) {
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw core::Error(folder.string() + " is a file; a run needs a folder. Choose another name with --out.");
  fs::create_directories(folder / kSnapshots);
}

/// Marks a folder that is locked and holds nothing of a run.
void claim(const fs::path& folder, const std::string& origin) {
  // Exclusive: where the file system has no locks, of two runs started at once only one gets the folder.
  const PosixFile marker(folder / kMarker, O_WRONLY | O_CREAT | O_EXCL);
  write_atomically(folder / kMarker, marker_text(RunStatus::running, "", origin));
}

/// On rank 0; errors of the file system become messages. Collective.
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

RunFolder::Lock RunFolder::locked(const fs::path& folder) {
  auto file = std::make_shared<const PosixFile>(folder / kLock, O_RDWR | O_CREAT);
  if (::flock(file->raw(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return file;  // or there are no locks here
  throw core::Error("a run is writing into " + folder.string() +
                    "; nothing was touched. Wait for it or stop it, or choose another folder with --out.");
}

RunFolder RunFolder::create(const core::Comm& comm, const fs::path& path, bool overwrite, const std::string& origin) {
  Lock lock;
  on_root(comm, path, [&] {
    if (!fs::exists(path) || fs::is_directory(path)) refuse_if_taken(path, overwrite);
    make_folders(path);
    lock = locked(path);
    refuse_if_taken(path, overwrite);  // by a run that has just ended
    for (const fs::path& file : files_of_run(path)) fs::remove(file);
    claim(path, origin);
  });
  return RunFolder(path, origin, std::move(lock));
}

RunFolder RunFolder::reopen(const core::Comm& comm, const fs::path& path, const std::string& origin) {
  Lock lock;
  std::string kept = origin;
  on_root(comm, path, [&] {
    const bool is_new = !fs::exists(path / kMarker);
    if (is_new && (!fs::exists(path) || fs::is_directory(path))) refuse_if_taken(path, false);
    make_folders(path);
    lock = locked(path);
    if (is_new)
      claim(path, origin);
    else
      kept = read_marker(path / kMarker).origin;
  });
  return RunFolder(path, std::move(kept), std::move(lock));
}

std::vector<fs::path> run_files(const fs::path& folder) {
  std::vector<fs::path> files = files_of_run(folder);
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
    for (const fs::path& file : files_in(path_ / kCheckpoints, is_checkpoint_name)) {
      const fs::path name = file.extension() == ".sums" ? fs::path(file).replace_extension() : file;
      if (std::find(good.begin(), good.end(), name) == good.end()) fs::remove(file);
    }
  });
}

void RunFolder::keep_snapshots(const core::Comm& comm, std::int64_t num_frames) const {
  on_root(comm, path_, [&] {
    for (const fs::path& file : files_in(path_ / kSnapshots, is_snapshot_name))
      if (std::stoll(file.stem().string()) >= num_frames) fs::remove(file);
  });
}

void RunFolder::start_over(const core::Comm& comm) const {
  on_root(comm, path_, [&] {
    for (const fs::path& file : files_of_run(path_))
      if (file.filename() != kMarker) fs::remove(file);
  });
}

RunFolder RunFolder::open(const fs::path& path) {
  if (!fs::exists(path / kMarker))
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
    if (comm.is_root()) write_atomically(path_ / kMarker, marker_text(status, message, origin_));
  });
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
